//! What is emitted when something is wrong: the mistakes, and a module that
//! still defines its names, so that one mistake is one message.

use crate::ast::{MarkKind, Module, attrs_mut, name_of};
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AttrStyle, Attribute, Block, Field, Ident, ImplItemFn, ItemFn, ReturnType, Signature, Type,
    Variant, parse_quote,
};

/// For something that is not an inline module: it is emitted as it is.
pub fn without_module(errors: Errors, item: TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#errors #item)
}

/// The mistakes, and the module with its items but without their bodies.
pub fn module(errors: Errors, module: &Module) -> TokenStream {
    let syn::ItemMod { attrs, vis, mod_token, ident, .. } = &module.head;
    let attrs = attrs.iter().filter(|attr| matches!(attr.style, AttrStyle::Outer));
    let krate = &module.krate;
    let errors = errors.into_tokens();
    let items = module.items.iter().map(|item| {
        let mut syn = item.syn.clone();
        Emptier.visit_item_mut(&mut syn);
        let is_simple = matches!(&syn, syn::Item::Enum(item) if item.variants.iter().all(|v| v.fields.is_empty()));
        if let Some(attrs) = attrs_mut(&mut syn) {
            attrs.retain(is_harmless);
            if is_simple {
                attrs.push(parse_quote!(#[derive(Clone, Copy, PartialEq, Eq, Debug)]));
            }
        }
        syn
    });
    let stubs = stubs(module);
    quote! {
        #errors
        #(#attrs)*
        #[allow(warnings, clippy::all)]
        #vis #mod_token #ident {
            use #krate::prelude::*;
            #(#items)*
            #stubs
        }
    }
}

/// Attributes that change what an item is, and not what is made of it.
fn is_harmless(attr: &Attribute) -> bool {
    ["doc", "cfg", "macro_use", "macro_export", "path"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// Takes away what could only repeat a mistake: attributes inside items, and
/// the bodies of functions.
struct Emptier;

impl VisitMut for Emptier {
    fn visit_field_mut(&mut self, field: &mut Field) {
        field.attrs.retain(is_harmless);
        visit_mut::visit_field_mut(self, field);
    }

    fn visit_variant_mut(&mut self, variant: &mut Variant) {
        variant.attrs.retain(is_harmless);
        visit_mut::visit_variant_mut(self, variant);
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        function.attrs.retain(is_harmless);
        empty(&function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        function.attrs.retain(is_harmless);
        empty(&function.sig, &mut function.block);
    }
}

/// A function keeps its body if that says what its opaque type is, or if
/// constants may be computed by it.
fn empty(sig: &Signature, block: &mut Block) {
    let is_opaque =
        matches!(&sig.output, ReturnType::Type(_, ty) if matches!(**ty, Type::ImplTrait(_)));
    if !is_opaque && sig.constness.is_none() {
        *block = parse_quote!({ ::core::unimplemented!() });
    }
}

/// The names that the model would have defined, and those of missing parts.
fn stubs(module: &Module) -> TokenStream {
    let krate = &module.krate;
    let defines = |name: &str| {
        module.items.iter().filter_map(|item| name_of(&item.syn)).any(|known| known == name)
    };
    let has = |is_it: fn(&MarkKind) -> bool| {
        module.items.iter().flat_map(|item| &item.marks).any(|mark| is_it(&mark.kind))
    };
    let missing = |name: &str, is_it: fn(&MarkKind) -> bool| {
        (!has(is_it) && !defines(name)).then(|| {
            let name = Ident::new(name, module.head.ident.span());
            quote!(pub struct #name;)
        })
    };
    let state = missing("State", |kind| matches!(kind, MarkKind::State));
    let transition = missing("Transition", |kind| matches!(kind, MarkKind::Transitions));
    let function = (!defines("model")).then(|| {
        quote! {
            pub fn model() -> #krate::model::Family {
                ::core::unimplemented!()
            }
        }
    });
    quote! {
        #state
        #transition
        #function
    }
}
