//! How much work it is, where functions call functions that call functions.

use super::{I, lowered, of, shown};
use crate::analyse::OfVariant;
use crate::analyse::module::Module;
use crate::analyse::questions::of_transitions;
use crate::analyse::summary::Summaries;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// What a step touches that calls `f0` of a chain of functions, and how often functions
/// were walked through. Each has this body, with the next one by the name `next`, but
/// the last one.
fn chain(length: usize, body: &TokenStream, last: &TokenStream) -> (Vec<OfVariant>, usize) {
    let helpers = (0..length).map(|k| {
        let (this, next) = (format_ident!("f{k}"), format_ident!("f{}", k + 1));
        quote!(fn #this(s: &mut State, i: usize, j: usize) -> bool {
            macro_free(); #body
        })
        .to_string()
        .replace("next", &next.to_string())
    });
    let helpers: TokenStream = helpers.collect::<String>().parse().unwrap();
    let last_name = format_ident!("f{length}");
    let n_values = 30;
    let values = (0..n_values).map(|k| format_ident!("V{k}"));
    let variants: Vec<_> = (0..n_values).map(|k| format_ident!("T{k}")).collect();
    let module = quote! {
        pub mod m {
            #[derive(StateVar)]
            pub enum At { #(#values),* }
            #[state]
            pub struct State { at: [At; 3], x: [bool; 3] }
            #[transitions]
            pub enum Transition { #(#variants(#[range(0..3)] usize)),* }
            fn macro_free() {}
            #helpers
            fn #last_name(s: &mut State, i: usize, j: usize) -> bool { #last }
            pub fn fire_transition(s: &mut State, t: Transition) -> bool {
                match t { #(Transition::#variants(i) => f0(s, i, i)),* }
            }
        }
    };
    let model = lowered(module);
    let (module, summaries) = (Module::new(&model), Summaries::default());
    let found = of_transitions(&model, &module, &summaries);
    (found, summaries.n_made.get())
}

#[test]
fn functions_are_walked_through_once_and_not_once_for_each_way_to_them() {
    let body = quote! {
        if s.at[i] == At::V1 && s.x[i] {
            return next(s, i, j) && next(s, (i + 1) % 3, j);
        }
        next(s, i, j) || next(s, (i + 2) % 3, j)
    };
    let last = quote!(s.x[i] = !s.x[i]; true);
    let (found, short) = chain(1, &body, &last);
    assert_eq!((found.len(), found[0].touches.len()), (30, 30));
    let elements = shown(&found[0].touches[0]).replace(I, "i");
    assert!(elements.starts_with("at[i] x[i] x[{let(__asset_known_0,)"), "{elements}");
    // All elements, where there are three to the power of 14 ways to choose one.
    let (found, long) = chain(14, &body, &last);
    assert!(found.iter().all(|of| of.choice == found[0].choice && of.choice.is_some()));
    let all: Vec<String> = found.iter().flat_map(|of| &of.touches).map(shown).collect();
    assert_eq!(all, vec!["x at"; 30 * 30]);
    // A question for each variant and value, and each function a few times.
    assert!(short <= 30 * 32 + 50, "{short}");
    assert!(long <= short + 3 * 14, "{long}, {short} for one");
}

#[test]
fn values_that_double_with_every_call_are_given_up() {
    let (found, _) = chain(14, &quote!(next(s, i + j, i * j)), &quote!(s.x[i]));
    assert_eq!(shown(&found[0].touches[0]), "x");
    let (found, _) = chain(3, &quote!(next(s, i + j, i * j)), &quote!(s.x[i]));
    assert!(shown(&found[0].touches[0]).starts_with("x[{let"));
}

#[test]
fn a_long_chain_of_calls_is_followed() {
    let mut more = quote!(
        fn f0(s: &mut State) -> bool {
            s.y == 0
        }
    );
    for i in 1..40u32 {
        let (this, next) = (format_ident!("f{i}"), format_ident!("f{}", i - 1));
        more.extend(quote!(fn #this(s: &mut State) -> bool { #next(s) && #next(s) }));
    }
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool { f39(s) }
    };
    assert_eq!(shown(&of(fire, more)[0].touches[0]), "y");
}
