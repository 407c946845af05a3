//! The enabled transitions of a state, told from several sources, in the order in which
//! they are fired.
//!
//! A *source* tells of some transitions which are enabled, as bits of a word in the order
//! of firing, 64 of all transitions in a *block*, and what each of those changes, in this
//! order. When all have told, the bits are gone through: that takes as many steps as
//! there are successors, however many transitions there are.

use crate::machine::{Room, asleep_after};
use crate::memory::bits::FastBits;
use crate::model::Order;

/// Transitions of a block.
pub const BLOCK: usize = u64::BITS as usize;
/// Firings between two jumps. How many are enabled cannot be guessed, but mostly
/// whether they are more than so many.
pub const STRIDE: usize = 4;
/// As many as a [`Source`] can tell: so none needs to be looked for beyond the end. Only
/// those that there are take memory.
const SOURCES: usize = 1 << Source::BITS;

/// The number of a source.
type Source = u16;

/// What the sources have told of the state at hand.
#[derive(Debug)]
pub struct Enabled {
    order: Order,
    n_transitions: usize,
    /// What bits stand for, block by block.
    ranks: Vec<[Rank; BLOCK + 1]>,
    /// For each source, and for what is none, where the next change begins.
    next_change: Box<[u32; SOURCES]>,
    n_sources: usize,
    /// For each block, which transitions are enabled.
    blocks: Vec<u64>,
}

/// A transition and its source. The last one of a block is no transition.
#[derive(Clone, Copy, Debug)]
struct Rank {
    transition: u32,
    source: Source,
}

impl Enabled {
    /// Given are, for each source, the transitions of which it tells: each is told of
    /// by one. There may be too many sources.
    pub fn new<'s>(
        sources: impl ExactSizeIterator<Item = &'s [usize]>,
        n_transitions: usize,
        order: Order,
    ) -> Option<Self> {
        let (n_sources, n_blocks) = (sources.len(), Enabled::n_blocks_of(n_transitions));
        let none = Rank { transition: 0, source: Source::try_from(n_sources).ok()? };
        let mut ranks = vec![[none; BLOCK + 1]; n_blocks];
        for (source, transitions) in sources.enumerate() {
            for &transition in transitions {
                // An order is its own inverse.
                let rank = order.nth(transition, n_transitions);
                ranks[rank / BLOCK][rank % BLOCK] =
                    Rank { transition: transition as u32, source: source as Source };
            }
        }
        let next_change = vec![0; SOURCES].try_into().ok()?;
        let blocks = vec![0; n_blocks];
        Some(Enabled { order, n_transitions, ranks, next_change, n_sources, blocks })
    }

    /// Blocks of so many transitions.
    pub fn n_blocks_of(n_transitions: usize) -> usize {
        n_transitions.div_ceil(BLOCK)
    }

    /// Blocks of all transitions.
    #[inline(always)]
    pub fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// In which order transitions are fired.
    #[inline(always)]
    pub fn order(&self) -> Order {
        self.order
    }

    /// Marks a transition in the blocks of which a source tells.
    pub fn mark(&self, transition: usize, blocks: &mut [u64]) {
        let rank = self.order.nth(transition, self.n_transitions);
        blocks[rank / BLOCK] |= 1 << (rank % BLOCK);
    }

    /// To fire several states, and where the enabled transitions of one can be told.
    #[inline(always)]
    pub fn firing(&mut self) -> (Firing<'_>, &mut [u64]) {
        let Enabled { n_transitions, ranks, next_change, n_sources, blocks, .. } = self;
        let (n_transitions, none) = (*n_transitions, *n_sources);
        (Firing { n_transitions, ranks, next_change, none }, blocks)
    }
}

/// What it takes to fire states, in registers while they are several: what is written
/// might be a vector's length, for all the compiler knows.
pub struct Firing<'e> {
    n_transitions: usize,
    ranks: &'e [[Rank; BLOCK + 1]],
    /// For each source, and for what is none, where the next change begins.
    pub next_change: &'e mut [u32; SOURCES],
    none: usize,
}

impl Firing<'_> {
    /// Successors for which there must be room.
    #[inline(always)]
    pub fn n_room(&self) -> usize {
        self.n_transitions + STRIDE
    }

    /// Fires what is enabled in a state of `n_words` words, and ends its successors.
    /// Changes are among `changes`, the first `STRIDE` of which change nothing.
    #[inline(always)]
    pub fn fire(
        &mut self,
        bits: FastBits,
        blocks: &[u64],
        (state, n_words): (&[u64], usize),
        changes: &[u64],
        out: &mut Room<'_>,
    ) {
        let (next_change, none) = (&mut *self.next_change, self.none);
        let (words, numbers) = out.rest(n_words);
        let mut n = 0;
        for (block, &enabled) in blocks.iter().enumerate() {
            let ranks = &self.ranks[block];
            let (mut left, mut end) = (enabled, n);
            while left != 0 {
                // Behind the last one, nothing is changed, and not kept.
                next_change[none] = 0;
                let room = &mut words[end * n_words..(end + STRIDE) * n_words];
                let numbers = &mut numbers[end..end + STRIDE];
                for i in 0..STRIDE {
                    let Rank { transition, source } = ranks[left.trailing_zeros() as usize];
                    left &= left.wrapping_sub(1);
                    numbers[i] = transition;
                    let next_change = &mut next_change[source as usize];
                    let first = *next_change as usize;
                    *next_change += n_words as u32;
                    for word in 0..n_words {
                        room[i * n_words + word] = state[word] ^ changes[first + word];
                    }
                }
                end += STRIDE;
            }
            n += bits.count_ones(enabled);
        }
        out.end_state(n);
    }

    /// Fires those of the enabled transitions of a one-word state that are not asleep there, and
    /// ends its successors. All transitions are in one block. `step` is told each, its
    /// source, and which bits come before it, and tells what changes, and with which
    /// transitions it commutes; `None` if that is not known, and then nothing is ended.
    #[inline(always)]
    pub fn fire_awake(
        &self,
        enabled: u64,
        (state, asleep): (u64, u64),
        out: &mut Room<'_>,
        mut step: impl FnMut(u32, usize, u64) -> Option<(u64, u64)>,
    ) -> Option<()> {
        let (mut left, mut n) = (enabled & !asleep, 0);
        while left != 0 {
            let Rank { transition, source } = self.ranks[0][left.trailing_zeros() as usize];
            let before = (left & left.wrapping_neg()) - 1;
            left &= left - 1;
            let (change, commuting) = step(transition, source as usize, before)?;
            let (word, number, sleeping) = out.nth(n);
            (*word, *number) = (state ^ change, transition);
            *sleeping = asleep_after(commuting, asleep, before);
            n += 1;
        }
        out.end_state_without(n, enabled & asleep);
        Some(())
    }
}
