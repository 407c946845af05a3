//! A set of one-word states that gives them back in the order of their numbers:
//! about twelve bytes a state, with one successor of most.
//!
//! The states are kept as in [`super::Compact`]. The set also keeps the *place*
//! of every state in the table, in the order of numbers; from its place a state
//! can be read again. Whoever marks states, after the last one has been added,
//! marks places: a look-up finds the place, and nothing tells the number.

use super::links::Links;
use super::numbers::Numbers;
use super::shape::{Keys, Permutation, Widening};
use super::table::KeyTable;
use super::window::Window;
use super::{Id, Kept, MAX_STATES, NewStates, Show, StateSet};
use crate::memory::Region;
use std::ops::Range;

/// States that are read together, so that their misses overlap.
const BATCH: usize = 64;

/// The set of states.
pub struct Ordered<K: Keys = Permutation> {
    keys: K,
    table: KeyTable,
    /// The states that have not been released.
    window: Window,
    n_released: usize,
    len: usize,
    n_growths: u32,
    /// The places of the states.
    order: Numbers,
    links: Links,
    /// The places of the states of a batch.
    places: Vec<u32>,
}

impl Ordered {
    /// An empty set of states of `bits` bits.
    pub fn new(bits: u32) -> Self {
        Ordered::with_keys(Permutation::new(bits))
    }
}

impl Ordered<Widening> {
    /// An empty set of states that may become longer while they are found.
    pub fn widening() -> Self {
        Ordered::with_keys(Widening::new(Widening::LEAST_BITS))
    }
}

impl<K: Keys> Ordered<K> {
    fn with_keys(keys: K) -> Self {
        let table = KeyTable::new(keys.bits());
        let bound = table.usual_places();
        let (order, links) = (Numbers::new(bound), Links::new(bound));
        Ordered {
            keys,
            table,
            window: Window::default(),
            n_released: 0,
            len: 0,
            n_growths: 0,
            order,
            links,
            places: Vec::new(),
        }
    }

    /// Changes the table's shape, and the lists of places with it.
    #[cold]
    #[inline(never)]
    fn change(&mut self, change: impl FnOnce(&mut KeyTable, &mut dyn FnMut(usize, usize))) {
        self.n_growths += 1;
        let mut new_places: Region<u32> = Region::new();
        new_places.grow_to(self.table.n_places());
        change(&mut self.table, &mut |old, new| new_places[old] = new as u32);
        let bound = self.table.usual_places();
        self.order.change(&new_places, bound);
        self.links.change(&new_places, bound);
    }

    /// Sees that keys are as long as these states need.
    #[inline(always)]
    fn widen_for(&mut self, states: &[u64]) {
        let all = states.iter().fold(0, |all, state| all | state);
        if let Some(keys) = self.keys.widened(all) {
            let more = keys.bits() - self.keys.bits();
            self.change(|table, moved| table.widen(more, moved));
            self.keys = keys;
        }
    }

    /// The hash of a state.
    #[inline(always)]
    fn hash(&self, state: u64) -> u64 {
        self.table.ticket(self.keys.key(state))
    }

    /// The state at a place.
    #[inline(always)]
    fn state_at(&self, place: usize) -> u64 {
        self.keys.state(self.table.key_at(place))
    }
}

impl<K: Keys> StateSet for Ordered<K> {
    const KEEPS_STATES: bool = true;

    #[inline(always)]
    fn n_words(&self) -> usize {
        1
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>) {
        if ids.start >= self.n_released {
            return words.extend_from_slice(self.window.get(ids));
        }
        words.extend(ids.map(|id| self.state_at(self.order.get(id))));
    }

    #[inline(always)]
    fn prefetch_words(&self, id: Id) {
        self.table.prefetch_place(self.order.get(id as usize));
    }

    fn reserve(&mut self, more: usize) {
        while self.len() + more > self.table.capacity() {
            self.change(|table, moved| table.grow(moved));
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
        match self.table.find_or_add(hash) {
            (place, true) => {
                self.window.push(state[0]);
                self.order.push(place);
                self.len += 1;
                (self.len as Id - 1, true)
            }
            (place, false) => (place as Id, false),
        }
    }

    #[inline(always)]
    fn insert_all(&mut self, states: &[u64], hashes: &[u64], ends: &[u32], new: &mut NewStates) {
        self.places.clear();
        self.table.find_or_add_all(hashes, &mut self.places, new);
        self.window.extend(new.positions().iter().map(|&i| states[i as usize]));
        for &i in new.positions() {
            self.order.push(self.places[i as usize] as usize);
        }
        self.len += new.positions().len();
        let (mut next, mut n_new) = (0, 0);
        for &end in ends {
            let n_before = n_new;
            for &place in &self.places[next..end as usize] {
                next += 1;
                let n = new.up_to(next);
                self.links.note_if(n == n_new, place);
                n_new = n;
            }
            self.links.end_state(n_new - n_before);
        }
    }

    fn release(&mut self, before: usize) {
        self.n_released = before;
        self.window.release(before);
    }

    /// Places have the same type as numbers.
    fn is_full(&self, more: usize) -> bool {
        let len = self.len() + more;
        len > MAX_STATES
            || len > self.table.capacity()
                && self.table.n_places_after_growth() + self.len() / 8 > MAX_STATES
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.window.bytes() + self.order.bytes() + self.links.bytes()
    }

    fn bytes_after_growth(&self) -> usize {
        let grown = self.table.bytes_after_growth() - self.table.bytes();
        self.bytes() + grown + 4 * self.table.n_places()
    }
}

impl<K: Keys> Kept for Ordered<K> {
    const PLACES_ARE_NUMBERS: bool = false;

