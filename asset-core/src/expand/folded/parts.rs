//! Parts of states, numbered in the order of their arrival.
//!
//! There are few, and each is looked up often: so this table is larger than it must
//! be, and a look-up mostly ends at its first slot.

use crate::memory::{Region, prefetch};

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 10;
/// Up to so many slots, two of three stay empty; beyond, one of four.
const SPARSE_UP_TO: usize = 1 << 18;
/// Odd numbers without a pattern.
const FACTORS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xb504_f333_f9de_6485, 0xc6a4_a793_5bd1_e995];

/// What some states have under a mask.
pub struct Parts {
    mask: Box<[u64]>,
    /// The parts, each as a state with zeros in place of what is not under the mask.
    words: Region<u64>,
    /// Numbers plus one; zero is empty. A power of two.
    slots: Region<u32>,
    len: usize,
    /// From so many parts on, the table must grow.
    capacity: usize,
    /// From a hash to a slot.
    shift: u32,
}

impl Parts {
    /// No parts yet, of states that have as many words as the mask.
    pub fn new(mask: Box<[u64]>) -> Self {
        let (words, slots) = (Region::new(), Region::new());
        let mut parts = Parts { mask, words, slots, len: 0, capacity: 0, shift: 0 };
        parts.set_slots(FIRST_SLOTS);
        parts
    }

    fn set_slots(&mut self, n_slots: usize) {
        self.slots.reset(n_slots);
        self.shift = u64::BITS - n_slots.trailing_zeros();
        self.capacity = if n_slots <= SPARSE_UP_TO { n_slots / 3 } else { n_slots / 4 * 3 };
    }

    /// What belongs to a part.
    pub fn mask(&self) -> &[u64] {
        &self.mask
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The words of the parts of these numbers, one after the other.
    pub fn side_by_side(&self, numbers: std::ops::Range<usize>) -> &[u64] {
        let n = self.mask.len();
        &self.words[numbers.start * n..numbers.end * n]
    }

    /// The words of a part.
    #[inline(always)]
    pub fn get(&self, number: u32) -> &[u64] {
        &self.words[number as usize * self.mask.len()..][..self.mask.len()]
    }

    /// Words of a state, which are `W` (0: any number).
    #[inline(always)]
    fn n_words<const W: usize>(&self) -> usize {
        if W == 0 { self.mask.len() } else { W }
    }

    /// Whether two states of `W` words (0: any number) have different parts.
    #[inline(always)]
    pub fn differ<const W: usize>(&self, one: &[u64], other: &[u64]) -> bool {
        let n = self.n_words::<W>();
        let (one, other, mask) = (&one[..n], &other[..n], &self.mask[..n]);
        (0..n).fold(0, |all, i| all | (one[i] ^ other[i]) & mask[i]) != 0
    }

    /// The hash of a state's part, of which the high bits are good. Words are
    /// multiplied side by side.
    #[inline(always)]
    pub fn hash<const W: usize>(&self, state: &[u64]) -> u64 {
        let n = self.n_words::<W>();
        let (state, mask) = (&state[..n], &self.mask[..n]);
        let mut sum = 0u64;
        for i in 0..n {
            let product = (state[i] & mask[i]).wrapping_mul(FACTORS[i % FACTORS.len()]);
            sum = sum.wrapping_add(product).rotate_left(5);
        }
        let product = u128::from(sum) * u128::from(FACTORS[0]);
        (product >> 64) as u64 ^ product as u64
    }

    /// Asks the processor to fetch the slot of a part with this hash.
    #[inline(always)]
    pub fn prefetch_slot(&self, hash: u64) {
        prefetch(&raw const self.slots[(hash >> self.shift) as usize]);
    }

    /// The second step of fetching, when the first has had time: that of the part
    /// that will be compared.
    #[inline(always)]
    pub fn prefetch_part(&self, hash: u64) {
        let number = self.slots[(hash >> self.shift) as usize].wrapping_sub(1);
        prefetch(self.words.as_ptr().wrapping_add(number as usize * self.mask.len()));
    }

    /// The number of a state's part, or the slot where it would go.
    #[inline(always)]
    fn slot<const W: usize>(&self, state: &[u64], hash: u64) -> Result<u32, usize> {
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let Some(number) = self.slots[slot].checked_sub(1) else { return Err(slot) };
            if !self.differ::<W>(self.get(number), state) {
                return Ok(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a state's part, if it has been met.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.slot::<0>(state, self.hash::<0>(state)).ok()
    }

    /// The number of a state's part, which has this hash and is added if it is new.
    #[inline(always)]
    pub fn number<const W: usize>(&mut self, state: &[u64], hash: u64) -> u32 {
        match self.slot::<W>(state, hash) {
            Ok(number) => number,
            Err(slot) => self.add(state, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, state: &[u64], slot: usize) -> u32 {
        // A run ends before it has so many states.
        assert!(self.len < u32::MAX as usize, "there are more parts of states than numbers");
        let number = self.len as u32;
        let at = self.words.len();
        self.words.grow_to(at + self.mask.len());
        let part = self.words[at..].iter_mut().zip(state.iter().zip(&*self.mask));
        part.for_each(|(part, (word, mask))| *part = word & mask);
        self.slots[slot] = number + 1;
        self.len += 1;
        if self.len >= self.capacity {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.set_slots(2 * self.slots.len());
        for number in 0..self.len as u32 {
            let part = self.get(number);
            if let Err(slot) = self.slot::<0>(part, self.hash::<0>(part)) {
                self.slots[slot] = number + 1;
            }
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.slots.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn numbers_are_dense(n_words: usize) {
        let mask: Box<[u64]> = (0..n_words as u64).map(|i| !(0xff00 << i)).collect();
        let mut parts = Parts::new(mask.clone());
        let mut known = HashMap::new();
        for i in 0..600_000u64 {
            let i = i * 7919 % 300_007;
            let state: Vec<u64> =
                (0..n_words as u64).map(|w| (i * 7 + w) % 5 + (i << (9 * w % 40))).collect();
            let part: Vec<u64> = state.iter().zip(&mask).map(|(word, mask)| word & mask).collect();
            let next = known.len() as u32;
            let first = *known.entry(part.clone()).or_insert(next);
            assert_eq!(parts.number::<0>(&state, parts.hash::<0>(&state)), first);
            if n_words == 4 {
                assert_eq!(parts.number::<4>(&state, parts.hash::<4>(&state)), first);
            }
            assert_eq!(parts.get(first), part);
        }
        assert!(parts.len() == known.len() && parts.bytes() > 8 * n_words * parts.len());
        assert!(n_words == 1 || parts.len() > SPARSE_UP_TO);
    }

    #[test]
    fn every_width() {
        [1, 2, 4, 7].into_iter().for_each(numbers_are_dense);
    }

    /// Few probes, wherever the bits of a part are.
    #[test]
    fn hashes_spread() {
        let parts = Parts::new(Box::new([u64::MAX; 4]));
        for shift in [0, 3, 20, 33, 41] {
            for word in 0..4 {
                let mut taken = vec![0; 1 << 12];
                for i in 0..1u64 << 10 {
                    let mut part = [0; 4];
                    part[word] = (i & 0x1f) << shift | i >> 5 << (shift + 17);
                    taken[(parts.hash::<4>(&part) >> 52) as usize] += 1;
                }
                let n_alone = taken.iter().filter(|&&n| n == 1).count();
                assert!(n_alone > 600, "{n_alone} at {shift} of word {word}");
            }
        }
    }
}
