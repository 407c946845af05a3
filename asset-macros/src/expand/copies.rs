//! Paths of a model with several instances, which stand elsewhere than in the author's
//! text: the default instance one module deeper, the others in blocks beside it.
//!
//! Works on tokens, not on syntax, so that it also reaches into the arguments
//! of macros such as `matches!`.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// Lets `super` lead from the model to where it led before a module was put around it.
pub fn one_deeper(tokens: TokenStream) -> TokenStream {
    deeper(tokens, 0)
}

/// `depth` is how many modules of the author's stand around the tokens, within the model.
fn deeper(tokens: TokenStream, depth: usize) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut moved = Vec::with_capacity(tokens.len());
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let is_module = i >= 2
                    && is(&tokens[i - 2], "mod")
                    && matches!(tokens[i - 1], TokenTree::Ident(_));
                let depth = depth + usize::from(is_module);
                let inside = match visibility(group) {
                    Some(span) if depth == 0 => quote_spanned!(span=> in super::super),
                    _ => deeper(group.stream(), depth),
                };
                moved.push(grouped(group, inside));
            }
            TokenTree::Ident(ident) if is(token, "super") && !is_behind_super(&tokens[..i]) => {
                moved.push(token.clone());
                if n_super(&tokens[i..]) > depth {
                    moved.extend(path_to_super(ident.span()));
                }
            }
            other => moved.push(other.clone()),
        }
    }
    moved.into_iter().collect()
}

/// If these are the parentheses of `pub(super)`, the place of the word in them.
fn visibility(group: &Group) -> Option<Span> {
    let mut inside = group.stream().into_iter();
    let first = inside.next().filter(|token| is(token, "super"))?;
    inside.next().is_none().then(|| first.span())
}

/// `::super`.
fn path_to_super(span: Span) -> [TokenTree; 3] {
    let colon = |spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        TokenTree::Punct(colon)
    };
    let word = TokenTree::Ident(Ident::new("super", span));
    [colon(Spacing::Joint), colon(Spacing::Alone), word]
}

/// How often `super` stands at the start of these tokens, as in `super::super::x`.
fn n_super(tokens: &[TokenTree]) -> usize {
    let mut n = 1;
    while is_path_to(&tokens[3 * n - 2..], "super") {
        n += 1;
    }
    n
}

/// Whether the tokens end with `super::`.
fn is_behind_super(tokens: &[TokenTree]) -> bool {
    tokens.len() >= 3
        && is(&tokens[tokens.len() - 3], "super")
        && is_path(&tokens[tokens.len() - 2..])
}

/// Takes `self::` away: what stands in a block has no path, and is found without one.
pub fn without_self(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut moved = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        i += 1;
        match token {
            TokenTree::Group(group) => moved.push(grouped(group, without_self(group.stream()))),
            TokenTree::Ident(_) if is(token, "self") && is_path(&tokens[i..]) => i += 2,
            other => moved.push(other.clone()),
        }
    }
    moved.into_iter().collect()
}

/// A group like this one, with something else inside.
fn grouped(group: &Group, inside: TokenStream) -> TokenTree {
    let mut grouped = Group::new(group.delimiter(), inside);
    grouped.set_span(group.span());
    TokenTree::Group(grouped)
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

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[test]
    fn paths_from_a_deeper_module_lead_to_the_same_places() {
        let check = |written: &str, expected: &str| {
            assert_eq!(one_deeper(tokens(written)).to_string(), tokens(expected).to_string());
        };
        check("use super::a;", "use super::super::a;");
        check("use super::{b, c::d};", "use super::super::{b, c::d};");
        check("matches!(x, super::E::A)", "matches!(x, super::super::E::A)");
        check("super::super::f()", "super::super::super::f()");
        check("pub(super) fn f() {}", "pub(in super::super) fn f() {}");
        check("pub(in super::super) fn f() {}", "pub(in super::super::super) fn f() {}");
        check(
            "mod tests { use super::*; super::super::f(); pub(super) fn g() {} }",
            "mod tests { use super::*; super::super::super::f(); pub(super) fn g() {} }",
        );
        for kept in ["self.a", "use self::E::*;", "use a::{self, b};", "crate::a", "Self::a"] {
            check(kept, kept);
        }
    }

    #[test]
    fn in_a_block_nothing_has_a_path() {
        let check = |written: &str, expected: &str| {
            assert_eq!(without_self(tokens(written)).to_string(), tokens(expected).to_string());
        };
        check("use self::E::*;", "use E::*;");
        check("matches!(x, self::E::A)", "matches!(x, E::A)");
        for kept in ["self.a", "fn f(&self) {}", "use a::{self, b};", "crate::a", "super::a"] {
            check(kept, kept);
        }
    }
}
