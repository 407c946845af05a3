//! A table from pairs of small numbers to words.

use crate::memory::prefetch;
use std::hint::select_unpredictable;

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

/// An odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A pair, and where it is looked for first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticket {
    key: u64,
    slot: usize,
}

impl Pairs<0> {
    /// Where to look for a pair, until one is inserted. Asks the processor to fetch it.
    #[inline(always)]
    pub fn ticket(&self, first: u32, second: u32) -> Ticket {
        let key = pair(first, second);
        let slot = self.far_slot(key);
        prefetch(self.slots.as_ptr().wrapping_add(slot));
        Ticket { key, slot }
    }

    /// The word of a pair. If pairs have been inserted meanwhile, it may not be found.
    #[inline(always)]
    pub fn redeem(&self, Ticket { key, slot }: Ticket) -> Option<u64> {
        let [found, word] = self.slots[self.slot_from(slot, key)];
        (found != 0).then_some(word)
    }
}

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
        ((key >> 32).wrapping_mul(FACTOR) >> self.shift ^ key & 3) as usize
    }

    /// The first slot that is told by both numbers.
    #[inline(always)]
    fn far_slot(&self, key: u64) -> usize {
        (key.wrapping_mul(FACTOR) >> self.shift) as usize
    }

    /// The slot where a pair is looked for first.
    #[inline(always)]
    fn first_slot(&self, key: u64) -> usize {
        if NEAR > 0 { self.near_slot(key) } else { self.far_slot(key) }
    }

    /// The slot of a pair, or the one where it would go.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        if NEAR > 0 {
            let mut slot = self.near_slot(key);
            for _ in 0..NEAR {
                if self.is_it(slot, key) {
                    return slot;
                }
                slot = self.after(slot);
            }
        }
        self.slot_from(self.far_slot(key), key)
    }

    /// The same, from one slot on.
    #[inline(always)]
    fn slot_from(&self, mut slot: usize, key: u64) -> usize {
        while !self.is_it(slot, key) {
            slot = self.after(slot);
        }
        slot
    }

    #[inline(always)]
    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// Whether a slot is that of the pair, or empty.
    #[inline(always)]
    fn is_it(&self, slot: usize, key: u64) -> bool {
        let found = self.slots[slot][0];
        found == key || found == 0
    }

    /// Asks the processor to fetch the pairs with this first number, if they are `NEAR`.
    #[inline(always)]
    pub fn prefetch(&self, first: u32) {
        prefetch(self.slots.as_ptr().wrapping_add(self.near_slot(pair(first, 0))));
    }

    /// The word of a pair.
    #[inline(always)]
    pub fn get(&self, first: u32, second: u32) -> Option<u64> {
        let [key, word] = self.slots[self.slot(pair(first, second))];
        (key != 0).then_some(word)
    }

    /// The same, but 0 if the second number is. Without a jump that cannot be guessed, if
    /// the pair is in its first slot.
    #[inline(always)]
    pub fn get_or_zero(&self, first: u32, second: u32) -> Option<u64> {
        let key = pair(first, second);
        let [found, word] = self.slots[self.first_slot(key)];
        if (found == key) | (second == 0) {
            return Some(select_unpredictable(second == 0, 0, word));
        }
        self.get(first, second)
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
            pairs.prefetch(first);
            pairs.insert(first, second, u64::from(i) << 20);
            known.insert((first, second), u64::from(i) << 20);
        }
        assert!(known.len() == pairs.len && known.len() > 40_000);
        for ((first, second), word) in known {
            assert_eq!(pairs.get(first, second), Some(word));
            assert_eq!(pairs.get_or_zero(first, second), Some(word));
        }
        assert_eq!(pairs.get(30_000, 1), None);
        assert_eq!(pairs.get_or_zero(30_000, 1), None);
        assert_eq!(pairs.get_or_zero(30_000, 0), Some(0));
    }

    #[test]
    fn near_and_far() {
        every_pair_has_its_word::<0>(200);
        every_pair_has_its_word::<8>(200);
        every_pair_has_its_word::<8>(20_011);
    }
}
