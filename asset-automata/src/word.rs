//! Words of the form `u v v v …`, and whether a formula holds on one, by definition.

use crate::Ltl;

/// An infinite word: some letters, and then others again and again. A letter has a bit for
/// each atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    letters: Vec<u64>,
    /// Where the cycle starts.
    start: usize,
}

impl Word {
    /// The word that begins with `stem` and goes on with `cycle` for ever.
    ///
    /// # Panics
    ///
    /// If the cycle is empty.
    pub fn new(stem: Vec<u64>, cycle: Vec<u64>) -> Word {
        assert!(!cycle.is_empty(), "a cycle has a letter at least");
        let start = stem.len();
        let mut letters = stem;
        letters.extend(cycle);
        Word { letters, start }
    }

    /// Number of places until the word repeats.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// A word is never empty.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The letters until the word repeats.
    pub fn letters(&self) -> &[u64] {
        &self.letters
    }

    /// The place after the `i`-th.
    pub fn after(&self, i: usize) -> usize {
        if i + 1 == self.letters.len() { self.start } else { i + 1 }
    }

    /// Whether the formula holds on the word.
    pub fn satisfies(&self, formula: &Ltl) -> bool {
        self.places(formula)[0]
    }

    /// For each place, whether the formula holds from there on.
    fn places(&self, formula: &Ltl) -> Vec<bool> {
        let of = |f: &Ltl| self.places(f);
        let both = |a: &Ltl, b: &Ltl, f: fn(bool, bool) -> bool| -> Vec<bool> {
            of(a).into_iter().zip(of(b)).map(|(a, b)| f(a, b)).collect()
        };
        let n = self.len();
        match formula {
            Ltl::True => vec![true; n],
            Ltl::False => vec![false; n],
            Ltl::Atom(atom) => self.letters.iter().map(|letter| letter >> atom & 1 != 0).collect(),
            Ltl::Not(a) => of(a).into_iter().map(|a| !a).collect(),
            Ltl::And(a, b) => both(a, b, |a, b| a && b),
            Ltl::Or(a, b) => both(a, b, |a, b| a || b),
            Ltl::Implies(a, b) => both(a, b, |a, b| !a || b),
            Ltl::Iff(a, b) => both(a, b, |a, b| a == b),
            Ltl::Next(a) => {
                let a = of(a);
                (0..n).map(|i| a[self.after(i)]).collect()
            }
            Ltl::Finally(a) => self.fixpoint(&vec![true; n], &of(a), false),
            Ltl::Globally(a) => self.release(&vec![false; n], &of(a)),
            Ltl::Until(a, b) => self.fixpoint(&of(a), &of(b), false),
            Ltl::WeakUntil(a, b) => self.fixpoint(&of(a), &of(b), true),
            Ltl::Release(a, b) => self.release(&of(a), &of(b)),
        }
    }

    /// The least or the greatest solution of `x = b || a && next x`.
    fn fixpoint(&self, a: &[bool], b: &[bool], greatest: bool) -> Vec<bool> {
        let mut x = vec![greatest; self.len()];
        loop {
            let before = x.clone();
            for i in (0..self.len()).rev() {
                x[i] = b[i] || a[i] && x[self.after(i)];
            }
            if x == before {
                return x;
            }
        }
    }

    /// The greatest solution of `x = b && (a || next x)`.
    fn release(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let mut x = vec![true; self.len()];
        loop {
            let before = x.clone();
            for i in (0..self.len()).rev() {
                x[i] = b[i] && (a[i] || x[self.after(i)]);
            }
            if x == before {
                return x;
            }
        }
    }
}
