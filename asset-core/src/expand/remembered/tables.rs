//! Tables from packed states to what groups of transitions do in them.
//!
//! For each group there is a table for every value of the variable by which it chooses.
//! What a look-up tells is an *outcome*, words that mean what the caller wrote.

use super::MAX_SLOTS;
use super::groups::Group;
use super::outcomes::{Outcomes, UNKNOWN};
use super::table::{MAX_BITS, Slot, Table as Sparse};
use crate::machine::Footprint;
use crate::memory::bits::FastBits;

/// Up to so many bits that tell firings apart, there is a slot for every combination.
const DENSE_BITS: u32 = 14;
/// Stands for a table that is dense.
const NONE: u32 = u32::MAX;

/// The transitions of a group, in increasing order.
pub type Members = Vec<usize>;

/// From states to outcomes.
#[derive(Debug)]
pub struct Tables<const P: usize> {
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
pub struct Table<const P: usize> {
    told: [u64; P],
    /// In states of one word, those bits, and the variable.
    pub touched: u64,
    /// Where those of each word begin in a key, and which word it is.
    key_at: [u8; P],
    word: [u16; P],
    first_slot: u32,
    /// The number of a table that is not dense, or `NONE`.
    sparse: u32,
}

impl<const P: usize> Tables<P> {
    /// Nothing yet of transitions that touch these bits, if they do not touch too many, and
    /// groups of them.
    pub fn new(bits: FastBits, masks: &[Footprint]) -> Option<(Self, Vec<Members>)> {
        let all = Group::of_all(masks);
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
                table.touched = told[0] | masks.mask << masks.shift;
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
        let tables = Tables { bits, groups, tables, slots, sparse, outcomes };
        Some((tables, members))
    }

    /// Forgets all outcomes. Before those to come there are so many zeros.
    pub fn forget(&mut self, n_zeros: usize) {
        self.slots.fill(0);
        self.sparse.iter_mut().for_each(Sparse::clear);
        self.outcomes = Outcomes::new(n_zeros);
    }

    /// Whether a table that did not know of a state has found it beside its slot, where it
    /// is from now on.
    pub fn is_beside<const W: usize>(&mut self, state: &[u64], table: usize) -> bool {
        let key = self.tables[table].key::<W>(self.bits, state);
        match self.tables[table].sparse {
            NONE => false,
            sparse => self.sparse[sparse as usize].beside(key).is_some(),
        }
    }

    /// Keeps an outcome. `None` if there is no room for it.
    pub fn remember<const W: usize>(
        &mut self,
        state: &[u64],
        table: usize,
        outcome: &[u64],
    ) -> Option<()> {
        let Table { first_slot, sparse, .. } = self.tables[table];
        let key = self.tables[table].key::<W>(self.bits, state);
        let outcome = self.outcomes.number(outcome)?;
        match sparse {
            NONE => self.slots[first_slot as usize + key as usize] = u16::try_from(outcome).ok()?,
            _ => {
                let slot = Slot::new(key, u64::from(outcome), true);
                self.sparse[sparse as usize].remember(slot);
            }
        }
        Some(())
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let Tables { tables, slots, sparse, outcomes, .. } = self;
        let sparse: usize = sparse.iter().map(Sparse::bytes).sum();
        size_of_val(&**tables) + size_of_val(&**slots) + sparse + outcomes.bytes()
    }

    /// What a look-up reads.
    #[inline(always)]
    pub fn seen(&self) -> Seen<'_, P> {
        let Tables { bits, groups, tables, slots, sparse, outcomes } = self;
        Seen { bits: *bits, groups, tables, slots, sparse, outcomes: outcomes.words() }
    }
}

/// [`Tables`], in registers while several states are looked up.
pub struct Seen<'t, const P: usize> {
    pub bits: FastBits,
    groups: &'t [Choice],
    tables: &'t [Table<P>],
    slots: &'t [u16],
    sparse: &'t [Sparse<2>],
    pub outcomes: &'t [u64],
}

impl<const P: usize> Seen<'_, P> {
    /// Finds out what all groups do in a state of `W` words (0: any number), or which
    /// group in which table is not known.
    #[inline(always)]
    pub fn look_up<const W: usize>(
        &self,
        state: &[u64],
        n_changed: usize,
        next_change: &mut [u32],
        blocks: &mut [u64],
    ) -> Result<(), (usize, usize)> {
        blocks.fill(0);
        let n_head = blocks.len() + n_changed;
        for (group, next_change) in next_change[..self.groups.len()].iter_mut().enumerate() {
            let (start, _) = self.find::<W>(state, group).map_err(|table| (group, table))?;
            *next_change = (start + n_head) as u32;
            for (block, enabled) in blocks.iter_mut().enumerate() {
                *enabled |= self.outcomes[start + block];
            }
        }
        Ok(())
    }

    /// Where the outcome of a group begins in a state of `W` words (0: any number), and the
    /// table that told it; or the number of a table that does not know.
    #[inline(always)]
    pub fn find<const W: usize>(
        &self,
        state: &[u64],
        group: usize,
    ) -> Result<(usize, &Table<P>), usize> {
        let group = &self.groups[group];
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
        if outcome == UNKNOWN { Err(at) } else { Ok((Outcomes::start(outcome), table)) }
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

    const EMPTY: Table<P> = Table {
        told: [0; P],
        touched: 0,
        key_at: [0; P],
        word: [0; P],
        first_slot: 0,
        sparse: NONE,
    };

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
