//! Automata from other tools, in the Hanoi format (version 1).
//!
//! T. Babiak et al., *The Hanoi Omega-Automata Format* (2015). Büchi and generalised Büchi
//! acceptance, on states or on edges; labels on edges, on states, or implicit; aliases.
//! Alternation and every other acceptance are refused. (The crate `hoars` reads more, and
//! brings a parser library and another package for labels with it.)

use crate::automaton::all_marks;
use crate::{Automaton, Bdd, Bdds, Edge, MAX_ATOMS};
use std::collections::HashMap;
use std::fmt;

/// What is wrong with an automaton in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The sentence.
    pub what: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for HoaError {}

/// The most states that are read.
const MAX_READ: usize = 1 << 16;
/// The most acceptance sets that are read.
const MAX_SETS: usize = 32;

/// Reads one automaton. The second part has the name of each atom.
pub fn read_hoa(text: &str) -> Result<(Automaton, Vec<String>), HoaError> {
    let tokens = tokens(text)?;
    let last = text.lines().count().max(1);
    let mut reader = Reader { tokens: &tokens, at: 0, last, header: Header::default() };
    reader.header()?;
    let automaton = reader.body()?;
    if reader.at < reader.tokens.len() {
        return Err(reader.error("something follows after --END--: give one automaton at a time"));
    }
    Ok((automaton, reader.header.names))
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// `name:`
    Header(String),
    Word(String),
    Alias(String),
    Text(String),
    Number(usize),
    Sign(char),
    Body,
    End,
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, HoaError> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    while at < chars.len() {
        let c = chars[at];
        let follows = |s: &str| chars[at..].iter().take(s.len()).copied().eq(s.chars());
        if c == '\n' {
            line += 1;
            at += 1;
        } else if c.is_whitespace() {
            at += 1;
        } else if follows("/*") {
            let start = line;
            at += 2;
            while at + 1 < chars.len() && (chars[at], chars[at + 1]) != ('*', '/') {
                line += usize::from(chars[at] == '\n');
                at += 1;
            }
            if at + 1 >= chars.len() {
                return Err(wrong(start, "this comment is not closed"));
            }
            at += 2;
        } else if follows("--BODY--") {
            tokens.push((line, Token::Body));
            at += 8;
        } else if follows("--END--") {
            tokens.push((line, Token::End));
            at += 7;
        } else if follows("--ABORT--") {
            return Err(wrong(line, "the automaton ends with --ABORT--: its writer gave up"));
        } else if c == '"' {
            let (start, mut inside) = (line, String::new());
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += usize::from(chars[at] == '\\');
                line += usize::from(chars.get(at) == Some(&'\n'));
                inside.extend(chars.get(at));
                at += 1;
            }
            if at >= chars.len() {
                return Err(wrong(start, "this text is not closed"));
            }
            at += 1;
            tokens.push((start, Token::Text(inside)));
        } else if c.is_ascii_digit() {
            let start = at;
            while at < chars.len() && chars[at].is_ascii_digit() {
                at += 1;
            }
            let digits: String = chars[start..at].iter().collect();
            let number = digits.parse().map_err(|_| wrong(line, "this number is too large"))?;
            tokens.push((line, Token::Number(number)));
        } else if c.is_ascii_alphabetic() || c == '_' || c == '@' {
            let start = at;
            at += 1;
            while at < chars.len() && is_word(chars[at]) {
                at += 1;
            }
            let word: String = chars[start..at].iter().collect();
            let token = if c == '@' {
                Token::Alias(word)
            } else if chars.get(at) == Some(&':') {
                at += 1;
                Token::Header(word)
            } else {
                Token::Word(word)
            };
            tokens.push((line, token));
        } else if "[]{}()&|!".contains(c) {
            tokens.push((line, Token::Sign(c)));
            at += 1;
        } else {
            return Err(wrong(line, &format!("`{c}` has no meaning here")));
        }
    }
    Ok(tokens)
}

fn wrong(line: usize, what: &str) -> HoaError {
    HoaError { line, what: what.to_owned() }
}

#[derive(Default)]
struct Header {
    n_states: Option<usize>,
    start: Vec<usize>,
    names: Vec<String>,
    has_names: bool,
    n_sets: Option<usize>,
    aliases: HashMap<String, Bdd>,
    bdds: Bdds,
}

