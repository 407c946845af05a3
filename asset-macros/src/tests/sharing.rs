//! Which items are copied for which instances.

use super::{copies, expanded, lamp, lower, n_of};
use proc_macro2::TokenStream;
use quote::quote;

/// How often these words stand in the copies of a lamp with `more`, which has
/// eight instances in all: four values of `N`, two of `FAST`.
fn copies_of(words: &str, more: TokenStream) -> usize {
    let more = quote! {
        #[param(2..=5)]
        const N: usize = 3;
        #[param]
        const FAST: bool = true;
        #more
    };
    let (model, messages) = lower(quote!(trust(impure)), lamp(more));
    assert_eq!(messages, [""; 0]);
    n_of(words, copies(expanded(&model.unwrap())))
}

#[test]
fn instances_share_what_does_not_depend_on_where_they_differ() {
    let n_copies = |item: TokenStream| copies_of("fn probe", item);
    assert_eq!(
        n_copies(quote!(
            fn probe() {}
        )),
        1
    );
    assert_eq!(
        n_copies(quote!(
            fn probe() -> usize {
                N
            }
        )),
        4
    );
    // Seven and not eight: the default instance stands in the module.
    assert_eq!(
        n_copies(quote!(
            fn probe() -> bool {
                FAST
            }
        )),
        7
    );
    assert_eq!(copies_of("struct State", TokenStream::new()), 1);
    assert_eq!(copies_of("struct __asset_Space", TokenStream::new()), 1);
    let a_check_that_differs = quote! {
        #[check(state)]
        fn probe(s: &State) -> bool { s.on || N > 2 }
    };
    assert_eq!(copies_of("struct __asset_Properties", a_check_that_differs), 4);
}

#[test]
fn items_depend_on_what_they_mention_however_they_do() {
    let n_copies = |item: TokenStream| copies_of("fn probe", item);
    assert_eq!(
        n_copies(quote!(
            const M: usize = N + 1;
            fn probe() -> usize {
                M
            }
        )),
        4
    );
    assert_eq!(
        n_copies(quote!(
            fn probe() -> String {
                format!("{N}")
            }
        )),
        4
    );
    assert_eq!(
        n_copies(quote!(
            fn probe() -> bool {
                matches!(1, N)
            }
        )),
        4
    );
    assert_eq!(
        n_copies(quote!(
            #[doc = "Not N."]
            fn probe() {}
        )),
        1
    );
    // Through the implementation of a type, and of a trait for one that is not
    // the author's.
    assert_eq!(n_copies(quote!(struct A; impl A { fn g() -> usize { N } } fn probe(a: A) {})), 4);
    let by_a_method = quote! {
        trait A { fn g(self) -> usize; }
        impl A for u8 { fn g(self) -> usize { N } }
        fn probe(x: u8) -> usize { x.g() }
    };
    assert_eq!(n_copies(by_a_method), 4);
    // A type exists as often as what is implemented for it.
    let implemented = quote!(struct A; impl A { fn probe() -> usize { N } });
    assert_eq!(copies_of("struct A", implemented), 4);
    // The range of a field is taken off the field.
    let ranged = quote!(
        #[derive(StateVar)]
        #[repr(C)]
        struct A {
            #[range(0..N)]
            a: u8,
        }
    );
    assert_eq!(copies_of("struct A", ranged), 4);
    // Names that cannot be seen.
    assert_eq!(
        n_copies(quote!(
            macro_rules! m {
                () => {};
            }
            fn probe() {}
        )),
        7
    );
    // A macro from elsewhere may write any word.
    let foreign = quote! {
        fn probe(a: bool) { if a { other::foreign!(a) } }
    };
    assert_eq!(n_copies(foreign), 7);
    let familiar = quote! {
        fn probe(a: bool) { if !(a) { assert!(a != matches!(a, true)) } }
    };
    assert_eq!(n_copies(familiar), 1);
    let glob = quote!(
        enum E {
            A = N as isize,
        }
        use E::*;
        fn probe() {
            A;
        }
    );
    assert_eq!(n_copies(glob), 4);
}
