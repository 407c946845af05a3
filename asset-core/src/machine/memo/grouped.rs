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
//!
//! In Peterson-4 this halves the look-ups and takes a tenth fewer instructions, but hardly
//! less time: there, it is the set of states for which the processor waits. The token ring
//! and the philosophers take half the time.

use super::enabled::{Enabled, STRIDE};
use super::groups::Group;
use super::masks::Masks;
use super::outcomes::{Outcomes, UNKNOWN};
use super::table::{MAX_BITS, Slot, Table as Sparse, unsteady};
use super::{Fire, MAX_SLOTS, Stop};
use crate::machine::Successors;
use crate::machine::successors::Room;
use crate::reduction::Order;
use crate::state::FastBits;

/// Up to so many bits that tell firings apart, there is a slot for every combination.
const DENSE_BITS: u32 = 14;
/// Stands for a table that is dense.
const NONE: u32 = u32::MAX;
/// The most words that outcomes of one state may take: dense slots can tell them all.
const MAX_WORDS: usize = 1 << 16;

/// The remembered firings of all transitions in states of `W` words (0: any number),
/// of which at most `P` tell firings apart.
#[derive(Debug)]
pub struct Grouped<const W: usize, const P: usize> {
    tables: Tables<P>,
    groups: Vec<Members>,
    /// What each transition touches.
    masks: Vec<Masks>,
    n_words: usize,
    /// What is known of the state at hand; groups are its sources.
    enabled: Enabled,
}

/// The transitions of a group, in increasing order.
type Members = Vec<usize>;

/// From states to outcomes.
#[derive(Debug)]
struct Tables<const P: usize> {
    bits: FastBits,
    groups: Vec<Choice>,
    /// Those of each group, one for each value of the variable by which it chooses.
    tables: Vec<Table<P>>,
    /// Those of dense tables: numbers of outcomes.
    slots: Vec<u16>,
    /// Those tables that are not dense; in place of changes, numbers of outcomes.
    sparse: Vec<Sparse<2>>,
    outcomes: Outcomes,
}

/// By which variable a group chooses: its word, and its bits there.
#[derive(Debug)]
struct Choice {
    mask: u64,
    shift: u32,
    word: u32,
    first_table: u32,
}

/// Which bits tell the firings of a group apart, where its variable has one value.
#[derive(Debug)]
struct Table<const P: usize> {
    told: [u64; P],
    /// Where those of each word begin in a key, and which word it is.
    key_at: [u8; P],
    word: [u16; P],
    first_slot: u32,
    /// The number of a table that is not dense, or `NONE`.
    sparse: u32,
}

