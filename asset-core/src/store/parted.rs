//! A set of one-word states in parts, into which several threads insert at the same time.
//!
//! The upper bits of a state's key tell its part, and each part is a [`KeyTable`] of what is
//! left of its keys. Who inserts into a part has it to himself, so there is nothing to lock
//! and nothing to wait for. All else is as in [`super::Compact`] and [`super::Ordered`]: the
//! second kind (`KEPT`) also has the places of all states in the order of discovery, and links.
//! A place has the part in its low bits.

use super::links::Links;
use super::numbers::Numbers;
use super::shape::{Keys, Permutation};
use super::table::KeyTable;
use super::{Id, Kept, MAX_STATES, NewStates, Show, StateSet};
use crate::memory::prefetch;
use std::ops::Range;

/// Keys whose lines are fetched while those before them are looked up.
const STEP: usize = 64;
/// States that are shown together.
const BATCH: usize = 64;

/// The set of states.
pub struct Parted<const KEPT: bool> {
    split: Split,
    parts: Vec<Part>,
    len: usize,
    /// The states that were added one at a time, while those are all.
    first: Vec<u64>,
    ledger: Ledger,
}

/// How states are told apart into parts.
#[derive(Clone, Copy)]
pub struct Split {
    keys: Permutation,
    part_bits: u32,
    rest_bits: u32,
}

impl Split {
    /// The part of a state, and its key there.
    #[inline(always)]
    pub fn route(&self, state: u64) -> (usize, u64) {
        self.cut(self.keys.key(state))
    }

    #[inline(always)]
    fn cut(&self, key: u64) -> (usize, u64) {
        ((key >> self.rest_bits) as usize, key & ((1 << self.rest_bits) - 1))
    }

    fn state(&self, part: usize, key: u64) -> u64 {
        self.keys.state((part as u64) << self.rest_bits | key)
    }

    /// The place of what has this place in a part.
    #[inline(always)]
    pub fn place(&self, part: usize, place: u32) -> Id {
        place << self.part_bits | part as u32
    }

    #[inline(always)]
    fn place_in_part(&self, place: usize) -> (usize, usize) {
        (place & ((1 << self.part_bits) - 1), place >> self.part_bits)
    }
}

/// What is kept of states in the order of discovery: their places, and a link of some.
pub struct Ledger {
    order: Numbers,
    links: Links,
}

impl Ledger {
    /// An empty one to note what comes next.
    pub fn empty_like(&self) -> Ledger {
        Ledger { order: self.order.empty_like(), links: self.links.empty_like() }
    }

    /// Notes the next expanded states, the successors of each ending at one of `ends`, with
    /// the places of those, and which are new.
    pub fn note(&mut self, places: &[Id], ends: &[u32], new: &NewStates) {
        for &i in new.positions() {
            self.order.push(places[i as usize] as usize);
        }
        let (mut next, mut n_new) = (0, 0);
        for &end in ends {
            let n_before = n_new;
            for &place in &places[next..end as usize] {
                next += 1;
                let n = new.up_to(next);
                self.links.note_if(n == n_new, place);
                n_new = n;
            }
            self.links.end_state(n_new - n_before);
        }
    }

    fn bytes(&self) -> usize {
        self.order.bytes() + self.links.bytes()
    }
}

/// What became of keys that were inserted into a part.
#[derive(Default)]
pub struct Answer {
    /// The positions of those that are new, in order.
    pub new: Vec<u32>,
    /// The place of each, if that was asked for.
    pub places: Vec<u32>,
}

/// One part of a set.
pub struct Part {
    table: KeyTable,
    len: usize,
    tickets: Vec<u64>,
    new: NewStates,
    /// Where each place has gone as the table grew, until somebody has taken note of it.
    moved: Vec<u32>,
}

impl Part {
    fn new(key_bits: u32) -> Self {
        let (tickets, moved) = (Vec::new(), Vec::new());
        let table = KeyTable::new(key_bits);
        Part { table, len: 0, tickets, new: NewStates::default(), moved }
    }

    /// Whether there may be no room for so many more keys.
    pub fn must_grow(&self, more: usize) -> bool {
        self.len + more > self.table.capacity()
    }

    /// Makes room for so many more keys. Places change.
    pub fn reserve(&mut self, more: usize) {
        while self.must_grow(more) {
            self.table.grow(|_, _| {});
        }
    }

