//! Slots that several threads fill at the same time without a lock.
//!
//! The protocol:
//!
//! - A slot is 0, or a key, which is never 0. It changes once, from 0 to a key, by an atomic
//!   compare-and-exchange. Nothing is ever taken out.
//! - The slots in which a key may stand are tried in an order that depends on the key alone:
//!   from its home on, up to [`REACH`] of them. Who looks for a key passes slots that hold
//!   other keys, and stops at the key or at 0.
//! - Who wants to insert and comes upon 0 tries to exchange it for the key. If that fails,
//!   somebody else was faster, and the slot now holds a key: the same one, which is then found,
//!   or another one, which is passed.
//!
//! So no key stands in two slots. Assume it does. The thread that filled the later one has
//! passed the earlier one, which held another key at that time, and holds it still. And of
//! several threads that insert the same key, one is told that it is new: the one whose
//! exchange filled the slot.
//!
//! Each slot has marks, bits that are set and never cleared. Setting them tells which were set
//! before, so of several threads that set the same one, one is told that it was the first.
//! Marks are read and set in one order for all threads (`SeqCst`): the proofs of searches
//! that use them speak of one.
//!
//! Everything is an atomic number, so there is nothing `unsafe`. Slots are made larger only by
//! somebody who has them alone ([`super::SharedSet`]). `asset-core/loom` has the same file
//! tried in all interleavings of a few threads.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Slots that are tried for a key.
pub const REACH: usize = 128;

/// A table of keys with marks.
pub struct Slots {
    /// A power of two of them.
    keys: Box<[AtomicU64]>,
    /// One more, for the state whose key would be 0.
    marks: Box<[AtomicU8]>,
}

/// The key of a state; 0 for one state, which needs no slot.
fn key(state: u64) -> u64 {
    state.wrapping_add(1)
}

impl Slots {
    /// `1 << bits` empty slots; `bits` is not 0.
    pub fn new(bits: u32) -> Self {
        let keys = (0..1usize << bits).map(|_| AtomicU64::new(0)).collect();
        let marks = (0..=1usize << bits).map(|_| AtomicU8::new(0)).collect();
        Slots { keys, marks }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The slots in which a key may stand.
    fn path(&self, key: u64) -> impl Iterator<Item = usize> {
        let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
        let hash = (product >> 64) as u64 ^ product as u64;
        let home = (hash >> (64 - self.keys.len().trailing_zeros())) as usize;
        let mask = self.keys.len() - 1;
        (home..home + REACH.min(self.keys.len())).map(move |at| at & mask)
    }

    /// The slot of a state, if it has one.
    pub fn find(&self, state: u64) -> Option<usize> {
        let key = key(state);
        if key == 0 {
            return Some(self.len());
        }
        for at in self.path(key) {
            match self.keys[at].load(Ordering::Acquire) {
                0 => return None,
                found if found == key => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// The slot of a state, and whether it was given to it just now. `None` if there is none
    /// within reach.
    pub fn find_or_insert(&self, state: u64) -> Option<(usize, bool)> {
        let key = key(state);
        if key == 0 {
            return Some((self.len(), false));
        }
        for at in self.path(key) {
            let slot = &self.keys[at];
            let mut found = slot.load(Ordering::Acquire);
            if found == 0 {
                match slot.compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Some((at, true)),
                    Err(other) => found = other,
                }
            }
            if found == key {
                return Some((at, false));
            }
        }
        None
    }

    /// The marks of a slot.
    pub fn marks(&self, slot: usize) -> u8 {
        self.marks[slot].load(Ordering::SeqCst)
    }

    /// Sets marks of a slot. Returns those that were set before.
    pub fn mark(&self, slot: usize, marks: u8) -> u8 {
        self.marks[slot].fetch_or(marks, Ordering::SeqCst)
    }

    /// All states that have marks, with those.
    pub fn marked(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        let state = |slot: usize| match self.keys.get(slot) {
            Some(key) => key.load(Ordering::Acquire).wrapping_sub(1),
            None => u64::MAX,
        };
        let marked = (0..=self.len()).map(|slot| (slot, self.marks(slot)));
        marked.filter(|&(_, marks)| marks != 0).map(move |(slot, marks)| (state(slot), marks))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.len() * (size_of::<AtomicU64>() + size_of::<AtomicU8>())
    }
}
