//! What is read and what is written, apart.

use super::{of, shown};
use crate::analyse::Touches;
use proc_macro2::TokenStream;
use quote::quote;

/// What a body reads and writes, beside these items; `s` is the state, `i` the parameter.
fn beside(body: TokenStream, items: TokenStream) -> String {
    let fire = quote! {
        pub fn fire_transition(s: &mut State, t: Transition) -> bool {
            match t {
                Transition::Step(i) => { #body; true }
                Transition::Stop => false,
            }
        }
    };
    let accesses = of(fire, items)[0].accesses[0].clone();
    let list = |places| {
        shown(&Touches::Places(places))
            .replace("__asset_parameter_0", "i")
            .replace("{let():()=();0}", "0")
    };
    format!("{} -> {}", list(accesses.reads), list(accesses.writes))
}

fn apart(body: TokenStream) -> String {
    beside(body, quote!())
}

#[test]
fn assignments_write_and_do_not_read() {
    assert_eq!(apart(quote!(s.y = 1)), " -> y");
    assert_eq!(apart(quote!(s.y = s.x[i])), "x[i] -> y");
    assert_eq!(apart(quote!(s.x[i] = 1)), " -> x[i]");
    assert_eq!(apart(quote!(s.nest[i][1] = 1)), " -> nest[i]");
    assert_eq!(apart(quote!(s.x = [0; N])), " -> x");
    // An index that is not known may be any; it is an integer for certain.
    assert_eq!(apart(quote!(s.x[usize::from(s.y)] = 1)), "y -> x");
    assert_eq!(apart(quote!(let j = usize::from(s.y); s.x[j] = 1)), "y -> x");
    assert_eq!(apart(quote!(let j = s.y as usize; s.x[j + 1] = 1)), "y -> x");
}

#[test]
fn what_is_not_certain_is_both() {
    assert_eq!(apart(quote!(s.y += 1)), "y -> y");
    assert_eq!(apart(quote!(s.x[i] += s.y)), "x[i] y -> x[i]");
    assert_eq!(apart(quote!((s.y, s.x[i]) = (1, 2))), "y x[i] -> y x[i]");
    assert_eq!(apart(quote!(let y = &mut s.y; *y = 1)), "y -> y");
    assert_eq!(
        apart(quote!(for x in &mut s.x {
            *x = 0;
        })),
        "x -> x"
    );
    assert_eq!(
        apart(quote!(for x in s.x.iter_mut() {
            *x = 0;
        })),
        "x -> x"
    );
    assert_eq!(apart(quote!(s.x.fill(0))), "x -> x");
    assert_eq!(apart(quote!(std::mem::swap(&mut s.y, &mut s.x[i]))), "y x[i] -> y x[i]");
    assert_eq!(
        apart(quote!(match s.y {
            ref mut y => *y = 1,
        })),
        "y -> y"
    );
    assert_eq!(apart(quote!(let ref mut y = s.y; *y = 1)), "y -> y");
    assert_eq!(apart(quote!(s.mode.advance())), "mode -> mode");
    // An index by something else may run the author's code.
    assert_eq!(apart(quote!(let j = own(); s.x[j] = 1)), "x -> x");
    assert_eq!(apart(quote!(let j = usize::from(s.y); let j = own(j); s.x[j] = 1)), "y x -> x");
    assert_eq!(apart(quote!(s.x[..i].copy_from_slice(&[]))), "x -> x");
}

#[test]
fn looking_does_not_write() {
    assert_eq!(apart(quote!(let n = s.x.len())), "x -> ");
    assert_eq!(apart(quote!(let n = s.x[..2].iter().sum::<u8>())), "x -> ");
    assert_eq!(apart(quote!(let n = s.y.wrapping_add(1))), "y -> ");
    assert_eq!(apart(quote!(let y = &s.y)), "y -> ");
    assert_eq!(apart(quote!(if s.at[i] == At::Idle && s.y < 3 {})), "at[i] y -> ");
    let items = quote! {
        trait Odd { fn len(&mut self) -> usize; }
    };
    assert_eq!(beside(quote!(let n = s.x.len()), items), "x -> x");
}

#[test]
fn functions_that_are_called() {
    let items = quote! {
        fn get(s: &State, i: usize) -> u8 { s.x[i] }
        fn set(s: &mut State, i: usize) { s.x[i] = s.y; }
    };
    assert_eq!(beside(quote!(let y = get(s, i)), items.clone()), "x[i] -> ");
    assert_eq!(beside(quote!(set(s, i)), items.clone()), "y -> x[i]");
    assert_eq!(beside(quote!(s.y = get(s, i); set(s, 0)), items), "x[i] y -> y x[0]");
}
