//! Copies of an instance stand beside the author's module and not inside it.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote_spanned;

/// Lets paths that are relative to the module lead to the same places from a
/// block beside it: `self::x` is then `x`, and `super::x` is `self::x`.
///
/// Works on tokens, not on syntax, so that it also reaches into the arguments
/// of macros such as `matches!`.
pub fn beside_the_module(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut moved = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        i += 1;
        match token {
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), beside_the_module(group.stream()));
                inside.set_span(group.span());
                moved.push(TokenTree::Group(inside));
            }
            TokenTree::Ident(ident) if is(token, "super") => {
                if is_path_to(&tokens[i..], "super") {
                    i += 2;
                    moved.push(tokens[i].clone());
                    i += 1;
                    while is_path_to(&tokens[i..], "super") {
                        moved.extend_from_slice(&tokens[i..i + 3]);
                        i += 3;
                    }
                } else {
                    moved.extend(quote_spanned!(ident.span()=> self));
                }
            }
            TokenTree::Ident(_) if is(token, "self") && is_path(&tokens[i..]) => i += 2,
            other => moved.push(other.clone()),
        }
    }
    moved.into_iter().collect()
}

fn is(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Whether the tokens start with `::`.
fn is_path(tokens: &[TokenTree]) -> bool {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    is_colon(0) && is_colon(1)
}

/// Whether the tokens start with `::word`.
fn is_path_to(tokens: &[TokenTree], word: &str) -> bool {
    is_path(tokens) && tokens.get(2).is_some_and(|token| is(token, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn check(written: TokenStream, expected: TokenStream) {
        assert_eq!(beside_the_module(written).to_string(), expected.to_string());
    }

    #[test]
    fn paths_lead_to_the_same_places() {
        check(
            quote!(
                use super::a;
            ),
            quote!(
                use self::a;
            ),
        );
        check(
            quote!(
                use super::{b, c::d};
            ),
            quote!(
                use self::{b, c::d};
            ),
        );
        check(
            quote!(
                use self::E::*;
            ),
            quote!(
                use E::*;
            ),
        );
        check(quote!(matches!(x, super::E::A)), quote!(matches!(x, self::E::A)));
        check(quote!(super::super::f()), quote!(super::f()));
        check(quote!(super::super::super::f()), quote!(super::super::f()));
        check(
            quote!(
                pub(super) fn f() {}
            ),
            quote!(
                pub(self) fn f() {}
            ),
        );
        check(
            quote!(
                pub(in super::super) fn f() {}
            ),
            quote!(
                pub(super) fn f() {}
            ),
        );
    }

    #[test]
    fn receivers_and_other_paths_are_kept() {
        for kept in [
            quote!(self.a),
            quote!(
                fn f(&self) {}
            ),
            quote!(
                use a::{self, b};
            ),
            quote!(crate::a),
        ] {
            check(kept.clone(), kept);
        }
    }
}
