//! Why something was not understood.

use super::of;
use crate::analyse::Reason;
use proc_macro2::TokenStream;
use quote::quote;

/// Why it is not known what a step touches that has this body, in a module with more items.
fn why(body: TokenStream, more: TokenStream) -> Option<String> {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => step(s, i),
                Transition::Stop => false,
            }
        }
        fn step(s: &mut State, i: usize) -> bool { #body }
    };
    let reason = of(fire, more)[0].touches[0].reason().cloned();
    reason.map(|Reason { why, .. }| why)
}

#[test]
fn the_first_thing_that_was_not_understood() {
    let more = quote! {
        fn helper(s: &mut State) -> bool { s.y == 0 }
        fn deep(s: &mut State) -> bool { let r = s; r.y == 0 }
        fn of_any<const N: usize>(s: &State) -> bool { s.x[N] == 0 }
        fn by_pattern(&State { y, .. }: &State) -> bool { y == 0 }
        fn pair(s: &State, t: &State) -> bool { s.y == t.y }
        fn inner(s: &State) -> bool { fn inner() {} s.y == 0 }
    };
    for (body, expected) in [
        (quote!(helper(s)), ""),
        (quote!(deep(s)), "the state is used as a whole"),
        (quote!(s.clone().y == 0), "a method of the state is called, `clone`"),
        (quote!(crate::f(s)), "the state is passed to `crate::f`, which is not looked into"),
        (quote!(f(s)), "the state is passed to `f`, no function of the module"),
        (
            quote!(let f = |state: &State| state.y == 0; f(s)),
            "the state is passed to `f`, a closure or another value",
        ),
        (
            quote!((|state: &State| state.y)(s) == 0),
            "the state is passed to an expression that is called",
        ),
        (quote!(let f = |s: &State| s.y == 0; f(s)), "`step` binds the state's name once more"),
        (quote!(own!(s.y)), "a macro is called that may do anything, `own!`"),
        (quote!(format!("{s:?}").is_empty()), "a text in `format!` may show the state"),
        (quote!(s.unknown == 0), "the state has no field `unknown` of its own"),
        (quote!(step(s, i)), "`step` calls itself"),
        (quote!(of_any::<2>(s)), "the state is passed to `of_any::<2>`, which is not looked into"),
        (quote!(of_any(s)), "`of_any` is generic and gets the state"),
        (quote!(by_pattern(s)), "`by_pattern` takes the state by a pattern"),
        (quote!(pair(s, s)), "`pair` gets the state twice"),
        (quote!(inner(s)), "an item is defined inside of `inner`"),
        (quote!(drop(async { s.y == 0 }); true), "this is code of an unusual kind"),
        (quote!(own!(s.y) && s.unknown == 0), "a macro is called that may do anything, `own!`"),
    ] {
        let found = why(body.clone(), more.clone()).unwrap_or_default();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn what_makes_all_of_a_module_unclear() {
    for (more, expected) in [
        (
            quote!(
                #[cfg(test)]
                fn f() {}
            ),
            "`cfg` stands in the module",
        ),
        (
            quote!(
                fn r#f() {}
            ),
            "`r#f` stands in the module",
        ),
        (
            quote!(
                use other::assert;
            ),
            "`assert` is imported",
        ),
        (quote!(own! {}), "a macro, or syntax that is not known, stands among the items"),
    ] {
        assert_eq!(why(quote!(s.y == 0), more.clone()).as_deref(), Some(expected), "{more}");
    }
}
