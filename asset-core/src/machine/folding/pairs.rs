//! A table from pairs of small numbers to words.

use crate::memory::prefetch;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 8;
/// More slots for pairs with one first number would cost more than they save, where there
/// are hundreds of such pairs.
const N_NEAR: usize = 8;

/// Pairs of numbers, of which the second is never zero, each with a word.
#[derive(Debug)]
pub struct Pairs {
    /// Pair and word; all zero if empty. Three of eight are, or more.
    slots: Vec<[u64; 2]>,
    len: usize,
    /// From a hash to a slot.
    shift: u32,
    /// In how many slots a pair is looked for that are told by its first number, before
    /// it is looked for elsewhere.
    n_near: usize,
}

/// Odd numbers without a pattern.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

impl Pairs {
    /// No pairs.
    pub fn new() -> Self {
        Pairs::with_slots(FIRST_SLOTS, 0)
    }

    /// No pairs yet, of which mostly few have the same first number. Those will stand side
    /// by side, so that they can be fetched when the second is not known.
    pub fn by_first() -> Self {
        Pairs::with_slots(FIRST_SLOTS, N_NEAR)
    }

    fn with_slots(n: usize, n_near: usize) -> Self {
        let shift = u64::BITS - n.trailing_zeros();
        Pairs { slots: vec![[0; 2]; n], len: 0, shift, n_near }
    }

    /// The first of the slots that are told by the first number. Pairs are spread over a
    /// cache line.
    #[inline(always)]
    fn near_slot(&self, key: u64) -> usize {
        ((key >> 32).wrapping_mul(FACTORS[0]) >> self.shift ^ key & 3) as usize
    }

    /// The first slot that is told by both numbers.
    #[inline(always)]
    fn far_slot(&self, key: u64) -> usize {
        let second = (key & u64::from(u32::MAX)).wrapping_mul(FACTORS[1]);
        ((key >> 32).wrapping_mul(FACTORS[0]).wrapping_add(second) >> self.shift) as usize
    }

    /// The slot of a pair, or the one where it would go.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let after = |slot: usize| (slot + 1) & (self.slots.len() - 1);
        let is_it = |slot: usize| self.slots[slot][0] == key || self.slots[slot][0] == 0;
        if self.n_near > 0 {
            let mut slot = self.near_slot(key);
            for _ in 0..self.n_near {
                if is_it(slot) {
                    return slot;
                }
                slot = after(slot);
            }
        }
        let mut slot = self.far_slot(key);
        while !is_it(slot) {
            slot = after(slot);
        }
        slot
    }

    /// Asks the processor to fetch a pair. The second number does not matter where pairs
    /// with the same first one stand side by side.
    #[inline(always)]
    pub fn prefetch(&self, first: u32, second: u32) {
        let key = pair(first, second);
        let slot = if self.n_near > 0 { self.near_slot(key) } else { self.far_slot(key) };
        prefetch(&raw const self.slots[slot]);
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
            let larger = Pairs::with_slots(2 * self.slots.len(), self.n_near);
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
        let all = [(Pairs::new(), 200), (Pairs::by_first(), 20_011), (Pairs::by_first(), 200)];
        for (mut pairs, n) in all {
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
