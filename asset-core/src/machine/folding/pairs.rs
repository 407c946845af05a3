//! A table from pairs of small numbers to words.

use crate::memory::prefetch;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 8;

/// Pairs of numbers, of which the second is never zero, each with a word.
///
/// With `NEAR`, a pair is first looked for in so many slots that are told by its first
/// number alone: they can be fetched when the second is not known. More than a few do not
/// pay, as there may be hundreds of pairs with one first number.
#[derive(Debug)]
pub struct Pairs<const NEAR: usize> {
    /// Pair and word; all zero if empty. Three of eight are, or more.
    slots: Vec<[u64; 2]>,
    len: usize,
    /// From a hash to a slot.
    shift: u32,
}

/// Odd numbers without a pattern.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

impl<const NEAR: usize> Pairs<NEAR> {
    /// No pairs.
    pub fn new() -> Self {
        Pairs::with_slots(FIRST_SLOTS)
    }

    fn with_slots(n: usize) -> Self {
        Pairs { slots: vec![[0; 2]; n], len: 0, shift: u64::BITS - n.trailing_zeros() }
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
        if NEAR > 0 {
            let mut slot = self.near_slot(key);
            for _ in 0..NEAR {
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

    /// Asks the processor to fetch a pair, or with `NEAR` those with this first number.
    #[inline(always)]
    pub fn prefetch(&self, first: u32, second: u32) {
        let key = pair(first, second);
        let slot = if NEAR > 0 { self.near_slot(key) } else { self.far_slot(key) };
        prefetch(self.slots.as_ptr().wrapping_add(slot));
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
            let larger = Pairs::with_slots(2 * self.slots.len());
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

    /// For so many first numbers, of which each has many second ones if they are few.
    fn every_pair_has_its_word<const NEAR: usize>(n_first: u32) {
        let (mut pairs, mut known) = (Pairs::<NEAR>::new(), HashMap::new());
        for i in 0..50_000u32 {
            let (first, second) = (i * 7919 % n_first, 1 + i % 301);
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

    #[test]
    fn near_and_far() {
        every_pair_has_its_word::<0>(200);
        every_pair_has_its_word::<8>(200);
        every_pair_has_its_word::<8>(20_011);
    }
}