struct Reader<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    last: usize,
    header: Header,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn error(&self, what: &str) -> HoaError {
        wrong(self.tokens.get(self.at).map_or(self.last, |&(line, _)| line), what)
    }

    fn take(&mut self, token: &Token) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn sign(&mut self, sign: char) -> bool {
        self.take(&Token::Sign(sign))
    }

    fn number(&mut self, what: &str) -> Result<usize, HoaError> {
        match self.peek() {
            Some(&Token::Number(n)) => {
                self.at += 1;
                Ok(n)
            }
            _ => Err(self.error(&format!("{what} should stand here, a number"))),
        }
    }

    fn header(&mut self) -> Result<(), HoaError> {
        let is_first = self.peek() == Some(&Token::Header("HOA".to_owned()));
        if !is_first || self.tokens.get(1).map(|t| &t.1) != Some(&Token::Word("v1".to_owned())) {
            return Err(self.error("an automaton in the Hanoi format begins with `HOA: v1`"));
        }
        self.at = 2;
        while !self.take(&Token::Body) {
            let Some(Token::Header(name)) = self.peek().cloned() else {
                return Err(self.error("a header or --BODY-- should stand here"));
            };
            let at = self.at;
            self.at += 1;
            match &*name {
                "States" => self.header.n_states = Some(self.number("how many states")?),
                "Start" => self.start()?,
                "AP" => self.names()?,
                "Alias" => self.alias()?,
                "Acceptance" => self.acceptance()?,
                // An upper-case header changes the meaning, a lower-case one does not.
                _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    self.at = at;
                    return Err(self.error(&format!("the header `{name}:` is not understood")));
                }
                _ => {}
            }
            // What else the header has says nothing more.
            while !matches!(self.peek(), None | Some(Token::Header(_) | Token::Body)) {
                self.at += 1;
            }
        }
        if self.header.n_sets.is_none() {
            return Err(self.error("the header `Acceptance:` is missing"));
        }
        if self.header.start.is_empty() {
            return Err(self.error("the header `Start:` is missing: there is no initial state"));
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), HoaError> {
        let state = self.number("the initial state")?;
        if self.peek() == Some(&Token::Sign('&')) {
            return Err(self.error("alternating automata are not supported"));
        }
        self.header.start.push(state);
        Ok(())
    }

    fn names(&mut self) -> Result<(), HoaError> {
        let n = self.number("how many propositions")?;
        if n > MAX_ATOMS {
            return Err(self.error(&format!("more than {MAX_ATOMS} propositions")));
        }
        while let Some(Token::Text(name)) = self.peek() {
            let name = name.clone();
            self.header.names.push(name);
            self.at += 1;
        }
        if self.header.names.len() != n {
            let found = self.header.names.len();
            return Err(self.error(&format!("`AP:` announces {n} propositions and names {found}")));
        }
        self.header.has_names = true;
        Ok(())
    }

    fn alias(&mut self) -> Result<(), HoaError> {
        let Some(Token::Alias(name)) = self.peek().cloned() else {
            return Err(self.error("the name of an alias should stand here, as @name"));
        };
        self.at += 1;
        let label = self.label()?;
        self.header.aliases.insert(name, label);
        Ok(())
    }

    /// `0 t`, or `n` and the conjunction of `Inf(0)` to `Inf(n - 1)` in any order.
    fn acceptance(&mut self) -> Result<(), HoaError> {
        let n = self.number("how many acceptance sets")?;
        let refused = "only Büchi and generalised Büchi acceptance are supported, \
                       `Inf(0)&Inf(1)…`; let the translator make one of these";
        let mut seen = 0u64;
        let mut n_seen = 0;
        if self.take(&Token::Word("t".to_owned())) {
            self.header.n_sets = Some(0);
            return match n {
                0 => Ok(()),
                _ => Err(self.error(refused)),
            };
        }
        if n > MAX_SETS {
            return Err(self.error(&format!("more than {MAX_SETS} acceptance sets")));
        }
        let mut depth = 0;
        loop {
            while self.sign('(') {
                depth += 1;
            }
            if !self.take(&Token::Word("Inf".to_owned())) || !self.sign('(') {
                return Err(self.error(refused));
            }
            let set = self.number("an acceptance set")?;
            if set >= n || !self.sign(')') {
                return Err(self.error(refused));
            }
            n_seen += usize::from(seen >> set & 1 == 0);
            seen |= 1 << set;
            while depth > 0 && self.sign(')') {
                depth -= 1;
            }
            if !self.sign('&') {
                break;
            }
        }
        let ends = matches!(self.peek(), Some(Token::Header(_) | Token::Body));
        if n_seen != n || depth != 0 || !ends {
            return Err(self.error(refused));
        }
        self.header.n_sets = Some(n);
        Ok(())
    }

    fn body(&mut self) -> Result<Automaton, HoaError> {
        let n_sets = self.header.n_sets.unwrap_or(0) as u32;
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut is_given: Vec<bool> = Vec::new();
        while !self.take(&Token::End) {
            if self.peek() != Some(&Token::Header("State".to_owned())) {
                return Err(self.error("`State:` or --END-- should stand here"));
            }
            let at = self.at;
            self.at += 1;
            let label = self.bracketed_label()?;
            let state = self.number("the number of a state")?;
            self.check_state(state)?;
            if let Some(Token::Text(_)) = self.peek() {
                self.at += 1;
            }
            let marks = self.marks(n_sets)?;
            if edges.len() <= state {
                edges.resize(state + 1, Vec::new());
                is_given.resize(state + 1, false);
            }
            if std::mem::replace(&mut is_given[state], true) {
                self.at = at;
                return Err(self.error(&format!("state {state} is given twice")));
            }
            edges[state] = self.edges_of(label, marks, n_sets)?;
        }
        let targets = edges.iter().flatten().map(|e| e.to as usize);
        let needed = targets.chain(self.header.start.iter().copied()).max().map_or(0, |m| m + 1);
        if let Some(n) = self.header.n_states.filter(|&n| needed.max(edges.len()) > n) {
            return Err(self.error(&format!(
                "`States:` announces {n} states, but state {} is mentioned",
                needed.max(edges.len()) - 1
            )));
        }
        edges.resize(needed.max(edges.len()), Vec::new());
        let bdds = std::mem::take(&mut self.header.bdds);
        let mut initial: Vec<u32> = self.header.start.iter().map(|&q| q as u32).collect();
        initial.sort_unstable();
        initial.dedup();
        Ok(Automaton { bdds, n_atoms: self.header.names.len(), n_sets, initial, edges })
    }

    fn check_state(&self, state: usize) -> Result<(), HoaError> {
        match state < MAX_READ {
            true => Ok(()),
            false => Err(self.error(&format!("an automaton may have {MAX_READ} states at most"))),
        }
    }

    /// The edges of a state whose own label and marks are given.
    fn edges_of(
        &mut self,
        own: Option<Bdd>,
        own_marks: u64,
        n_sets: u32,
    ) -> Result<Vec<Edge>, HoaError> {
        let mut edges = Vec::new();
        let mut n_implicit = 0;
        while matches!(self.peek(), Some(Token::Number(_) | Token::Sign('['))) {
            let label = match (self.bracketed_label()?, own) {
                (Some(_), Some(_)) => {
                    return Err(self.error("the state has a label, and the edge, too"));
                }
                (Some(label), None) | (None, Some(label)) => label,
                (None, None) => {
                    // The n-th edge is for the n-th letter.
                    let label = self.letter(n_implicit)?;
                    n_implicit += 1;
                    label
                }
            };
            let to = self.number("the target of an edge")?;
            self.check_state(to)?;
            if self.peek() == Some(&Token::Sign('&')) {
                return Err(self.error("alternating automata are not supported"));
            }
            let marks = own_marks | self.marks(n_sets)?;
            edges.push(Edge { label, marks, to: to as u32 });
        }
        Ok(edges)
    }

    /// The label of exactly one letter.
    fn letter(&mut self, letter: usize) -> Result<Bdd, HoaError> {
        let n = self.header.names.len();
        if n >= 16 || letter >= 1 << n {
            return Err(self.error("the state has more edges without a label than letters"));
        }
        let bdds = &mut self.header.bdds;
        Ok((0..n).fold(Bdd::TRUE, |label, atom| {
            let is_true = bdds.atom(atom);
            let literal = if letter >> atom & 1 != 0 { is_true } else { bdds.not(is_true) };
            bdds.and(label, literal)
        }))
    }

    fn marks(&mut self, n_sets: u32) -> Result<u64, HoaError> {
        let mut marks = 0;
        if self.sign('{') {
            while !self.sign('}') {
                let set = self.number("an acceptance set")?;
                if set as u32 >= n_sets {
                    return Err(self.error(&format!("there is no acceptance set {set}")));
                }
                marks |= 1 << set;
            }
        }
        Ok(marks & all_marks(n_sets))
    }

    fn bracketed_label(&mut self) -> Result<Option<Bdd>, HoaError> {
        if !self.sign('[') {
            return Ok(None);
        }
        let label = self.label()?;
        match self.sign(']') {
            true => Ok(Some(label)),
            false => Err(self.error("a `]` should stand here")),
        }
    }

    fn label(&mut self) -> Result<Bdd, HoaError> {
        let mut label = self.conjunction()?;
        while self.sign('|') {
            let other = self.conjunction()?;
            label = self.header.bdds.or(label, other);
        }
        Ok(label)
    }

    fn conjunction(&mut self) -> Result<Bdd, HoaError> {
        let mut label = self.literal()?;
        while self.sign('&') {
            let other = self.literal()?;
            label = self.header.bdds.and(label, other);
        }
        Ok(label)
    }

    fn literal(&mut self) -> Result<Bdd, HoaError> {
        let mut negated = false;
        while self.sign('!') {
            negated = !negated;
        }
        let label = match self.peek().cloned() {
            Some(Token::Word(word)) if word == "t" => Bdd::TRUE,
            Some(Token::Word(word)) if word == "f" => Bdd::FALSE,
            Some(Token::Number(atom)) if atom < self.header.names.len() => {
                self.header.bdds.atom(atom)
            }
            Some(Token::Number(atom)) => {
                return Err(self.error(&format!("there is no proposition {atom}")));
            }
            Some(Token::Alias(name)) => match self.header.aliases.get(&name) {
                Some(&label) => label,
                None => return Err(self.error(&format!("there is no alias {name}"))),
            },
            Some(Token::Sign('(')) => {
                self.at += 1;
                let label = self.label()?;
                if self.peek() != Some(&Token::Sign(')')) {
                    return Err(self.error("a `)` should stand here"));
                }
                label
            }
            _ => return Err(self.error("a label should stand here")),
        };
        self.at += 1;
        Ok(if negated { self.header.bdds.not(label) } else { label })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Word;

    const RESPONSE: &str = "HOA: v1\nname: \"F(p & G!q)\"\nStates: 2\nStart: 0\n\
        AP: 2 \"p\" \"q\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
        properties: trans-labels explicit-labels state-acc\n--BODY--\n\
        State: 0\n[t] 0\n[0&!1] 1\nState: 1 {0}\n[!1] 1\n--END--\n";

    #[test]
    fn an_automaton_is_read() {
        let (automaton, names) = read_hoa(RESPONSE).unwrap();
        assert_eq!((automaton.n_states(), automaton.n_sets), (2, 1));
        assert_eq!(names, ["p", "q"]);
        assert!(automaton.accepts(&Word::new(vec![0b11, 0b01], vec![0])));
        assert!(!automaton.accepts(&Word::new(vec![0b01], vec![0, 0b10])));
    }

    #[test]
    fn labels_may_be_implicit_or_on_states_or_aliases() {
        let implicit = "HOA: v1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- \
            State: 0 {0} 1 0 State: 1 1 0 --END--";
        let (automaton, _) = read_hoa(implicit).unwrap();
        assert!(automaton.accepts(&Word::new(vec![], vec![0, 1])));
        assert!(!automaton.accepts(&Word::new(vec![], vec![0])));
        let alias = "HOA: v1 Start: 0 AP: 1 \"p\" Alias: @a !0 Acceptance: 2 Inf(1)&(Inf(0)) \
            --BODY-- State: [@a|0] 0 0 {0} 0 {1} --END--";
        let (automaton, _) = read_hoa(alias).unwrap();
        assert!(automaton.accepts(&Word::new(vec![], vec![0])));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (from, to, line, what) in [
            ("HOA: v1", "HOA: v2", 1, "begins with `HOA: v1`"),
            ("Inf(0)", "Fin(0)", 7, "only Büchi"),
            ("1 Inf(0)", "2 Inf(0)", 8, "only Büchi"),
            ("AP: 2", "AP: 3", 6, "announces 3"),
            ("Start: 0", "Start: 0&1", 4, "alternating"),
            ("Start: 0\n", "", 9, "`Start:` is missing"),
            ("[0&!1] 1", "[0&!7] 1", 12, "no proposition 7"),
            ("[!1] 1", "[!1 1", 14, "a `]`"),
            ("State: 1", "State: 0", 13, "given twice"),
            ("States: 2", "States: 1", 15, "announces 1 states"),
            ("State: 1 {0}", "State: 1 {3}", 13, "no acceptance set 3"),
            ("--END--", "", 14, "--END--"),
            ("[t] 0", "[t] #", 11, "`#` has no meaning"),
            ("properties:", "Properties:", 8, "not understood"),
        ] {
            let error = read_hoa(&RESPONSE.replace(from, to)).unwrap_err();
            assert!(error.what.contains(what), "{to}: {error}");
            assert!(error.line.abs_diff(line) <= 1, "{to}: {error}");
        }
    }
}
