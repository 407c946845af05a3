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

    fn check(written: &str, expected: &str) {
        let tokens = |text: &str| text.parse::<TokenStream>().unwrap();
        assert_eq!(beside_the_module(tokens(written)).to_string(), tokens(expected).to_string());
    }

    #[test]
    fn paths_lead_to_the_same_places() {
        check("use super::a;", "use self::a;");
        check("use super::{b, c::d};", "use self::{b, c::d};");
        check("use self::E::*;", "use E::*;");
        check("matches!(x, super::E::A)", "matches!(x, self::E::A)");
        check("super::super::f()", "super::f()");
        check("super::super::super::f()", "super::super::f()");
        check("pub(super) fn f() {}", "pub(self) fn f() {}");
        check("pub(in super::super) fn f() {}", "pub(in super) fn f() {}");
    }

    #[test]
    fn receivers_and_other_paths_are_kept() {
        for kept in ["self.a", "fn f(&self) {}", "use a::{self, b};", "crate::a", "Self::a"] {
            check(kept, kept);
        }
    }
}
