//! A table from pairs of small numbers to words.

use crate::memory::prefetch;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 8;

/// Pairs of numbers, of which the second is never zero, each with a word.
#[derive(Debug)]
pub struct Pairs {
    /// Pair and word; all zero if empty. Three of eight are, or more.
    slots: Vec<[u64; 2]>,
    len: usize,
    /// By which the numbers are multiplied for a hash, and from that to a slot.
    factors: [u64; 2],
    shift: u32,
    /// Bits of the second number that choose among the slots of a cache line.
    near: u64,
}

/// Odd numbers without a pattern.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

impl Pairs {
    /// No pairs.
    pub fn new() -> Self {
        Pairs::with_slots(FIRST_SLOTS, FACTORS, 0)
    }

    /// No pairs yet, of which few have the same first number. They will stand side by
    /// side, so that they can be fetched when the second is not known.
    pub fn by_first() -> Self {
        Pairs::with_slots(FIRST_SLOTS, [FACTORS[0], 0], 3)
    }

    fn with_slots(n: usize, factors: [u64; 2], near: u64) -> Self {
        let shift = u64::BITS - n.trailing_zeros();
        Pairs { slots: vec![[0; 2]; n], len: 0, factors, shift, near }
    }

    /// Where to look for a pair first.
    #[inline(always)]
    fn first_slot(&self, key: u64) -> usize {
        let (first, second) = (key >> 32, key & u64::from(u32::MAX));
        let hash = first.wrapping_mul(self.factors[0]);
        let hash = hash.wrapping_add(second.wrapping_mul(self.factors[1]));
        (hash >> self.shift ^ second & self.near) as usize
    }

    /// The slot of a pair, or the one where it would go.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mut slot = self.first_slot(key);
        while self.slots[slot][0] != key && self.slots[slot][0] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Asks the processor to fetch a pair. The second number does not matter where pairs
    /// with the same first one stand side by side.
    #[inline(always)]
    pub fn prefetch(&self, first: u32, second: u32) {
        prefetch(&raw const self.slots[self.first_slot(pair(first, second))]);
    }

    /// The word of a pair.
    #[inline(always)]
    pub fn get(&self, first: u32, second: u32) -> Option<u64> {
        let [key, word] = self.slots[self.slot(pair(first, second))];
        (key != 0).then_some(word)
    }

    /// Gives a pair this word.
    pub fn insert(&mut self, first: u32, second: u32, word: u64) {
        debug_assert!(second != 0);
        if 8 * self.len >= 5 * self.slots.len() {
            let larger = Pairs::with_slots(2 * self.slots.len(), self.factors, self.near);
            let old = std::mem::replace(self, larger).slots;
            old.into_iter().filter(|slot| slot[0] != 0).for_each(|slot| self.put(slot));
        }
        self.put([pair(first, second), word]);
    }

    fn put(&mut self, [key, word]: [u64; 2]) {
        let slot = self.slot(key);
        self.len += usize::from(self.slots[slot][0] == 0);
        self.slots[slot] = [key, word];
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }
}

#[inline(always)]
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_pair_has_its_word() {
        // All second numbers for few first ones, and some for many.
        for (mut pairs, n) in [(Pairs::new(), 200), (Pairs::by_first(), 20_011)] {
            let mut known = HashMap::new();
            for i in 0..50_000u32 {
                let (first, second) = (i * 7919 % n, 1 + i % 301);
                assert_eq!(pairs.get(first, second), known.get(&(first, second)).copied());
                pairs.prefetch(first, second);
                pairs.insert(first, second, u64::from(i) << 20);
                known.insert((first, second), u64::from(i) << 20);
            }
            assert!(known.len() == pairs.len && known.len() > 40_000);
            for ((first, second), word) in known {
                assert_eq!(pairs.get(first, second), Some(word));
            }
            assert_eq!(pairs.get(30_000, 1), None);
        }
    }
}
