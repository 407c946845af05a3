//! The states that an audit has seen, numbered, with their successors.

use crate::machine::{Machine, ModelError};
use crate::model::CheckSet;
use crate::trace::Path;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// The number of a state.
pub type Number = u32;

/// Stands for the state after a disabled transition.
pub const DISABLED: Number = Number::MAX;

/// States and, for those that were expanded, all their successors.
pub struct Known<'m> {
    machine: &'m dyn Machine,
    n_transitions: usize,
    n_words: usize,
    /// The state checks that count, by index.
    checks: Vec<usize>,
    hasher: DefaultHashBuilder,
    numbers: HashTable<Number>,
    words: Vec<u64>,
    marks: Vec<Marks>,
    /// The successors of expanded states, side by side.
    rows: Vec<Number>,
    /// The state that was expanded last, or is being expanded.
    last: Number,
}

/// What is known of one state.
#[derive(Clone, Copy)]
struct Marks {
    /// Which of the state checks fail in it.
    failing: CheckSet,
    is_progress: bool,
    /// The state and the transition that led here first; none for an initial
    /// state.
    from: Option<(Number, u32)>,
    /// Which row of successors is its own.
    row: Option<u32>,
}

impl<'m> Known<'m> {
    pub fn new(machine: &'m dyn Machine, state_checks: CheckSet) -> Self {
        let checks = machine.description().checks;
        let counts = |&i: &usize| checks[i].kind.is_asked_everywhere() && state_checks.contains(i);
        Known {
            machine,
            n_transitions: machine.n_transitions(),
            n_words: machine.n_words(),
            checks: (0..checks.len()).filter(counts).collect(),
            hasher: DefaultHashBuilder::default(),
            numbers: HashTable::new(),
            words: Vec::new(),
            marks: Vec::new(),
            rows: Vec::new(),
            last: 0,
        }
    }

    pub fn machine(&self) -> &'m dyn Machine {
        self.machine
    }

    pub fn n_transitions(&self) -> usize {
        self.n_transitions
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Forgets all states, and their numbers.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.words.clear();
        self.marks.clear();
        self.rows.clear();
        self.last = 0;
    }

    pub fn bytes(&self) -> usize {
        let per_state = 8 * self.n_words + size_of::<Marks>() + 2 * size_of::<Number>();
        self.len() * per_state + self.rows.len() * size_of::<Number>()
    }

    pub fn state(&self, s: Number) -> &[u64] {
        let at = s as usize * self.n_words;
        &self.words[at..at + self.n_words]
    }

    /// The state checks that fail in a state, among those that count.
    pub fn failing(&self, s: Number) -> CheckSet {
        self.marks[s as usize].failing
    }

    pub fn is_progress(&self, s: Number) -> bool {
        self.marks[s as usize].is_progress
    }

    /// The number of an initial state, which may be new.
    pub fn initial(&mut self, state: &[u64]) -> Result<Number, ModelError> {
        self.number(state, None)
    }

    /// The number of a state, which may be new and then is reached in this way.
    fn number(&mut self, state: &[u64], from: Option<(Number, u32)>) -> Result<Number, ModelError> {
        if let Some(s) = self.find(state) {
            return Ok(s);
        }
        let marks = Marks { from, ..self.look_at(state)? };
        let s = self.marks.len() as Number;
        self.words.extend_from_slice(state);
        self.marks.push(marks);
        let (words, hasher, n) = (&self.words, &self.hasher, self.n_words);
        let hash_of = |&s: &Number| hasher.hash_one(&words[s as usize * n..][..n]);
        self.numbers.insert_unique(hash_of(&s), s, hash_of);
        Ok(s)
    }

    fn look_at(&self, state: &[u64]) -> Result<Marks, ModelError> {
        let mut failing = CheckSet::default();
        for &i in &self.checks {
            if self.machine.state_fault(state, CheckSet(1 << i))?.is_some() {
                failing.0 |= 1 << i;
            }
        }
        let is_progress =
            self.machine.description().progress_states && self.machine.progress_state(state)?;
        Ok(Marks { failing, is_progress, from: None, row: None })
    }

    /// The number of a state that is known.
    pub fn find(&self, state: &[u64]) -> Option<Number> {
        let hash = self.hasher.hash_one(state);
        self.numbers.find(hash, |&s| self.state(s) == state).copied()
    }

    /// The way on which a state was met first: an initial state, and the
    /// transitions from there.
    pub fn way_to(&self, s: Number) -> (Number, Vec<usize>) {
        let (mut initial, mut way) = (s, Vec::new());
        while let Some((before, t)) = self.marks[initial as usize].from {
            way.push(t as usize);
            initial = before;
        }
        way.reverse();
        (initial, way)
    }

    /// A way to a state that something is wrong with, or to the one from which it was
    /// reached; `None` if there is no state yet.
    pub fn path_to_blame(&self, state: &[u64]) -> Option<Path> {
        let s = self.find(state).unwrap_or(self.last);
        if s as usize >= self.len() {
            return None;
        }
        let (initial, way) = self.way_to(s);
        Some(Path::as_far_as_enabled(self.machine, self.state(initial).into(), &way))
    }

    /// Fires every transition of a state, unless that was done before.
    pub fn expand(&mut self, s: Number) -> Result<(), ModelError> {
        if self.marks[s as usize].row.is_some() {
            return Ok(());
        }
        self.last = s;
        let row = (self.rows.len() / self.n_transitions.max(1)) as u32;
        let state: Box<[u64]> = self.state(s).into();
        for t in 0..self.n_transitions {
            let next = match self.machine.fire(&state, t).and_then(|next| match next {
                Some(next) => self.number(&next, Some((s, t as u32))),
                None => Ok(DISABLED),
            }) {
                Ok(next) => next,
                Err(error) => {
                    self.rows.truncate(row as usize * self.n_transitions);
                    return Err(error);
                }
            };
            self.rows.push(next);
        }
        self.marks[s as usize].row = Some(row);
        Ok(())
    }

    /// Where a transition leads from a state that was expanded, or
    /// [`DISABLED`].
    pub fn next(&self, s: Number, t: usize) -> Number {
        match self.marks[s as usize].row {
            Some(row) => self.rows[row as usize * self.n_transitions + t],
            None => unreachable!("a state is expanded before its successors are asked for"),
        }
    }

    /// The enabled transitions of a state that was expanded.
    pub fn enabled(&self, s: Number) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_transitions).filter(move |&t| self.next(s, t) != DISABLED)
    }
}
