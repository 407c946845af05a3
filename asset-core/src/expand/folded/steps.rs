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
use super::ahead::Ahead;
use super::names::Names;
use super::parts::Parts;
use super::roots::numbers;
use crate::expand::pairs::Pairs;
use crate::expand::remembered::{Enabled, STRIDE};
use crate::expand::trial::Trial;
use crate::machine::Successors;
use crate::memory::bits::FastBits;
use crate::model::Order;

/// It must be worth it: of so many states, at most one in so many may be learnt from, …
const TRIAL: Trial = Trial::new(1 << 16, 2);
/// … and what is learnt may take so many bytes, and so many more for each state.
const FREE_BYTES: usize = 16 << 20;
const BYTES_A_STATE: usize = 6;

/// Of one group, not more transitions than these are enabled, mostly: to go through them
/// takes no jumps.
pub(super) const FEW: usize = 2;

/// What is known of a machine's transitions.
pub struct Steps {
    pub(super) bits: FastBits,
    /// For each transition, what it touches.
    touched: Vec<Vec<u64>>,
    /// What each group of shared transitions touches.
    pub(super) groups: Vec<Vec<u64>>,
    /// For each transition, its source: a side, or 2 and the number of its group.
    source_of: Vec<usize>,
    pub(super) enabled: Enabled,
    /// Nothing, with room for the changes by shared transitions of a state, and then
    /// records: blocks of enabled transitions, ports, and changes of a root.
    pub(super) words: Vec<u64>,
    /// For either side, where the record of each part begins, or 0.
    pub(super) records: [Vec<u32>; 2],
    /// Where the outcome of a pair of ports begins, or 0 if nothing is enabled.
    pub(super) outcomes: Pairs<0>,
    /// Nothing, then outcomes, and zeros as many as are [`FEW`]. An outcome has blocks, and
    /// pairs of deltas. They are not among the records, so that they stay in the
    /// processor's caches.
    pub(super) outcome_words: Vec<u64>,
    /// For either side, how a delta changes the root, by part.
    pub(super) moves: [Pairs<8>; 2],
    /// Numbers of ports by group and what is seen, …
    ports: Names,
    /// … and of deltas by side and what changes. Neither is ever 0.
    pub(super) deltas: Names,
    pub(super) ahead: Ahead,
    /// For each transition, those that touch nothing that it touches, as bits in the order
    /// of firing, if there are few enough for a word.
    pub(super) commuting: Vec<u64>,
    /// For each source, what is enabled in the state at hand, and where changes begin.
    pub(super) at_hand: Vec<(u64, usize)>,
    /// What each successor of a state changes.
    changed: Vec<u64>,
    /// Of states.
    pub(super) trial: Trial,
    /// Whether what is known takes too much memory.
    is_large: bool,
    pub(super) n_states: usize,
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
        let enabled = Enabled::new(sources.iter().map(Vec::as_slice), touched.len(), order)?;
        let n_blocks = enabled.n_blocks();
        let commuting = if n_blocks == 1 { commuting(&touched, order) } else { Vec::new() };
        let n_told = n_blocks + sources.len().div_ceil(2);
        let n_shared: usize = sources[2..].iter().map(Vec::len).sum();
        Some(Steps {
            bits,
            touched,
            groups,
            source_of,
            enabled,
            words: vec![0; STRIDE + n_shared + FEW + n_told],
            records: Default::default(),
            outcomes: Pairs::new(),
            outcome_words: vec![0; n_blocks + FEW],
            moves: [Pairs::new(), Pairs::new()],
            ports: Names::new(fold.n_words()),
            deltas: Names::new(fold.n_words()),
            ahead: Ahead::default(),
            commuting,
            at_hand: vec![(0, 0); sources.len()],
            changed: Vec::new(),
            trial: TRIAL,
            is_large: false,
            n_states: 0,
        })
    }

    /// The order in which transitions are fired.
    fn order(&self) -> Order {
        self.enabled.order()
    }

    /// Whether it is known which transitions commute: there are few enough.
    #[inline(always)]
    pub fn tells_commuting(&self) -> bool {
        !self.commuting.is_empty()
    }

    /// The bit that stands for a transition there.
    pub fn bit(&self, transition: usize) -> u64 {
        1 << self.order().nth(transition, self.touched.len())
    }

    /// Whether it is worth going on.
    #[inline(always)]
    pub fn is_worth_it(&mut self) -> bool {
        // Moves are found while nothing is learnt, too.
        !self.is_large && self.moves_bytes() <= self.max_bytes() && self.trial.is_worth_it()
    }

    #[inline(always)]
    fn moves_bytes(&self) -> usize {
        self.moves[0].bytes() + self.moves[1].bytes()
    }

    /// What is known may take so much memory.
    fn max_bytes(&self) -> usize {
        FREE_BYTES + BYTES_A_STATE * self.n_states
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
        self.n_states += 1;
        self.trial.n_asked += 1;
        self.trial.n_missed += 1;
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
        for (side, number) in numbers.into_iter().enumerate() {
            if self.record(side, number) == 0 {
                let changes = roots.iter().map(|next| root ^ next);
                self.learn_record(side, number, &fold.sides[side], transitions, changes);
            }
        }
        for group in 0..self.groups.len() {
            self.learn_outcome(group, numbers, fold, transitions, &changed);
        }
        self.changed = changed;
        self.is_large = self.bytes() > self.max_bytes();
        Ok(())
    }

    /// Appends which of a source's transitions are enabled. Returns where.
    fn mark_source(&self, source: usize, transitions: &[u32], words: &mut Vec<u64>) -> usize {
        let start = words.len();
        words.resize(start + self.enabled.n_blocks(), 0);
        for &t in transitions.iter().filter(|t| self.source_of[**t as usize] == source) {
            self.enabled.mark(t as usize, &mut words[start..]);
        }
        start
    }

    /// Where the record of a part begins, or 0.
    fn record(&self, side: usize, number: u32) -> usize {
        self.records[side].get(number as usize).map_or(0, |&start| start as usize)
    }

    /// Learns the record of a part from the transitions of a state, and how each changes
    /// the root.
    fn learn_record(
        &mut self,
        side: usize,
        number: u32,
        parts: &Parts,
        transitions: &[u32],
        changes: impl Iterator<Item = u64>,
    ) {
        let mut words = std::mem::take(&mut self.words);
        let start = self.mark_source(side, transitions, &mut words);
        let records = &mut self.records[side];
        records.resize(records.len().max(parts.len()), 0);
        records[number as usize] = start as u32;
        let (n_groups, at) = (self.groups.len(), words.len());
        words.resize(at + n_groups.div_ceil(2), 0);
        for group in 0..n_groups {
            let seen = parts.get(number).iter().zip(&self.groups[group]);
            let port = self.ports.number(group, seen.map(|(word, bits)| word & bits));
            words[at + group / 2] |= u64::from(port) << (group % 2 * 32);
        }
        let local =
            transitions.iter().zip(changes).filter(|(t, _)| self.source_of[**t as usize] == side);
        words.extend(local.map(|(_, change)| change));
        self.words = words;
    }

    /// What the group sees of a part, of whose record these are the ports.
    #[inline(always)]
    pub(super) fn port(ports: &[u64], group: usize) -> u32 {
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
            let record = self.record(side, numbers[side]);
            Steps::port(&self.words[record + self.enabled.n_blocks()..], group)
        });
        if self.outcomes.get(first, second).is_some() {
            return;
        }
        if transitions.iter().all(|t| self.source_of[*t as usize] != 2 + group) {
            return self.outcomes.insert(first, second, 0);
        }
        let mut words = std::mem::take(&mut self.outcome_words);
        words.truncate(words.len() - FEW);
        let start = self.mark_source(2 + group, transitions, &mut words);
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
            words.push(both);
        }
        words.extend([0; FEW]);
        self.outcome_words = words;
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        let records: usize = self.records.iter().map(|records| 4 * records.capacity()).sum();
        let named = self.ports.bytes() + self.deltas.bytes();
        let words = 8 * (self.words.capacity() + self.outcome_words.capacity());
        words + records + self.outcomes.bytes() + self.moves_bytes() + named
    }
}

/// For each transition, given by what it touches, those that touch nothing of that, as bits
/// in the order of firing. They commute, wherever both are enabled.
///
/// More do: to append to a queue and to take from it, mostly. How much is lost stands in
/// docs/decisions.md, "What commutes".
fn commuting(touched: &[Vec<u64>], order: Order) -> Vec<u64> {
    let n = touched.len();
    let meet = &|a: usize, b: usize| touched[a].iter().zip(&touched[b]).any(|(a, b)| a & b != 0);
    let of = |t: usize| (0..n).filter(move |&other| !meet(t, other));
    (0..n).map(|t| of(t).fold(0, |bits, other| bits | 1 << order.nth(other, n))).collect()
}
