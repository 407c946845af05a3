//! From the [`ir`](crate::ir) to Rust: thin code that calls `asset_core`.
//!
//! A model with one instance is the author's module with generated items in it. One with
//! several stands in a hidden module: there the default instance is a module of the
//! author's name, and the other instances are copies of it in blocks of a constant of that
//! name. (Constants and modules have separate namespaces.) So the items of all instances
//! have the same path, what the compiler says of one it says of the others in the same
//! words, and it prints the same words once. The hidden module has nothing else in it, so
//! a copy sees what the default instance sees: neither traits, nor types, nor functions
//! from outside, unless the author imports them.
//!
//! Those blocks are nested, one level for each parameter, and an item stands in
//! the outermost block in which all parameters that it depends on have a value:
//! what is inside can use it, and the compiler meets it once for all of them.
//! That brought a rebuild of Peterson's model after a change of a state variable
//! from 2.4 seconds to 1.35.
//!
//! Every generated name begins with `__asset`, which no name of the author's does; the
//! exceptions are what a model shows, `model` and the width of a state. Of the author's
//! scope generated code uses nothing but the author's items: all else has its whole path,
//! primitive types and methods included.

mod body;
mod copies;
mod data;
mod family;
mod fields;
mod inline;
mod instance;
mod places;
mod properties;
mod sharing;
mod temporal;
mod transitions;
mod vars;

use crate::analyse::Analysis;
use crate::ir::{Instances, Model, Param, Value};
use crate::text;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeMap;
use syn::{AttrStyle, Attribute};

use body::Body;
use inline::Uses;
#[cfg(test)]
pub use places::told;
use sharing::Sharing;
pub use vars::{not_recommended, state_var};

/// The values of all parameters in one instance.
type Values<'a> = Vec<&'a Value>;

/// The whole module, and what goes beside it.
pub fn model(model: &Model, analysis: &Analysis) -> TokenStream {
    let syn::ItemMod { attrs, vis, mod_token, ident, .. } = &model.head;
    let (outer, inner): (Vec<&Attribute>, Vec<&Attribute>) =
        attrs.iter().partition(|attr| matches!(attr.style, AttrStyle::Outer));
    let uses = &inline::uses(&model.items);
    let default = model.instances.default;
    let values = values(model, &model.instances.built[default]);
    let body = Body { model, analysis, values: &values, uses, copy: None }.write();
    let anchor = family::anchor(model, default);
    let family = family::family(model);
    // Cargo builds it again if the environment names other instances.
    let chosen = model.instances.variable.map(|variable| {
        let name = quote!(::core::primitive::str);
        quote!(const _: ::core::option::Option<&#name> = ::core::option_env!(#variable);)
    });
    // Uses every value where the author can see what is wrong with one, and
    // keeps the compiler from calling the others unused.
    let listed = model.params.iter().map(|Param { ty, values, .. }| {
        let values = values.iter().map(|value| &value.expr);
        quote!(const _: &[#ty] = &[#(#values),*];)
    });
    let content = quote!(#body #anchor #family #chosen #(#listed)*);
    // The parts of a model have names that speak for themselves; an author who
    // wants to hear of undocumented ones can say so inside the module.
    if model.instances.n_listed == 1 {
        return quote! {
            #(#outer)*
            #[allow(missing_docs)]
            #vis #mod_token #ident {
                #(#inner)*
                #content
            }
        };
    }
    let content = copies::one_deeper(content);
    let copies = copies(model, analysis, uses);
    let hidden = format_ident!("__asset_{}", text::shown(ident));
    let conditions: Vec<&Attribute> =
        outer.iter().copied().filter(|attr| attr.path().is_ident("cfg")).collect();
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_snake_case)]
        mod #hidden {
            #(#outer)*
            #[allow(missing_docs)]
            pub #mod_token #ident {
                #(#inner)*
                #content
            }
            #copies
        }

        #(#conditions)*
        #[doc(inline)]
        #[allow(unused_imports)]
        #vis use #hidden::#ident;
    }
}

/// What is imported into the module, and for its copies.
fn prelude(model: &Model, analysis: &Analysis) -> TokenStream {
    let (krate, trusted) = (&model.krate, places::imports(&analysis.trusted));
    quote! {
        #[allow(unused_imports)]
        use #krate::prelude::*;
        #trusted
    }
}

/// All instances that are built, but the default one.
fn copies(model: &Model, analysis: &Analysis, uses: &Uses) -> TokenStream {
    let ident = &model.head.ident;
    let prelude = prelude(model, analysis);
    let sharing = Sharing::new(model);
    let Instances { built, default, .. } = &model.instances;
    let copies: Vec<Copy> = built.iter().enumerate().filter(|(i, _)| i != default).collect();
    if copies.is_empty() {
        return TokenStream::new();
    }
    let copies = nested(model, analysis, uses, &sharing, 0, &copies);
    let copies = copies::without_self(quote!(#prelude #copies));
    quote! {
        #[allow(warnings, clippy::all)]
        const #ident: () = {
            use self::#ident::__asset_Family;
            #copies
        };
    }
}

/// An instance with its index.
type Copy<'a> = (usize, &'a Vec<usize>);

/// What these instances share at this level, and in a block of its own for each
/// value of the next parameter, what those share that have it. All of them agree
/// on the parameters of the levels before. There is at least one.
fn nested(
    model: &Model,
    analysis: &Analysis,
    uses: &Uses,
    sharing: &Sharing,
    level: usize,
    copies: &[Copy],
) -> TokenStream {
    let (index, indices) = copies[0];
    let values = &values(model, indices);
    let shared = Body { model, analysis, values, uses, copy: Some((sharing, level)) }.write();
    let Some(&param) = sharing.order.get(level) else {
        let anchor = family::anchor(model, index);
        return quote!(#shared #anchor);
    };
    let mut by_value: BTreeMap<usize, Vec<Copy>> = BTreeMap::new();
    for &copy in copies {
        by_value.entry(copy.1[param]).or_default().push(copy);
    }
    let blocks = by_value.values().map(|having| {
        let block = nested(model, analysis, uses, sharing, level + 1, having);
        quote!({ #block })
    });
    quote!(#shared #(#blocks)*)
}

/// The values with these indices, one of each parameter.
fn values<'a>(model: &'a Model, indices: &[usize]) -> Values<'a> {
    let values = model.params.iter().zip(indices);
    values.map(|(param, &index)| &param.values[index]).collect()
}
