//! From tokens to the [`ast`](crate::ast): takes the marks off the items.

pub mod formula;

use crate::ast::{CheckKind, Choice, Item, Mark, MarkKind, Module, Named, attrs_mut};
use crate::errors::Errors;
use crate::recover;
use crate::text::{self, nearest};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprAssign, ExprLit, Ident, ItemMod, Lit, Meta, MetaNameValue, Path, Token,
    parse_quote,
};

/// The attributes of the model language that stand on items.
pub const ITEM_ATTRIBUTES: [&str; 9] = [
    "param",
    "state",
    "transitions",
    "init",
    "stubborn",
    "check",
    "proposition",
    "progress",
    "display",
];

/// The attribute for the condition under which a transition exists, on a variant.
pub const EXISTENCE: &str = "only_if";

/// The attribute for fairness, on a variant of the transitions.
pub const FAIRNESS: &str = "fair";

/// The attributes of the model language that stand on variants of the transitions.
pub const VARIANT_ATTRIBUTES: [&str; 2] = [FAIRNESS, EXISTENCE];

/// The attribute of the model language that stands on fields.
pub const FIELD_ATTRIBUTE: &str = "range";

/// Attributes that other tools have, and what they are called here.
const ELSEWHERE: [(&str, &str); 9] = [
    ("initial", "init"),
    ("initial_state", "init"),
    ("initial_states", "init"),
    ("invariant", "check(state)"),
    ("property", "check(state)"),
    ("parameter", "param"),
    ("rules", "stubborn"),
    ("predicate", "proposition"),
    ("atom", "proposition"),
];

/// Kinds of checks that other tools have, and what they are called here.
const CHECKS_ELSEWHERE: [(&str, &str); 9] = [
    ("always", "state"),
    ("invariant", "state"),
    ("property", "state"),
    ("safety", "state"),
    ("final", "deadlock"),
    ("terminal", "deadlock"),
    ("liveness", "ltl"),
    ("temporal", "ltl"),
    ("eventually", "ltl"),
];