    /// Makes room for so many more keys, and somewhat more, so that parts grow together, and
    /// notes where places go.
    pub fn reserve_noting(&mut self, more: usize) {
        let more = more + self.table.capacity() / 16;
        while self.must_grow(more) {
            let mut moved = vec![0; self.table.n_places()];
            self.table.grow(|old, new| moved[old] = new as u32);
            match self.moved.is_empty() {
                true => self.moved = moved,
                false => self.moved.iter_mut().for_each(|place| *place = moved[*place as usize]),
            }
        }
    }

    /// Inserts keys, for which there is room, and tells what became of them, with their places
    /// if that is asked for.
    pub fn insert(&mut self, keys: &[u64], with_places: bool, answer: &mut Answer) {
        answer.new.clear();
        answer.places.clear();
        self.tickets.clear();
        self.table.tickets(keys.iter().take(STEP).copied(), &mut self.tickets);
        for start in (0..keys.len()).step_by(STEP) {
            let end = keys.len().min(start + STEP);
            let soon = keys[end..].iter().take(STEP).copied();
            self.table.tickets(soon, &mut self.tickets);
            let tickets = &self.tickets[start..end];
            self.new.clear(tickets.len());
            match with_places {
                true => self.table.find_or_add_all(tickets, &mut answer.places, &mut self.new),
                false => self.table.add_all(tickets, &mut self.new),
            }
            answer.new.extend(self.new.positions().iter().map(|&i| start as u32 + i));
        }
        self.len += answer.new.len();
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + 4 * self.moved.capacity() + 8 * self.tickets.capacity()
    }

    /// Bytes in use while the part grows once more.
    pub fn bytes_after_growth(&self, noting: bool) -> usize {
        self.table.bytes_after_growth() + if noting { 4 * self.table.n_places() } else { 0 }
    }
}

impl<const KEPT: bool> Parted<KEPT> {
    /// An empty set of states of `bits` bits, in so many parts: a power of two, at least 2.
    pub fn new(bits: u32, n_parts: usize) -> Self {
        assert!(n_parts > 1 && n_parts.is_power_of_two(), "a part is told by bits of a key");
        let keys = Permutation::new(bits);
        let part_bits = n_parts.trailing_zeros();
        let split = Split { keys, part_bits, rest_bits: keys.bits() - part_bits };
        let parts: Vec<Part> = (0..n_parts).map(|_| Part::new(split.rest_bits)).collect();
        let bound = parts[0].table.usual_places() << part_bits;
        let ledger = Ledger { order: Numbers::new(bound), links: Links::new(bound) };
        Parted { split, parts, len: 0, first: Vec::new(), ledger }
    }

    /// How states are told apart into parts.
    pub fn split(&self) -> Split {
        self.split
    }

    /// What is kept of states in the order of discovery.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The parts, for those who insert into them; [`Parted::put_back`] must follow.
    pub fn take_parts(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// Takes the parts back.
    pub fn put_back(&mut self, parts: Vec<Part>) {
        self.parts = parts;
    }

    /// So many states have been inserted into parts, and this was noted of them.
    pub fn append_ledger(&mut self, n_inserted: usize, ledger: Option<&Ledger>) {
        self.len += n_inserted;
        if let Some(ledger) = ledger {
            self.ledger.order.append(&ledger.order);
            self.ledger.links.append(&ledger.links);
        }
    }

    /// Rewrites what is kept after parts have grown and noted it.
    pub fn follow(&mut self, parts: &mut [&mut Part]) {
        let split = self.split;
        let most = parts.iter().map(|part| part.table.usual_places()).max().unwrap_or(0);
        let new = |place: usize| {
            let (part, place) = split.place_in_part(place);
            let moved = &parts[part].moved;
            let place = if moved.is_empty() { place } else { moved[place] as usize };
            split.place(part, place as u32) as usize
        };
        let ahead = |place: usize| {
            let (part, place) = split.place_in_part(place);
            prefetch(parts[part].moved.as_ptr().wrapping_add(place));
        };
        let bound = most << split.part_bits;
        self.ledger.order.change_by(bound, ahead, new);
        self.ledger.links.change_by(bound, ahead, new);
        parts.iter_mut().for_each(|part| part.moved = Vec::new());
    }

    /// Bytes of what is kept in the order of discovery.
    pub fn ledger_bytes(&self) -> usize {
        self.ledger.bytes() + 8 * self.first.capacity()
    }

    /// Whether places might become too large for their type if this part grew.
    pub fn is_part_full(split: Split, part: &Part, more: usize) -> bool {
        let n_places = part.table.n_places_after_growth() + part.len / 8;
        part.must_grow(more) && n_places << split.part_bits > MAX_STATES
    }

    fn state_at(&self, place: usize) -> u64 {
        let (part, place) = self.split.place_in_part(place);
        self.split.state(part, self.parts[part].table.key_at(place))
    }
}

impl<const KEPT: bool> StateSet for Parted<KEPT> {
    const KEEPS_STATES: bool = KEPT;

