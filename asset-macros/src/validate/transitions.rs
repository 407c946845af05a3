//! Transitions: an enum with parameters, or a plain count.

use super::types::{self, Own};
use super::vars::{member, no_generics};
use crate::ast::Item;
use crate::errors::Errors;
use crate::ir::{Field, Transitions, Variant};
use crate::parse::EXISTENCE;
use quote::ToTokens;
use syn::{Expr, ItemConst, ItemEnum, Type};

/// Lowers the item that has the mark `#[transitions]`.
pub fn lower(item: &Item, own: &Own, errors: &mut Errors) -> Option<Transitions> {
    match &item.syn {
        syn::Item::Enum(item) => enumeration(item, own, errors),
        syn::Item::Const(item) => count(item, errors),
        other => {
            let message = "`#[transitions]` goes on an enum, or on a `usize` constant that counts \
                           them";
            errors.at(other, message);
            None
        }
    }
}

fn count(item: &ItemConst, errors: &mut Errors) -> Option<Transitions> {
    let is_usize = matches!(&*item.ty, Type::Path(path) if path.path.is_ident("usize"));
    if !is_usize {
        errors.at(&item.ty, "the number of transitions must be a `usize`");
        return None;
    }
    Some(Transitions::Count(item.ident.clone()))
}

fn enumeration(item: &ItemEnum, own: &Own, errors: &mut Errors) -> Option<Transitions> {
    no_generics(&item.generics, errors)?;
    if item.variants.is_empty() {
        errors.at(&item.ident, "a model needs a transition: give this enum at least one variant");
        return None;
    }
    let variants = item.variants.iter().map(|variant| {
        if let Some((_, value)) = &variant.discriminant {
            errors.at(value, "transitions are numbered in order: remove the number");
        }
        let field = |(i, field)| parameter(i, field, own, errors);
        let fields = variant.fields.iter().enumerate().map(field).collect();
        let only_if = only_if(variant, errors);
        Variant { ident: variant.ident.clone(), fields, only_if }
    });
    let variants = variants.collect();
    Some(Transitions::Enum { ident: item.ident.clone(), variants })
}

/// Reads the condition under which a transition exists.
fn only_if(variant: &syn::Variant, errors: &mut Errors) -> Option<Expr> {
    let mut found = None;
    for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident(EXISTENCE)) {
        match attr.parse_args::<Expr>() {
            Ok(_) if found.is_some() => {
                errors.at(attr, "one `#[only_if(…)]` is enough: join the conditions with `&&`");
            }
            Ok(condition) => found = Some(condition),
            Err(_) => {
                let message = "say when this transition exists, by constants and parameters of \
                               the model, as in `#[only_if(LOSSY)]` or `#[only_if(N > 2)]`";
                errors.at(&attr.meta, message);
            }
        }
    }
    found
}

fn parameter(position: usize, field: &syn::Field, own: &Own, errors: &mut Errors) -> Field {
    let range = types::range(&field.attrs, &field.ty, true, own, errors);
    let is_ranged = field.attrs.iter().any(|attr| attr.path().is_ident("range"));
    if types::is_integer(&field.ty) {
        if !is_ranged {
            let ty = field.ty.to_token_stream().to_string().replace(" ;", ";");
            let shown = format!("#[range(0..N)] {ty}");
            let message =
                format!("this parameter needs its values, of which each is tried: write `{shown}`");
            errors.at(&field.ty, message);
        }
    } else {
        types::finite(&field.ty, own, errors);
    }
    Field { member: member(position, field), ty: field.ty.clone(), range }
}
