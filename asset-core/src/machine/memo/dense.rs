//! Remembered firings of transitions that touch little of a state of one word: a slot
//! of one byte for every combination of values.
//!
//! All that a look-up reads is small, as it must stay in the processor's first caches
//! while the look-up of states fills the others. A slot does not tell its
//! combination, which its position does, nor what changes, of which there are few
//! kinds: it tells which. Against slots of eight bytes that tell both, Peterson-4 is
//! a tenth faster.

use super::masks::Masks;
use super::table::unsteady;
use super::{Fire, MAX_SLOTS};
use crate::machine::{ModelError, Successors};
use crate::reduction::Order;
use crate::state::FastBits;

/// Bits that may tell firings apart.
const TOLD_BITS: u32 = 14;
/// A slot that is not in use.
const EMPTY: u8 = 0;
/// A combination of values in which the transition is disabled. Those above it are
/// the kinds of changes.
const DISABLED: u8 = 1;
/// Kinds of changes that a table has room for, with the two above.
const KINDS: usize = 256;

/// Tables that there may be.
const MAX_TABLES: usize = 4096;

/// The remembered firings of all transitions.
#[derive(Debug)]
pub struct Dense {
    bits: FastBits,
    transitions: Vec<Transition>,
    /// Those of each transition, one for each value of the variable by which it
    /// chooses.
    tables: Vec<Table>,
    /// Those of each table.
    slots: Vec<u8>,
    /// For each table, what changes.
    changes: Vec<u64>,
}

/// A transition.
#[derive(Debug)]
struct Transition {
    /// The bits of the variable by which it chooses.
    mask: u64,
    shift: u32,
    first_table: u32,
}

/// The firings of a transition where that variable has one value.
#[derive(Debug)]
struct Table {
    /// The bits by which firings are told apart.
    told: u64,
    first_slot: u32,
    n_kinds: u32,
    /// The bits that may change: some more.
    touched: u64,
}

/// Why firings were not remembered.
pub enum Stop {
    /// There are more kinds of changes than there is room for.
    Full,
    /// The model failed, or did what was not known.
    Model(Box<ModelError>),
}

impl Dense {
    /// Nothing yet, if the transitions that touch these bits do not touch too many.
    pub fn new(bits: FastBits, all: &[Masks]) -> Option<Dense> {
        let (mut transitions, mut tables, mut n_slots) = (Vec::new(), Vec::new(), 0);
        for masks in all {
            let first_table = tables.len() as u32;
            transitions.push(Transition { mask: masks.mask, shift: masks.shift, first_table });
            for touched in &masks.touched {
                let ([touched], [told]) = (&**touched, &*masks.told(touched)) else { return None };
                let (touched, told) = (*touched, *told);
                let n_told = Some(told.count_ones()).filter(|&n| n <= TOLD_BITS)?;
                let n_kinds = u32::from(DISABLED) + 1;
                tables.push(Table { told, first_slot: n_slots as u32, n_kinds, touched });
                n_slots += 1 << n_told;
            }
        }
        let is_small = n_slots <= MAX_SLOTS && tables.len() <= MAX_TABLES;
        let n_slots = is_small.then_some(n_slots)?;
        let (slots, changes) = (vec![EMPTY; n_slots], vec![0; tables.len() * KINDS]);
        Some(Dense { bits, transitions, tables, slots, changes })
    }

    /// Expands states in full, as [`Remembered::expand`](super::Remembered::expand)
    /// does. Returns the number of firings.
    pub fn expand(
        &mut self,
        states: &[u64],
        order: Order,
        fire: &mut Fire<'_>,
        missed: &mut u64,
        out: &mut Successors,
    ) -> Result<usize, Stop> {
        let n = self.transitions.len();
        let (first, step) = order.start_and_step(n);
        for &state in states {
            let (words, numbers) = out.room(n, 1);
            let (mut n_enabled, mut transition) = (0, first);
            for _ in 0..n {
                let Transition { mask, shift, first_table } = self.transitions[transition];
                let table = first_table as usize + (state >> shift & mask) as usize;
                let Table { told, first_slot, .. } = self.tables[table];
                let at = first_slot as usize + self.bits.gather(state, told) as usize;
                let mut slot = self.slots[at];
                if slot == EMPTY {
                    *missed += 1;
                    slot = self.learn(state, transition, table, fire)?;
                    self.slots[at] = slot;
                }
                // Without a jump: whether it is enabled cannot be guessed.
                words[n_enabled] = state ^ self.changes[table * KINDS + usize::from(slot)];
                numbers[n_enabled] = transition as u32;
                n_enabled += usize::from(slot > DISABLED);
                transition = transition.wrapping_add(step);
            }
            out.keep(n_enabled, 1);
            out.end_state();
        }
        Ok(n * states.len())
    }

    /// Fires a transition. Returns the slot that tells what it did.
    #[cold]
    #[inline(never)]
    fn learn(
        &mut self,
        state: u64,
        transition: usize,
        table: usize,
        fire: &mut Fire<'_>,
    ) -> Result<u8, Stop> {
        let mut next = [state];
        if !fire(&[state], transition, &mut next).map_err(Stop::Model)? {
            return Ok(DISABLED);
        }
        let change = state ^ next[0];
        let Table { touched, n_kinds, .. } = &mut self.tables[table];
        if change & !*touched != 0 {
            return Err(Stop::Model(unsteady(&[state], transition)));
        }
        let kinds = &mut self.changes[table * KINDS..][..KINDS];
        let known = usize::from(DISABLED) + 1..*n_kinds as usize;
        if let Some(kind) = known.clone().find(|&kind| kinds[kind] == change) {
            return Ok(kind as u8);
        }
        *kinds.get_mut(known.end).ok_or(Stop::Full)? = change;
        *n_kinds += 1;
        Ok(known.end as u8)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.slots.len() + size_of_val(&*self.tables) + size_of_val(&*self.changes)
    }
}