    fn n_places(&self) -> usize {
        self.table.n_places()
    }

    #[inline(always)]
    fn place(&self, id: Id) -> Id {
        self.order.get(id as usize) as Id
    }

    #[inline(always)]
    fn find(&self, state: &[u64]) -> Option<Id> {
        // One that is too long for a key is no member.
        match self.keys.widened(state[0]) {
            Some(_) => None,
            None => self.table.find(self.hash(state[0])).map(|place| place as Id),
        }
    }

    fn has_link(&self, id: Id) -> bool {
        self.links.has(id)
    }

    #[inline(always)]
    fn links_of_64(&self, i: usize, among: u64, tell: impl FnMut(u32, Id)) {
        self.links.of_64(i, among, tell);
    }

    fn finish(&mut self) {
        self.n_released = self.len;
        self.window = Window::default();
    }

    fn batches(&self, show: &mut Show<'_>) {
        let (mut states, mut places) = (Vec::new(), Vec::new());
        self.table.for_each(|place, key| {
            states.push(self.keys.state(key));
            places.push(place as Id);
            if states.len() == BATCH {
                show(&states, &|i| places[i]);
                states.clear();
                places.clear();
            }
        });
        show(&states, &|i| places[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use std::collections::HashMap;

    fn successors(state: u64, bits: u32) -> Vec<u64> {
        let spread = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
        let n = if state.is_multiple_of(8) { 0 } else { 2 + state % 3 };
        let successor = |i: u64| spread((state ^ i << 7).wrapping_mul(i + 3) % 100_003);
        (0..n).map(successor).collect()
    }

    /// Explores all that 1 leads to, and lets go of what has been expanded, as a
    /// search does.
    fn explore<S: StateSet>(set: &mut S, bits: u32) {
        set.add(&[1]);
        let (mut next, mut new) = (0, NewStates::default());
        while next < set.len() {
            let state = set.state(next as Id)[0];
            let successors = successors(state, bits);
            set.reserve(successors.len());
            let mut hashes = Vec::new();
            set.hash_all(&successors, &mut hashes);
            new.clear(successors.len());
            set.insert_all(&successors, &hashes, &[successors.len() as u32], &mut new);
            next += 1;
            if next.is_multiple_of(16) {
                set.release(next);
            }
        }
    }

    #[test]
    fn it_keeps_what_a_store_keeps() {
        it_keeps_all(Ordered::new);
        it_keeps_all(|_| Ordered::widening());
    }

    #[test]
    fn what_is_too_long_is_no_member() {
        let mut set = Ordered::widening();
        for state in 0..1000 {
            set.add(&[state]);
        }
        let is_member = |set: &Ordered<Widening>, state: u64| set.find(&[state]).is_some();
        for bit in 10..64 {
            assert!((0..1000).all(|state| !is_member(&set, state | 1 << bit)));
        }
        set.add(&[1 << 55 | 7]);
        assert!((0..1000).all(|state| is_member(&set, state)) && is_member(&set, 1 << 55 | 7));
        assert!((0..1000).all(|state| !is_member(&set, state | 1 << 56)));
    }

    fn it_keeps_all<K: Keys>(empty: impl Fn(u32) -> Ordered<K>) {
        for bits in [20, 41, 50, 64] {
            let (mut set, mut store) = (empty(bits), Store::<1>::with_links(1));
            explore(&mut set, bits);
            explore(&mut store, bits);
            set.finish();
            assert!(set.len() == store.len() && set.len() > 10_000, "{bits}: {}", set.len());
            let mut ids = HashMap::new();
            for id in 0..set.len() as Id {
                let state = store.get(id);
                assert_eq!(*set.state(id), *state);
                assert_eq!(set.find(state), Some(set.place(id)));
                assert!((set.place(id) as usize) < set.n_places());
                assert_eq!(ids.insert(set.place(id), id), None);
                assert_eq!(set.has_link(id), store.has_link(id));
            }
            for i in 0..set.len().div_ceil(64) {
                let leads_to = |bit: u32, to: Id| {
                    let from = store.get(64 * i as Id + bit)[0];
                    assert!(successors(from, bits).contains(&store.get(to)[0]));
                };
                set.links_of_64(i, u64::MAX, |bit, place| leads_to(bit, ids[&place]));
                store.links_of_64(i, u64::MAX, leads_to);
            }
            let mut n = 0;
            set.batches(&mut |states, place| {
                n += states.len();
                for (i, &state) in states.iter().enumerate() {
                    assert_eq!(set.find(&[state]), Some(place(i)));
                }
            });
            assert_eq!(n, set.len());
        }
    }
}
