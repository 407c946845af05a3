//! Copies of an instance stand one module deeper than the author wrote them.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// Lets every `super` that leaves the instance go one module further.
///
/// Works on tokens, not on syntax, so that it also reaches into the arguments
/// of macros such as `matches!`.
pub fn one_level_deeper(tokens: TokenStream) -> TokenStream {
    rewrite(tokens, 0)
}

/// `depth` counts the author's own modules inside the instance.
fn rewrite(tokens: TokenStream, depth: usize) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rewritten = Vec::with_capacity(tokens.len());
    let mut n_supers = 0;
    for (i, token) in tokens.iter().enumerate() {
        let is = |at: Option<&TokenTree>, word: &str| matches!(at, Some(TokenTree::Ident(ident)) if ident == word);
        let before = |back: usize| i.checked_sub(back).and_then(|at| tokens.get(at));
        match token {
            TokenTree::Group(group) if is_lone_super(group) && is(before(1), "pub") => {
                let span = group.span();
                let path = if depth == 0 { quote!(super::super) } else { quote!(super) };
                let scope = Group::new(Delimiter::Parenthesis, quote_spanned!(span=> in #path));
                rewritten.push(TokenTree::Group(scope));
            }
            TokenTree::Group(group) => {
                let is_module = is(before(2), "mod") && group.delimiter() == Delimiter::Brace;
                let inside = rewrite(group.stream(), depth + usize::from(is_module));
                let mut copy = Group::new(group.delimiter(), inside);
                copy.set_span(group.span());
                rewritten.push(TokenTree::Group(copy));
            }
            TokenTree::Ident(ident) if ident == "super" => {
                // The path is `super::super::…`: count how far it has gone.
                n_supers = if is(before(3), "super") { n_supers + 1 } else { 1 };
                if n_supers == depth + 1 {
                    rewritten.extend(quote_spanned!(ident.span()=> super::));
                }
                rewritten.push(token.clone());
            }
            other => rewritten.push(other.clone()),
        }
    }
    rewritten.into_iter().collect()
}

fn is_lone_super(group: &Group) -> bool {
    group.delimiter() == Delimiter::Parenthesis && group.stream().to_string() == "super"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: TokenStream, expected: TokenStream) {
        assert_eq!(one_level_deeper(written).to_string(), expected.to_string());
    }

    #[test]
    fn paths_that_leave_the_module_go_further() {
        check(
            quote!(
                use super::a;
            ),
            quote!(
                use super::super::a;
            ),
        );
        check(
            quote!(
                use super::{b, super::c};
            ),
            quote!(
                use super::super::{b, super::super::c};
            ),
        );
        check(quote!(matches!(x, super::E::A)), quote!(matches!(x, super::super::E::A)));
        check(quote!(super::super::f()), quote!(super::super::super::f()));
        check(
            quote!(
                pub(super) fn f() {}
            ),
            quote!(
                pub(in super::super) fn f() {}
            ),
        );
    }

    #[test]
    fn paths_that_stay_inside_are_kept() {
        check(
            quote!(
                use self::a;
            ),
            quote!(
                use self::a;
            ),
        );
        check(
            quote!(
                mod m {
                    use super::a;
                }
            ),
            quote!(
                mod m {
                    use super::a;
                }
            ),
        );
        check(
            quote!(
                mod m {
                    use super::super::a;
                }
            ),
            quote!(
                mod m {
                    use super::super::super::a;
                }
            ),
        );
    }
}
