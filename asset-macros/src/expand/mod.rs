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
mod transitions;
mod vars;

use crate::analyse::Analysis;
use crate::ir::{Model, Param, Value};
use crate::text;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
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
    let instances = instances(&model.params);
    let defaults: Vec<usize> = model.params.iter().map(|param| param.default).collect();
    let default = instances.iter().position(|(indices, _)| *indices == defaults).unwrap_or(0);
    let uses = &inline::uses(&model.items);
    let body = Body { model, analysis, values: &instances[default].1, uses, copy: None }.write();
    let anchor = family::anchor(model, default);
    let family = family::family(model, &instances);
    // Uses every value where the author can see what is wrong with one, and
    // keeps the compiler from calling the others unused.
    let values = model.params.iter().map(|Param { ty, values, .. }| {
        let values = values.iter().map(|value| &value.expr);
        quote!(const _: &[#ty] = &[#(#values),*];)
    });
    let content = quote!(#body #anchor #family #(#values)*);
    // The parts of a model have names that speak for themselves; an author who
    // wants to hear of undocumented ones can say so inside the module.
    if instances.len() == 1 {
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
    let copies = copies(model, analysis, uses, &instances, default);
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

/// All instances but the default one.
fn copies(
    model: &Model,
    analysis: &Analysis,
    uses: &Uses,
    instances: &[(Vec<usize>, Values)],
    default: usize,
) -> TokenStream {
    let ident = &model.head.ident;
    let prelude = prelude(model, analysis);
    let sharing = Sharing::new(model);
    let copies: Vec<Copy> = instances.iter().enumerate().filter(|(i, _)| *i != default).collect();
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
type Copy<'a> = (usize, &'a (Vec<usize>, Values<'a>));

/// What these instances share at this level, and in a block of its own for each
/// value of the next parameter, what those share that have it. All of them agree
/// on the parameters of the levels before.
fn nested(
    model: &Model,
    analysis: &Analysis,
    uses: &Uses,
    sharing: &Sharing,
    level: usize,
    copies: &[Copy],
) -> TokenStream {
    let Some((index, (_, values))) = copies.first() else {
        return TokenStream::new();
    };
    let shared = Body { model, analysis, values, uses, copy: Some((sharing, level)) }.write();
    let Some(&param) = sharing.order.get(level) else {
        let anchor = family::anchor(model, *index);
        return quote!(#shared #anchor);
    };
    let blocks = (0..model.params[param].values.len()).map(|value| {
        let has_it = |(_, (indices, _)): &&Copy| indices[param] == value;
        let having: Vec<Copy> = copies.iter().filter(has_it).copied().collect();
        let block = nested(model, analysis, uses, sharing, level + 1, &having);
        (!having.is_empty()).then(|| quote!({ #block }))
    });
    quote!(#shared #(#blocks)*)
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
