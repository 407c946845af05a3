//! A set of states of several words that keeps each as a pair of numbers: half a
//! dozen bytes a state, however long states are.
//!
//! A state is cut into two *parts*. There are far fewer of either than of states (ten
//! philosophers have millions of states, and some thousands of halves of the table),
//! so every part is stored once, and numbered. A state is the pair of its parts'
//! numbers, its *root*, in one word, and a set of one-word states keeps those. Nothing
//! is lost: a root gives the state back. (LTSmin's tree compression, with a tree of
//! one level: Laarman, van de Pol, Weber 2011. SPIN's collapse compression keeps
//! numbers of processes and channels: Holzmann 1997.)
//!
//! A successor mostly differs from its origin in one part. So a look-up is one in a
//! table of parts, which is small, and one in the set of roots. In a [`super::Store`],
//! ten philosophers have 23 bytes a state, and leader election 38; here it is 9 and 10,
//! for a tenth more time: some 130 instructions an edge instead of a second miss of the
//! caches.
//!
//! Where parts are as many as states, this takes a quarter more memory than to store
//! states as they are.

use super::parts::{Parts, hash};
use super::shape::Widening;
use super::{Id, Kept, MAX_STATES, NewStates, Origins, Show, StateSet};
use std::ops::Range;

/// Bits of each number at the low end of a root.
const LOW_BITS: u32 = Widening::LEAST_BITS / 2;
/// Bits by which numbers become longer, when there are so many parts.
const STEP: u32 = 4;
const STEPS: u32 = (u32::BITS - LOW_BITS) / STEP;
const _: () = assert!(LOW_BITS + STEPS * STEP == u32::BITS);

/// A set of one-word states that become longer while they are found, as roots do.
pub trait Words: StateSet {
    /// An empty set.
    fn new() -> Self;

    /// Makes room for words of so many bits, which are more than before.
    fn widen(&mut self, bits: u32);

    /// The word with this hash.
    fn word(&self, hash: u64) -> u64;

    /// As [`StateSet::insert_all`], by hashes alone.
    fn insert_words(&mut self, hashes: &[u64], ends: &[u32], new: &mut NewStates);
}

/// The set of states, of `W` words (0: any number).
pub struct Folded<S, const W: usize> {
    n_words: usize,
    /// The bits of the first part, and those of the second.
    masks: Box<[u64]>,
    /// The parts, each with zeros in place of the other one.
    parts: Parts<W>,
    roots: S,
    /// Bits of a root.
    bits: u32,
    /// The roots of a batch.
    batch: Vec<u64>,
    /// Of each state in it, which part is not that of its origin, if any: its hash, but
    /// for the lowest bits, which tell whether it is the second part, and above that
    /// whether both are. Where states have any length, the part at hand.
    changed: Vec<u64>,
}