    #[inline(always)]
    fn n_words(&self) -> usize {
        1
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>) {
        match KEPT {
            true => words.extend(ids.map(|id| self.state_at(self.ledger.order.get(id)))),
            false => words.extend_from_slice(&self.first[ids]),
        }
    }

    #[inline(always)]
    fn prefetch_words(&self, id: Id) {
        if KEPT {
            let (part, place) = self.split.place_in_part(self.ledger.order.get(id as usize));
            self.parts[part].table.prefetch_place(place);
        }
    }

    fn reserve(&mut self, more: usize) {
        if self.parts.iter().all(|part| !part.must_grow(more)) {
            return;
        }
        let mut parts = self.take_parts();
        parts.iter_mut().for_each(|part| part.reserve_noting(more));
        self.follow(&mut parts.iter_mut().collect::<Vec<_>>());
        self.put_back(parts);
    }

    fn add(&mut self, state: &[u64]) -> (Id, bool) {
        self.reserve(1);
        self.insert(state, self.split.keys.key(state[0]))
    }

    #[inline(always)]
    fn hash_all(&mut self, states: &[u64], hashes: &mut Vec<u64>) {
        let (split, parts) = (self.split, &self.parts);
        hashes.extend(states.iter().map(|&state| {
            let key = split.keys.key(state);
            let (part, rest) = split.cut(key);
            parts[part].table.prefetch(rest);
            key
        }));
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool) {
        let (part, key) = self.split.cut(hash);
        let Part { table, len, .. } = &mut self.parts[part];
        let (place, is_new) = table.find_or_add(table.ticket(key));
        let place = self.split.place(part, place as u32);
        if !is_new {
            return (place, false);
        }
        *len += 1;
        self.len += 1;
        match KEPT {
            true => self.ledger.order.push(place as usize),
            false => self.first.push(state[0]),
        }
        (self.len as Id - 1, true)
    }

    fn is_full(&self, more: usize) -> bool {
        self.len + more > MAX_STATES
            || KEPT && self.parts.iter().any(|p| Parted::<KEPT>::is_part_full(self.split, p, more))
    }

    fn bytes(&self) -> usize {
        self.parts.iter().map(Part::bytes).sum::<usize>() + self.ledger_bytes()
    }

    fn bytes_after_growth(&self) -> usize {
        let grown = |part: &Part| part.bytes_after_growth(KEPT);
        self.parts.iter().map(grown).sum::<usize>() + self.ledger_bytes()
    }
}

impl Kept for Parted<true> {
    const PLACES_ARE_NUMBERS: bool = false;

    fn n_places(&self) -> usize {
        let most = self.parts.iter().map(|part| part.table.n_places()).max().unwrap_or(0);
        most << self.split.part_bits
    }

    #[inline(always)]
    fn place(&self, id: Id) -> Id {
        self.ledger.order.get(id as usize) as Id
    }

    #[inline(always)]
    fn find(&self, state: &[u64]) -> Option<Id> {
        let (part, key) = self.split.route(state[0]);
        let table = &self.parts[part].table;
        table.find(table.ticket(key)).map(|place| self.split.place(part, place as u32))
    }

    fn has_link(&self, id: Id) -> bool {
        self.ledger.links.has(id)
    }

    #[inline(always)]
    fn links_of_64(&self, i: usize, among: u64, tell: impl FnMut(u32, Id)) {
        self.ledger.links.of_64(i, among, tell);
    }

    fn batches(&self, show: &mut Show<'_>) {
        let (mut states, mut places) = (Vec::new(), Vec::new());
        for (i, part) in self.parts.iter().enumerate() {
            part.table.for_each(|place, key| {
                states.push(self.split.state(i, key));
                places.push(self.split.place(i, place as u32));
                if states.len() == BATCH {
                    show(&states, &|i| places[i]);
                    states.clear();
                    places.clear();
                }
            });
        }
        show(&states, &|i| places[i]);
    }
}

#[cfg(test)]
mod tests;
