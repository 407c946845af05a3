//! Packed states with numbers in the order of discovery, and compact marks.
//!
//! Invariant: nothing here knows about models, checks or the order of search.

mod arrivals;
mod bit_list;
mod bitset;
mod compact;
mod index;
mod line;
mod links;
mod new_states;
mod numbers;
mod ordered;
mod parents;
mod parted;
mod shape;
mod shared;
mod slots;
mod table;
mod window;

pub use arrivals::Arrivals;
pub use bitset::BitSet;
pub use compact::Compact;
pub use new_states::NewStates;
pub use ordered::Ordered;
pub use parents::Parents;
pub use parted::{Answer, Ledger, Part, Parted, Split};
pub use shared::{Access, SharedSet};
pub(crate) use window::Window;

use crate::memory::{Region, prefetch};
use index::Index;
use links::Links;
use std::ops::Range;

/// The number of a state: its place in the order of discovery.
pub type Id = u32;

/// The largest number of states; the table's slots need one value for "empty".
pub const MAX_STATES: usize = u32::MAX as usize - 1;

/// The most states that [`StateSet::append`] gives at once; a power of two.
pub const MAX_RANGE: usize = 64;

/// States that are shown at a time where order does not matter.
const BATCH: usize = 4096;

/// The states found so far, numbered in the order of insertion, as a
/// breadth-first search needs them.
pub trait StateSet {
    /// Whether the words of a state can be had for ever, and its place from its
    /// words: the set is [`Kept`].
    const KEEPS_STATES: bool;

    /// Number of words of a state.
    fn n_words(&self) -> usize;

    /// Number of states.
    fn len(&self) -> usize;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the words of a few consecutive states that have not been released.
    /// There are at most [`MAX_RANGE`], between two multiples of it.
    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>);

    /// Asks the processor to fetch what reading a state will touch first.
    fn prefetch_words(&self, id: Id) {
        let _ = id;
    }

    /// The words of one state that has not been released.
    fn state(&self, id: Id) -> Box<[u64]> {
        let mut words = Vec::with_capacity(self.n_words());
        self.append(id as usize..id as usize + 1, &mut words);
        words.into()
    }

    /// Makes room for so many more states. Hashes that were asked for before may
    /// be worth nothing then: `n_growths` tells.
    fn reserve(&mut self, more: usize) {
        let _ = more;
    }

    /// A hash is good as long as this number stays the same.
    #[inline(always)]
    fn n_growths(&self) -> u32 {
        0
    }

    /// Inserts one state, as `insert`, and makes room for it.
    fn add(&mut self, state: &[u64]) -> (Id, bool);

    /// Appends the hashes of states side by side, for the other methods, and asks the
    /// processor to fetch what looking them up will touch first. A set may grow here,
    /// as in `reserve`; these hashes are good then.
    fn hash_all(&mut self, states: &[u64], hashes: &mut Vec<u64>);

    /// The second step of fetching, when the first has had time.
    #[inline(always)]
    fn prefetch_state(&self, hash: u64) {
        let _ = hash;
    }

    /// The number of a state that is new, or the place of one that is not, and
    /// which it is. A set that does not keep its states has no places. There must
    /// be room for it; see `reserve`. At most [`MAX_STATES`] states may be
    /// inserted; see `is_full`.
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool);

    /// Inserts the successors of the next states in the order of numbers, side by
    /// side with their hashes, and tells `new`, which has been cleared, which of
    /// them are new. `ends` has the end of each state's successors. There must be
    /// room for all; see `reserve`.
    #[inline(always)]
    fn insert_all(&mut self, states: &[u64], hashes: &[u64], ends: &[u32], new: &mut NewStates) {
        let (n_words, mut i) = (self.n_words(), 0);
        for &end in ends {
            let n_before = new.positions().len();
            while i < end as usize {
                let (place, is_new) = self.insert(&states[i * n_words..], hashes[i]);
                new.tell(is_new);
                if !is_new {
                    self.note_known(place);
                }
                i += 1;
            }
            self.end_expansion(new.positions().len() - n_before);
        }
    }

    /// The state whose successors are being inserted leads to this place, which
    /// was known before.
    #[inline(always)]
    fn note_known(&mut self, place: Id) {
        let _ = place;
    }

    /// The successors of the next state in the order of numbers have all been
    /// inserted; so many of them were new.
    #[inline(always)]
    fn end_expansion(&mut self, n_children: usize) {
        let _ = n_children;
    }

    /// The words of the states below `before` will not be asked for while more
    /// are inserted.
    fn release(&mut self, before: usize) {
        let _ = before;
    }

    /// Whether there may be no room for `more` states in the number space.
    fn is_full(&self, more: usize) -> bool {
        self.len() + more > MAX_STATES
    }

    /// Bytes in use.
    fn bytes(&self) -> usize;

    /// Bytes in use while the set grows once more.
    fn bytes_after_growth(&self) -> usize;
}

