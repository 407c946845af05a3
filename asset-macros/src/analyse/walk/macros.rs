//! Calls of macros: those of the standard library are looked into, and others are not.

use super::Walk;
use super::names::Bound;
use crate::analyse::module::is_any_word;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, Ident, Macro, Token};

/// Macros of the standard library whose arguments are expressions that are
/// evaluated, or not, and nothing else.
pub const PLAIN_MACROS: [&str; 9] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "format",
    "panic",
    "unreachable",
];

impl Walk<'_> {
    /// Walks through the arguments of a macro.
    pub(super) fn call_of_macro(&mut self, call: &Macro) {
        let name = call.path.get_ident().map(Ident::to_string).unwrap_or_default();
        if name == "matches" {
            let Ok(Matches(expr, rest)) = syn::parse2(call.tokens.clone()) else {
                self.give_up("what `matches!` is given is not understood", call);
                return;
            };
            // The guard is not walked through. A macro in it can show the state in a text,
            // where its name is no word.
            if is_any_word(rest.clone(), &|word| word == self.scope.state) || calls_macro(rest) {
                self.give_up("the guard of `matches!` names the state or calls a macro", call);
                return;
            }
            return self.visit_foreign(&[expr]);
        }
        if PLAIN_MACROS.contains(&&*name) {
            // What it says may decide what is done: a panic can be caught.
            if may_show(&call.tokens.to_string(), &self.scope.state) {
                self.give_up(format!("a text in `{name}!` may show the state"), call);
                return;
            }
            let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
            let Ok(list) = syn::parse::Parser::parse2(parse, call.tokens.clone()) else {
                self.give_up(format!("what `{name}!` is given is not understood"), call);
                return;
            };
            return self.visit_foreign(&list.into_iter().collect::<Vec<_>>());
        }
        // What it makes of its arguments is not known. It might even bind names.
        let why = format!("a macro is called that may do anything, `{}!`", text_of(&call.path));
        self.give_up(why, call);
    }

    /// Visits expressions that stood in the arguments of a macro. Names that are
    /// bound in there have not been seen.
    fn visit_foreign(&mut self, list: &[Expr]) {
        let mut inside = Bound::default();
        list.iter().for_each(|expr| inside.visit_expr(expr));
        let outer = self.scope.clone();
        self.scope.known.retain(|name, _| !inside.names.contains(name));
        if inside.names.contains(&self.scope.state) {
            self.give_up("a name in a macro hides the state", &list[0]);
        }
        if self.scope.transition.as_ref().is_some_and(|name| inside.names.contains(name)) {
            self.scope.transition = None;
        }
        self.scope.bound.extend(inside.names);
        list.iter().for_each(|expr| self.visit_expr(expr));
        self.scope = outer;
    }
}

/// Whether some text among these tokens may show the variable of this name. Braces and
/// letters can be written as escapes, and what continues a line is left out.
fn may_show(tokens: &str, name: &str) -> bool {
    let is_left_out = |c: char| c.is_whitespace() || c == '\\';
    let joined: String = tokens.chars().filter(|&c| !is_left_out(c)).collect();
    joined.contains(&format!("{{{name}")) || tokens.contains("\\u") || tokens.contains("\\x")
}

/// Whether a macro is called somewhere in the tokens.
fn calls_macro(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |tokens: &[TokenTree]| match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(_)] => {
            // Keywords are no names: `if !(a)`.
            mark.as_char() == '!' && syn::parse2::<Ident>(name.to_token_stream()).is_ok()
        }
        _ => false,
    };
    let is_inside = |token: &TokenTree| match token {
        TokenTree::Group(group) => calls_macro(group.stream()),
        _ => false,
    };
    tokens.windows(3).any(is_call) || tokens.iter().any(is_inside)
}

/// The first argument of `matches!`, and what follows.
pub(super) struct Matches(pub(super) Expr, pub(super) TokenStream);

impl syn::parse::Parse for Matches {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let expr = input.parse()?;
        Ok(Matches(expr, input.parse()?))
    }
}

/// A path as the author wrote it.
pub(super) fn text_of(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}