/// [`Grouped`] for any number of words.
pub trait Firings: std::fmt::Debug + Send + Sync {
    /// Expands states as [`Remembered::expand`](super::Remembered::expand) does.
    /// Returns the number of firings, enabled or not.
    fn expand(
        &mut self,
        states: &[u64],
        order: Order,
        fire: &mut Fire<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop>;

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// Nothing yet of the transitions that touch these bits, if they do not touch too
/// many.
pub fn firings(bits: FastBits, masks: Vec<Masks>, n_words: usize) -> Option<Box<dyn Firings>> {
    Some(match n_words {
        1 => Box::new(Grouped::<1, 1>::new(bits, masks, n_words)?),
        2 => Box::new(Grouped::<2, 2>::new(bits, masks, n_words)?),
        3 => Box::new(Grouped::<3, 3>::new(bits, masks, n_words)?),
        4 => Box::new(Grouped::<4, 4>::new(bits, masks, n_words)?),
        _ => Box::new(Grouped::<0, 4>::new(bits, masks, n_words)?),
    })
}

impl<const W: usize, const P: usize> Grouped<W, P> {
    fn new(bits: FastBits, masks: Vec<Masks>, n_words: usize) -> Option<Self> {
        // One state's outcomes always find room.
        let n_blocks = Enabled::n_blocks_of(masks.len());
        if masks.len() * (n_words + n_blocks + 1) > MAX_WORDS {
            return None;
        }
        let all = Group::of_all(&masks);
        let n_tables: usize = all.iter().map(|group| group.masks.touched.len()).sum();
        let max_slots = MAX_SLOTS / n_tables.max(1);
        let (mut groups, mut members, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        let (mut n_slots, mut sparse) = (0, Vec::new());
        for Group { members: those, masks } in all {
            let first_table = tables.len() as u32;
            groups.push(Choice {
                mask: masks.mask,
                shift: masks.shift,
                word: masks.word,
                first_table,
            });
            members.push(those);
            for touched in &masks.touched {
                let told = masks.told(touched);
                let mut table = Table::new(&told)?;
                let n_told: u32 = told.iter().map(|word| word.count_ones()).sum();
                if n_told <= DENSE_BITS && 1 << n_told <= max_slots {
                    table.first_slot = n_slots as u32;
                    n_slots += 1 << n_told;
                } else {
                    table.sparse = sparse.len() as u32;
                    sparse.push(Sparse::new(bits, &told, &told, max_slots)?);
                }
                tables.push(table);
            }
        }
        let (slots, outcomes) = (vec![0; n_slots], Outcomes::new(0));
        let enabled = enabled(&members, masks.len(), Order::default())?;
        let tables = Tables { bits, groups, tables, slots, sparse, outcomes };
        let mut grouped = Grouped { tables, groups: members, masks, n_words, enabled };
        grouped.forget();
        Some(grouped)
    }

    /// From now on, bits stand for transitions in this order.
    fn set_order(&mut self, order: Order) {
        let enabled = enabled(&self.groups, self.masks.len(), order);
        self.enabled = enabled.expect("as many sources as before");
        self.forget();
    }

    /// Forgets all firings.
    fn forget(&mut self) {
        let Tables { slots, sparse, outcomes, .. } = &mut self.tables;
        slots.fill(0);
        sparse.iter_mut().for_each(Sparse::clear);
        *outcomes = Outcomes::new(self.enabled.n_blocks() + STRIDE * self.n_words);
    }

    /// As [`Firings::expand`], where transitions take `B` blocks (0: any number).
    #[inline(always)]
    fn expand_blocks<const B: usize>(
        &mut self,
        states: &[u64],
        fire: &mut Fire<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop> {
        let n_words = if W == 0 { self.n_words } else { W };
        let (mut left, n_room) = (states, self.enabled.firing().0.n_room());
        while !left.is_empty() {
            let (n_known, unknown) =
                out.add_states(n_room, n_words, |room| self.expand_known::<B>(left, room));
            left = &left[n_known * n_words..];
            if let Some((group, table)) = unknown {
                *missed += self.groups[group].len() as u64;
                self.learn(&left[..n_words], group, table, fire)?;
            }
        }
        Ok(self.masks.len() * (states.len() / n_words))
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
            if let Err(unknown) = tables.look_up::<W>(state, firing.next_change, blocks) {
                return (i, Some(unknown));
            }
            firing.fire(tables.bits, blocks, (state, n_words), tables.outcomes, out);
        }
        (states.len() / n_words, None)
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
        fire: &mut Fire<'_>,
    ) -> Result<(), Stop> {
        let Tables { bits, tables, sparse, .. } = &mut self.tables;
        let Table { first_slot, sparse: of_sparse, .. } = tables[table];
        let key = tables[table].key::<W>(*bits, state);
        if of_sparse != NONE && sparse[of_sparse as usize].beside(key).is_some() {
            return Ok(());
        }
        let fired = self.fire(state, group, fire)?;
        let Tables { slots, sparse, outcomes, .. } = &mut self.tables;
        let is_kept = outcomes.number(&fired).is_some_and(|outcome| match of_sparse {
            NONE => {
                let outcome = u16::try_from(outcome);
                slots[first_slot as usize + key as usize] = outcome.unwrap_or_default();
                outcome.is_ok()
            }
            _ => {
                let slot = Slot::new(key, u64::from(outcome), true);
                sparse[of_sparse as usize].remember(slot);
                true
            }
        });
        if !is_kept {
            self.forget();
        }
        Ok(())
    }

    /// Fires the transitions of a group: an outcome, as [`Outcomes::number`] wants it.
    fn fire(&self, state: &[u64], group: usize, fire: &mut Fire<'_>) -> Result<Vec<u64>, Stop> {
        let mut next = state.to_vec();
        let mut outcome = vec![0; self.enabled.n_blocks()];
        let members = &self.groups[group];
        for i in 0..members.len() {
            let transition = members[self.enabled.order().nth(i, members.len())];
            if !fire(state, transition, &mut next).map_err(|_| Stop::Failed)? {
                continue;
            }
            let changes = || state.iter().zip(&next).map(|(old, new)| old ^ new);
            let touched = self.masks[transition].touched_in(state);
            if changes().zip(touched).any(|(changes, touched)| changes & !touched != 0) {
                return Err(Stop::Unsteady(unsteady(state, transition)));
            }
            self.enabled.mark(transition, &mut outcome);
            outcome.extend(changes());
        }
        Ok(outcome)
    }
}

impl<const P: usize> Tables<P> {
    /// What a look-up reads.
    #[inline(always)]
    fn seen(&self) -> Seen<'_, P> {
        let Tables { bits, groups, tables, slots, sparse, outcomes } = self;
        Seen { bits: *bits, groups, tables, slots, sparse, outcomes: outcomes.words() }
    }
}

/// [`Tables`], in registers while several states are looked up.
struct Seen<'t, const P: usize> {
    bits: FastBits,
    groups: &'t [Choice],
    tables: &'t [Table<P>],
    slots: &'t [u16],
    sparse: &'t [Sparse<2>],
    outcomes: &'t [u64],
}

impl<const P: usize> Seen<'_, P> {
    /// Finds out what all groups do in a state of `W` words (0: any number), or which
    /// group in which table is not known.
    #[inline(always)]
    fn look_up<const W: usize>(
        &self,
        state: &[u64],
        next_change: &mut [u32],
        blocks: &mut [u64],
    ) -> Result<(), (usize, usize)> {
        blocks.fill(0);
        let n_blocks = blocks.len();
        for (i, (group, next_change)) in self.groups.iter().zip(next_change).enumerate() {
            let word = if W == 1 { state[0] } else { state[group.word as usize] };
            let at = group.first_table as usize + (word >> group.shift & group.mask) as usize;
            let table = &self.tables[at];
            let key = table.key::<W>(self.bits, state);
            let outcome = match table.sparse {
                NONE => u32::from(self.slots[table.first_slot as usize + key as usize]),
                sparse => {
                    let slot = self.sparse[sparse as usize].slot(key);
                    if slot.is_of(key) { slot.change() as u32 } else { UNKNOWN }
                }
            };
            if outcome == UNKNOWN {
                return Err((i, at));
            }
            let start = Outcomes::start(outcome);
            *next_change = (start + n_blocks) as u32;
            for (block, enabled) in blocks.iter_mut().enumerate() {
                *enabled |= self.outcomes[start + block];
            }
        }
        Ok(())
    }
}