/// Takes states side by side, and a way to ask for the place of each.
pub type Show<'s> = dyn FnMut(&[u64], &dyn Fn(usize) -> Id) + 's;

/// A set that keeps its states. Besides its number, each has a *place*, by which
/// it can be marked: a look-up tells the place.
pub trait Kept: StateSet {
    /// Whether a state's place is its number.
    const PLACES_ARE_NUMBERS: bool;

    /// Places are below this number.
    fn n_places(&self) -> usize;

    /// The place of a state.
    fn place(&self, id: Id) -> Id;

    /// The place of a state, given by its words.
    fn find(&self, state: &[u64]) -> Option<Id>;

    /// Whether an expanded state has a link: the place of one successor that it
    /// did not discover. A state that discovered none has a link or is terminal;
    /// of others, some have links.
    fn has_link(&self, id: Id) -> bool;

    /// Tells the links of the states from `64 * i` on that are marked in `among`:
    /// the bit there, and the place.
    fn links_of_64(&self, i: usize, among: u64, tell: impl FnMut(u32, Id));

    /// No more states will be inserted.
    fn finish(&mut self) {}

    /// Shows all states, some at a time, with their places, in any order.
    fn batches(&self, show: &mut Show<'_>);
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
    links: Option<Links>,
}

impl<const W: usize> Store<W> {
    /// An empty store for states of `n_words` words.
    pub fn new(n_words: usize) -> Self {
        assert!(W == 0 || W == n_words, "the store is compiled for states of {W} words");
        Store { n_words, states: Region::new(), index: Index::new(), links: None }
    }

    /// The same, with links.
    pub fn with_links(n_words: usize) -> Self {
        Store { links: Some(Links::new(MAX_STATES)), ..Store::new(n_words) }
    }

    /// The words of one state.
    #[inline(always)]
    pub fn get(&self, id: Id) -> &[u64] {
        let at = id as usize * self.n_words();
        &self.states[at..at + self.n_words()]
    }

    /// The words of consecutive states, side by side.
    #[inline(always)]
    fn get_range(&self, ids: Range<usize>) -> &[u64] {
        &self.states[ids.start * self.n_words()..ids.end * self.n_words()]
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
    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>) {
        words.extend_from_slice(self.get_range(ids));
    }

    #[inline(always)]
    fn add(&mut self, state: &[u64]) -> (Id, bool) {
        self.insert(state, hash(&state[..self.n_words()]))
    }

    #[inline(always)]
    fn hash_all(&mut self, states: &[u64], hashes: &mut Vec<u64>) {
        hashes.extend(states.chunks_exact(self.n_words()).map(|state| {
            let hash = hash(state);
            self.index.prefetch(hash);
            hash
        }));
    }

    /// Fetches the state that will be compared.
    #[inline(always)]
    fn prefetch_state(&self, hash: u64) {
        if let Some(id) = self.index.candidate(hash) {
            prefetch(self.states.as_ptr().wrapping_add(id as usize * self.n_words()));
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

    #[inline(always)]
    fn note_known(&mut self, place: Id) {
        if let Some(links) = &mut self.links {
            links.note(place);
        }
    }

    #[inline(always)]
    fn end_expansion(&mut self, n_children: usize) {
        if let Some(links) = &mut self.links {
            links.end_state(n_children);
        }
    }

    fn bytes(&self) -> usize {
        let links = self.links.as_ref().map_or(0, Links::bytes);
        self.states.bytes() + self.index.bytes() + links
    }

    fn bytes_after_growth(&self) -> usize {
        self.bytes() - self.index.bytes() + self.index.bytes_after_growth()
    }
}

impl<const W: usize> Kept for Store<W> {
    const PLACES_ARE_NUMBERS: bool = true;

    fn n_places(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn place(&self, id: Id) -> Id {
        id
    }

    fn find(&self, state: &[u64]) -> Option<Id> {
        self.index.find(hash(state), |id| self.get(id) == state).ok()
    }

    fn has_link(&self, id: Id) -> bool {
        self.links.as_ref().is_some_and(|links| links.has(id))
    }

    #[inline(always)]
    fn links_of_64(&self, i: usize, among: u64, tell: impl FnMut(u32, Id)) {
        if let Some(links) = &self.links {
            links.of_64(i, among, tell);
        }
    }

    fn batches(&self, show: &mut Show<'_>) {
        for start in (0..self.len()).step_by(BATCH) {
            let ids = start..self.len().min(start + BATCH);
            show(self.get_range(ids), &|i| (start + i) as Id);
        }
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
            let expected = known.len() as Id;
            let before = store.find(&state);
            let (id, is_new) = store.add(&state);
            let first = *known.entry(state.clone()).or_insert(expected);
            assert_eq!((id, is_new), (first, first == expected && before.is_none()));
            assert_eq!(store.find(&state), Some(id));
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