impl<S: Words, const W: usize> Folded<S, W> {
    /// An empty set of states that are cut by this mask.
    pub fn new(first: &[u64]) -> Self {
        let second = first.iter().map(|word| !word);
        Folded {
            n_words: first.len(),
            masks: first.iter().copied().chain(second).collect(),
            parts: Parts::new(first.len()),
            roots: S::new(),
            bits: Widening::LEAST_BITS,
            batch: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// One part of a state.
    fn cut(&self, part: usize, state: &[u64]) -> Vec<u64> {
        let mask = &self.masks[part * self.n_words..];
        state.iter().zip(mask).map(|(word, mask)| word & mask).collect()
    }

    /// Appends the roots of successors to the batch. Parts are asked for before the
    /// first is looked up: with leader election that saves a tenth. To do without where
    /// there are few, or to ask for the second part as well where both have changed, is
    /// no faster.
    #[inline(always)]
    fn fold(&mut self, origins: Origins<'_>, states: &[u64]) {
        let masks: [&[u64; W]; 2] = [0, 1].map(|part| as_array(&self.masks[part * W..]));
        let (from, states) = (origins.states.as_chunks::<W>().0, states.as_chunks::<W>().0);
        let Folded { parts, batch, changed, .. } = self;
        let cut = |state: &[u64; W], part: usize| -> [u64; W] {
            std::array::from_fn(|i| state[i] & masks[part][i])
        };
        changed.clear();
        for (origin, states) in of_each(from, origins.ends, states) {
            changed.extend(states.iter().map(|state| {
                let in_part = |part: usize| {
                    (0..W).fold(0, |all, i| all | (origin[i] ^ state[i]) & masks[part][i]) != 0
                };
                let (in_first, in_second) = (in_part(0), in_part(1));
                let part = usize::from(!in_first);
                let hash = hash(&cut(state, part));
                parts.prefetch_slot(hash);
                hash & !3 | u64::from(in_first & in_second) << 1 | part as u64
            }));
        }
        changed.iter().for_each(|&changed| parts.prefetch_part(changed));
        let mut changed = changed.iter();
        for (&root, states) in of_each(origins.roots, origins.ends, states) {
            batch.extend(states.iter().zip(changed.by_ref()).map(|(state, &changed)| {
                let part = (changed & 1) as usize;
                let root = with_number(root, part, parts.number(&cut(state, part), changed));
                if changed & 2 == 0 {
                    return root;
                }
                let second = cut(state, 1);
                with_number(root, 1, parts.number(&second, hash(&second)))
            }));
        }
    }

    /// The same for states of any length.
    fn fold_any(&mut self, origins: Origins<'_>, states: &[u64]) {
        let n_words = self.n_words;
        let Folded { masks, parts, batch, changed: cut, .. } = self;
        let (first, second) = masks.split_at(n_words);
        let from = origins.states.chunks_exact(n_words).zip(origins.roots);
        for ((origin, &root), &end) in from.zip(origins.ends) {
            while batch.len() < end as usize {
                let state = &states[batch.len() * n_words..][..n_words];
                let mut next = root;
                for (part, mask) in [first, second].into_iter().enumerate() {
                    let changes = origin.iter().zip(state).map(|(old, new)| old ^ new);
                    if changes.zip(mask).any(|(changes, mask)| changes & mask != 0) {
                        cut.clear();
                        cut.extend(state.iter().zip(mask).map(|(word, mask)| word & mask));
                        next = with_number(next, part, parts.number(cut, hash(cut)));
                    }
                }
                batch.push(next);
            }
        }
    }

    /// Sees that the set takes all roots that there can be by now.
    #[inline(always)]
    fn widen(&mut self) {
        while self.parts.len() as u64 > 1 << (self.bits / 2) {
            self.bits += 2 * STEP;
            self.roots.widen(self.bits);
        }
    }

    /// Writes the state that has a root.
    #[inline(always)]
    fn unfold(&self, root: u64, state: &mut [u64]) {
        let [first, second] = numbers(root).map(|number| number as Id);
        let parts = self.parts.get(first).iter().zip(self.parts.get(second));
        state.iter_mut().zip(parts).for_each(|(word, (first, second))| *word = first | second);
    }
}

/// States that are expanded, each with its successors.
#[inline(always)]
fn of_each<'s, O, T>(
    origins: impl IntoIterator<Item = O>,
    ends: &'s [u32],
    successors: &'s [T],
) -> impl Iterator<Item = (O, &'s [T])> {
    let mut start = 0;
    origins.into_iter().zip(ends).map(move |(origin, &end)| {
        let start = std::mem::replace(&mut start, end as usize);
        (origin, &successors[start..end as usize])
    })
}

/// The first words of a state.
#[inline(always)]
fn as_array<const W: usize>(words: &[u64]) -> &[u64; W] {
    words.first_chunk().expect("there are as many words")
}

/// The root of a pair of numbers: their low bits, and then the others, a few of each
/// at a time. So the root of numbers that are not large is not long.
#[inline(always)]
fn root([first, second]: [u32; 2]) -> u64 {
    let low = (1 << LOW_BITS) - 1;
    let mut root = u64::from(first & low) | u64::from(second & low) << LOW_BITS;
    if (first | second) > low {
        for step in 0..STEPS {
            let bits = |number: u32| u64::from(number >> (LOW_BITS + step * STEP)) & 0xf;
            root |= (bits(first) | bits(second) << STEP) << (2 * (LOW_BITS + step * STEP));
        }
    }
    root
}

/// The root with another number in place of the first or the second.
#[inline(always)]
fn with_number(old: u64, part: usize, number: u32) -> u64 {
    if old >> (2 * LOW_BITS) != 0 || number >> LOW_BITS != 0 {
        let mut numbers = numbers(old);
        numbers[part] = number;
        return root(numbers);
    }
    let (at, low) = (part as u32 * LOW_BITS, (1 << LOW_BITS) - 1);
    old & !(low << at) | u64::from(number) << at
}

/// The pair of numbers of a root.
#[inline(always)]
fn numbers(root: u64) -> [u32; 2] {
    let low = (1 << LOW_BITS) - 1;
    let mut numbers = [root & low, root >> LOW_BITS & low];
    if root >> (2 * LOW_BITS) != 0 {
        for step in 0..STEPS {
            let bits = root >> (2 * (LOW_BITS + step * STEP));
            numbers[0] |= (bits & 0xf) << (LOW_BITS + step * STEP);
            numbers[1] |= (bits >> STEP & 0xf) << (LOW_BITS + step * STEP);
        }
    }
    numbers.map(|number| number as u32)
}

impl<S: Words, const W: usize> StateSet for Folded<S, W> {
    const KEEPS_STATES: bool = S::KEEPS_STATES;

