//! Which transitions a search has fired, and which values the scalars of its states have had.
//!
//! Both are complete early: of the states after that nothing is asked. Where something is
//! left that does not come, a batch is looked at for it alone. Values are looked for as passed
//! state checks are (`machine/checker/fine.rs`): a few scalars side by side are a combination,
//! of which there are far fewer than states, and only one that was not there before is taken
//! apart.

use crate::expand::Fold;
use crate::machine::Machine;
use crate::memory::bits::{FastBits, gather_any};
use crate::state::{Lane, Layout};
use std::ops::RangeInclusive;

/// Scalars of more bits have too many values to tell them one by one: only the least and the
/// largest are kept.
const MAX_BITS: u32 = 12;

/// Bits of a combination, at first and at most.
const COMBINATION_BITS: RangeInclusive<u32> = 10..=18;

/// Between two looks at what is complete, the number of states grows to so much.
const GROWTH: usize = 4;

/// Models with more transitions are few: a look-up of one byte is not worth it there.
const MANY: usize = 256;

/// A look at more parts of folded states than this takes more than a few per cent of a run.
const MAX_PARTS: usize = 1 << 15;

/// So many parts of folded states are looked at side by side.
const PARTS_AT_ONCE: usize = 64;

/// What a search has seen.
pub struct Seen {
    /// For each transition, whether it was fired.
    fired: Vec<bool>,
    n_unfired: usize,
    /// The same as one byte for each, unless there are many: not zero if it was not fired.
    unfired: Option<[u8; MANY]>,
    /// The values of scalars, if they are asked for and known.
    pub values: Option<Values>,
}

impl Seen {
    /// Nothing yet. Values only if they are asked for, and if the machine's states are packed
    /// scalar by scalar.
    pub fn new(machine: &dyn Machine, with_values: bool) -> Seen {
        let n = machine.n_transitions();
        let facts = machine.facts();
        let is_known = facts.packs_exactly && facts.layout.words() == facts.n_words;
        Seen {
            fired: vec![false; n],
            n_unfired: n,
            unfired: (n <= MANY).then_some([1; MANY]),
            values: (with_values && is_known).then(|| Values::new(machine.layout())),
        }
    }

    /// Notes what a batch has fired, and the states at these positions among its successors.
    #[inline(always)]
    pub fn note(&mut self, transitions: &[u32], states: &[u64], positions: &[u32]) {
        if self.n_unfired > 0 {
            self.note_transitions(transitions);
        }
        if let Some(values) = &mut self.values
            && !values.groups.is_empty()
        {
            values.note(states, positions);
        }
    }

    #[inline(never)]
    fn note_transitions(&mut self, transitions: &[u32]) {
        if let Some(unfired) = &self.unfired
            && transitions.iter().fold(0, |any, &t| any | unfired[usize::from(t as u8)]) == 0
        {
            return;
        }
        for &t in transitions {
            let fired = &mut self.fired[t as usize];
            self.n_unfired -= usize::from(!*fired);
            *fired = true;
            if let Some(unfired) = &mut self.unfired {
                unfired[usize::from(t as u8)] = 0;
            }
        }
    }

    /// Adds what another one has seen in states of the same machine.
    pub fn add(&mut self, other: &Seen) {
        for (fired, &others) in self.fired.iter_mut().zip(&other.fired) {
            self.n_unfired -= usize::from(others && !*fired);
            *fired |= others;
        }
        if let (Some(own), Some(others)) = (&mut self.values, &other.values) {
            own.lanes.iter_mut().zip(&others.lanes).for_each(|(lane, other)| lane.add(other));
        }
    }

    /// The transitions that were never fired, in order.
    pub fn unfired(&self) -> impl Iterator<Item = usize> {
        (0..self.fired.len()).filter(|&t| !self.fired[t])
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let known = |group: &Group| 8 * group.known.capacity();
        let of_lane = |lane: &SeenLane| 8 * lane.taken.capacity() + size_of::<SeenLane>();
        let of = |v: &Values| {
            v.groups.iter().map(known).sum::<usize>() + v.lanes.iter().map(of_lane).sum::<usize>()
        };
        self.fired.capacity() + self.values.as_ref().map_or(0, of)
    }
}

/// Values as differences to the least, in order.
pub type NeverTaken = Vec<RangeInclusive<u64>>;

/// The values that the scalars of packed states have had.
pub struct Values {
    n_words: usize,
    lanes: Vec<SeenLane>,
    /// Those of them that are asked about.
    asked: Vec<usize>,
    /// Those of these that lack values, a few side by side.
    groups: Vec<Group>,
    n_states: usize,
    /// From so many states on, it is looked anew at what is complete.
    n_next: usize,
}

