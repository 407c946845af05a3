//! Fairness marks on transitions.

use crate::ast::Item;
use crate::errors::Errors;
use crate::ir::Fair;
use crate::parse::FAIRNESS;
use crate::text::{nearest, shown};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitInt, Token, Variant};

const FORM: &str = "say which fairness: `#[fair(weak)]`, what is enabled for ever from some time on \
                    is fired; `#[fair(strong)]`, what is enabled again and again is fired again and \
                    again; with `by = i`, one condition for each value of the parameter `i`";

/// The mark of each variant.
pub fn all(item: &Item, errors: &mut Errors) -> Vec<Option<Fair>> {
    let syn::Item::Enum(item) = &item.syn else { return Vec::new() };
    let mut marks: Vec<Option<Fair>> = Vec::new();
    for variant in &item.variants {
        let mark = of_variant(variant, errors);
        if let Some(Fair { is_strong, group: Some(name), .. }) = &mark {
            let is_it = |known: &&Fair| known.group.as_ref() == Some(name);
            let other = marks.iter().flatten().find(is_it);
            if other.is_some_and(|other| other.is_strong != *is_strong) {
                let message = format!(
                    "the group `{name}` is weakly fair here and strongly fair elsewhere: make it \
                     one of them, or two groups"
                );
                errors.at(variant.attrs.iter().find(is_mark), message);
            } else if item.variants.iter().any(|variant| shown(&variant.ident) == *name) {
                let message = format!("`{name}` is a transition: give the group another name");
                errors.at(variant.attrs.iter().find(is_mark), message);
            }
        }
        marks.push(mark);
    }
    marks
}

fn is_mark(attr: &&Attribute) -> bool {
    attr.path().is_ident(FAIRNESS)
}

fn of_variant(variant: &Variant, errors: &mut Errors) -> Option<Fair> {
    let mut marks = variant.attrs.iter().filter(is_mark);
    let mark = marks.next()?;
    if let Some(second) = marks.next() {
        errors.at(second, "strong fairness implies weak fairness: keep one of these marks");
    }
    let Ok(said) = mark.parse_args::<Said>() else {
        errors.at(&mark.meta, FORM);
        return None;
    };
    let is_strong = match &*said.kind.to_string() {
        "weak" => false,
        "strong" => true,
        other => {
            let meant = nearest(other, &["weak", "strong"]);
            let message = meant
                .map(|meant| format!("there is no fairness `{other}`: did you mean `{meant}`?"));
            errors.at(&said.kind, message.unwrap_or_else(|| FORM.to_owned()));
            return None;
        }
    };
    let (mut group, mut by) = (None, None);
    for (word, value) in &said.more {
        match (&*word.to_string(), value) {
            ("group", Value::Name(name)) => group = Some(shown(name)),
            ("group", Value::Position(position)) => {
                errors.at(position, "a group has a name, as in `group = channel`");
                return None;
            }
            ("by", value) => by = Some(parameter(variant, value, errors)?),
            _ => {
                let message = format!(
                    "there is no `{word}` here: write `by = i` for one condition for each value of \
                     the parameter `i`, or `group = name` for one that several transitions share"
                );
                errors.at(word, message);
                return None;
            }
        }
    }
    Some(Fair { is_strong, group, by })
}

/// The position of the parameter that is named.
fn parameter(variant: &Variant, value: &Value, errors: &mut Errors) -> Option<usize> {
    let fields = || variant.fields.iter();
    let found = match value {
        Value::Name(name) => fields().position(|f| f.ident.as_ref().is_some_and(|f| f == name)),
        Value::Position(position) => {
            let unnamed = fields().filter(|field| field.ident.is_none()).count();
            position.base10_parse::<usize>().ok().filter(|&position| position < unnamed)
        }
    };
    if found.is_none() {
        let position = |(i, field): (usize, &syn::Field)| match &field.ident {
            Some(name) => format!("`{}`", shown(name)),
            None => format!("`{i}`"),
        };
        let known: Vec<String> = fields().enumerate().map(position).collect();
        let shown = value.to_token_stream();
        let message = match known.is_empty() {
            true => format!("`{}` has no parameters: remove this", variant.ident),
            false => format!(
                "`{}` has no parameter `{shown}`: write {}, whose values are to be one condition \
                 each",
                variant.ident,
                known.join(" or ")
            ),
        };
        errors.at(value, message);
    }
    found
}

/// What stands in the parentheses.
struct Said {
    kind: Ident,
    more: Vec<(Ident, Value)>,
}

/// What stands behind `by =` or `group =`.
enum Value {
    Name(Ident),
    Position(LitInt),
}

impl Parse for Said {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind = input.parse()?;
        let mut more = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            let word = input.parse()?;
            input.parse::<Token![=]>()?;
            let value = match input.peek(LitInt) {
                true => Value::Position(input.parse()?),
                false => Value::Name(input.parse()?),
            };
            more.push((word, value));
        }
        Ok(Said { kind, more })
    }
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        match self {
            Value::Name(name) => name.to_tokens(tokens),
            Value::Position(position) => position.to_tokens(tokens),
        }
    }
}
