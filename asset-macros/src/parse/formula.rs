//! Formulas of linear temporal logic, from the tokens of `ltl!(…)`.
//!
//! From loose to tight: `forall` and `exists`, whose body ends as late as it can; `<->`;
//! `->` (to the right); `||`; `&&`; `U`, `W`, `R` (to the right); and then `!`, `X`, `F` or
//! `<>`, `G` or `[]`. That is how the command line reads them, too.

use crate::ast::{Asked, Binary, Formula, Quantifier, Range, Unary};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Expr, RangeLimits, Token};

/// The words that mean something in formulas.
pub const WORDS: [&str; 8] = ["X", "F", "G", "U", "W", "R", "forall", "exists"];

/// Words and signs that other tools have for operators, and what they are here.
const ELSEWHERE: [(&str, &str); 20] = [
    ("always", "G"),
    ("globally", "G"),
    ("eventually", "F"),
    ("finally", "F"),
    ("next", "X"),
    ("until", "U"),
    ("weakuntil", "W"),
    ("weak_until", "W"),
    ("unless", "W"),
    ("release", "R"),
    ("releases", "R"),
    ("V", "R"),
    ("not", "!"),
    ("and", "&&"),
    ("or", "||"),
    ("implies", "->"),
    ("equivalent", "<->"),
    ("all", "forall"),
    ("any", "exists"),
    ("some", "exists"),
];

/// Operators that stand between two formulas.
const BETWEEN: [&str; 3] = ["U", "W", "R"];

const KNOWN: &str = "there are `!`, `&&`, `||`, `->`, `<->`, `X`, `F`, `G`, `U`, `W` and `R`";

/// Reads a formula; `call` is what stands around its tokens.
pub fn formula(tokens: TokenStream, call: &dyn ToTokens) -> syn::Result<Formula<Asked>> {
    let tokens = flat(tokens);
    if tokens.is_empty() {
        let message = "a formula is missing here, as in `ltl!(G (waiting(0) -> F served(0)))`";
        return Err(syn::Error::new_spanned(call, message));
    }
    let mut parser = Parser { tokens: &tokens, at: 0 };
    let formula = parser.formula()?;
    match parser.peek() {
        None => Ok(formula),
        Some(token) => Err(no_operator(token, parser.tokens.get(parser.at + 1))),
    }
}

/// The tokens without the invisible groups that other macros put around them.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let flattened = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => flat(group.stream()),
        token => vec![token],
    });
    flattened.collect()
}

fn error<T>(tokens: impl ToTokens, message: impl std::fmt::Display) -> syn::Result<T> {
    Err(syn::Error::new_spanned(tokens, message))
}

/// What this word of another tool is called here.
fn called(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(known, _)| *known == word).map(|(_, here)| *here)
}

/// The message where an operator should stand.
fn no_operator(token: &TokenTree, next: Option<&TokenTree>) -> syn::Error {
    let message = match (token, next) {
        (TokenTree::Ident(word), _) if called(&word.to_string()).is_some() => {
            format!("`{word}` is no operator: write `{}`", called(&word.to_string()).unwrap_or(""))
        }
        (TokenTree::Punct(sign), _) if "&|".contains(sign.as_char()) => {
            format!("`{0}` is no operator: write `{0}{0}`", sign.as_char())
        }
        (TokenTree::Punct(sign), Some(TokenTree::Punct(next)))
            if sign.as_char() == '=' && next.as_char() == '>' =>
        {
            "`=>` is no operator: write `->`".to_owned()
        }
        (TokenTree::Punct(sign), _) if sign.as_char() != '!' => {
            format!("`{}` is no operator of formulas: {KNOWN}", sign.as_char())
        }
        _ => format!("an operator is missing before this: {KNOWN}"),
    };
    syn::Error::new_spanned(token, message)
}

