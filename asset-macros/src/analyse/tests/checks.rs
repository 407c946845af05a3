//! What state checks look at.

use super::{analysed, shown};
use crate::analyse::Touches;
use proc_macro2::TokenStream;
use quote::quote;

/// What a state check looks at that has this body, with the parameter `s`.
fn check(body: TokenStream) -> String {
    check_with(body, TokenStream::new())
}

fn check_with(body: TokenStream, more: TokenStream) -> String {
    shown(
        &checks(quote! {
            #[check(state)]
            pub fn check(s: &State) -> bool { #body }
            #more
        })[0],
    )
}

/// What the state checks among these items look at.
fn checks(items: TokenStream) -> Vec<Touches> {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool { s.y = 0; true }
    };
    analysed(fire, items).checks
}

#[test]
fn fields_and_elements() {
    assert_eq!(check(quote!(s.y < 3)), "y");
    assert_eq!(check(quote!(true)), "");
    assert_eq!(check(quote!(s.x[0] == s.x[0])), "x[{let():()=();0}]");
    assert_eq!(check(quote!(s.at.iter().filter(|at| matches!(at, At::Busy)).count() < 2)), "at");
    assert_eq!(check(quote!(!s.at.contains(&At::Gone) || s.mode == At::Idle)), "at mode");
    assert_eq!(check(quote!(let at = &s.at; at[0] == at[1])), "at");
    assert_eq!(check(quote!(s.nest[2][0] == 1)), "nest[{let():()=();2}]");
    assert_eq!(check(quote!(s.x[usize::from(s.y)] == 0)), "x y");
    assert_eq!(check(quote!((0..N).all(|i| s.x[i] == 0 || s.y == 0))), "x y");
    assert_eq!(check(quote!(let busy = |i: usize| s.at[i] == At::Busy; !busy(0))), "at");
}

#[test]
fn loops_and_choices() {
    let body = quote! {
        let mut n = 0;
        for i in 0..N {
            for value in s.nest[i] {
                n += value;
            }
        }
        n < 5
    };
    assert_eq!(check(body), "nest");
    // Every arm counts: nothing is known of the variable by which it is chosen.
    let body = quote! {
        match s.mode {
            At::Idle => s.y == 0,
            At::Busy if s.x[0] == 0 => true,
            _ => s.at[1] == At::Idle,
        }
    };
    assert_eq!(check(body), "mode y x[{let():()=();0}] at[{let():()=();1}]");
    assert_eq!(check(quote!(s.mode != At::Idle || s.y == 0)), "mode y");
    assert_eq!(check(quote!(if s.mode != At::Idle { return true; } s.y == 0)), "mode y");
}

#[test]
fn functions_that_get_the_state() {
    let more = quote! {
        fn is_busy(s: &State, i: usize) -> bool { s.at[i] == At::Busy && is_low(s) }
        fn is_low(state: &State) -> bool { state.y == 0 }
        fn next(i: usize) -> usize { (i + 1) % N }
    };
    let elements = check_with(quote!(is_busy(s, 1) || s.x[next(0)] == 0), more.clone());
    assert_eq!(elements, "at[{let():()=();1}] y x[{let():()=();next(0)}]");
    assert_eq!(check_with(quote!((0..N).any(|i| is_busy(s, i))), more), "at y");
}

#[test]
fn messages() {
    let of = |message: TokenStream| {
        let items = quote! {
            #[check(state)]
            pub fn check(s: &State) -> Result<(), String> {
                if s.y > 0 { Err(#message) } else { Ok(()) }
            }
        };
        shown(&checks(items)[0])
    };
    assert_eq!(of(quote!(String::from("too high"))), "y");
    assert_eq!(of(quote!(format!("{} is too high in {:?}", s.y, s.mode))), "y mode");
    assert_eq!(of(quote!(format!("{s:?}"))), "everything");
    assert_eq!(of(quote!(format!("{:?}", s))), "everything");
}

#[test]
fn whatever_is_not_understood_is_everything() {
    for body in [
        quote!(foreign(s)),
        quote!(super::foreign(s)),
        quote!(s.is_fine()),
        quote!(let State { y, .. } = s; *y == 0),
        quote!([s].iter().all(|s| s.y == 0)),
        quote!(let all = s; all.y == 0),
        quote!(matches!(s, State { y: 0, .. })),
        quote!(own!(s.y)),
        quote!(check(s)),
    ] {
        assert_eq!(check(body.clone()), "everything", "{body}");
    }
    let by_pattern = quote! {
        #[check(state)]
        pub fn check(&s: &State) -> bool { s.y == 0 }
    };
    assert_eq!(shown(&checks(by_pattern)[0]), "everything");
}

#[test]
fn each_check_for_itself() {
    let found = checks(quote! {
        #[check(state)]
        pub fn one(s: &State) -> bool { s.y == 0 }
        #[check(deadlock)]
        pub fn two(s: &State) -> bool { s.y == 0 }
        #[check(state)]
        pub fn three(s: &State) -> bool { foreign(s) }
        #[check(state)]
        pub fn four(s: &State) -> bool { s.mode == At::Idle }
    });
    let found: Vec<String> = found.iter().map(shown).collect();
    assert_eq!(found, ["y", "y", "everything", "mode"]);
}

#[test]
fn guards_of_matches() {
    assert_eq!(check(quote!(matches!(s.y, y if y > 3 && !(y < 5)))), "y");
    assert_eq!(check(quote!(matches!(s.mode, At::Idle | At::Busy if !true))), "mode");
    // Names in texts, and what macros make of nothing.
    for guard in [
        quote!(format!("{s:?}").len() > 3),
        quote!((format!("{s:?}")).is_empty()),
        quote!(!own!().is_empty()),
        quote!({
            own! {}
            true
        }),
    ] {
        assert_eq!(check(quote!(matches!(s.y, _ if #guard))), "everything", "{guard}");
    }
}

#[test]
fn macros_of_an_inner_module_may_have_any_name() {
    let inner = |attributes: TokenStream| {
        let inner = quote! {
            #attributes
            mod inner { macro_rules! assert { ($s:ident.y == 0) => { $s.mode == At::Idle } } }
        };
        check_with(quote!(assert!(s.y == 0)), inner)
    };
    assert_eq!(inner(TokenStream::new()), "y");
    assert_eq!(inner(quote!(#[macro_use])), "everything");
    assert_eq!(inner(quote!(#[cfg(not(test))] #[macro_use])), "everything");
}
