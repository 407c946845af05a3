//! What transitions do to the parts of a state, part by part.
//!
//! A transition that touches one side of the state only is *local*: whether it is
//! enabled, and which part it leads to, is a function of that side's part. So a part has a
//! *record*: which of its side's local transitions are enabled, and how each changes the
//! root. With ten philosophers that is 46 of 50 transitions: two records tell what they
//! do, and no successor is looked up among the parts.
//!
//! The others are *shared*. Those that touch the same variables are a group. What a group
//! sees of a part is its *port*, which has a number that stands in the record, too. A pair
//! of ports tells which transitions of the group are enabled, and what *delta* each makes
//! on either side; part and delta tell the next part.
//!
//! All of this is learnt from states that were expanded otherwise. It is worth it where
//! parts come again: leader election with seven processes has 3.4 million states, of
//! which 120 thousand are learnt from.

use super::Fold;
use super::pairs::Pairs;
use super::parts::Parts;
use super::roots::{numbers, root};
use crate::machine::Successors;
use crate::machine::memo::{Counts, Enabled, STRIDE};
use crate::memory::prefetch;
use crate::reduction::Order;
use crate::state::FastBits;
use hashbrown::HashMap;

/// It must be worth it: of so many states, …
const WINDOW: usize = 1 << 16;
/// … at most one in so many may be learnt from, …
const WORTH: usize = 2;
/// … and what is learnt may take so many bytes, and so many more for each state.
const FREE_BYTES: usize = 16 << 20;
const BYTES_A_STATE: usize = 6;

/// What is known of a machine's transitions.
pub struct Steps {
    bits: FastBits,
    /// For each transition, what it touches.
    touched: Vec<Vec<u64>>,
    /// What each group of shared transitions touches.
    groups: Vec<Vec<u64>>,
    /// For each transition, its source: a side, or 2 and the number of its group.
    source_of: Vec<usize>,
    enabled: Enabled,
    /// Nothing, with room for the changes by shared transitions of a state, and then
    /// records and outcomes. A record has blocks of enabled transitions, ports, and changes
    /// of a root. An outcome has blocks, and pairs of deltas.
    words: Vec<u64>,
    /// For either side, where the record of each part begins, or 0.
    records: [Vec<u32>; 2],
    /// Where the outcome of a pair of ports begins, or 0 if nothing is enabled.
    outcomes: Pairs<0>,
    /// How a delta changes the root, by part.
    moves: Pairs<8>,
    /// Numbers of ports by group and what is seen, …
    ports: Names,
    /// … and of deltas by side and what changes. Neither is ever 0.
    deltas: Names,
    /// Of the states at hand, their records and ports.
    starts: Vec<[u32; 2]>,
    ports_of: Vec<[u32; 2]>,
    /// What each successor of a state changes.
    changed: Vec<u64>,
    pub counts: Counts,
    /// Whether what is known takes too much memory.
    is_large: bool,
    n_states: usize,
    n_learnt: usize,
    /// States before this window, and how many were learnt from.
    n_before: (usize, usize),
}

