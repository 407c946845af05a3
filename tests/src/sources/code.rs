//! Random expressions and statements over the variables of a model, with what they touch.

use super::model::{Kind, Model};
use crate::random::Random;
use std::collections::BTreeSet;

/// What a piece of code touches: a variable of the state, and whether only the element that
/// belongs to the transition's own process.
pub type Touches = BTreeSet<(usize, bool)>;

/// Writes code for one function of a model.
pub(super) struct Writer<'m> {
    pub random: &'m mut Random,
    pub model: &'m Model,
    /// What is read.
    pub reads: Touches,
    /// What is written.
    pub writes: Touches,
    /// Whether a process's number `i` is in scope.
    pub has_process: bool,
    /// Whether `return false` is allowed here.
    pub may_return: bool,
    /// Helpers that may be called: those of lower numbers only, so that no call returns to
    /// where it came from.
    pub n_helpers: usize,
    n_locals: usize,
}

impl<'m> Writer<'m> {
    pub fn new(random: &'m mut Random, model: &'m Model, has_process: bool) -> Self {
        Writer {
            random,
            model,
            reads: Touches::new(),
            writes: Touches::new(),
            has_process,
            may_return: false,
            n_helpers: 0,
            n_locals: 0,
        }
    }

    fn pick(&mut self, texts: &[&str]) -> String {
        texts[self.random.below(texts.len())].to_owned()
    }

    /// A variable of one of these kinds.
    fn variable(&mut self, is_fine: impl Fn(&Kind) -> bool) -> Option<usize> {
        let model = self.model;
        let all: Vec<usize> =
            (0..model.variables.len()).filter(|&v| is_fine(&model.variables[v].kind)).collect();
        (!all.is_empty()).then(|| all[self.random.below(all.len())])
    }

    /// An index into the arrays of the model, and whether it is the process's own.
    fn index(&mut self, depth: usize) -> (String, bool) {
        if self.has_process && self.model.is_local && self.random.percent(95) {
            return ("i".to_owned(), true);
        }
        match self.random.below(10) {
            0..5 if self.has_process => ("i".to_owned(), true),
            5 if self.has_process => ("(i + 1) % N".to_owned(), false),
            6 if self.has_process => ("next(i)".to_owned(), false),
            7 if depth > 0 => (format!("({}) as usize % N", self.number(depth - 1)), false),
            8 if depth > 0 => (format!("usize::from({})", self.condition(depth - 1)), false),
            _ => (self.pick(&["0", "1", "N - 1"]), false),
        }
    }

    /// The place of a variable of one of these kinds, or of an element where it is an array.
    fn place(
        &mut self,
        depth: usize,
        is_fine: impl Fn(&Kind) -> bool,
    ) -> Option<(String, usize, bool)> {
        let v = self.variable(is_fine)?;
        let (name, is_array) = (&self.model.variables[v].name, self.model.variables[v].is_array);
        if !is_array {
            return Some((format!("s.{name}"), v, false));
        }
        let (index, is_own) = self.index(depth);
        Some((format!("s.{name}[{index}]"), v, is_own))
    }

    fn read(&mut self, v: usize, is_own: bool) {
        self.reads.insert((v, is_own));
    }

    /// Reads of a place of one of these kinds.
    fn value(&mut self, depth: usize, is_fine: impl Fn(&Kind) -> bool) -> Option<(String, usize)> {
        let (text, v, is_own) = self.place(depth, is_fine)?;
        self.read(v, is_own);
        Some((text, v))
    }