/// One scalar, and what it has held; values are told by their difference to the least.
struct SeenLane {
    /// Its first bit in a state.
    at: usize,
    bits: u32,
    /// The largest value.
    max: u64,
    /// A bit for each value that was taken; empty if those are too many.
    taken: Vec<u64>,
    least: u64,
    largest: u64,
    n_taken: u64,
}

/// Some scalars, all of whose combinations are known that have been taken apart.
struct Group {
    lanes: Vec<usize>,
    /// The words of a state in which they are: which, under which mask, and where its bits go
    /// in a combination.
    words: Vec<(usize, u64, u32)>,
    /// A bit for each combination. Empty if there are too many.
    known: Vec<u64>,
}

impl SeenLane {
    fn new(lane: &Lane, at: usize) -> SeenLane {
        let (bits, max) = (lane.bits(), (lane.hi - lane.lo) as u64);
        let n_words = if bits <= MAX_BITS { max as usize / 64 + 1 } else { 0 };
        let taken = vec![0; n_words];
        SeenLane { at, bits, max, taken, least: u64::MAX, largest: 0, n_taken: 0 }
    }

    #[inline(always)]
    fn get(&self, state: &[u64]) -> u64 {
        if self.bits == 0 {
            return 0;
        }
        let (word, shift) = (self.at / 64, self.at as u32 % 64);
        let mut value = state[word] >> shift;
        if shift + self.bits > 64 {
            value |= state[word + 1] << (64 - shift);
        }
        value & (u64::MAX >> (64 - self.bits))
    }

    #[inline(always)]
    fn note(&mut self, value: u64) {
        self.least = self.least.min(value);
        self.largest = self.largest.max(value);
        if let Some(word) = self.taken.get_mut((value / 64) as usize) {
            self.n_taken += u64::from(*word >> (value % 64) & 1 == 0);
            *word |= 1 << (value % 64);
        }
    }

    fn add(&mut self, other: &SeenLane) {
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
        self.taken.iter_mut().zip(&other.taken).for_each(|(own, other)| *own |= other);
        self.n_taken = self.taken.iter().map(|word| u64::from(word.count_ones())).sum();
    }

    fn is_complete(&self) -> bool {
        match self.taken.is_empty() {
            true => (self.least, self.largest) == (0, self.max),
            false => self.n_taken == self.max + 1,
        }
    }

    /// The bits that are its own in the words of a state.
    fn mask(&self, n_words: usize) -> Vec<u64> {
        let mut mask = vec![0; n_words];
        for bit in self.at..self.at + self.bits as usize {
            mask[bit / 64] |= 1 << (bit % 64);
        }
        mask
    }
}

impl Values {
    fn new(layout: &Layout) -> Values {
        let mut at = 0;
        let mut lanes = Vec::new();
        for lane in layout.lanes() {
            lanes.push(SeenLane::new(lane, at));
            at += lane.bits() as usize;
        }
        let n_words = layout.words();
        let asked = (0..lanes.len()).collect();
        let mut values =
            Values { n_words, lanes, asked, groups: Vec::new(), n_states: 0, n_next: 0 };
        values.regroup();
        values
    }

    /// Puts the scalars that lack values side by side, as many as make a combination.
    #[cold]
    fn regroup(&mut self) {
        self.n_next = GROWTH * self.n_states.max(64);
        let (least, most) = (*COMBINATION_BITS.start(), *COMBINATION_BITS.end());
        let max_bits = (self.n_states.max(1).ilog2() + 2).clamp(least, most);
        let (mut groups, mut n_bits) = (Vec::<Group>::new(), 0);
        for &i in self.asked.iter().filter(|&&i| !self.lanes[i].is_complete()) {
            let lane = &self.lanes[i];
            if groups.is_empty() || n_bits + lane.bits > max_bits {
                groups.push(Group { lanes: Vec::new(), words: Vec::new(), known: Vec::new() });
                n_bits = 0;
            }
            n_bits += lane.bits;
            groups.last_mut().expect("there is one").lanes.push(i);
        }
        for group in &mut groups {
            let mut n_bits = 0;
            for word in 0..self.n_words {
                let own = group.lanes.iter().map(|&i| self.lanes[i].mask(self.n_words)[word]);
                let mask = own.fold(0, |all, own| all | own);
                if mask != 0 {
                    group.words.push((word, mask, n_bits));
                    n_bits += mask.count_ones();
                }
            }
            if n_bits <= max_bits {
                group.known = vec![0; (1 << n_bits as usize) / 64 + 1];
            }
        }
        self.groups = groups;
    }