impl Steps {
    /// Nothing yet of transitions that touch these bits, of states that are cut as given.
    pub fn new(touched: Vec<Vec<u64>>, fold: &Fold, order: Order) -> Option<Self> {
        let bits = FastBits::new()?;
        let touches = |t: usize, side: usize| {
            touched[t].iter().zip(fold.sides[side].mask()).any(|(bits, mask)| bits & mask != 0)
        };
        let (mut sources, mut groups) = (vec![Vec::new(); 2], Vec::<Vec<u64>>::new());
        let mut shared = Vec::new();
        for t in 0..touched.len() {
            match [touches(t, 0), touches(t, 1)] {
                [true, true] => shared.push(t),
                [_, second] => sources[usize::from(second)].push(t),
            }
        }
        // Those that touch most come first, so that others can join them.
        let n_bits = |t: usize| touched[t].iter().map(|word| word.count_ones()).sum::<u32>();
        shared.sort_by_key(|&t| std::cmp::Reverse(n_bits(t)));
        for t in shared {
            let takes = |mask: &Vec<u64>| mask.iter().zip(&touched[t]).all(|(m, t)| t & !m == 0);
            match groups.iter().position(takes) {
                Some(group) => sources[2 + group].push(t),
                None => {
                    sources.push(vec![t]);
                    groups.push(touched[t].clone());
                }
            }
        }
        let mut source_of = vec![0; touched.len()];
        for (source, transitions) in sources.iter().enumerate() {
            transitions.iter().for_each(|&t| source_of[t] = source);
        }
        let enabled = Enabled::new(sources.iter().map(Vec::as_slice), touched.len(), order);
        let n_told = Enabled::n_blocks(touched.len()) + sources.len().div_ceil(2);
        let n_shared: usize = sources[2..].iter().map(Vec::len).sum();
        Some(Steps {
            bits,
            touched,
            groups,
            source_of,
            enabled,
            words: vec![0; STRIDE + n_shared + n_told],
            records: Default::default(),
            outcomes: Pairs::new(),
            moves: Pairs::new(),
            ports: Names::default(),
            deltas: Names::default(),
            starts: Vec::new(),
            ports_of: Vec::new(),
            changed: Vec::new(),
            counts: Counts::default(),
            is_large: false,
            n_states: 0,
            n_learnt: 0,
            n_before: (0, 0),
        })
    }

    /// Nothing yet, for another order.
    pub fn anew(self, fold: &Fold, order: Order) -> Option<Self> {
        Steps::new(self.touched, fold, order)
    }

    /// The order in which transitions are fired.
    pub fn order(&self) -> Order {
        self.enabled.order()
    }

    /// Whether it is worth going on.
    #[inline(always)]
    pub fn is_worth_it(&mut self) -> bool {
        // Moves are found while nothing is learnt, too.
        !self.is_large
            && self.moves.bytes() <= self.max_bytes()
            && (self.n_states - self.n_before.0 < WINDOW || self.was_worth_it())
    }

    /// What is known may take so much memory.
    fn max_bytes(&self) -> usize {
        FREE_BYTES + BYTES_A_STATE * self.n_states
    }

    #[cold]
    fn was_worth_it(&mut self) -> bool {
        let (n_states, n_learnt) =
            (self.n_states - self.n_before.0, self.n_learnt - self.n_before.1);
        self.n_before = (self.n_states, self.n_learnt);
        n_learnt * WORTH < n_states
    }

    /// The states that will be expanded next. Asks the processor to fetch what is known of
    /// them: their records, and when these have had time, what their ports lead to.
    #[inline(always)]
    pub fn begin(&mut self, roots: &[u64]) {
        let Steps { words, records, moves, outcomes, starts, ports_of, .. } = self;
        let (n_blocks, n_groups) = (self.enabled.blocks.len(), self.groups.len());
        starts.clear();
        starts.extend(roots.iter().map(|&root| {
            let numbers = numbers(root);
            [0, 1].map(|side| {
                let start = records[side].get(numbers[side] as usize).map_or(0, |&start| start);
                prefetch(words.as_ptr().wrapping_add(start as usize));
                moves.prefetch(numbers[side], 0);
                start
            })
        }));
        ports_of.resize(roots.len() * n_groups, [0; 2]);
        for (starts, ports) in starts.iter().zip(ports_of.chunks_exact_mut(n_groups.max(1))) {
            // Where there is no record, there are some words that tell nothing.
            let told = starts.map(|start| &words[start as usize + n_blocks..]);
            for (group, ports) in ports.iter_mut().enumerate() {
                *ports = told.map(|ports| Steps::port(ports, group));
                outcomes.prefetch(ports[0], ports[1]);
            }
        }
    }

    /// Expands a state, the `i`-th one of those with which it began, if all is known.
    /// Otherwise nothing has happened.
    #[inline(always)]
    pub fn expand(&mut self, i: usize, root: u64, fold: &mut Fold, out: &mut Successors) -> bool {
        self.n_states += 1;
        let is_known = match self.enabled.blocks.len() {
            1 => self.look_up::<1>(i, root, fold).is_some(),
            _ => self.look_up::<0>(i, root, fold).is_some(),
        };
        if is_known {
            self.enabled.fire(self.bits, &[root], 1, &self.words, out);
        }
        is_known
    }

