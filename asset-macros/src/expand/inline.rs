//! Which functions of a model are compiled into their callers.
//!
//! Firing is called more often than anything else, and where it is inlined
//! together with what it calls, Peterson-4 is explored a tenth faster.

use crate::ir::{Item, Model};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{ItemFn, parse_quote};

/// How often each word stands in a module.
pub type Uses = HashMap<String, usize>;

/// How often each word stands in the module.
pub fn uses(items: &[Item]) -> Uses {
    let mut uses = Uses::new();
    items.iter().for_each(|item| count(item.syn.to_token_stream(), &mut uses));
    uses
}

fn count(tokens: TokenStream, uses: &mut Uses) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => *uses.entry(ident.to_string()).or_default() += 1,
            TokenTree::Group(group) => count(group.stream(), uses),
            _ => {}
        }
    }
}

/// Asks the compiler to inline a function, and tells it to if that costs
/// nothing: firing itself, and what stands twice in the module, where it is
/// defined and where it is called. What the author says about it stands.
pub fn hint(model: &Model, uses: &Uses, function: &mut ItemFn) {
    let name = &function.sig.ident;
    let is_display = model.display.as_ref().is_some_and(|display| display.function == *name);
    let is_hinted =
        |attr: &syn::Attribute| ["inline", "cold"].iter().any(|a| attr.path().is_ident(a));
    if function.attrs.iter().any(is_hinted) {
        return;
    }
    if is_display {
        // Little is worth optimising in what is printed for people.
        function.attrs.push(parse_quote!(#[cold]));
        return;
    }
    let is_called_once = uses.get(&name.to_string()).is_some_and(|&n| n == 2);
    function.attrs.push(if *name == model.fire || is_called_once {
        parse_quote!(#[inline(always)])
    } else {
        parse_quote!(#[inline])
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_at_every_depth() {
        let tokens: TokenStream = "fn f() { g(vec![g, { h }]) }".parse().unwrap();
        let mut uses = HashMap::new();
        count(tokens, &mut uses);
        assert_eq!((uses["f"], uses["g"], uses["h"]), (1, 2, 1));
    }
}
