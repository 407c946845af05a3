//! Expanding states by what is known of their parts.
//!
//! All that is read for a state stands in slices while several states are expanded, and
//! whatever is rare ends the loop: so the compiler need not fear that what is written is
//! what is read.

use super::Fold;
use super::roots::{numbers, of_side};
use super::steps::{FEW, Steps};
use crate::expand::Batch;
use crate::expand::pairs::{Pairs, Ticket};
use crate::expand::remembered::STRIDE;
use crate::machine::{Room, Successors};
use crate::memory::prefetch;

/// The states that are expanded next.
#[derive(Debug, Default)]
pub struct Ahead {
    states: Vec<At>,
    /// For each state and each group, where to look for the outcome.
    tickets: Vec<Ticket>,
}

/// A state: its parts, and where their records begin, or 0.
#[derive(Clone, Copy, Debug)]
struct At {
    numbers: [u32; 2],
    starts: [u32; 2],
}

impl At {
    #[inline(always)]
    fn new(root: u64, records: [&[u32]; 2]) -> Self {
        let numbers = numbers(root);
        let start =
            |side: usize| records[side].get(numbers[side] as usize).map_or(0, |&start| start);
        At { numbers, starts: [start(0), start(1)] }
    }

    /// Asks for the outcome of each group. The words begin where ports do, were there a
    /// record at the beginning: there is none, but some words that tell nothing.
    #[inline(always)]
    fn ask(&self, words: &[u64], outcomes: &Pairs<0>, tickets: &mut [Ticket]) {
        let told = self.starts.map(|start| &words[start as usize..][..tickets.len().div_ceil(2)]);
        for (group, ticket) in tickets.iter_mut().enumerate() {
            let [first, second] = told.map(|ports| Steps::port(ports, group));
            *ticket = outcomes.ticket(first, second);
        }
    }
}

/// Why a state is not expanded.
enum Missing {
    /// Room for its successors.
    Room,
    /// How a delta changes the root.
    Moves,
    /// A record or an outcome.
    Steps,
}

impl Steps {
    /// The states that will be expanded next. Asks the processor to fetch what is known of
    /// them: their records, and when these have had time, what their ports lead to.
    #[inline(always)]
    pub fn begin(&mut self, roots: &[u64]) {
        match (self.enabled.n_blocks(), self.groups.len()) {
            (1, 2) => self.begin_with::<1, 2>(roots),
            (1, _) => self.begin_with::<1, 0>(roots),
            _ => self.begin_with::<0, 0>(roots),
        }
    }

    /// As `begin`, where transitions take `B` blocks (0: any number) and those that are
    /// shared are `G` groups (0: any number). A ring that is cut in two has two.
    #[inline(always)]
    fn begin_with<const B: usize, const G: usize>(&mut self, roots: &[u64]) {
        let Steps { words, records, moves, outcomes, ahead: Ahead { states, tickets }, .. } = self;
        let n_blocks = if B == 0 { self.enabled.n_blocks() } else { B };
        let n_groups = if G == 0 { self.groups.len() } else { G };
        let (words, records) = (&**words, records.each_ref().map(|records| &**records));
        states.clear();
        states.extend(roots.iter().map(|&root| {
            let at = At::new(root, records);
            for side in [0, 1] {
                prefetch(words.as_ptr().wrapping_add(at.starts[side] as usize));
                moves[side].prefetch(at.numbers[side]);
            }
            at
        }));
        tickets.resize(n_groups * states.len(), Ticket::default());
        for (at, tickets) in states.iter().zip(tickets.chunks_exact_mut(n_groups.max(1))) {
            at.ask(&words[n_blocks..], outcomes, tickets);
        }
    }

    /// Expands those with which it began from the `from`-th one on, up to the first of
    /// which something must be learnt. Returns which that is.
    #[inline(always)]
    pub fn expand(
        &mut self,
        batch: Batch<'_>,
        from: usize,
        fold: &mut Fold,
        out: &mut Successors,
    ) -> usize {
        let (mut next, n_room) = (from, self.enabled.firing().0.n_room());
        let (roots, leaves_out) = (batch.states, batch.may_leave_out());
        while next < roots.len() {
            let (n, missing) = out.add_states(n_room, 1, |room| {
                match (self.enabled.n_blocks(), self.groups.len()) {
                    (1, 2) if leaves_out => self.expand_awake::<2>(batch, next, room),
                    (1, _) if leaves_out => self.expand_awake::<0>(batch, next, room),
                    (1, 2) => self.expand_known::<1, 2>(roots, next, room),
                    (1, _) => self.expand_known::<1, 0>(roots, next, room),
                    _ => self.expand_known::<0, 0>(roots, next, room),
                }
            });
            next = n;
            match missing {
                Missing::Room => {}
                Missing::Moves => self.find_moves(next, fold),
                Missing::Steps => break,
            }
        }
        self.n_states += next - from;
        self.trial.n_asked += (next - from) as u64;
        next
    }