    #[inline(never)]
    fn note(&mut self, states: &[u64], positions: &[u32]) {
        let n_words = self.n_words;
        for Group { lanes, words, known } in &mut self.groups {
            let mut take_apart = |state: &[u64]| {
                for &i in &*lanes {
                    let lane = &mut self.lanes[i];
                    lane.note(lane.get(state));
                }
            };
            match (FastBits::new(), &**words) {
                (Some(bits), &[(0, mask, _)]) if n_words == 1 && !known.is_empty() => {
                    for &i in positions {
                        let state = states[i as usize];
                        if !know(known, bits.gather(state, mask)) {
                            take_apart(&[state]);
                        }
                    }
                }
                (Some(bits), words) if !known.is_empty() => {
                    for &i in positions {
                        let state = &states[i as usize * n_words..][..n_words];
                        let combination = words.iter().fold(0, |all, &(word, mask, shift)| {
                            all | bits.gather(state[word], mask) << shift
                        });
                        if !know(known, combination) {
                            take_apart(state);
                        }
                    }
                }
                _ => {
                    for &i in positions {
                        let state = &states[i as usize * n_words..][..n_words];
                        if known.is_empty() || !know(known, combination(words, state)) {
                            take_apart(state);
                        }
                    }
                }
            }
        }
        self.n_states += positions.len();
        if self.n_states >= self.n_next {
            self.regroup();
        }
    }

    /// Those of all parts of states that have been folded. `None` if a scalar is in no part as
    /// a whole, or if there are very many parts.
    pub fn of_parts(machine: &dyn Machine, fold: &Fold) -> Option<Values> {
        if fold.sides.iter().any(|parts| parts.len() > MAX_PARTS) {
            return None;
        }
        let mut values = Values::new(machine.layout());
        let positions: [u32; PARTS_AT_ONCE] = std::array::from_fn(|i| i as u32);
        for parts in &fold.sides {
            // Ask about the scalars that are under this mask.
            let is_under = |&i: &usize| {
                let own = values.lanes[i].mask(values.n_words);
                own.iter().zip(parts.mask()).all(|(own, mask)| own & !mask == 0)
            };
            values.asked = (0..values.lanes.len()).filter(is_under).collect();
            values.n_states = 0;
            values.regroup();
            let mut first = 0;
            while first < parts.len() && !values.groups.is_empty() {
                let n = positions.len().min(parts.len() - first);
                values.note(parts.side_by_side(first..first + n), &positions[..n]);
                first += n;
            }
        }
        let is_seen = |lane: &SeenLane| lane.least != u64::MAX;
        values.lanes.iter().all(is_seen).then_some(values)
    }

    /// For each scalar, the values that it never had, as differences to the least and in
    /// order. Of one with too many values, those below and those above all that it had.
    pub fn never_taken(&self) -> Vec<NeverTaken> {
        self.lanes.iter().map(SeenLane::never_taken).collect()
    }
}

impl SeenLane {
    fn never_taken(&self) -> NeverTaken {
        let mut ranges = NeverTaken::new();
        if self.taken.is_empty() {
            let below = self.least.checked_sub(1).map(|last| 0..=last);
            let above = (self.largest < self.max).then(|| self.largest + 1..=self.max);
            return below.into_iter().chain(above).collect();
        }
        for value in 0..=self.max {
            if self.taken[(value / 64) as usize] >> (value % 64) & 1 != 0 {
                continue;
            }
            match ranges.last_mut() {
                Some(last) if *last.end() + 1 == value => *last = *last.start()..=value,
                _ => ranges.push(value..=value),
            }
        }
        ranges
    }
}

/// The bits of a group of scalars, side by side.
#[inline(always)]
fn combination(words: &[(usize, u64, u32)], state: &[u64]) -> u64 {
    let of = |&(word, mask, shift): &(usize, u64, u32)| gather_any(state[word], mask) << shift;
    words.iter().map(of).fold(0, |all, of| all | of)
}

/// Whether a combination is known; from now on it is.
#[inline(always)]
fn know(known: &mut [u64], combination: u64) -> bool {
    let word = &mut known[(combination / 64) as usize];
    let is_known = *word >> (combination % 64) & 1 != 0;
    if !is_known {
        *word |= 1 << (combination % 64);
    }
    is_known
}