/// What this word of another tool is called here.
fn called(word: &str, elsewhere: &[(&str, &'static str)]) -> Option<&'static str> {
    elsewhere.iter().find(|(known, _)| *known == word).map(|(_, here)| *here)
}

/// Attributes of Rust that could pass for misspelt ones of the model language.
const RUST_ATTRIBUTES: [&str; 22] = [
    "allow",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "link",
    "must_use",
    "no_mangle",
    "path",
    "repr",
    "should_panic",
    "test",
    "track_caller",
    "warn",
];

type List<T> = Punctuated<T, Token![,]>;

/// Where `asset_core` is unless the author says otherwise.
pub fn default_crate() -> Path {
    parse_quote!(::asset_core)
}

/// Reads a module under `#[model(args)]`. `None` if it is not an inline module.
pub fn module(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Module> {
    let Arguments { krate, trust_impure, instances } = arguments(args, errors);
    let (mut head, mut is_broken) = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Mod(module)) => (module, false),
        Ok(other) => {
            let message = "`#[model]` goes on a module: write `#[model] pub mod name { … }` around \
                           the parts of the model";
            errors.at(other, message);
            return None;
        }
        Err(error) => match recover::module(item) {
            Some(module) => (module, true),
            None => {
                errors.add(error);
                return None;
            }
        },
    };
    let Some((_, items)) = head.content.take() else {
        let ItemMod { ident, .. } = &head;
        let message = format!(
            "the model must stand in this file: write `mod {ident} {{ … }}`, or put `#[model]` on \
             a module inside the other file"
        );
        errors.at(&head, message);
        return None;
    };
    is_broken |= items.iter().any(recover::lacks_its_end);
    // After a syntax error, what an attribute says may not be what is meant.
    let mut unheard = Errors::default();
    let errors = if is_broken { &mut unheard } else { errors };
    let items = items.into_iter().map(|item| self::item(item, errors)).collect();
    Some(Module { krate, trust_impure, instances, is_broken, head, items })
}

/// What stands in the parentheses of `#[model(…)]`.
struct Arguments {
    krate: Path,
    trust_impure: bool,
    instances: Vec<Named>,
}

fn arguments(args: TokenStream, errors: &mut Errors) -> Arguments {
    let mut read = Arguments { krate: default_crate(), trust_impure: false, instances: Vec::new() };
    let Some(list) = errors.keep(List::<Meta>::parse_terminated.parse2(args)) else {
        return read;
    };
    for argument in list {
        match &argument {
            Meta::NameValue(MetaNameValue { path, value, .. }) if path.is_ident("crate") => {
                match value {
                    Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                        read.krate = errors.keep(text.parse()).unwrap_or(read.krate);
                    }
                    _ => errors.at(value, "write a path in quotes, as in `crate = \"my::path\"`"),
                }
            }
            Meta::List(list)
                if list.path.is_ident("trust") && list.tokens.to_string() == "impure" =>
            {
                read.trust_impure = true;
            }
            meta if meta.path().is_ident("instances") => {
                let choice = errors.keep(instances(meta));
                read.instances.extend(choice.map(|choice| Named { argument, choice }));
            }
            _ => errors.at(
                &argument,
                "`#[model]` takes no such argument; there are `instances(n = 3)`, \
                 `trust(impure)` and `crate = \"path\"`",
            ),
        }
    }
    read
}

/// Reads `instances(n = 3, fast = true)` or `instances(all)`.
fn instances(argument: &Meta) -> syn::Result<Choice> {
    const FORM: &str = "name an instance by the values of its parameters, as in \
                        `instances(n = 3)`, or all: `instances(all)`";
    let Meta::List(list) = argument else {
        return error(argument, FORM);
    };
    if list.tokens.to_string() == "all" {
        return Ok(Choice::All);
    }
    let Ok(values) = list.parse_args_with(List::<Expr>::parse_terminated) else {
        return error(argument, FORM);
    };
    let values: Option<Vec<(Ident, Expr)>> = values
        .into_iter()
        .map(|value| match value {
            Expr::Assign(ExprAssign { left, right, .. }) => match *left {
                Expr::Path(name) => Some((name.path.get_ident()?.clone(), *right)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    match values {
        Some(values) if !values.is_empty() => Ok(Choice::One(values)),
        _ => error(argument, FORM),
    }
}

fn item(mut syn: syn::Item, errors: &mut Errors) -> Item {
    let mut marks = Vec::new();
    if let Some(attrs) = attrs_mut(&mut syn) {
        let mut kept = Vec::new();
        for attr in attrs.drain(..) {
            if attr.path().is_ident("derive") {
                let (derive, mark) = without_state_var(attr, errors);
                kept.extend(derive);
                marks.extend(mark);
            } else if let Some(name) =
                ITEM_ATTRIBUTES.iter().find(|name| attr.path().is_ident(name))
            {
                let kind = mark(name, &attr, errors);
                marks.extend(kind.map(|kind| Mark { kind, attr }));
            } else if let Some(meant) = meant(&attr) {
                unknown_attribute(&attr, meant, errors);
                // Its name is enough of a mistake.
                let name = meant.split('(').next().unwrap_or(meant);
                let kind = mark(name, &attr, &mut Errors::default());
                marks.extend(kind.map(|kind| Mark { kind, attr }));
            } else {
                kept.push(attr);
            }
        }
        *attrs = kept;
    }
    Item { marks, syn }
}

/// The attribute of the model language that this was meant to be.
fn meant(attr: &Attribute) -> Option<&'static str> {
    let name = attr.path().get_ident()?.to_string();
    called(&name, &ELSEWHERE).or_else(|| misspelt(attr, &ITEM_ATTRIBUTES))
}

/// Complains about an attribute that was meant to be another one.
pub fn unknown_attribute(attr: &Attribute, meant: &str, errors: &mut Errors) {
    let name = attr.path().get_ident().map(ToString::to_string).unwrap_or_default();
    let message = format!("there is no attribute `{name}`: did you mean `{meant}`?");
    errors.at(attr.path(), message);
}

/// The known attribute that this one, which is none of Rust's, resembles.
pub fn misspelt<'a>(attr: &Attribute, known: &[&'a str]) -> Option<&'a str> {
    let name = attr.path().get_ident()?.to_string();
    if RUST_ATTRIBUTES.contains(&name.as_str()) { None } else { nearest(&name, known) }
}

/// Takes `StateVar` out of a derive list; nothing is left of an empty list.
fn without_state_var(attr: Attribute, errors: &mut Errors) -> (Option<Attribute>, Option<Mark>) {
    // A list that does not parse is left for the compiler to complain about.
    let Ok(list) = attr.parse_args_with(List::<Path>::parse_terminated) else {
        return (Some(attr), None);
    };
    let mut is_state_var = |path: &Path| {
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let is_meant = text::is_nearly(&name, "StateVar");
        if is_meant && name != "StateVar" {
            let message = format!("there is no derive `{name}`: did you mean `StateVar`?");
            errors.at(path, message);
        }
        is_meant
    };
    let (found, others): (Vec<Path>, Vec<Path>) = list.into_iter().partition(&mut is_state_var);
    if found.is_empty() {
        return (Some(attr), None);
    }
    let pointed = found.first().map(|path| parse_quote!(#[#path]));
    let mark = pointed.map(|attr| Mark { kind: MarkKind::StateVar, attr });
    let derive = (!others.is_empty()).then(|| {
        let mut derive = attr;
        derive.meta = parse_quote!(derive(#(#others),*));
        derive
    });
    (derive, mark)
}

/// Reads one attribute of the model language. One that means something in
/// spite of a mistake is still returned, so that its part is not missed too.
fn mark(name: &str, attr: &Attribute, errors: &mut Errors) -> Option<MarkKind> {
    let plain = match name {
        "param" => return errors.keep(param(attr)).map(MarkKind::Param),
        "check" => {
            let kind = errors.keep(check(attr)).or_else(|| {
                let said = attr.meta.require_list().map(|list| list.tokens.to_string());
                said.is_ok_and(|said| said.starts_with("ltl")).then_some(CheckKind::Ltl)
            });
            return kind.map(MarkKind::Check);
        }
        "progress" => {
            let of_states = errors.keep(progress(attr))?;
            return Some(MarkKind::Progress { of_states });
        }
        "state" => MarkKind::State,
        "transitions" => MarkKind::Transitions,
        "init" => MarkKind::Init,
        "stubborn" => MarkKind::Stubborn,
        "proposition" => MarkKind::Proposition,
        _ => MarkKind::Display,
    };
    if !matches!(attr.meta, Meta::Path(_)) {
        errors.at(&attr.meta, format!("`#[{name}]` takes no arguments: write just `#[{name}]`"));
    }
    Some(plain)
}

fn error<T>(tokens: impl ToTokens, message: impl std::fmt::Display) -> syn::Result<T> {
    Err(syn::Error::new_spanned(tokens, message))
}

fn param(attr: &Attribute) -> syn::Result<Vec<Expr>> {
    const FORM: &str = "list the values that get an instance, as in `#[param(2..=5)]` or \
                        `#[param(2, 4, 8)]`";
    match &attr.meta {
        Meta::Path(_) => Ok(Vec::new()),
        Meta::List(list) => match list.parse_args_with(List::<Expr>::parse_terminated) {
            Ok(values) if !values.is_empty() => Ok(values.into_iter().collect()),
            _ => error(&attr.meta, FORM),
        },
        Meta::NameValue(_) => error(&attr.meta, FORM),
    }
}

fn check(attr: &Attribute) -> syn::Result<CheckKind> {
    const FORM: &str = "say what is checked: `#[check(state)]` every state, `#[check(deadlock)]` \
                        every terminal state, `#[check(reachable)]` that some state satisfies it, \
                        `#[check(may_progress)]` that progress can always \
                        be made, `#[check(must_progress)]` that it cannot be avoided, \
                        `#[check(ltl)]` a formula, `#[check(never_without)]` that nothing happens \
                        for ever without what it needs";
    let Meta::List(list) = &attr.meta else {
        return error(&attr.meta, FORM);
    };
    let Ok(kind) = list.parse_args::<Meta>() else {
        return error(&attr.meta, FORM);
    };
    let strict = match &kind {
        Meta::List(list) if list.tokens.to_string() == "strict" => true,
        Meta::Path(_) => false,
        _ => {
            return error(
                &kind,
                "the only argument here is `strict`, as in `may_progress(strict)`",
            );
        }
    };
    let name = kind.path().get_ident().map(ToString::to_string).unwrap_or_default();
    match (name.as_str(), strict) {
        ("state", false) => Ok(CheckKind::State),
        ("deadlock", false) => Ok(CheckKind::Deadlock),
        ("reachable", false) => Ok(CheckKind::Reachable),
        ("ltl", false) => Ok(CheckKind::Ltl),
        ("never_without", false) => Ok(CheckKind::NeverWithout),
        ("state" | "deadlock" | "reachable" | "ltl" | "never_without", true) => error(
            &kind,
            format!("`strict` is for `may_progress` and `must_progress`: write `#[check({name})]`"),
        ),
        ("may_progress", _) => Ok(CheckKind::MayProgress { strict }),
        ("must_progress", _) => Ok(CheckKind::MustProgress { strict }),
        _ => {
            let known = [
                "state",
                "deadlock",
                "reachable",
                "may_progress",
                "must_progress",
                "ltl",
                "never_without",
            ];
            match called(&name, &CHECKS_ELSEWHERE).or_else(|| nearest(&name, &known)) {
                Some(meant) => {
                    error(&kind, format!("there is no check `{name}`: did you mean `{meant}`?"))
                }
                None => error(&kind, FORM),
            }
        }
    }
}

fn progress(attr: &Attribute) -> syn::Result<bool> {
    match &attr.meta {
        Meta::Path(_) => Ok(false),
        Meta::List(list) if list.tokens.to_string() == "state" => Ok(true),
        meta => error(
            meta,
            "write `#[progress]` on a function of transitions or `#[progress(state)]` on a \
             function of states",
        ),
    }
}
