//! From the [`ir`](crate::ir) to Rust: thin code that calls `asset_core`.
//!
//! The default instance stands directly in the author's module. The others are
//! copies of it in blocks of a constant beside the module that has the module's
//! name. (Constants and modules have separate namespaces.) So the items of all
//! instances have the same path, what the compiler says of one it says of the
//! others in the same words, and it prints the same words once.

mod copies;
mod data;
mod family;
mod fields;
mod inline;
mod instance;
mod transitions;
mod vars;

use crate::ir::{Model, Param, Transitions, Value};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{AttrStyle, Attribute};

pub use vars::state_var;

/// The values of all parameters in one instance.
type Values<'a> = Vec<&'a Value>;

/// The whole module, and what goes beside it.
pub fn model(model: &Model) -> TokenStream {
    let syn::ItemMod { attrs, vis, mod_token, ident, .. } = &model.head;
    let (outer, inner): (Vec<&Attribute>, Vec<&Attribute>) =
        attrs.iter().partition(|attr| matches!(attr.style, AttrStyle::Outer));
    let instances = instances(&model.params);
    let defaults: Vec<usize> = model.params.iter().map(|param| param.default).collect();
    let default = instances.iter().position(|(indices, _)| *indices == defaults).unwrap_or(0);
    let body = body(model, &instances[default].1, false);
    let anchor = family::anchor(model, default, &quote!(__Family));
    let family = family::family(model, &instances);
    // Uses every value where the author can see what is wrong with one, and
    // keeps the compiler from calling the others unused.
    let values = model.params.iter().map(|Param { ty, values, .. }| {
        let values = values.iter().map(|value| &value.expr);
        quote!(const _: &[#ty] = &[#(#values),*];)
    });
    let copies = copies(model, &instances, default);
    // The parts of a model have names that speak for themselves; an author who
    // wants to hear of undocumented ones can say so inside the module.
    quote! {
        #(#outer)*
        #[allow(missing_docs)]
        #vis #mod_token #ident {
            #(#inner)*
            #body
            #anchor
            #family
            #(#values)*
        }
        #copies
    }
}

/// All instances but the default one.
fn copies(
    model: &Model,
    instances: &[(Vec<usize>, Values)],
    default: usize,
) -> Option<TokenStream> {
    if instances.len() == 1 {
        return None;
    }
    let ident = &model.head.ident;
    let conditions = model.head.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    let copies = instances.iter().enumerate().filter(|(index, _)| *index != default);
    let copies = copies.map(|(index, (_, values))| {
        let body = copies::beside_the_module(body(model, values, true));
        let anchor = family::anchor(model, index, &quote!(#ident::__Family));
        quote!({ #body #anchor })
    });
    Some(quote! {
        #(#conditions)*
        #[allow(warnings, clippy::all)]
        const #ident: () = { #(#copies)* };
    })
}

/// Everything that exists once per instance.
fn body(model: &Model, values: &Values, is_copy: bool) -> TokenStream {
    let krate = &model.krate;
    let uses = inline::uses(&model.items);
    let items = model.items.iter().filter(|item| !(is_copy && item.test_only)).map(|item| {
        let mut syn = item.syn.clone();
        if let (syn::Item::Const(constant), Some(param)) = (&mut syn, item.param)
            && is_copy
        {
            *constant.expr = values[param].expr.clone();
        }
        if let syn::Item::Fn(function) = &mut syn {
            inline::hint(model, &uses, function);
        }
        syn
    });
    let vars = model.vars.iter().map(|var| state_var(krate, var));
    let transitions = match &model.transitions {
        Transitions::Enum { ident, variants } => transitions::numbered(krate, ident, variants),
        Transitions::Count(_) => TokenStream::new(),
    };
    let instance = instance::instance(model);
    let size = size(model);
    quote! {
        #[allow(unused_imports)]
        use #krate::prelude::*;
        #(#items)*
        #(#vars)*
        #transitions
        #instance
        #size
    }
}

/// A constant that does not compile if the state is too large, on its name.
fn size(model: &Model) -> TokenStream {
    let Model { krate, state, .. } = model;
    let layout = quote!(<#state as #krate::generated::StateVar>::LAYOUT);
    let check = quote!(#krate::generated::check_size(&#layout));
    let check = fields::respan(check, state.span());
    quote!(const _: () = #check;)
}

/// All combinations of values, the last parameter fastest, with the indices of
/// the values.
fn instances(params: &[Param]) -> Vec<(Vec<usize>, Values<'_>)> {
    let mut instances = vec![(Vec::new(), Vec::new())];
    for param in params {
        let extended = instances.iter().flat_map(|(indices, values)| {
            param.values.iter().enumerate().map(|(i, value)| {
                let (mut indices, mut values): (Vec<usize>, Values) =
                    (indices.clone(), values.clone());
                indices.push(i);
                values.push(value);
                (indices, values)
            })
        });
        instances = extended.collect();
    }
    instances
}