    /// Finds out what is enabled in a state, where transitions take `B` blocks (0: any
    /// number).
    #[inline(always)]
    fn look_up<const B: usize>(&mut self, i: usize, root: u64, fold: &mut Fold) -> Option<()> {
        let starts = self.starts[i].map(|start| start as usize);
        if starts.contains(&0) {
            return None;
        }
        let Enabled { blocks, next_change, .. } = &mut self.enabled;
        let n_blocks = if B == 0 { blocks.len() } else { B };
        let n_groups = self.groups.len();
        let (words, numbers) = (&mut *self.words, numbers(root));
        let mut one_block = [0; B];
        let enabled = if B == 0 { &mut **blocks } else { &mut one_block };
        for (i, enabled) in enabled.iter_mut().enumerate() {
            *enabled = words[starts[0] + i] | words[starts[1] + i];
        }
        for (next_change, start) in next_change.iter_mut().zip(starts) {
            *next_change = (start + n_blocks + n_groups.div_ceil(2)) as u32;
        }
        let mut end = STRIDE;
        let groups = &self.ports_of[i * n_groups..(i + 1) * n_groups];
        for (&[first, second], next_change) in groups.iter().zip(&mut next_change[2..]) {
            let start = self.outcomes.get(first, second)? as usize;
            if start == 0 {
                continue;
            }
            *next_change = end as u32;
            let mut n = 0;
            for (i, enabled) in enabled.iter_mut().enumerate() {
                *enabled |= words[start + i];
                n += self.bits.count_ones(words[start + i]);
            }
            for i in start + n_blocks..start + n_blocks + n {
                let mut change = 0;
                for (side, number) in numbers.into_iter().enumerate() {
                    let delta = (words[i] >> (32 * side)) as u32;
                    if delta != 0 {
                        change ^= self.moves.get(number, delta).unwrap_or_else(|| {
                            move_by(&mut self.moves, &self.deltas, fold, (side, number), delta)
                        });
                    }
                }
                words[end] = change;
                end += 1;
            }
        }
        if B != 0 {
            blocks.copy_from_slice(&one_block);
        }
        Some(())
    }

    /// Learns from a state that was expanded in full otherwise. Given are its words and
    /// its root, and the same of its successors. The error is a transition that has
    /// changed more than it was thought to touch.
    #[cold]
    #[inline(never)]
    pub fn learn(
        &mut self,
        fold: &Fold,
        (state, root): (&[u64], u64),
        (successors, roots): (&Successors, &[u64]),
    ) -> Result<(), usize> {
        self.n_learnt += 1;
        let n_words = state.len();
        let transitions = successors.transitions();
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        for (next, &t) in successors.words().chunks_exact(n_words).zip(transitions) {
            let changes = state.iter().zip(next).map(|(old, new)| old ^ new);
            changed.extend(changes.clone());
            let mut touched = changes.zip(&self.touched[t as usize]);
            if touched.any(|(bits, touched)| bits & !touched != 0) {
                return Err(t as usize);
            }
        }
        let numbers = numbers(root);
        for side in [0, 1] {
            let parts = &fold.sides[side];
            let record = &mut self.records[side];
            record.resize(record.len().max(parts.len()), 0);
            if record[numbers[side] as usize] == 0 {
                let changes = roots.iter().map(|next| root ^ next);
                self.learn_record(side, numbers[side], parts, transitions, changes);
            }
        }
        for group in 0..self.groups.len() {
            self.learn_outcome(group, numbers, fold, transitions, &changed);
        }
        self.changed = changed;
        self.is_large = self.bytes() > self.max_bytes();
        Ok(())
    }

    /// Begins what is known of a source: which of its transitions are enabled.
    fn begin_source(&mut self, source: usize, transitions: &[u32]) -> usize {
        let start = self.words.len();
        self.words.resize(start + self.enabled.blocks.len(), 0);
        for &t in transitions.iter().filter(|t| self.source_of[**t as usize] == source) {
            self.enabled.mark(t as usize, &mut self.words[start..]);
        }
        start
    }

