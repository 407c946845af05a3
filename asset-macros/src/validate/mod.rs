//! From the [`ast`](crate::ast) to the [`ir`](crate::ir), or to all mistakes.
//!
//! Every function here reports what is wrong and goes on with what is right,
//! so that an author sees everything at once.

mod answer;
mod arrays;
mod attributes;
mod fairness;
mod formulas;
mod functions;
mod instances;
mod items;
mod names;
mod params;
mod purity;
pub mod references;
pub mod reserved;
mod signature;
mod transitions;
mod types;
mod vars;

use crate::ast::{Item, Mark, MarkKind, Module, name_of};
use crate::errors::Errors;
use crate::ir;
use crate::text;
use syn::Ident;
use types::Own;

pub use instances::VARIABLE;
pub use names::Names;

/// Lowers a module. `None`, or any error, means that there is no model. `named` is what the
/// environment says of instances, in the variable [`VARIABLE`].
pub fn module(module: &Module, named: Option<&str>, errors: &mut Errors) -> Option<ir::Model> {
    let state = single(module, errors, |kind| matches!(kind, MarkKind::State));
    let transitions = single(module, errors, |kind| matches!(kind, MarkKind::Transitions));
    if state.is_none() {
        missing(module, "State", "state", errors);
    }
    if transitions.is_none() {
        missing(module, "Transition", "transitions", errors);
    }
    items::check(module, errors);
    reserved::check(module, errors);
    attributes::check(module, errors);
    if !module.trust_impure {
        purity::check(module, errors);
    }
    let names = names(module, state, transitions);
    references::constants(module, errors);
    references::transitions(module, &names, errors);
    let params = params::all(module, errors);
    let instances = instances::chosen(module, &params, named, errors);
    arrays::check(module, &names, &params, errors);
    let own = Own::new(module);
    let vars = vars::all(module, &own, errors);
    let fairness = transitions.map(|item| fairness::all(item, errors)).unwrap_or_default();
    let transitions =
        transitions.and_then(|item| transitions::lower(item, &types::Own::new(module), errors));
    let propositions = formulas::propositions(module, &names, &own, errors);
    let formulas = formulas::all(module, &propositions, errors);
    let functions = functions::all(module, &names, errors);
    let fire = functions::fire(module, &names, errors);
    let transitions = transitions?;
    if has_unknown_types(&vars, &transitions, &own) {
        return None;
    }
    Some(ir::Model {
        krate: module.krate.clone(),
        head: module.head.clone(),
        doc: text::doc(&module.head.attrs),
        items: items::emitted(module),
        params,
        instances: instances?,
        vars,
        shows: reserved::WIDTHS.map(|name| !reserved::has_value(module, name)),
        state: names.state,
        transitions,
        fire: fire?,
        inits: functions.inits,
        rules: functions.rules,
        checks: functions.checks,
        propositions,
        formulas,
        fairness,
        progress: functions.progress,
        display: functions.display,
    })
}

/// Whether the compiler will certainly not find the type of some field.
fn has_unknown_types(vars: &[ir::Var], transitions: &ir::Transitions, own: &Own) -> bool {
    let is_unknown = |field: &ir::Field| own.is_unknown(&field.ty);
    let in_variants =
        |variants: &[ir::Variant]| variants.iter().flat_map(|v| &v.fields).any(is_unknown);
    let in_var = |var: &ir::Var| match &var.shape {
        ir::Shape::Struct(fields) => fields.iter().any(is_unknown),
        ir::Shape::Names(_) => false,
        ir::Shape::Data(variants) => in_variants(variants),
    };
    let in_transitions = match transitions {
        ir::Transitions::Enum { variants, .. } => in_variants(variants),
        ir::Transitions::Count(_) => false,
    };
    in_transitions || vars.iter().any(in_var)
}

/// Lowers a type that derives `StateVar` outside of a model. If just its
/// representation is missing, it is still a variable to those who use it.
pub fn derived(item: &syn::Item, errors: &mut Errors) -> Option<ir::Var> {
    let mut inside = Errors::default();
    let var = vars::lower(item, &Own::default(), &mut inside);
    let is_fine = inside.is_empty();
    vars::check_repr(item, errors);
    errors.append(inside);
    var.filter(|_| is_fine)
}

/// Complains about a part that is not there, or not marked.
fn missing(module: &Module, usual_name: &str, mark: &str, errors: &mut Errors) {
    let (what, kind) =
        if mark == "state" { ("state variables", "struct") } else { ("transitions", "enum") };
    let unmarked = module.items.iter().find_map(|item| {
        match &item.syn {
            syn::Item::Struct(item) if mark == "state" => Some(&item.ident),
            syn::Item::Enum(item) if mark == "transitions" => Some(&item.ident),
            _ => None,
        }
        .filter(|name| *name == usual_name)
    });
    match unmarked {
        Some(name) => errors.at(
            name,
            format!("a model needs its {what}: if this is them, put `#[{mark}]` before it"),
        ),
        None => errors.at(
            &module.head.ident,
            format!("a model needs its {what}: add `#[{mark}] pub {kind} {usual_name} {{ … }}`"),
        ),
    }
}

/// The item that has a mark of which there may be one; complains about more.
fn single<'a>(
    module: &'a Module,
    errors: &mut Errors,
    is_it: fn(&MarkKind) -> bool,
) -> Option<&'a Item> {
    let mut found = None;
    for item in &module.items {
        for mark in item.marks.iter().filter(|mark| is_it(&mark.kind)) {
            if found.is_some() {
                second(mark, errors);
            } else {
                found = Some(item);
            }
        }
    }
    found
}

fn second(mark: &Mark, errors: &mut Errors) {
    let name = mark.kind.name();
    let remedy = match mark.kind {
        MarkKind::State => "put all variables into one struct",
        MarkKind::Transitions => "put all transitions into one enum",
        MarkKind::Stubborn => "put all rules into one function",
        _ => "keep one of them",
    };
    errors.at(&mark.attr, format!("a model has only one `#[{name}]`: {remedy}"));
}

/// The names that signatures are compared with. Where a part is missing, the
/// usual name stands in, so that its absence is reported once.
fn names(module: &Module, state: Option<&Item>, transitions: Option<&Item>) -> signature::Names {
    let usual = |name| Ident::new(name, module.head.ident.span());
    let name = |item: Option<&Item>| item.and_then(|item| name_of(&item.syn)).cloned();
    let transition = match transitions.map(|item| &item.syn) {
        Some(syn::Item::Const(_)) => usual("usize"),
        _ => name(transitions).unwrap_or_else(|| usual("Transition")),
    };
    signature::Names { state: name(state).unwrap_or_else(|| usual("State")), transition }
}
