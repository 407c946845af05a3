//! Propositions, and the formulas that name them.

use super::signature::{self, Form, Gives, Names, Takes};
use super::types::{self, Own};
use crate::ast::{self, CheckKind, Formula, MarkKind, Module, stated};
use crate::errors::Errors;
use crate::ir::{Asked, Parameter, Proposition, Range};
use crate::parse::formula;
use crate::text::{self, nearest, shown};
use quote::ToTokens;
use syn::{Expr, FnArg, Ident, ItemConst, ItemFn, Pat, Type};

/// The most parameters behind the state, as in `asset_core`.
const MAX_PARAMETERS: usize = 4;

const OF_STATE: [Form; 1] = [(&[Takes::State], Gives::Bool)];

/// The propositions of a model; those in which something is wrong are among them, so that
/// formulas find them.
pub fn propositions(
    module: &Module,
    names: &Names,
    own: &Own,
    errors: &mut Errors,
) -> Vec<Proposition> {
    let mut propositions = Vec::new();
    for item in &module.items {
        for mark in item.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Proposition)) {
            match &item.syn {
                syn::Item::Fn(function) => {
                    propositions.push(proposition(function, names, own, errors));
                }
                _ => {
                    let message = format!(
                        "`#[proposition]` goes on a function such as `fn name(s: &{}) -> bool`, \
                         which may have parameters behind the state",
                        names.state
                    );
                    errors.at(&mark.attr, message);
                }
            }
        }
    }
    propositions
}

fn proposition(function: &ItemFn, names: &Names, own: &Own, errors: &mut Errors) -> Proposition {
    let name = &function.sig.ident;
    let mut of_state = function.sig.clone();
    of_state.inputs = of_state.inputs.into_iter().take(1).collect();
    signature::form(&of_state, &OF_STATE, names, errors);
    if formula::is_word(name) {
        let message = format!("`{name}` means something else in a formula: choose another name");
        errors.at(name, message);
    }
    let inputs = function.sig.inputs.iter().skip(1);
    let parameters: Vec<Parameter> =
        inputs.filter_map(|input| parameter(input, own, errors)).collect();
    if parameters.len() > MAX_PARAMETERS {
        let message = format!(
            "a proposition has at most {MAX_PARAMETERS} parameters behind the state: make it \
             several propositions"
        );
        errors.at(&function.sig.inputs, message);
    }
    let doc = text::first_paragraph(&text::doc(&function.attrs));
    Proposition { function: name.clone(), doc, parameters }
}

fn parameter(input: &FnArg, own: &Own, errors: &mut Errors) -> Option<Parameter> {
    let FnArg::Typed(typed) = input else { return None };
    let name = match &*typed.pat {
        Pat::Ident(name) => shown(&name.ident),
        _ => "_".to_owned(),
    };
    let ty = (*typed.ty).clone();
    let is_array = matches!(ty, Type::Array(_));
    let range = types::range(&typed.attrs, &ty, false, own, errors);
    let has_range = typed.attrs.iter().any(|attr| attr.path().is_ident("range"));
    let is_bool = types::leaf_name(&ty).is_some_and(|name| name == "bool");
    if is_array || !(types::is_integer(&ty) || is_bool) {
        let message = "a parameter of a proposition is an integer with a `#[range]`, or a `bool`: \
                       use the number of the value";
        errors.at(&ty, message);
    } else if !is_bool && !has_range {
        let shown = ty.to_token_stream();
        let message = format!(
            "this parameter needs its values, so that formulas can be checked: write \
             `#[range(0..N)] {name}: {shown}`"
        );
        errors.at(input, message);
    }
    Some(Parameter { name, ty, range })
}

/// The formulas with the index of the check that each belongs to.
pub fn all(
    module: &Module,
    propositions: &[Proposition],
    errors: &mut Errors,
) -> Vec<(usize, Formula<Asked>)> {
    const FORM: &str = "`#[check(ltl)]` goes on a constant such as `const NAME: Ltl = ltl!(G \
                        (waiting(0) -> F served(0)));`";
    let mut formulas = Vec::new();
    let mut n_checks = 0;
    for item in &module.items {
        let mut is_check = false;
        for mark in &item.marks {
            let MarkKind::Check(kind) = mark.kind else { continue };
            if kind == CheckKind::Ltl {
                is_check = true;
                match (&item.syn, stated(&item.syn)) {
                    (syn::Item::Const(constant), Some(call)) => {
                        check_type(constant, errors);
                        let names = Formulas { module, propositions };
                        let formula = errors.keep(formula::formula(call.tokens.clone(), call));
                        let formula = formula.and_then(|formula| names.resolve(formula, errors));
                        formulas.extend(formula.map(|formula| (n_checks, formula)));
                    }
                    (syn::Item::Const(constant), None) => errors.at(&constant.expr, FORM),
                    _ => errors.at(&mark.attr, FORM),
                }
            }
            n_checks += 1;
        }
        if let (Some(call), false) = (stated(&item.syn), is_check) {
            errors.at(call, "a formula is a check: put `#[check(ltl)]` before this constant");
        }
    }
    formulas
}