    fn learn_record(
        &mut self,
        side: usize,
        number: u32,
        parts: &Parts,
        transitions: &[u32],
        changes: impl Iterator<Item = u64>,
    ) {
        let start = self.begin_source(side, transitions);
        self.records[side][number as usize] = start as u32;
        let (n_groups, at) = (self.groups.len(), self.words.len());
        self.words.resize(at + n_groups.div_ceil(2), 0);
        for group in 0..n_groups {
            let seen = parts.get(number).iter().zip(&self.groups[group]);
            let port = self.ports.number(group, seen.map(|(word, bits)| word & bits));
            self.words[at + group / 2] |= u64::from(port) << (group % 2 * 32);
        }
        for (t, change) in transitions.iter().zip(changes) {
            if self.source_of[*t as usize] == side {
                self.words.push(change);
            }
        }
    }

    /// What the group sees of a part, of whose record these are the ports.
    #[inline(always)]
    fn port(ports: &[u64], group: usize) -> u32 {
        (ports[group / 2] >> (group % 2 * 32)) as u32
    }

    fn learn_outcome(
        &mut self,
        group: usize,
        numbers: [u32; 2],
        fold: &Fold,
        transitions: &[u32],
        changed: &[u64],
    ) {
        let [first, second] = [0, 1].map(|side| {
            let record = self.records[side][numbers[side] as usize] as usize;
            Steps::port(&self.words[record + self.enabled.blocks.len()..], group)
        });
        if self.outcomes.get(first, second).is_some() {
            return;
        }
        if transitions.iter().all(|t| self.source_of[*t as usize] != 2 + group) {
            return self.outcomes.insert(first, second, 0);
        }
        let start = self.begin_source(2 + group, transitions);
        self.outcomes.insert(first, second, start as u64);
        for (&t, changed) in transitions.iter().zip(changed.chunks_exact(fold.n_words())) {
            if self.source_of[t as usize] != 2 + group {
                continue;
            }
            let mut both = 0;
            for (side, parts) in fold.sides.iter().enumerate() {
                let delta = changed.iter().zip(parts.mask()).map(|(bits, mask)| bits & mask);
                if delta.clone().any(|word| word != 0) {
                    both |= u64::from(self.deltas.number(side, delta)) << (32 * side);
                }
            }
            self.words.push(both);
        }
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        let records: usize = self.records.iter().map(|records| 4 * records.capacity()).sum();
        let named = self.ports.bytes() + self.deltas.bytes();
        8 * self.words.capacity() + records + self.outcomes.bytes() + self.moves.bytes() + named
    }
}

/// How a delta changes the root of a state, by the part of its side.
#[cold]
#[inline(never)]
fn move_by(
    moves: &mut Pairs<8>,
    deltas: &Names,
    fold: &mut Fold,
    (side, number): (usize, u32),
    delta: u32,
) -> u64 {
    let parts = &mut fold.sides[side];
    let changed = parts.get(number).iter().zip(deltas.get(delta));
    let next: Vec<u64> = changed.map(|(word, delta)| word ^ delta).collect();
    let next = parts.number::<0>(&next, parts.hash::<0>(&next));
    let change = root(if side == 0 { [number ^ next, 0] } else { [0, number ^ next] });
    moves.insert(number, delta, change);
    change
}

/// Words, each with its kind, numbered from 1 on.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<Vec<u64>, u32>,
    /// The kind and the words of each, one after the other.
    words: Vec<u64>,
    /// How long they are together.
    n_words: usize,
}

impl Names {
    /// The number of these words, which is a new one if they are new.
    fn number(&mut self, kind: usize, words: impl Iterator<Item = u64>) -> u32 {
        let (start, next) = (self.words.len(), self.numbers.len() as u32 + 1);
        self.words.push(kind as u64);
        self.words.extend(words);
        self.n_words = self.words.len() - start;
        let number = *self.numbers.entry_ref(&self.words[start..]).or_insert(next);
        if number != next {
            self.words.truncate(start);
        }
        number
    }

    /// The words with this number.
    fn get(&self, number: u32) -> &[u64] {
        &self.words[(number as usize - 1) * self.n_words..][1..self.n_words]
    }

    /// Bytes in use, more or less.
    fn bytes(&self) -> usize {
        16 * self.words.capacity() + 64 * self.numbers.len()
    }
}
