//! Remembered firings of groups of transitions.
//!
//! For each group there is a table for every value of the variable by which it
//! chooses. A look-up tells the *outcome*: which transitions of the group are
//! enabled, and what they change. When all groups have been looked up, the enabled ones
//! are fired ([`Enabled`]).
//!
//! All that a look-up reads is small, as it should stay in the processor's first
//! caches while the look-up of states fills the others. Where few bits tell firings
//! apart, a slot has two bytes: it does not tell its combination of values, which its
//! position does, nor what changes, of which there are few kinds.
//! What groups gain stands in docs/decisions.md, "Groups of transitions".

use super::enabled::{Enabled, STRIDE};
use super::table::unsteady;
use super::tables::{Members, Tables};
use super::{Batch, Open, Stop};
use crate::machine::{Footprint, Opened, Room, Successors};
use crate::memory::bits::FastBits;
use crate::model::Order;
use std::hint::select_unpredictable;

/// The most words that outcomes of one state may take: dense slots can tell them all.
const MAX_WORDS: usize = 1 << 16;

/// The remembered firings of all transitions in states of `W` words (0: any number),
/// of which at most `P` tell firings apart.
#[derive(Debug)]
pub struct Grouped<const W: usize, const P: usize> {
    tables: Tables<P>,
    groups: Vec<Members>,
    /// What each transition touches.
    touched: Vec<Footprint>,
    n_words: usize,
    /// What is known of the state at hand; groups are its sources.
    enabled: Enabled,
    /// What each group does in the state at hand.
    at_hand: Vec<AtHand>,
}

/// What a group does in a state of one word.
#[derive(Clone, Copy, Debug, Default)]
struct AtHand {
    /// By which bits that is told, …
    touched: u64,
    /// … which transitions are enabled, …
    enabled: u64,
    /// … what all of those change, …
    changed: u64,
    /// … and where the changes by each begin.
    first_change: usize,
}