    /// A number of type `u8`, at most ten.
    pub fn number(&mut self, depth: usize) -> String {
        let leaf = depth == 0;
        match self.random.below(if leaf { 4 } else { 12 }) {
            0 => self.random.below(4).to_string(),
            1 if self.has_process => "(i as u8)".to_owned(),
            1..4 => match self.value(depth.saturating_sub(1), |k| matches!(k, Kind::Number(_))) {
                Some((text, _)) => text,
                None => self.random.below(3).to_string(),
            },
            4 => format!("(({} + {}) % 5)", self.number(depth - 1), self.number(depth - 1)),
            5 => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.condition(depth - 1),
                self.number(depth - 1),
                self.number(depth - 1)
            ),
            6 => match self.value(0, |k| *k == Kind::Pair) {
                Some((text, _)) => format!("{text}.n"),
                None => "2".to_owned(),
            },
            7 if !self.model.is_local => {
                let fine = |k: &Kind| matches!(k, Kind::Number(_));
                let model = self.model;
                match self.variable(fine).filter(|&v| model.variables[v].is_array) {
                    Some(v) => {
                        self.read(v, false);
                        let name = &model.variables[v].name;
                        self.pick(&[
                            &format!("s.{name}.iter().copied().max().unwrap_or(0)"),
                            &format!("(s.{name}.iter().filter(|&&x| x == 1).count() as u8)"),
                            &format!("s.{name}.iter().fold(0, |a, x| (a + x) % 7)"),
                        ])
                    }
                    None => "1".to_owned(),
                }
            }
            8 => match self.value(depth - 1, |k| *k == Kind::Message) {
                Some((text, _)) => {
                    let [a, b] = [self.number(0), self.number(0)];
                    format!(
                        "match {text} {{ Message::Number(x) => x, Message::Both {{ on: true, .. }} => {a}, _ => {b} }}"
                    )
                }
                None => "0".to_owned(),
            },
            9 => {
                let local = self.local();
                let (value, rest) = (self.number(depth - 1), self.random.below(3));
                format!("{{ let {local} = {value}; ({local} + {rest}) % 4 }}")
            }
            10 => "LIMIT".to_owned(),
            _ => format!("TABLE[{} as usize % 3]", self.number(depth - 1)),
        }
    }

    pub fn local(&mut self) -> String {
        self.n_locals += 1;
        let n = self.n_locals;
        self.pick(&["x", "state", "next_value", "t", "need", &format!("local_{n}")])
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(35) {
            return self.atom(depth);
        }
        let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
        match self.random.below(5) {
            0 => format!("!({a})"),
            1 | 2 => format!("({a} && {b})"),
            3 => format!("({a} || {b})"),
            _ => format!("(if {a} {{ {b} }} else {{ {} }})", self.atom(0)),
        }
    }

    fn atom(&mut self, depth: usize) -> String {
        let below = depth.saturating_sub(1);
        match self.random.below(12) {
            0 | 1 => match self.value(below, |k| *k == Kind::Bool) {
                Some((text, _)) => text,
                None => format!("({}) < 2", self.number(below)),
            },
            2..5 => match self.value(below, |k| *k == Kind::At) {
                Some((text, _)) => {
                    let [a, b] = [self.at(), self.at()];
                    self.pick(&[
                        &format!("{text} == {a}"),
                        &format!("{text} != {a}"),
                        &format!("matches!({text}, {a} | {b})"),
                    ])
                }
                None => "FLAG".to_owned(),
            },
            5 => match self.value(below, |k| *k == Kind::Message) {
                Some((text, _)) => self.pick(&[
                    &format!("matches!({text}, Message::Number(x) if x > 0)"),
                    &format!("{text} == Message::Nothing"),
                    &format!("matches!({text}, Message::Both {{ on, .. }} if on)"),
                ]),
                None => "FLAG".to_owned(),
            },
            6 => "FLAG".to_owned(),
            7 if self.n_helpers > 0 => self.call("asks"),
            8 if !self.model.is_local => {
                let model = self.model;
                match self.variable(|k| *k == Kind::At).filter(|&v| model.variables[v].is_array) {
                    Some(v) => {
                        self.read(v, false);
                        let (name, at) = (&model.variables[v].name, self.at());
                        self.pick(&[
                            &format!("s.{name}.contains(&{at})"),
                            &format!("s.{name}.iter().any(|&x| x == {at})"),
                            &format!("s.{name}.iter().all(|x| *x != {at})"),
                        ])
                    }
                    None => "FLAG".to_owned(),
                }
            }
            _ => {
                let (a, b) = (self.number(below), self.number(0));
                let sign = self.pick(&["==", "<", "<=", "!=", ">"]);
                format!("({a}) {sign} ({b})")
            }
        }
    }

    /// A value of the enum without data.
    fn at(&mut self) -> String {
        format!("At::A{}", self.random.below(self.model.n_at))
    }

    /// A call of a helper, whose touches are counted as this code's own.
    fn call(&mut self, what: &str) -> String {
        let which = self.random.below(self.n_helpers);
        let (index, is_own) = self.index(0);
        let helper = &self.model.helpers[which];
        let (reads, writes) = match what {
            "asks" => (&helper.asks_reads, None),
            _ => (&helper.does_reads, Some(&helper.does_writes)),
        };
        self.reads.extend(reads.iter().map(|&(v, own)| (v, own && is_own)));
        let writes = writes.into_iter().flatten();
        self.writes.extend(writes.map(|&(v, own)| (v, own && is_own)));
        format!("{what}_{which}(s, {index})")
    }

    fn block(&mut self, depth: usize, n: usize) -> String {
        let lines: Vec<String> = (0..n).map(|_| self.statement(depth)).collect();
        format!("{{ {} }}", lines.join(" "))
    }

    /// A statement.
    pub fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(45) {
            return self.assignment();
        }
        let n = 1 + self.random.below(2);
        match self.random.below(9) {
            0 | 1 => format!("if {} {}", self.condition(1), self.block(depth - 1, n)),
            2 => format!(
                "if {} {} else {}",
                self.condition(1),
                self.block(depth - 1, n),
                self.block(depth - 1, 1)
            ),
            3 => match self.value(0, |k| *k == Kind::At) {
                Some((text, _)) => {
                    let (a, first, rest) =
                        (self.at(), self.block(depth - 1, 1), self.block(depth - 1, 1));
                    format!("match {text} {{ {a} => {first} _ => {rest} }}")
                }
                None => self.assignment(),
            },
            4 if !self.model.is_local => {
                let before = std::mem::replace(&mut self.has_process, true);
                let (reads, writes) = (self.reads.clone(), self.writes.clone());
                let (condition, then) = (self.condition(0), self.assignment());
                // Here `i` is every process.
                let others = |touches: &mut Touches, before: Touches| {
                    let all = touches.iter().map(|&(v, _)| (v, false)).collect::<Touches>();
                    *touches = &all | &before;
                };
                others(&mut self.reads, reads);
                others(&mut self.writes, writes);
                self.has_process = before;
                format!("for i in 0..N {{ if {condition} {{ {then} }} }}")
            }
            5 if self.may_return => format!("if {} {{ return false; }}", self.condition(1)),
            6 if self.n_helpers > 0 && self.may_return => {
                format!("if !{} {{ return false; }}", self.call("does"))
            }
            6 if self.n_helpers > 0 => format!("{};", self.call("does")),
            7 => {
                let local = self.local();
                let value = self.number(1);
                match self.place(0, |k| matches!(k, Kind::Number(_))) {
                    Some((place, v, is_own)) => {
                        self.writes.insert((v, is_own));
                        let Kind::Number(max) = self.model.variables[v].kind else { panic!() };
                        format!("let {local} = {value}; {place} = {local} % {};", max + 1)
                    }
                    None => self.assignment(),
                }
            }
            _ if self.model.is_local => self.assignment(),
            _ => {
                let model = self.model;
                match self.variable(|_| true).filter(|&v| model.variables[v].is_array) {
                    Some(v) => {
                        self.writes.insert((v, false));
                        self.read(v, false);
                        let name = &model.variables[v].name;
                        let [a, b] = ["0".to_owned(), self.index(0).0];
                        self.pick(&[
                            &format!("s.{name}.swap({a}, {b});"),
                            &format!("s.{name} = [s.{name}[{b}]; N];"),
                            &format!("let kept = s.{name}; s.{name}[{a}] = kept[{b}];"),
                            &format!("s.{name}.rotate_left(1);"),
                        ])
                    }
                    None => self.assignment(),
                }
            }
        }
    }

    fn assignment(&mut self) -> String {
        let Some((place, v, is_own)) = self.place(1, |_| true) else { return String::new() };
        self.writes.insert((v, is_own));
        let reads = |writer: &mut Self| writer.read(v, is_own);
        match self.model.variables[v].kind {
            Kind::Bool => match self.random.below(4) {
                0 => {
                    reads(self);
                    format!("{place} = !{place};")
                }
                1 => {
                    reads(self);
                    format!("{place} ^= {};", self.condition(1))
                }
                _ => format!("{place} = {};", self.condition(1)),
            },
            Kind::At => match self.random.below(4) {
                0 => {
                    let (c, a, b) = (self.condition(1), self.at(), self.at());
                    format!("{place} = if {c} {{ {a} }} else {{ {b} }};")
                }
                _ => format!("{place} = {};", self.at()),
            },
            Kind::Number(max) => match self.random.below(5) {
                0 => {
                    reads(self);
                    format!("{place} = ({place} + 1) % {};", max + 1)
                }
                1 => {
                    reads(self);
                    format!("if {place} < {max} {{ {place} += 1; }}")
                }
                // Perhaps out of its range: then the model is wrong, and must be told so.
                2 if self.random.percent(self.model.percent_wild) => {
                    format!("{place} = {};", self.number(1))
                }
                _ => format!("{place} = ({}) % {};", self.number(1), max + 1),
            },
            Kind::Message => match self.random.below(3) {
                0 => format!("{place} = Message::Nothing;"),
                1 => format!("{place} = Message::Number(({}) % 3);", self.number(1)),
                _ => {
                    let (on, at) = (self.condition(0), self.at());
                    format!("{place} = Message::Both {{ on: {on}, at: {at} }};")
                }
            },
            Kind::Pair => match self.random.below(4) {
                0 => format!("{place}.n = ({}) % 3;", self.number(1)),
                1 => {
                    let number = self.number(0);
                    format!("{{ let pair = &mut {place}; pair.on = ({number}) > 0; }}")
                }
                2 => format!("{place}.on = {};", self.condition(1)),
                _ => {
                    let (n, on) = (self.number(1), self.condition(0));
                    format!("{place} = Pair {{ n: ({n}) % 3, on: {on} }};")
                }
            },
        }
    }
}
