//! A set of one-word states that lets go of them: about five bytes a state.
//!
//! A state is mapped to a key by a permutation, so that the key gives it back;
//! the keys are kept in a [`KeyTable`]. States are numbered in the order of
//! insertion, but the table does not keep the numbers. The words of a state can
//! be had until they are released: a breadth-first search needs them only until
//! the state has been expanded.
//!
//! Neither a small table in front of this one nor sorted look-ups are faster
//! (docs/decisions.md, "Look-ups").

use super::shape::{Keys, Permutation, Widening};
use super::table::KeyTable;
use super::window::Window;
use super::{Id, NewStates, StateSet};
use std::ops::Range;

/// The set of states.
pub struct Compact<K: Keys = Permutation> {
    keys: K,
    table: KeyTable,
    states: Window,
    n_growths: u32,
}

impl Compact {
    /// An empty set of states of `bits` bits.
    pub fn new(bits: u32) -> Self {
        Compact::with_keys(Permutation::new(bits))
    }
}

impl Compact<Widening> {
    /// An empty set of states that may become longer while they are found.
    pub fn widening() -> Self {
        Compact::with_keys(Widening::new(Widening::LEAST_BITS))
    }
}

impl<K: Keys> Compact<K> {
    fn with_keys(keys: K) -> Self {
        let table = KeyTable::new(keys.bits());
        Compact { keys, table, states: Window::default(), n_growths: 0 }
    }

    /// Sees that keys are as long as these states need.
    #[inline(always)]
    fn widen_for(&mut self, states: &[u64]) {
        let all = states.iter().fold(0, |all, state| all | state);
        if let Some(keys) = self.keys.widened(all) {
            self.table.widen(keys.bits() - self.keys.bits(), |_, _| {});
            self.keys = keys;
            self.n_growths += 1;
        }
    }

    /// The hash of a state.
    #[inline(always)]
    fn hash(&self, state: u64) -> u64 {
        self.table.ticket(self.keys.key(state))
    }
}

impl<K: Keys> StateSet for Compact<K> {
    const KEEPS_STATES: bool = false;

    #[inline(always)]
    fn n_words(&self) -> usize {
        1
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.states.len()
    }

    #[inline(always)]
    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>) {
        words.extend_from_slice(self.states.get(ids));
    }

    fn reserve(&mut self, more: usize) {
        while self.len() + more > self.table.capacity() {
            self.table.grow(|_, _| {});
            self.n_growths += 1;
        }
    }

    #[inline(always)]
    fn n_growths(&self) -> u32 {
        self.n_growths
    }

    fn add(&mut self, state: &[u64]) -> (Id, bool) {
        self.widen_for(&state[..1]);
        self.reserve(1);
        self.insert(state, self.hash(state[0]))
    }

    #[inline(always)]
    fn hash_all(&mut self, states: &[u64], hashes: &mut Vec<u64>) {
        self.widen_for(states);
        self.table.tickets_of(self.keys, states, hashes);
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool) {
        match self.table.find_or_add(hash).1 {
            true => {
                self.states.push(state[0]);
                (self.len() as Id - 1, true)
            }
            false => (Id::MAX, false),
        }
    }

    #[inline(always)]
    fn insert_all(&mut self, states: &[u64], hashes: &[u64], _: &[u32], new: &mut NewStates) {
        self.table.add_all(hashes, new);
        self.states.extend(new.positions().iter().map(|&i| states[i as usize]));
    }

    fn release(&mut self, before: usize) {
        self.states.release(before);
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.states.bytes()
    }

    fn bytes_after_growth(&self) -> usize {
        self.table.bytes_after_growth() + self.states.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of more and more bits, as they come, and some that are known.
    #[test]
    fn a_set_widens() {
        let mut set = Compact::widening();
        let (mut hashes, mut new) = (Vec::new(), NewStates::default());
        for i in 0..300_000u64 {
            let bits = [30, 41, 48, 49, 64][(i / 60_000) as usize];
            let state = (i + 1) << (bits - 19);
            let states = [state, i / 2 + 1, state];
            hashes.clear();
            set.reserve(3);
            set.hash_all(&states, &mut hashes);
            let n_growths = set.n_growths();
            new.clear(3);
            set.insert_all(&states, &hashes, &[3], &mut new);
            assert_eq!(set.n_growths(), n_growths);
            assert_eq!(new.positions().first(), Some(&0));
            assert!(!new.positions().contains(&2) && !set.add(&[state]).1);
            assert_eq!(*set.state(set.len() as Id - new.positions().len() as Id), [state]);
        }
        assert_eq!(set.keys.bits(), 64);
        assert!(set.n_growths() > 3 && set.len() > 300_000);
    }

    #[test]
    fn it_is_a_set_through_every_growth() {
        for bits in [20, 33, 44, 50, 64] {
            let mut set = Compact::new(bits);
            let mut known = std::collections::HashMap::new();
            let mut x = 1u64;
            for i in 0..400_000u64 {
                x = x
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                // Dense numbers and scattered ones, and many repetitions.
                let state = match i % 3 {
                    0 => i / 2,
                    1 => x >> (64 - bits),
                    _ => (x >> 40) << (bits / 3),
                };
                let state = [state & (u64::MAX >> (64 - bits))];
                set.reserve(1);
                let hash = set.hash(state[0]);
                let next = known.len() as Id;
                let (id, is_new) = set.insert(&state, hash);
                let first = *known.entry(state[0]).or_insert(next);
                assert_eq!(is_new, first == next && known.len() as Id == next + 1);
                assert_eq!(id, if is_new { first } else { Id::MAX });
            }
            assert_eq!(set.len(), known.len());
        }
    }
}
