//! Choices by conditions, and what could mislead them.

use super::{I, of, shown};
use proc_macro2::TokenStream;
use quote::quote;

/// What is touched by value, of a step with this body, in a module with more items.
fn by_value(body: TokenStream, more: TokenStream) -> Vec<String> {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => step(s, i),
                Transition::Stop => false,
            }
        }
        fn step(s: &mut State, i: usize) -> bool { #body }
        fn is_idle(s: &State, i: usize) -> bool { s.at[i] == At::Idle && s.y > 0 }
        fn set(s: &mut State) -> bool { s.nest[0][0] = 1; true }
    };
    of(fire, more).remove(0).touches.iter().map(shown).collect()
}

#[test]
fn what_a_condition_leaves_out() {
    let (at, all) = (format!("at[{I}]"), format!("at[{I}] nest[{{let():()=();0}}]"));
    for body in [
        quote!(s.at[i] == At::Idle && set(s)),
        quote!(At::Idle == s.at[i] && set(s)),
        quote!(!(s.at[i] != At::Idle) && set(s)),
        quote!(s.at[i] != At::Idle || set(s)),
        quote!(if s.at[i] != At::Idle { return false; } set(s)),
        quote!(if s.at[i] == At::Idle { set(s) } else { false }),
        quote!(if !matches!(s.at[i], At::Idle) { return false; } set(s)),
        quote!(matches!(s.at[i], At::Idle) && i < 2 && set(s)),
        quote!(i > 1 || s.at[i] == At::Idle && set(s)),
    ] {
        let found = by_value(body.clone(), TokenStream::new());
        assert_eq!(found, [all.clone(), at.clone(), at.clone()], "{body}");
    }
    let two = by_value(quote!(matches!(s.at[i], At::Idle | At::Gone) && set(s)), quote!());
    assert_eq!(two, [all.clone(), at.clone(), all]);
    let helper = by_value(quote!(is_idle(s, i) && set(s)), quote!());
    assert_eq!(helper, [format!("{at} y nest[{{let():()=();0}}]"), at.clone(), at]);
}

#[test]
fn what_a_condition_does_not_leave_out() {
    let own = quote! {
        impl PartialEq for At { fn eq(&self, other: &Self) -> bool { true } }
    };
    let more = quote! {
        const IDLE: At = At::Idle;
        fn early(s: &State, i: usize) -> bool {
            if s.y == 0 { return true; }
            s.at[i] == At::Idle
        }
        fn inner(s: &State, i: usize) -> bool { s.at[i] == At::Idle && { return true; } }
    };
    for (body, more) in [
        (quote!(s.at[i] == At::Idle && set(s)), own),
        (quote!(s.at[i] = At::Busy; s.at[i] == At::Idle && set(s)), quote!()),
        (quote!(s.at[i] == IDLE && set(s)), more.clone()),
        (quote!(s.at[i] == Other::Idle && set(s)), quote!()),
        (quote!(early(s, i) && set(s)), more.clone()),
        (quote!(!inner(s, i) && set(s)), more),
        (quote!(if s.y > 0 { if s.at[i] == At::Idle { return false; } } set(s)), quote!()),
        (quote!(if s.at[i] == At::Idle { s.y = 1; } set(s)), quote!()),
        (quote!((0..2).all(|_| s.at[i] == At::Idle) && set(s)), quote!()),
        (quote!(while s.at[i] == At::Idle { s.at[i] = At::Busy; } set(s)), quote!()),
        (quote!(let x = s.at[i] == At::Idle; x && set(s)), quote!()),
        (quote!(s.at[i] == s.mode && set(s)), quote!()),
        (quote!(matches!(s.at[i], At::Idle if i > 0) || set(s)), quote!()),
        (quote!(matches!(s.at[i], other) && set(s)), quote!()),
        (quote!((s.at[i] == At::Idle || s.y > 0) && set(s)), quote!()),
        (quote!(s.at[i] == At::Idle && s.y > 0 || set(s)), quote!()),
        (quote!(s.at[i] == At::Idle & set(s)), quote!()),
        (
            quote!(returns(s, i) && set(s)),
            quote! {
                fn returns(s: &State, i: usize) -> bool {
                    matches!({ if s.y == 0 { return true; } 1 }, 1) && s.at[i] == At::Idle
                }
            },
        ),
        // Later, it may have another value.
        (
            quote!(
                (s.at[i] == At::Idle || {
                    s.at[i] = At::Idle;
                    true
                }) && s.at[i] == At::Idle
                    && set(s)
            ),
            quote!(),
        ),
    ] {
        let found = by_value(body.clone(), more);
        assert!(found.iter().all(|touched| touched.contains("nest")), "{body}: {found:?}");
    }
}

#[test]
fn a_guard_may_be_anything() {
    let guarded = quote! {
        fn guarded(s: &State, i: usize) -> bool {
            matches!(1, x if { if s.y == x { return true; } true }) && s.at[i] == At::Idle
        }
    };
    assert_eq!(by_value(quote!(guarded(s, i) && set(s)), guarded), ["everything"; 3]);
}

#[test]
fn what_may_not_be_there() {
    for body in [
        quote!(#[cfg(any())] if s.at[i] != At::Idle { return false; } set(s)),
        quote!(if s.at[i] != At::Idle { #[cfg(any())] return false; } set(s)),
        quote!(match (
            #[cfg(any())]
            s.mode,
            s.at[i]
        ) {
            (At::Busy,) => set(s),
            _ => false,
        }),
        quote!(other(
            s,
            #[cfg(any())]
            0,
            i
        )),
        quote!(if s.mode == At::Idle { return s.x[M as usize] == 3; } const M: u8 = 0; false),
        quote! { fn set(s: &mut State) -> bool { s.y = 1; true } set(s) },
    ] {
        let more = quote!(
            fn other(s: &mut State, k: usize) -> bool {
                s.x[k] == 0
            }
        );
        assert_eq!(by_value(body.clone(), more), ["everything"], "{body}");
    }
    let derived = quote! {
        #[derive(StateVar, other::PartialEq)]
        pub enum Second { A, B }
    };
    let found = by_value(quote!(s.at[i] == At::Idle && set(s)), derived);
    assert_eq!(found, [format!("at[{I}] nest[{{let():()=();0}}]")]);
}

#[test]
fn names_that_only_look_the_same() {
    // Two names can be told apart by where they come from, if that is a macro.
    let step = quote!(
        fn step(s: &mut State, s: u8, i: usize) -> bool {
            s.y == 0
        }
    );
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t { Transition::Step(i) => step(s, 0, i), Transition::Stop => false }
        }
    };
    assert_eq!(shown(&of(fire, step)[0].touches[0]), "everything");
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t { Transition::Step(i @ i) => s.x[i] == 0, Transition::Stop => false }
        }
    };
    assert_eq!(shown(&of(fire, quote!())[0].touches[0]), "x");
}
