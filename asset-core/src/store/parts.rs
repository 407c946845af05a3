//! Parts of states, numbered in the order of their arrival.
//!
//! There are few, and each is looked up often: so this table is larger than it must
//! be, and a look-up mostly ends at its first slot. (In a [`super::Store`], whose table
//! is as small as can be, a look-up takes twice as many instructions.)

use super::Id;
use super::line::prefetch;
use super::region::Region;

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 10;
/// Up to so many slots, two of three stay empty; beyond, one of four.
const SPARSE_UP_TO: usize = 1 << 18;
/// Odd numbers without a pattern.
const FACTORS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93, 0xb504_f333_f9de_6485, 0xc6a4_a793_5bd1_e995];

/// Parts of `W` words (0: any number).
pub struct Parts<const W: usize> {
    n_words: usize,
    words: Region<u64>,
    /// Numbers plus one; zero is empty. A power of two.
    slots: Region<u32>,
    len: usize,
    /// From so many parts on, the table must grow.
    capacity: usize,
    /// From a hash to a slot.
    shift: u32,
}

impl<const W: usize> Parts<W> {
    /// No parts of `n_words` words.
    pub fn new(n_words: usize) -> Self {
        assert!(W == 0 || W == n_words, "parts are compiled for {W} words");
        let (words, slots) = (Region::new(), Region::new());
        let mut parts = Parts { n_words, words, slots, len: 0, capacity: 0, shift: 0 };
        parts.set_slots(FIRST_SLOTS);
        parts
    }

    fn set_slots(&mut self, n_slots: usize) {
        self.slots.reset(n_slots);
        self.shift = u64::BITS - n_slots.trailing_zeros();
        self.capacity = if n_slots <= SPARSE_UP_TO { n_slots / 3 } else { n_slots / 4 * 3 };
    }

    #[inline(always)]
    fn n_words(&self) -> usize {
        if W == 0 { self.n_words } else { W }
    }

    /// Number of parts.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The words of a part.
    #[inline(always)]
    pub fn get(&self, number: Id) -> &[u64] {
        &self.words[number as usize * self.n_words()..][..self.n_words()]
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
        prefetch(self.words.as_ptr().wrapping_add(number as usize * self.n_words()));
    }

    /// The number of a part, or the slot where it would go.
    #[inline(always)]
    fn slot(&self, part: &[u64], hash: u64) -> Result<Id, usize> {
        let n_words = self.n_words();
        let part = &part[..n_words];
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let Some(number) = self.slots[slot].checked_sub(1) else { return Err(slot) };
            // Word by word: the part has just been written so.
            let (known, mut differ) = (self.get(number), 0);
            for i in 0..n_words {
                differ |= known[i] ^ part[i];
            }
            if differ == 0 {
                return Ok(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a part, if there is such a part.
    pub fn find(&self, part: &[u64]) -> Option<Id> {
        self.slot(part, hash(part)).ok()
    }

    /// The number of a part with this hash, which is added if it is new.
    #[inline(always)]
    pub fn number(&mut self, part: &[u64], hash: u64) -> Id {
        match self.slot(part, hash) {
            Ok(number) => number,
            Err(slot) => self.add(part, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, part: &[u64], slot: usize) -> Id {
        let number = self.len as Id;
        self.words.extend(part);
        self.slots[slot] = number + 1;
        self.len += 1;
        if self.len >= self.capacity {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.set_slots(2 * self.slots.len());
        for number in 0..self.len as Id {
            let part = self.get(number);
            if let Err(slot) = self.slot(part, hash(part)) {
                self.slots[slot] = number + 1;
            }
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.slots.bytes()
    }

    /// Bytes in use after the table has grown.
    pub fn bytes_after_growth(&self) -> usize {
        self.bytes() + self.slots.bytes()
    }
}

/// A hash, of which the high bits are good. Words are multiplied side by side.
#[inline(always)]
pub fn hash(part: &[u64]) -> u64 {
    let mut sum = 0u64;
    for (i, word) in part.iter().enumerate() {
        sum = sum.wrapping_add(word.wrapping_mul(FACTORS[i % FACTORS.len()])).rotate_left(5);
    }
    let product = u128::from(sum) * u128::from(FACTORS[0]);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn numbers_are_dense<const W: usize>(n_words: usize) {
        let mut parts = Parts::<W>::new(n_words);
        let mut known = HashMap::new();
        for i in 0..600_000u64 {
            let i = i * 7919 % 300_007;
            let part: Vec<u64> =
                (0..n_words as u64).map(|w| (i * 7 + w) % 5 + (i << (9 * w % 40))).collect();
            let (next, before) = (known.len() as Id, parts.find(&part));
            let first = *known.entry(part.clone()).or_insert(next);
            assert_eq!(before, (first != next).then_some(first));
            assert_eq!(parts.number(&part, hash(&part)), first);
            assert_eq!(parts.get(first), part);
        }
        assert!(parts.len() == known.len() && parts.len() > SPARSE_UP_TO);
        assert!(parts.bytes() < parts.bytes_after_growth());
    }

    #[test]
    fn every_width() {
        numbers_are_dense::<1>(1);
        numbers_are_dense::<2>(2);
        numbers_are_dense::<4>(4);
        numbers_are_dense::<0>(7);
    }

    /// Few probes, wherever the bits of a part are.
    #[test]
    fn hashes_spread() {
        for shift in [0, 3, 20, 33, 41] {
            for word in 0..4 {
                let mut taken = vec![0; 1 << 12];
                for i in 0..1u64 << 10 {
                    let mut part = [0; 4];
                    part[word] = (i & 0x1f) << shift | i >> 5 << (shift + 17);
                    taken[(hash(&part) >> 52) as usize] += 1;
                }
                let n_alone = taken.iter().filter(|&&n| n == 1).count();
                assert!(n_alone > 600, "{n_alone} at {shift} of word {word}");
            }
        }
    }
}