/// Complains about a constant that is said to be something else than a formula.
fn check_type(constant: &ItemConst, errors: &mut Errors) {
    if types::leaf_name(&constant.ty).is_none_or(|name| name != "Ltl") {
        errors.at(&constant.ty, "a formula's type is `Ltl`");
    }
}

/// What formulas can name.
struct Formulas<'m> {
    module: &'m Module,
    propositions: &'m [Proposition],
}

impl Formulas<'_> {
    /// The formula with its propositions by index; `None` if something is wrong.
    fn resolve(&self, formula: Formula<ast::Asked>, errors: &mut Errors) -> Option<Formula<Asked>> {
        Some(match formula {
            Formula::Constant(value) => Formula::Constant(value),
            Formula::Ask(asked) => Formula::Ask(self.asked(asked, errors)?),
            Formula::One(operator, inner) => {
                Formula::One(operator, Box::new(self.resolve(*inner, errors)?))
            }
            Formula::Two(operator, parts) => {
                // Mistakes on both sides are told at once.
                let [left, right] = (*parts).map(|part| self.resolve(part, errors));
                Formula::two(operator, left?, right?)
            }
            Formula::Each { quantifier, variable, range, body } => {
                let body = Box::new(self.resolve(*body, errors)?);
                Formula::Each { quantifier, variable, range, body }
            }
        })
    }

    fn asked(&self, asked: ast::Asked, errors: &mut Errors) -> Option<Asked> {
        let ast::Asked { name, arguments } = asked;
        let is_it = |known: &&Proposition| shown(&known.function) == shown(&name);
        let Some(proposition) = self.propositions.iter().position(|known| is_it(&known)) else {
            errors.at(&name, self.unknown(&name));
            return None;
        };
        let known = &self.propositions[proposition];
        if known.parameters.len() != arguments.len() {
            let (wanted, given) = (known.parameters.len(), arguments.len());
            let s = if wanted == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` takes {wanted} argument{s} and is given {given}: write `{}`",
                written(known)
            );
            errors.at(&name, message);
            return None;
        }
        for (parameter, argument) in known.parameters.iter().zip(&arguments) {
            check_literal(&name, parameter, argument, errors);
        }
        Some(Asked { proposition, arguments })
    }

    fn unknown(&self, name: &Ident) -> String {
        let known: Vec<String> = self.propositions.iter().map(|p| shown(&p.function)).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let is_function = self.module.items.iter().any(
            |item| matches!(&item.syn, syn::Item::Fn(function) if function.sig.ident == *name),
        );
        if is_function {
            return format!("`{name}` is no proposition yet: put `#[proposition]` before it");
        }
        match nearest(&shown(name), &known) {
            Some(meant) => format!("there is no proposition `{name}`: did you mean `{meant}`?"),
            None if known.is_empty() => format!(
                "there is no proposition `{name}`: add `#[proposition] pub fn {name}(s: &State) -> \
                 bool`"
            ),
            None => {
                let written: Vec<String> = self.propositions.iter().map(written).collect();
                format!(
                    "there is no proposition `{name}`; there are `{}`: use one of them, or add \
                     `#[proposition] pub fn {name}(s: &State) -> bool`",
                    written.join("`, `")
                )
            }
        }
    }
}

/// A proposition as a formula names it.
fn written(proposition: &Proposition) -> String {
    let names: Vec<&str> = proposition.parameters.iter().map(|p| p.name.as_str()).collect();
    match names.is_empty() {
        true => shown(&proposition.function),
        false => format!("{}({})", shown(&proposition.function), names.join(", ")),
    }
}

/// Complains about a number outside of a range of numbers; the compiler sees the others.
fn check_literal(name: &Ident, parameter: &Parameter, argument: &Expr, errors: &mut Errors) {
    let Some(Range { lo, hi, closed, .. }) = &parameter.range else { return };
    let literals = (types::literal(lo), types::literal(hi), types::literal(argument));
    let (Some(lo), Some(hi), Some(value)) = literals else { return };
    let hi = if *closed { hi } else { hi - 1 };
    if value < lo || value > hi {
        let message =
            format!("`{}` of `{name}` is one of {lo}..={hi}, not {value}", parameter.name);
        errors.at(argument, message);
    }
}
