//! Formulas from text.
//!
//! From loose to tight: `<->`, `->` (to the right), `||`, `&&`, `U` `W` `R` (to the right),
//! and then `!`, `X`, `F` or `<>`, `G` or `[]`.

use crate::Ltl;
use std::fmt;

/// What is wrong with a formula's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where, as a number of characters.
    pub at: usize,
    /// The sentence.
    pub what: String,
    /// The formula.
    pub text: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}\n  {:>at$}", self.what, self.text, "^", at = self.at + 1)
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula. `atom` gives the number of a proposition by its name and arguments, or
/// says in a sentence why there is none.
pub fn parse(
    text: &str,
    mut atom: impl FnMut(&str, &[i64]) -> Result<usize, String>,
) -> Result<Ltl, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, end: text.chars().count(), atom: &mut atom };
    let formula = parser.formula();
    formula
        .and_then(|formula| match parser.peek() {
            None => Ok(formula),
            Some(Token::Close) => Err(parser.error("this `)` has no `(`")),
            Some(_) => Err(parser.error("an operator is missing here")),
        })
        .map_err(|(at, what)| ParseError { at, what, text: text.to_owned() })
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
    Open,
    Close,
    Comma,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Next,
    Finally,
    Globally,
    Until,
    WeakUntil,
    Release,
}

/// The operators that are no words, longest first.
const SIGNS: [(&str, Token); 14] = [
    ("<->", Token::Iff),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("<>", Token::Finally),
    ("[]", Token::Globally),
    ("&&", Token::And),
    ("||", Token::Or),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
    ("~", Token::Not),
];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        if chars[at].is_ascii_digit() || chars[at] == '-' && chars.get(at + 1) != Some(&'>') {
            at += 1;
            while at < chars.len() && chars[at].is_ascii_digit() {
                at += 1;
            }
            let digits: String = chars[start..at].iter().collect();
            let wrong = || "this is no number that fits".to_owned();
            let number = digits.parse().map_err(|_| ParseError {
                at: start,
                what: wrong(),
                text: text.to_owned(),
            })?;
            tokens.push((start, Token::Number(number)));
            continue;
        }
        if is_word(chars[at]) {
            while at < chars.len() && is_word(chars[at]) {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            tokens.push((start, word_token(word)));
            continue;
        }
        let rest: String = chars[at..chars.len().min(at + 3)].iter().collect();
        let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) else {
            let what =
                format!("`{}` is no operator; there are ! && || -> <-> X F G U W R", chars[at]);
            return Err(ParseError { at, what, text: text.to_owned() });
        };
        tokens.push((start, token.clone()));
        at += sign.len();
    }
    Ok(tokens)
}

fn word_token(word: String) -> Token {
    match &*word {
        "X" => Token::Next,
        "F" => Token::Finally,
        "G" => Token::Globally,
        "U" => Token::Until,
        "W" => Token::WeakUntil,
        "R" => Token::Release,
        _ => Token::Name(word),
    }
}

type Wrong = (usize, String);

/// Gives the number of a proposition with arguments.
type Resolve<'t> = &'t mut dyn FnMut(&str, &[i64]) -> Result<usize, String>;