    /// Expands states from the `from`-th one on, up to one for which something is missing,
    /// or the end. `B` and `G` as in `begin_with`.
    #[inline(always)]
    fn expand_known<const B: usize, const G: usize>(
        &mut self,
        roots: &[u64],
        from: usize,
        out: &mut Room<'_>,
    ) -> (usize, Missing) {
        let Steps { bits, enabled, words, outcomes, outcome_words, moves, .. } = self;
        let (bits, words, outcome_words) = (*bits, &mut **words, &**outcome_words);
        let n_groups = if G == 0 { self.groups.len() } else { G };
        let Ahead { states, tickets } = &self.ahead;
        let (mut firing, blocks) = enabled.firing();
        let mut one_block = [0; B];
        let blocks = if B == 0 { blocks } else { &mut one_block };
        let (n_blocks, n_told) = (blocks.len(), blocks.len() + n_groups.div_ceil(2));
        for i in from..roots.len() {
            let (root, at) = (roots[i], states[i]);
            if !out.is_enough(firing.n_room(), 1) {
                return (i, Missing::Room);
            }
            if at.starts.contains(&0) {
                return (i, Missing::Steps);
            }
            let starts = at.starts.map(|start| start as usize);
            for (block, enabled) in blocks.iter_mut().enumerate() {
                *enabled = words[starts[0] + block] | words[starts[1] + block];
            }
            let (local, shared) = firing.next_change.split_at_mut(2);
            local.copy_from_slice(&starts.map(|start| (start + n_told) as u32));
            let mut end = STRIDE;
            let tickets = &tickets[i * n_groups..(i + 1) * n_groups];
            for (&ticket, next_change) in tickets.iter().zip(shared) {
                let Some(start) = outcomes.redeem(ticket) else { return (i, Missing::Steps) };
                *next_change = end as u32;
                let outcome = &outcome_words[start as usize..];
                let mut n = 0;
                for (enabled, told) in blocks.iter_mut().zip(outcome) {
                    *enabled |= told;
                    n += bits.count_ones(*told);
                }
                let deltas = &outcome[n_blocks..];
                words[end..end + FEW].copy_from_slice(&deltas[..FEW]);
                if n > FEW {
                    words[end..end + n].copy_from_slice(&deltas[..n]);
                }
                end += n;
            }
            for word in &mut words[STRIDE..end] {
                match change(moves, at.numbers, *word) {
                    Some(change) => *word = change,
                    None => return (i, Missing::Moves),
                }
            }
            firing.fire(bits, blocks, (&[root], 1), words, out);
        }
        (roots.len(), Missing::Room)
    }

    /// As `expand_known`, where transitions take one block, and leaves out those that are
    /// asleep.
    #[inline(always)]
    fn expand_awake<const G: usize>(
        &mut self,
        batch: Batch<'_>,
        from: usize,
        out: &mut Room<'_>,
    ) -> (usize, Missing) {
        let Steps { bits, words, outcomes, outcome_words, moves, at_hand, commuting, .. } = self;
        let (words, outcome_words, commuting) = (&**words, &**outcome_words, &**commuting);
        let n_groups = if G == 0 { self.groups.len() } else { G };
        let n_told = 1 + n_groups.div_ceil(2);
        let Ahead { states, tickets } = &self.ahead;
        let (firing, _) = self.enabled.firing();
        let at_hand = &mut at_hand[..2 + n_groups];
        let Batch { states: roots, asleep } = batch;
        let asleep = &asleep[..roots.len()];
        for i in from..roots.len() {
            let at = states[i];
            if !out.is_enough(firing.n_room(), 1) {
                return (i, Missing::Room);
            }
            if at.starts.contains(&0) {
                return (i, Missing::Steps);
            }
            let mut enabled = 0;
            for (at_hand, start) in at_hand.iter_mut().zip(at.starts) {
                let local = words[start as usize];
                *at_hand = (local, start as usize + n_told);
                enabled |= local;
            }
            let tickets = &tickets[i * n_groups..(i + 1) * n_groups];
            for (at_hand, &ticket) in at_hand[2..].iter_mut().zip(tickets) {
                let Some(start) = outcomes.redeem(ticket) else { return (i, Missing::Steps) };
                let shared = outcome_words[start as usize];
                *at_hand = (shared, start as usize + 1);
                enabled |= shared;
            }
            let at_hand = &*at_hand;
            let fired = firing.fire_awake(
                enabled,
                (roots[i], asleep[i]),
                out,
                |transition, source, before| {
                    let (of_source, first) = at_hand[source];
                    let at_change = first + bits.count_ones(of_source & before);
                    let change = match source {
                        0 | 1 => words[at_change],
                        _ => change(moves, at.numbers, outcome_words[at_change])?,
                    };
                    Some((change, commuting[transition as usize]))
                },
            );
            if fired.is_none() {
                return (i, Missing::Moves);
            }
        }
        (roots.len(), Missing::Room)
    }

    /// Finds out how the shared transitions of a state, one of those with which it began,
    /// change its parts.
    #[cold]
    #[inline(never)]
    fn find_moves(&mut self, i: usize, fold: &mut Fold) {
        let (n_blocks, n_groups) = (self.enabled.n_blocks(), self.groups.len());
        let numbers = self.ahead.states[i].numbers;
        for &ticket in &self.ahead.tickets[i * n_groups..(i + 1) * n_groups] {
            let Some(start) = self.outcomes.redeem(ticket) else { continue };
            let outcome = &self.outcome_words[start as usize..];
            let n: usize = outcome[..n_blocks].iter().map(|&told| self.bits.count_ones(told)).sum();
            for deltas in &outcome[n_blocks..n_blocks + n] {
                for (side, number) in numbers.into_iter().enumerate() {
                    let delta = (deltas >> (32 * side)) as u32;
                    if self.moves[side].get_or_zero(number, delta).is_none() {
                        let next = fold.changed(side, number, self.deltas.get(delta));
                        self.moves[side].insert(number, delta, of_side(side, number ^ next));
                    }
                }
            }
        }
    }
}

/// How a pair of deltas changes the root of a state with these parts, if that is known.
#[inline(always)]
fn change(moves: &[Pairs<8>; 2], numbers: [u32; 2], deltas: u64) -> Option<u64> {
    let first = moves[0].get_or_zero(numbers[0], deltas as u32)?;
    let second = moves[1].get_or_zero(numbers[1], (deltas >> 32) as u32)?;
    Some(first ^ second)
}
