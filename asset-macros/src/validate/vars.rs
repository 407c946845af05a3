//! State variables: the state itself, and types that derive `StateVar`.

use super::types::{self, Own};
use crate::ast::{MarkKind, Module, name_of};
use crate::errors::Errors;
use crate::ir::{Field, Shape, Var, Variant};
use quote::ToTokens;
use syn::{Attribute, Fields, Generics, Index, ItemEnum, ItemStruct, Member, Token};

/// The most variants that an enum without data can have.
const MAX_VARIANTS: usize = 1 << 16;

/// All state variables of a module that are in order.
pub fn all(module: &Module, own: &Own, errors: &mut Errors) -> Vec<Var> {
    let mut vars = Vec::new();
    for item in &module.items {
        let state = item.marks.iter().find(|mark| matches!(mark.kind, MarkKind::State));
        let var = item.marks.iter().find(|mark| matches!(mark.kind, MarkKind::StateVar));
        match (state, &item.syn) {
            (Some(_), syn::Item::Struct(_)) => {}
            (Some(mark), _) => {
                let message =
                    "`#[state]` goes on a struct: write `#[state] pub struct State { … }`";
                errors.at(&mark.attr, message);
                continue;
            }
            (None, _) if var.is_none() => continue,
            (None, _) => {}
        }
        check_model_repr(&item.syn, errors);
        let var = lower(&item.syn, own, errors);
        vars.extend(var.map(|var| Var { is_state: state.is_some(), ..var }));
    }
    vars
}

/// Lowers a struct or an enum.
pub fn lower(item: &syn::Item, own: &Own, errors: &mut Errors) -> Option<Var> {
    match item {
        syn::Item::Struct(item) => structure(item, own, errors),
        syn::Item::Enum(item) => enumeration(item, own, errors),
        other => {
            let place =
                name_of(other).map_or_else(|| other.to_token_stream(), |n| n.to_token_stream());
            errors.at(place, "only a struct or an enum can derive `StateVar`");
            None
        }
    }
}

fn structure(item: &ItemStruct, own: &Own, errors: &mut Errors) -> Option<Var> {
    no_generics(&item.generics, errors)?;
    let fields = fields(&item.fields, own, errors);
    Some(Var { ident: item.ident.clone(), shape: Shape::Struct(fields), is_state: false })
}

fn enumeration(item: &ItemEnum, own: &Own, errors: &mut Errors) -> Option<Var> {
    no_generics(&item.generics, errors)?;
    if item.variants.is_empty() {
        let message = "a state variable needs a value: give this enum at least one variant";
        errors.at(&item.ident, message);
        return None;
    }
    for (_, value) in item.variants.iter().filter_map(|variant| variant.discriminant.as_ref()) {
        let message = "variants of a state variable are numbered from 0 in order: remove the \
                       number, and match on the variant where you need one";
        errors.at(value, message);
    }
    let shape = if item.variants.iter().all(|variant| variant.fields.is_empty()) {
        if item.variants.len() > MAX_VARIANTS {
            errors.at(&item.ident, "a state variable has at most 65536 variants: use an integer");
        }
        Shape::Names(item.variants.iter().map(|variant| variant.ident.clone()).collect())
    } else {
        let variants = item.variants.iter().map(|variant| Variant {
            ident: variant.ident.clone(),
            fields: fields(&variant.fields, own, errors),
            only_if: None,
        });
        Shape::Data(variants.collect())
    };
    Some(Var { ident: item.ident.clone(), shape, is_state: false })
}

fn fields(fields: &Fields, own: &Own, errors: &mut Errors) -> Vec<Field> {
    let field = |(i, field): (usize, &syn::Field)| {
        types::finite(&field.ty, own, errors);
        let range = types::range(&field.attrs, &field.ty, false, own, errors);
        Field { member: member(i, field), ty: field.ty.clone(), range }
    };
    fields.iter().enumerate().map(field).collect()
}

/// A field's name or position.
pub fn member(position: usize, field: &syn::Field) -> Member {
    match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(Index::from(position)),
    }
}

/// Complains about type, lifetime or constant parameters.
pub fn no_generics(generics: &Generics, errors: &mut Errors) -> Option<()> {
    if generics.params.is_empty() {
        return Some(());
    }
    let is_lifetime = |parameter| matches!(parameter, &syn::GenericParam::Lifetime(_));
    let message = if generics.params.iter().all(is_lifetime) {
        "a state owns its variables and cannot borrow: remove the lifetime, and store a number \
         or an enum instead, such as an index of type `u8`"
    } else if generics.type_params().next().is_some() {
        "the types of a model cannot be generic: write the type of each field out"
    } else {
        "the types of a model cannot be generic: use a constant, which `#[param]` can vary"
    };
    errors.at(generics, message);
    None
}

/// The representations that an item asks for.
pub fn reprs(attrs: &[Attribute]) -> Vec<(&Attribute, String)> {
    let mut reprs = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        let list = attr
            .parse_args_with(syn::punctuated::Punctuated::<syn::Meta, Token![,]>::parse_terminated);
        for meta in list.into_iter().flatten() {
            reprs.push((attr, quote::quote!(#meta).to_string()));
        }
    }
    reprs
}

/// The representation that the packing reads; an enum with data needs none.
pub fn needed_repr(item: &syn::Item) -> Option<&'static str> {
    match item {
        syn::Item::Struct(_) => Some("C"),
        syn::Item::Enum(item) if item.variants.iter().any(|v| !v.fields.is_empty()) => None,
        syn::Item::Enum(item) if item.variants.len() > 1 << 8 => Some("u16"),
        syn::Item::Enum(_) => Some("u8"),
        _ => None,
    }
}

/// Inside a model the macro chooses the representation; the author may agree.
fn check_model_repr(item: &syn::Item, errors: &mut Errors) {
    let attrs = match item {
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        _ => return,
    };
    for (attr, repr) in reprs(attrs) {
        if needed_repr(item).is_some_and(|needed| needed != repr) {
            errors.at(attr, "the model chooses how its variables are laid out: remove this");
        }
    }
}

/// Outside of a model the author must choose the representation.
pub fn check_repr(item: &syn::Item, errors: &mut Errors) {
    let (attrs, ident) = match item {
        syn::Item::Struct(item) => (&item.attrs, &item.ident),
        syn::Item::Enum(item) => (&item.attrs, &item.ident),
        _ => return,
    };
    if let Some(needed) = needed_repr(item)
        && !reprs(attrs).iter().any(|(_, repr)| repr == needed)
    {
        let message = format!(
            "outside of a model, `StateVar` adds nothing else: write `#[derive(StateVar, Clone, \
             Copy, PartialEq, Eq, Debug)]` and `#[repr({needed})]`"
        );
        errors.at(ident, message);
    }
}