struct Parser<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    end: usize,
    atom: Resolve<'t>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn take(&mut self, token: &Token) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn error(&self, what: &str) -> Wrong {
        (self.tokens.get(self.at).map_or(self.end, |&(at, _)| at), what.to_owned())
    }

    /// Everything, down to `<->`.
    fn formula(&mut self) -> Result<Ltl, Wrong> {
        let mut left = self.implication()?;
        while self.take(&Token::Iff) {
            left = Ltl::iff(left, self.implication()?);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Ltl, Wrong> {
        let left = self.disjunction()?;
        match self.take(&Token::Implies) {
            true => Ok(Ltl::implies(left, self.implication()?)),
            false => Ok(left),
        }
    }

    fn disjunction(&mut self) -> Result<Ltl, Wrong> {
        let mut left = self.conjunction()?;
        while self.take(&Token::Or) {
            left = Ltl::or(left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Ltl, Wrong> {
        let mut left = self.until()?;
        while self.take(&Token::And) {
            left = Ltl::and(left, self.until()?);
        }
        Ok(left)
    }

    fn until(&mut self) -> Result<Ltl, Wrong> {
        let left = self.unary()?;
        let operator = match self.peek() {
            Some(Token::Until) => Ltl::until,
            Some(Token::WeakUntil) => Ltl::weak_until,
            Some(Token::Release) => Ltl::release,
            _ => return Ok(left),
        };
        self.at += 1;
        Ok(operator(left, self.until()?))
    }

    fn unary(&mut self) -> Result<Ltl, Wrong> {
        let operator = match self.peek() {
            Some(Token::Not) => Ltl::not,
            Some(Token::Next) => Ltl::next,
            Some(Token::Finally) => Ltl::finally,
            Some(Token::Globally) => Ltl::globally,
            _ => return self.primary(),
        };
        self.at += 1;
        Ok(operator(self.unary()?))
    }

    fn primary(&mut self) -> Result<Ltl, Wrong> {
        let name = match self.peek() {
            Some(Token::Open) => {
                let open = self.error("this `(` is not closed");
                self.at += 1;
                let inner = self.formula()?;
                return match self.take(&Token::Close) {
                    true => Ok(inner),
                    false if self.peek().is_none() => Err(open),
                    false => Err(self.error("an operator is missing here")),
                };
            }
            Some(Token::Name(name)) => name.clone(),
            None => return Err(self.error("the formula ends where something should follow")),
            Some(_) => return Err(self.error("a proposition or a `(` should stand here")),
        };
        let place = self.error("");
        self.at += 1;
        let arguments = self.arguments()?;
        match &*name {
            "true" => Ok(Ltl::True),
            "false" => Ok(Ltl::False),
            _ => (self.atom)(&name, &arguments).map(Ltl::Atom).map_err(|what| (place.0, what)),
        }
    }

    fn arguments(&mut self) -> Result<Vec<i64>, Wrong> {
        let mut arguments = Vec::new();
        if !self.take(&Token::Open) || self.take(&Token::Close) {
            return Ok(arguments);
        }
        loop {
            match self.peek() {
                Some(&Token::Number(n)) => arguments.push(n),
                Some(Token::Name(name)) if name == "true" => arguments.push(1),
                Some(Token::Name(name)) if name == "false" => arguments.push(0),
                _ => return Err(self.error("an argument is a number, `true` or `false`")),
            }
            self.at += 1;
            if self.take(&Token::Close) {
                return Ok(arguments);
            }
            if !self.take(&Token::Comma) {
                return Err(self.error("a `,` or a `)` should stand here"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Ltl, ParseError> {
        parse(text, |name, arguments| match (name, arguments) {
            ("p", []) => Ok(0),
            ("q", []) => Ok(1),
            ("at", [i]) => Ok(*i as usize),
            _ => Err(format!("no proposition `{name}`")),
        })
    }

    #[test]
    fn operators_bind_as_they_should() {
        let show = |text: &str| read(text).unwrap().to_string();
        assert_eq!(show("G (p -> F q)"), "G (p0 -> F p1)");
        assert_eq!(show("[]<>p && q"), "G F p0 && p1");
        assert_eq!(show("p U q U p"), "p0 U (p1 U p0)");
        assert_eq!(
            show("!p U q || p && q -> p <-> q"),
            "(((!p0 U p1) || (p0 && p1)) -> p0) <-> p1"
        );
        assert_eq!(show("p -> q -> p"), "p0 -> (p1 -> p0)");
        assert_eq!(show("X at(3) W at(2)"), "X p3 W p2");
        assert_eq!(show("true R false"), "true R false");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, at, what) in [
            ("G (p -> F q", 2, "not closed"),
            ("p)", 1, "has no `(`"),
            ("p q", 2, "operator is missing"),
            ("p &&", 4, "ends where"),
            ("G (p -> -> q)", 8, "should stand here"),
            ("F r", 2, "no proposition `r`"),
            ("at(p)", 3, "an argument is a number"),
            ("at(1 2)", 5, "`,` or a `)`"),
            ("p + q", 2, "`+` is no operator"),
            ("", 0, "ends where"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.at == at && error.what.contains(what), "{text}: {error:?}");
        }
    }
}