    #[inline(always)]
    fn n_words(&self) -> usize {
        if W == 0 { self.n_words } else { W }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.roots.len()
    }

    #[inline(always)]
    fn append(&self, ids: Range<usize>, words: &mut Vec<u64>, roots: &mut Vec<u64>) {
        let first = roots.len();
        self.roots.append(ids, roots, &mut Vec::new());
        for &root in &roots[first..] {
            let start = words.len();
            words.resize(start + self.n_words(), 0);
            self.unfold(root, &mut words[start..]);
        }
    }

    fn prefetch_words(&self, id: Id) {
        self.roots.prefetch_words(id);
    }

    fn reserve(&mut self, more: usize) {
        self.roots.reserve(more);
    }

    #[inline(always)]
    fn n_growths(&self) -> u32 {
        self.roots.n_growths()
    }

    fn add(&mut self, state: &[u64]) -> (Id, bool) {
        let root = root([0, 1].map(|part| {
            let cut = self.cut(part, state);
            self.parts.number(&cut, hash(&cut))
        }));
        self.widen();
        self.roots.add(&[root])
    }

    #[inline(always)]
    fn hash_all(&mut self, origins: Origins<'_>, states: &[u64], hashes: &mut Vec<u64>) {
        self.batch.clear();
        if W == 0 {
            self.fold_any(origins, states);
        } else {
            self.fold(origins, states);
        }
        self.widen();
        self.roots.hash_all(Origins::default(), &self.batch, hashes);
    }

    #[inline(always)]
    fn insert(&mut self, _: &[u64], hash: u64) -> (Id, bool) {
        let root = self.roots.word(hash);
        self.roots.insert(&[root], hash)
    }

    #[inline(always)]
    fn insert_all(&mut self, _: &[u64], hashes: &[u64], ends: &[u32], new: &mut NewStates) {
        self.roots.insert_words(hashes, ends, new);
    }

    #[inline(always)]
    fn note_known(&mut self, place: Id) {
        self.roots.note_known(place);
    }

    #[inline(always)]
    fn end_expansion(&mut self, n_children: usize) {
        self.roots.end_expansion(n_children);
    }

    fn release(&mut self, before: usize) {
        self.roots.release(before);
    }

    fn is_full(&self, more: usize) -> bool {
        self.roots.is_full(more) || self.parts.len() + 2 * more > MAX_STATES
    }

    fn bytes(&self) -> usize {
        self.roots.bytes() + self.parts.bytes()
    }

    fn bytes_after_growth(&self) -> usize {
        self.roots.bytes_after_growth() + self.parts.bytes_after_growth()
    }
}

impl<S: Words + Kept, const W: usize> Kept for Folded<S, W> {
    const PLACES_ARE_NUMBERS: bool = S::PLACES_ARE_NUMBERS;

    fn n_places(&self) -> usize {
        self.roots.n_places()
    }

    #[inline(always)]
    fn place(&self, id: Id) -> Id {
        self.roots.place(id)
    }

    fn find(&self, state: &[u64]) -> Option<Id> {
        let number = |part| self.parts.find(&self.cut(part, state));
        self.roots.find(&[root([number(0)?, number(1)?])])
    }

    fn has_link(&self, id: Id) -> bool {
        self.roots.has_link(id)
    }

    #[inline(always)]
    fn links_of_64(&self, i: usize, among: u64, tell: impl FnMut(u32, Id)) {
        self.roots.links_of_64(i, among, tell);
    }

    fn finish(&mut self) {
        self.roots.finish();
    }

    fn batches(&self, show: &mut Show<'_>) {
        let (n_words, mut states) = (self.n_words(), Vec::new());
        self.roots.batches(&mut |roots, place| {
            states.resize(roots.len() * n_words, 0);
            for (state, &root) in states.chunks_exact_mut(n_words).zip(roots) {
                self.unfold(root, state);
            }
            show(&states, place);
        });
    }
}

#[cfg(test)]
mod tests;