struct Parser<'t> {
    tokens: &'t [TokenTree],
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t TokenTree> {
        self.tokens.get(self.at)
    }

    /// Whether the sign stands here, character by character.
    fn is_sign(&self, sign: &str) -> bool {
        sign.chars().enumerate().all(|(i, c)| {
            matches!(self.tokens.get(self.at + i), Some(TokenTree::Punct(p)) if p.as_char() == c)
        })
    }

    /// Steps over the sign if it stands here.
    fn take(&mut self, sign: &str) -> bool {
        let is_here = self.is_sign(sign);
        self.at += if is_here { sign.len() } else { 0 };
        is_here
    }

    fn word(&self) -> Option<&'t Ident> {
        match self.peek() {
            Some(TokenTree::Ident(word)) => Some(word),
            _ => None,
        }
    }

    /// What is missing at the end, on the last token.
    fn ends<T>(&self) -> syn::Result<T> {
        let message = "the formula ends where something should follow this: a proposition, or a \
                       formula in parentheses";
        error(self.tokens.last(), message)
    }

    fn formula(&mut self) -> syn::Result<Formula<Asked>> {
        let mut left = self.implication()?;
        while self.take("<->") {
            left = Formula::two(Binary::Iff, left, self.implication()?);
        }
        Ok(left)
    }

    fn implication(&mut self) -> syn::Result<Formula<Asked>> {
        let left = self.disjunction()?;
        match self.take("->") {
            true => Ok(Formula::two(Binary::Implies, left, self.implication()?)),
            false => Ok(left),
        }
    }

    fn disjunction(&mut self) -> syn::Result<Formula<Asked>> {
        let mut left = self.conjunction()?;
        while self.take("||") {
            left = Formula::two(Binary::Or, left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> syn::Result<Formula<Asked>> {
        let mut left = self.until()?;
        while self.take("&&") {
            left = Formula::two(Binary::And, left, self.until()?);
        }
        Ok(left)
    }

    fn until(&mut self) -> syn::Result<Formula<Asked>> {
        let left = self.unary()?;
        let operator = match self.word() {
            Some(word) if *word == "U" => Binary::Until,
            Some(word) if *word == "W" => Binary::WeakUntil,
            Some(word) if *word == "R" => Binary::Release,
            _ => return Ok(left),
        };
        self.at += 1;
        Ok(Formula::two(operator, left, self.until()?))
    }

    fn unary(&mut self) -> syn::Result<Formula<Asked>> {
        let operator = match self.peek() {
            None => return self.ends(),
            Some(TokenTree::Group(group))
                if group.delimiter() == Delimiter::Bracket && group.stream().is_empty() =>
            {
                self.at += 1;
                Unary::Globally
            }
            Some(TokenTree::Ident(word)) => {
                let operator = match &*word.to_string() {
                    "X" => Unary::Next,
                    "F" => Unary::Finally,
                    "G" => Unary::Globally,
                    "forall" => return self.quantified(Quantifier::All),
                    "exists" => return self.quantified(Quantifier::Any),
                    _ => return self.primary(),
                };
                self.at += 1;
                operator
            }
            Some(_) if self.take("!") => Unary::Not,
            Some(_) if self.take("<>") => Unary::Finally,
            Some(_) => return self.primary(),
        };
        Ok(Formula::One(operator, Box::new(self.unary()?)))
    }

    fn primary(&mut self) -> syn::Result<Formula<Asked>> {
        let token = match self.peek() {
            Some(token) => token,
            None => return self.ends(),
        };
        self.at += 1;
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                formula(group.stream(), group)
            }
            TokenTree::Ident(word) if BETWEEN.iter().any(|known| word == known) => {
                error(word, format!("something is missing before `{word}`, as in `a {word} b`"))
            }
            TokenTree::Ident(word) if *word == "true" => Ok(Formula::Constant(true)),
            TokenTree::Ident(word) if *word == "false" => Ok(Formula::Constant(false)),
            TokenTree::Ident(name) => self.asked(name),
            token => {
                let message = "a proposition should stand here, as `waiting(0)`, or a formula in \
                               parentheses";
                error(token, message)
            }
        }
    }

    /// A proposition, whose name has been read.
    fn asked(&mut self, name: &Ident) -> syn::Result<Formula<Asked>> {
        let group = match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => group,
            next => {
                // A word of another tool, if it stands before what an operator stands before.
                let is_before_operand = matches!(
                    next, Some(TokenTree::Ident(word)) if !BETWEEN.iter().any(|known| word == known)
                );
                if let (Some(meant), true) = (called(&name.to_string()), is_before_operand) {
                    return error(name, format!("`{name}` is no operator: write `{meant}`"));
                }
                return Ok(Formula::Ask(Asked { name: name.clone(), arguments: Vec::new() }));
            }
        };
        self.at += 1;
        Ok(Formula::Ask(Asked { name: name.clone(), arguments: arguments(group)? }))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> syn::Result<Formula<Asked>> {
        const FORM: &str = "write `forall i in 0..N: …` or `exists i in 0..N: …`";
        let start = self.at;
        let first = self.tokens[start].clone();
        let variable = match self.tokens.get(start + 1) {
            Some(TokenTree::Ident(name))
                if syn::parse2::<Ident>(name.to_token_stream()).is_ok() =>
            {
                name.clone()
            }
            _ => return error(first, FORM),
        };
        let is_in =
            matches!(self.tokens.get(start + 2), Some(TokenTree::Ident(word)) if *word == "in");
        let Some(length) = self.colon(start + 3).filter(|_| is_in) else {
            return error(first, FORM);
        };
        let values: TokenStream =
            self.tokens[start + 3..start + 3 + length].iter().cloned().collect();
        let range = match syn::parse2::<Expr>(values.clone()) {
            Ok(Expr::Range(range)) => range,
            _ => return error(if values.is_empty() { first.into() } else { values }, FORM),
        };
        let (Some(lo), Some(hi)) = (range.start.clone(), range.end.clone()) else {
            return error(range, "a range in a formula has both ends, as in `0..N`");
        };
        let closed = matches!(range.limits, RangeLimits::Closed(_));
        self.at = start + 3 + length + 1;
        let body = Box::new(self.formula()?);
        let range = Box::new(Range { lo: *lo, hi: *hi, closed, can_be_empty: false });
        Ok(Formula::Each { quantifier, variable, range, body })
    }

    /// How many tokens there are from here to the next colon that is no part of a path.
    fn colon(&self, from: usize) -> Option<usize> {
        let is_colon = |at: usize| matches!(self.tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let mut at = from;
        while at < self.tokens.len() {
            match (is_colon(at), is_colon(at + 1)) {
                (true, true) => at += 2,
                (true, false) => return Some(at - from),
                _ => at += 1,
            }
        }
        None
    }
}

/// The arguments in a proposition's parentheses.
fn arguments(group: &Group) -> syn::Result<Vec<Expr>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(group.stream());
    match list {
        Ok(list) => Ok(list.into_iter().collect()),
        Err(_) => error(
            group,
            "the arguments of a proposition are values, as in `waiting(0)` or `waiting((i + 1) % N)`",
        ),
    }
}

/// Whether formulas can name a proposition so.
pub fn is_word(name: &Ident) -> bool {
    WORDS.iter().any(|word| name.unraw() == word)
}
