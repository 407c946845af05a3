//! From states of several words to pairs of numbers, and back.

use super::parts::Parts;
use super::roots::{numbers, root};
use crate::machine::Successors;

/// The parts of all states so far: what roots stand for.
pub struct Fold {
    n_words: usize,
    /// Those of either side.
    pub sides: [Parts; 2],
    /// For each successor of a batch and either side, the hash of its part, or `SAME` if
    /// that is the part of its origin.
    hashes: Vec<[u64; 2]>,
    /// The words of a part.
    part: Vec<u64>,
}

/// No hash: hashes of parts that have changed are odd here.
const SAME: u64 = 0;

impl Fold {
    /// Nothing yet, of states that are cut by this mask.
    pub fn new(first: &[u64]) -> Self {
        let second = first.iter().map(|word| !word).collect();
        let sides = [Parts::new(first.into()), Parts::new(second)];
        Fold { n_words: first.len(), sides, hashes: Vec::new(), part: vec![0; first.len()] }
    }

    /// Words of a state.
    #[inline(always)]
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The root of a state.
    pub fn fold(&mut self, state: &[u64]) -> u64 {
        debug_assert_eq!(state.len(), self.n_words);
        root([0, 1].map(|side| {
            let parts = &mut self.sides[side];
            parts.number::<0>(state, parts.hash::<0>(state))
        }))
    }

    /// The number of the part that differs from another one in these bits.
    pub fn changed(&mut self, side: usize, number: u32, delta: &[u64]) -> u32 {
        match self.n_words {
            2 => self.changed_words::<2>(side, number, delta),
            3 => self.changed_words::<3>(side, number, delta),
            4 => self.changed_words::<4>(side, number, delta),
            _ => self.changed_words::<0>(side, number, delta),
        }
    }

    /// The same for states of `W` words (0: any number).
    #[inline(always)]
    fn changed_words<const W: usize>(&mut self, side: usize, number: u32, delta: &[u64]) -> u32 {
        let (parts, part) = (&mut self.sides[side], &mut *self.part);
        for (next, (word, delta)) in part.iter_mut().zip(parts.get(number).iter().zip(delta)) {
            *next = word ^ delta;
        }
        parts.number::<W>(part, parts.hash::<W>(part))
    }

    /// The root of a state, if it has one: if its parts have been met.
    pub fn find(&self, state: &[u64]) -> Option<u64> {
        let [first, second] = self.sides.each_ref().map(|parts| parts.find(state));
        Some(root([first?, second?]))
    }

    /// Appends the words of the states that have these roots.
    #[inline(always)]
    pub fn unfold(&self, roots: &[u64], words: &mut Vec<u64>) {
        for &root in roots {
            let [first, second] = numbers(root);
            let (first, second) = (self.sides[0].get(first), self.sides[1].get(second));
            words.extend(first.iter().zip(second).map(|(first, second)| first | second));
        }
    }

    /// Appends the roots of successors to those in `roots`. Given are the states of which
    /// they are successors, with their roots: mostly, one part of a successor is that of
    /// its origin.
    ///
    /// Parts are asked for before the first is looked up: with leader election that
    /// saves a tenth.
    pub fn fold_all(
        &mut self,
        states: &[u64],
        of_states: &[u64],
        successors: &Successors,
        roots: &mut Vec<u64>,
    ) {
        match self.n_words {
            2 => self.fold_words::<2>(states, of_states, successors, roots),
            3 => self.fold_words::<3>(states, of_states, successors, roots),
            4 => self.fold_words::<4>(states, of_states, successors, roots),
            _ => self.fold_words::<0>(states, of_states, successors, roots),
        }
    }

    /// The same for states of `W` words (0: any number).
    #[inline(always)]
    fn fold_words<const W: usize>(
        &mut self,
        states: &[u64],
        of_states: &[u64],
        successors: &Successors,
        roots: &mut Vec<u64>,
    ) {
        let n_words = if W == 0 { self.n_words } else { W };
        let all = successors.words();
        let successor = |i: usize| &all[i * n_words..][..n_words];
        self.hashes.clear();
        for (i, origin) in states.chunks_exact(n_words).enumerate().take(successors.n_expanded()) {
            for next in successors.of(i) {
                self.hashes.push(self.sides.each_ref().map(|parts| {
                    if !parts.differ::<W>(origin, successor(next)) {
                        return SAME;
                    }
                    let hash = parts.hash::<W>(successor(next));
                    parts.prefetch_slot(hash);
                    hash | 1
                }));
            }
        }
        for hashes in &self.hashes {
            for (parts, &hash) in self.sides.iter().zip(hashes).filter(|(_, hash)| **hash != SAME) {
                parts.prefetch_part(hash);
            }
        }
        for (i, &of_state) in of_states.iter().enumerate().take(successors.n_expanded()) {
            for next in successors.of(i) {
                let mut both = numbers(of_state);
                for ((parts, &hash), number) in
                    self.sides.iter_mut().zip(&self.hashes[next]).zip(&mut both)
                {
                    if hash != SAME {
                        *number = parts.number::<W>(successor(next), hash);
                    }
                }
                roots.push(root(both));
            }
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.sides.iter().map(Parts::bytes).sum::<usize>() + 16 * self.hashes.capacity()
    }
}