/// Nothing yet of any state, with groups as sources.
fn enabled(groups: &[Members], n_transitions: usize, order: Order) -> Option<Enabled> {
    Enabled::new(groups.iter().map(Vec::as_slice), n_transitions, order)
}

impl<const W: usize, const P: usize> Firings for Grouped<W, P> {
    fn expand(
        &mut self,
        states: &[u64],
        order: Order,
        fire: &mut Fire<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop> {
        if order != self.enabled.order() {
            self.set_order(order);
        }
        match self.enabled.n_blocks() {
            1 => self.expand_blocks::<1>(states, fire, missed, out),
            _ => self.expand_blocks::<0>(states, fire, missed, out),
        }
    }

    fn bytes(&self) -> usize {
        let Tables { tables, slots, sparse, outcomes, .. } = &self.tables;
        let sparse: usize = sparse.iter().map(Sparse::bytes).sum();
        size_of_val(&**tables) + size_of_val(&**slots) + sparse + outcomes.bytes()
    }
}

impl<const P: usize> Table<P> {
    /// By these bits of a state firings are told apart, if they are in few words.
    fn new(told: &[u64]) -> Option<Self> {
        let (mut table, mut i, mut n_told) = (Table::EMPTY, 0, 0);
        for (word, &bits) in told.iter().enumerate() {
            // Where there is a place for every word, it takes no jumps to go through
            // all of them.
            if bits != 0 || told.len() == P {
                *table.told.get_mut(i)? = bits;
                (table.word[i], table.key_at[i]) = (u16::try_from(word).ok()?, n_told as u8);
                n_told += bits.count_ones();
                i += 1;
            }
        }
        (n_told <= MAX_BITS).then_some(table)
    }

    const EMPTY: Table<P> =
        Table { told: [0; P], key_at: [0; P], word: [0; P], first_slot: 0, sparse: NONE };

    /// What tells firings of the group apart in a state of `W` words (0: any number).
    #[inline(always)]
    fn key<const W: usize>(&self, bits: FastBits, state: &[u64]) -> u64 {
        let mut key = 0;
        for i in 0..P {
            let word = if W == P { i } else { self.word[i] as usize };
            let at = if P == 1 { 0 } else { self.key_at[i] };
            key |= bits.gather(state[word], self.told[i]) << (at & 63);
        }
        key
    }
}
