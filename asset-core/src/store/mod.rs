//! Packed states with numbers in the order of discovery, and compact marks.
//!
//! Invariant: nothing here knows about models, checks or the order of search.

mod arrivals;
mod bit_list;
mod bitset;
mod compact;
mod index;
mod line;
mod memory;
mod parents;
mod region;
mod window;

pub use arrivals::Arrivals;
pub use bitset::BitSet;
pub use compact::Compact;
pub use memory::{memory_limit, peak_memory};
pub use parents::Parents;

use index::Index;
use region::Region;

/// The number of a state: its place in the order of discovery.
pub type Id = u32;

/// The largest number of states; the table's slots need one value for "empty".
pub const MAX_STATES: usize = u32::MAX as usize - 1;

/// The most states that [`StateSet::get_range`] gives at once; a power of two.
pub const MAX_RANGE: usize = 64;

/// The states found so far, numbered in the order of insertion, as a
/// breadth-first search needs them.
pub trait StateSet {
    /// Whether the words of a state can be had for ever, and its number from
    /// its words. If not, `insert` returns the number of a new state only.
    const KEEPS_STATES: bool;

    /// Number of words of a state.
    fn n_words(&self) -> usize;

    /// Number of states.
    fn len(&self) -> usize;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of one state that has not been released.
    fn get(&self, id: Id) -> &[u64];

    /// The words of a few consecutive states, side by side. There are at most
    /// [`MAX_RANGE`], between two multiples of it.
    fn get_range(&self, ids: std::ops::Range<usize>) -> &[u64];

    /// The hash of a state, for the other methods.
    fn hash(&self, state: &[u64]) -> u64;

    /// Asks the processor to fetch what looking this hash up will touch first.
    fn prefetch(&self, hash: u64);

    /// The second step of `prefetch`, when the first has had time.
    fn prefetch_state(&self, hash: u64);

    /// The number of a state, and whether it is new. At most [`MAX_STATES`]
    /// states may be inserted; see `is_full`.
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool);

    /// Inserts states side by side with their hashes, in order, up to the first
    /// one that there is something to say about: a new state, and where the set
    /// keeps its states, any state. Returns how many were inserted, and what
    /// `insert` says about the last of them.
    #[inline(always)]
    fn insert_next(&mut self, states: &[u64], hashes: &[u64]) -> (usize, Option<(Id, bool)>) {
        (1, Some(self.insert(states, hashes[0])))
    }

    /// The words of the states below `before` will not be asked for any more.
    fn release(&mut self, before: usize) {
        let _ = before;
    }

    /// Whether there may be no room for `more` states in the number space.
    fn is_full(&self, more: usize) -> bool {
        self.len() + more > MAX_STATES
    }

    /// Bytes in use.
    fn bytes(&self) -> usize;

    /// Bytes in use after the set has grown once more.
    fn bytes_after_growth(&self) -> usize;
}

/// A set that keeps every state and its number.
///
/// `W` is the number of words of a state where the compiler should know it, 0
/// where only the value does. Adding a state never moves the others in memory,
/// and growing never needs more memory than the grown store has.
pub struct Store<const W: usize> {
    n_words: usize,
    states: Region<u64>,
    index: Index,
}

impl<const W: usize> Store<W> {
    /// An empty store for states of `n_words` words.
    pub fn new(n_words: usize) -> Self {
        assert!(W == 0 || W == n_words, "the store is compiled for states of {W} words");
        Store { n_words, states: Region::new(), index: Index::new() }
    }

    /// The number of a state, if it has been inserted.
    #[inline(always)]
    pub fn find(&self, state: &[u64], hash: u64) -> Option<Id> {
        self.index.find(hash, |id| self.get(id) == state).ok()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let n_words = self.n_words();
        self.index.grow(self.states.len() / n_words, |id| {
            let at = id as usize * n_words;
            hash(&self.states[at..at + n_words])
        });
    }
}

impl<const W: usize> StateSet for Store<W> {
    const KEEPS_STATES: bool = true;

    #[inline(always)]
    fn n_words(&self) -> usize {
        if W == 0 { self.n_words } else { W }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.states.len() / self.n_words()
    }

    #[inline(always)]
    fn get(&self, id: Id) -> &[u64] {
        let at = id as usize * self.n_words();
        &self.states[at..at + self.n_words()]
    }

    fn get_range(&self, ids: std::ops::Range<usize>) -> &[u64] {
        &self.states[ids.start * self.n_words()..ids.end * self.n_words()]
    }

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        hash(&state[..self.n_words()])
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        self.index.prefetch(hash);
    }

    /// Fetches the state that will be compared.
    #[inline(always)]
    fn prefetch_state(&self, hash: u64) {
        if let Some(id) = self.index.candidate(hash) {
            line::prefetch(self.states.as_ptr().wrapping_add(id as usize * self.n_words()));
        }
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool) {
        let state = &state[..self.n_words()];
        match self.index.find(hash, |id| self.get(id) == state) {
            Ok(id) => (id, false),
            Err(slot) => {
                let id = self.len() as Id;
                self.index.fill(slot, hash, id);
                self.states.extend(state);
                if self.index.must_grow(self.len()) {
                    self.grow();
                }
                (id, true)
            }
        }
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.index.bytes()
    }

    fn bytes_after_growth(&self) -> usize {
        self.states.bytes() + self.index.bytes_after_growth()
    }
}

/// A hash of a state: one folded multiplication per word. Seeds are digits of
/// the golden ratio and of the square root of two.
#[inline(always)]
fn hash(state: &[u64]) -> u64 {
    let mut h = 0x9e37_79b9_7f4a_7c15;
    for &word in state {
        let product = u128::from(word ^ h) * 0xb504_f333_f9de_6485;
        h = (product >> 64) as u64 ^ product as u64;
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrambled(i: u64, n_words: usize) -> Vec<u64> {
        (0..n_words as u64).map(|w| (i * 7 + w) % 5 + (i << (w % 3 * 7))).collect()
    }

    fn numbers_are_dense_and_stable<const W: usize>(n_words: usize) {
        let mut store = Store::<W>::new(n_words);
        let mut known = std::collections::HashMap::new();
        for i in 0..40_000u64 {
            let state = scrambled(i * i % 30_011, n_words);
            let hash = store.hash(&state);
            let expected = known.len() as Id;
            let before = store.find(&state, hash);
            let (id, is_new) = store.insert(&state, hash);
            let first = *known.entry(state.clone()).or_insert(expected);
            assert_eq!((id, is_new), (first, first == expected && before.is_none()));
            assert_eq!(store.find(&state, hash), Some(id));
        }
        assert_eq!(store.len(), known.len());
        for (state, id) in known {
            assert_eq!(store.get(id), state);
        }
    }

    #[test]
    fn every_width() {
        numbers_are_dense_and_stable::<1>(1);
        numbers_are_dense_and_stable::<2>(2);
        numbers_are_dense_and_stable::<3>(3);
        numbers_are_dense_and_stable::<4>(4);
        numbers_are_dense_and_stable::<0>(1);
        numbers_are_dense_and_stable::<0>(7);
    }
}