/// [`Grouped`] for any number of words.
pub trait Firings: std::fmt::Debug + Send + Sync {
    /// Expands states as [`Remembered::expand`](super::Remembered::expand) does.
    /// Returns the number of firings, enabled or not.
    fn expand(
        &mut self,
        batch: Batch<'_>,
        open: &mut Open<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop>;

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// Nothing yet of the transitions that touch these bits, if they do not touch too
/// many.
pub fn firings(
    bits: FastBits,
    touched: Vec<Footprint>,
    n_words: usize,
    order: Order,
) -> Option<Box<dyn Firings>> {
    Some(match n_words {
        1 => Box::new(Grouped::<1, 1>::new(bits, touched, n_words, order)?),
        2 => Box::new(Grouped::<2, 2>::new(bits, touched, n_words, order)?),
        3 => Box::new(Grouped::<3, 3>::new(bits, touched, n_words, order)?),
        4 => Box::new(Grouped::<4, 4>::new(bits, touched, n_words, order)?),
        _ => Box::new(Grouped::<0, 4>::new(bits, touched, n_words, order)?),
    })
}

impl<const W: usize, const P: usize> Grouped<W, P> {
    fn new(bits: FastBits, touched: Vec<Footprint>, n_words: usize, order: Order) -> Option<Self> {
        // One state's outcomes always find room.
        let n_blocks = Enabled::n_blocks_of(touched.len());
        if touched.len() * (n_words + n_blocks + n_changed::<W>() + 1) > MAX_WORDS {
            return None;
        }
        let (tables, groups) = Tables::new(bits, &touched)?;
        let enabled = Enabled::new(groups.iter().map(Vec::as_slice), touched.len(), order)?;
        let at_hand = vec![AtHand::default(); groups.len()];
        let mut grouped = Grouped { tables, groups, touched, n_words, enabled, at_hand };
        grouped.forget();
        Some(grouped)
    }

    /// Forgets all firings.
    fn forget(&mut self) {
        let n_zeros = self.enabled.n_blocks() + n_changed::<W>() + STRIDE * self.n_words;
        self.tables.forget(n_zeros);
    }

    /// As [`Firings::expand`], where transitions take `B` blocks (0: any number).
    #[inline(always)]
    fn expand_blocks<const B: usize>(
        &mut self,
        batch: Batch<'_>,
        open: &mut Open<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop> {
        let n_words = if W == 0 { self.n_words } else { W };
        let (mut left, n_room) = (batch, self.enabled.firing().0.n_room());
        while !left.states.is_empty() {
            let leaves_out = W == 1 && B == 1 && left.may_leave_out();
            let (n_known, unknown) = out.add_states(n_room, n_words, |room| match leaves_out {
                true => self.expand_awake(left, room),
                false => self.expand_known::<B>(left.states, room),
            });
            left = left.skip(n_known, n_words);
            if let Some((group, table)) = unknown {
                *missed += self.groups[group].len() as u64;
                self.learn(&left.states[..n_words], group, table, open)?;
            }
        }
        Ok(self.touched.len() * (batch.states.len() / n_words))
    }

    /// Expands states up to one for which there is no room, or of which something is not
    /// known. Tells how many, and which group in which table is not known.
    #[inline(always)]
    fn expand_known<const B: usize>(
        &mut self,
        states: &[u64],
        out: &mut Room<'_>,
    ) -> (usize, Option<(usize, usize)>) {
        let n_words = if W == 0 { self.n_words } else { W };
        let (tables, (mut firing, blocks)) = (self.tables.seen(), self.enabled.firing());
        let mut one_block = [0; B];
        let blocks = if B == 0 { blocks } else { &mut one_block };
        for (i, state) in states.chunks_exact(n_words).enumerate() {
            if !out.is_enough(firing.n_room(), n_words) {
                return (i, None);
            }
            if let Err(unknown) =
                tables.look_up::<W>(state, n_changed::<W>(), firing.next_change, blocks)
            {
                return (i, Some(unknown));
            }
            firing.fire(tables.bits, blocks, (state, n_words), tables.outcomes, out);
        }
        (states.len() / n_words, None)
    }

    /// The same, for states of one word and transitions of one block, of which those that
    /// are asleep are left out. Tells what sleeps in successors, too.
    ///
    /// What a group does is a function of the bits by which it is told. So it does the same
    /// after a transition of another group that changes none of those. If that is so for
    /// either group, their transitions commute.
    #[inline(always)]
    fn expand_awake(
        &mut self,
        batch: Batch<'_>,
        out: &mut Room<'_>,
    ) -> (usize, Option<(usize, usize)>) {
        let (tables, (firing, _)) = (self.tables.seen(), self.enabled.firing());
        let (bits, outcomes, at_hand) = (tables.bits, tables.outcomes, &mut *self.at_hand);
        for (i, (&state, &asleep)) in batch.states.iter().zip(batch.asleep).enumerate() {
            if !out.is_enough(firing.n_room(), 1) {
                return (i, None);
            }
            let mut enabled = 0;
            for (group, at_hand) in at_hand.iter_mut().enumerate() {
                let (start, touched) = match tables.find::<1>(&[state], group) {
                    Ok((start, table)) => (start, table.touched),
                    Err(table) => return (i, Some((group, table))),
                };
                let first_change = start + 2;
                let [of_group, changed] = [outcomes[start], outcomes[start + 1]];
                *at_hand = AtHand { touched, enabled: of_group, changed, first_change };
                enabled |= of_group;
            }
            let at_hand = &*at_hand;
            firing.fire_awake(enabled, (state, asleep), out, |_, group, before| {
                let own = at_hand[group];
                let nth = bits.count_ones(own.enabled & before);
                let change = outcomes[own.first_change + nth];
                let commuting = at_hand.iter().map(|other| {
                    let meets = change & other.touched | other.changed & own.touched;
                    select_unpredictable(meets == 0, other.enabled, 0)
                });
                Some((change, commuting.fold(0, |all, some| all | some)))
            });
        }
        (batch.states.len(), None)
    }

    /// Finds an outcome that is not where it should be, or fires a group of
    /// transitions and remembers what it did.
    #[cold]
    #[inline(never)]
    fn learn(
        &mut self,
        state: &[u64],
        group: usize,
        table: usize,
        open: &mut Open<'_>,
    ) -> Result<(), Stop> {
        if self.tables.is_beside::<W>(state, table) {
            return Ok(());
        }
        let fired = self.fire(state, group, open)?;
        if self.tables.remember::<W>(state, table, &fired).is_none() {
            self.forget();
        }
        Ok(())
    }

    /// Fires the transitions of a group: an outcome, as [`Outcomes::number`] wants it.
    fn fire(&self, state: &[u64], group: usize, open: &mut Open<'_>) -> Result<Vec<u64>, Stop> {
        let mut fired = Err(Stop::Failed);
        match open(state, &mut |opened| fired = self.fire_opened(state, group, opened)) {
            Ok(()) => fired,
            Err(_) => Err(Stop::Failed),
        }
    }

    fn fire_opened(
        &self,
        state: &[u64],
        group: usize,
        opened: &dyn Opened,
    ) -> Result<Vec<u64>, Stop> {
        let mut next = state.to_vec();
        let n_blocks = self.enabled.n_blocks();
        let mut outcome = vec![0; n_blocks + n_changed::<W>()];
        let members = &self.groups[group];
        for i in 0..members.len() {
            let transition = members[self.enabled.order().nth(i, members.len())];
            if !opened.successor(transition, &mut next).map_err(|_| Stop::Failed)? {
                continue;
            }
            let changes = || state.iter().zip(&next).map(|(old, new)| old ^ new);
            let touched = self.touched[transition].touched_in(state);
            if changes().zip(touched).any(|(changes, touched)| changes & !touched != 0) {
                return Err(Stop::Unsteady(unsteady(state, transition)));
            }
            self.enabled.mark(transition, &mut outcome);
            if n_changed::<W>() > 0 {
                outcome[n_blocks] |= state[0] ^ next[0];
            }
            outcome.extend(changes());
        }
        Ok(outcome)
    }
}

/// Words of an outcome behind its blocks that tell what any of its transitions changes:
/// only in states of `W` = 1 word is that asked for.
const fn n_changed<const W: usize>() -> usize {
    if W == 1 { 1 } else { 0 }
}

impl<const W: usize, const P: usize> Firings for Grouped<W, P> {
    fn expand(
        &mut self,
        batch: Batch<'_>,
        open: &mut Open<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop> {
        let n_before = out.len();
        let n = match self.enabled.n_blocks() {
            1 => self.expand_blocks::<1>(batch, open, missed, out)?,
            _ => self.expand_blocks::<0>(batch, open, missed, out)?,
        };
        if W == 1 && self.enabled.n_blocks() == 1 && batch.may_leave_out() {
            out.know_sleeping_from(n_before);
        }
        Ok(n)
    }

    fn bytes(&self) -> usize {
        self.tables.bytes()
    }
}
