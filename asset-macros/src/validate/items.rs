//! The author's items as they are emitted: without marks, with what the model
//! adds to types.

use super::vars::{needed_repr, reprs};
use crate::ast::{Item, MarkKind, Module, attrs_mut, name_of};
use crate::errors::Errors;
use crate::ir;
use crate::parse::VARIANT_ATTRIBUTES;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Field, Ident, ItemImpl, PatType, Path, Token, Variant, parse_quote};

/// What every type of a model derives.
const DERIVED: [&str; 5] = ["Clone", "Copy", "PartialEq", "Eq", "Debug"];

/// Complains about items that a model cannot have.
pub fn check(module: &Module, errors: &mut Errors) {
    let has_params = module.items.iter().any(is_param);
    for item in &module.items {
        match &item.syn {
            syn::Item::Mod(inner) if has_params && !is_test_only(&item.syn) => {
                let message = "a model with parameters has no modules of its own: move the items \
                               out of this one";
                errors.at(&inner.ident, message);
            }
            syn::Item::Impl(item) => no_destructor(module, item, errors),
            _ => {}
        }
    }
}

/// Complains about a destructor of a type that the model copies freely.
fn no_destructor(module: &Module, item: &ItemImpl, errors: &mut Errors) {
    let Some((path, _)) = &item.trait_ else {
        return;
    };
    let self_ty = item.self_ty.to_token_stream().to_string();
    let is_self = |item: &&Item| name_of(&item.syn).is_some_and(|name| *name == self_ty);
    let is_marked = module.items.iter().find(is_self).is_some_and(|item| !item.marks.is_empty());
    if path.is_ident("Drop") && is_marked {
        errors.at(path, "the parts of a state are copied and never dropped: remove this");
    }
}

/// Whether the item is a parameter.
pub fn is_param(item: &Item) -> bool {
    item.marks.iter().any(|mark| matches!(mark.kind, MarkKind::Param(_)))
}

/// All items, ready to be emitted.
pub fn emitted(module: &Module) -> Vec<ir::Item> {
    let mut n_params = 0;
    let emitted = module.items.iter().map(|item| {
        let param = is_param(item).then_some(n_params);
        n_params += usize::from(param.is_some());
        ir::Item { syn: emit(module, item), param, test_only: is_test_only(&item.syn) }
    });
    emitted.collect()
}

fn emit(module: &Module, item: &Item) -> syn::Item {
    let mut syn = clean(&item.syn);
    let is_var =
        item.marks.iter().any(|mark| matches!(mark.kind, MarkKind::State | MarkKind::StateVar));
    let is_transitions = item.marks.iter().any(|m| matches!(m.kind, MarkKind::Transitions));
    let is_type = matches!(syn, syn::Item::Struct(_) | syn::Item::Enum(_));
    if !is_type || !(is_var || is_transitions) {
        return syn;
    }
    let repr = needed_repr(&syn).filter(|_| is_var);
    let present = implemented(module, &syn);
    let missing = DERIVED.iter().filter(|name| !present.iter().any(|p| p == *name));
    let missing: Vec<Ident> =
        missing.map(|name| Ident::new(name, proc_macro2::Span::call_site())).collect();
    if let Some(attrs) = attrs_mut(&mut syn) {
        if let Some(repr) = repr
            && reprs(attrs).is_empty()
        {
            let repr = Ident::new(repr, proc_macro2::Span::call_site());
            attrs.push(parse_quote!(#[repr(#repr)]));
        }
        if !missing.is_empty() {
            attrs.push(parse_quote!(#[derive(#(#missing),*)]));
        }
    }
    syn
}

/// An item without the marks on its fields, variants and parameters.
pub fn clean(item: &syn::Item) -> syn::Item {
    struct Cleaner;
    impl VisitMut for Cleaner {
        fn visit_field_mut(&mut self, field: &mut Field) {
            field.attrs.retain(|attr| !attr.path().is_ident("range"));
            visit_mut::visit_field_mut(self, field);
        }

        fn visit_variant_mut(&mut self, variant: &mut Variant) {
            variant
                .attrs
                .retain(|attr| !VARIANT_ATTRIBUTES.iter().any(|name| attr.path().is_ident(name)));
            visit_mut::visit_variant_mut(self, variant);
        }

        fn visit_pat_type_mut(&mut self, parameter: &mut PatType) {
            parameter.attrs.retain(|attr| !attr.path().is_ident("range"));
            visit_mut::visit_pat_type_mut(self, parameter);
        }
    }
    let mut item = item.clone();
    Cleaner.visit_item_mut(&mut item);
    item
}

/// The traits that a type derives or that the module implements for it.
fn implemented(module: &Module, ty: &syn::Item) -> Vec<String> {
    let name = name_of(ty);
    let last = |path: &Path| path.segments.last().map(|last| last.ident.to_string());
    let derived = attributes(ty).iter().filter(|attr| attr.path().is_ident("derive"));
    let derived = derived
        .filter_map(|attr| {
            attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok()
        })
        .flatten()
        .filter_map(|path| last(&path));
    let by_hand = module.items.iter().filter_map(|item| match &item.syn {
        syn::Item::Impl(item) => {
            let (path, _) = item.trait_.as_ref()?;
            let self_ty = &item.self_ty;
            (name.is_some_and(|name| *name == self_ty.to_token_stream().to_string()))
                .then(|| last(path))?
        }
        _ => None,
    });
    derived.chain(by_hand).collect()
}

fn attributes(item: &syn::Item) -> &[Attribute] {
    match item {
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is under `#[cfg(test)]` or a test itself.
pub fn is_test_only(item: &syn::Item) -> bool {
    attributes(item).iter().any(|attr| {
        attr.path().is_ident("test")
            || (attr.path().is_ident("cfg")
                && attr.meta.to_token_stream().to_string().contains("test"))
    })
}
