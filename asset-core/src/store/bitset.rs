//! A set of state numbers, one bit each.

use super::Id;
use crate::memory::prefetch;

/// A set of numbers below a bound that grows as needed.
#[derive(Clone, Debug, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set, with room for numbers below `n`.
    pub fn with_room(n: usize) -> Self {
        BitSet { words: vec![0; n.div_ceil(64)] }
    }

    /// Whether `id` is a member.
    #[inline(always)]
    pub fn contains(&self, id: Id) -> bool {
        let id = id as usize;
        self.words.get(id / 64).is_some_and(|w| w >> (id % 64) & 1 != 0)
    }

    /// Asks the processor to fetch the word where `id` is.
    #[inline(always)]
    pub fn prefetch(&self, id: Id) {
        prefetch(self.words.as_ptr().wrapping_add(id as usize / 64));
    }

    /// Adds `id`; true if it was not a member.
    #[inline(always)]
    pub fn insert(&mut self, id: Id) -> bool {
        let is_new = !self.contains(id);
        self.insert_word(id as usize / 64, 1 << (id % 64));
        is_new
    }

    /// Removes `id`.
    #[inline(always)]
    pub fn remove(&mut self, id: Id) {
        if let Some(word) = self.words.get_mut(id as usize / 64) {
            *word &= !(1 << (id % 64));
        }
    }

    /// Which of the 64 numbers from `64 * i` on are members.
    #[inline(always)]
    pub fn word(&self, i: usize) -> u64 {
        self.words.get(i).copied().unwrap_or(0)
    }

    /// Which of the 64 numbers from `id` on are members.
    #[inline(always)]
    pub fn word_from(&self, id: Id) -> u64 {
        let (i, shift) = (id as usize / 64, id % 64);
        self.word(i) >> shift | self.word(i + 1) << 1 << (63 - shift)
    }

    /// Adds those of the 64 numbers from `64 * i` on that are marked.
    #[inline(always)]
    pub fn insert_word(&mut self, i: usize, marked: u64) {
        if i >= self.words.len() {
            self.words.resize(i + 1, 0);
        }
        self.words[i] |= marked;
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The numbers of a range that are not members, in order.
    pub fn absent(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = Id> + '_ {
        (range.start / 64..range.end.div_ceil(64)).flat_map(move |i| {
            let present = self.word(i);
            let from = u64::MAX << range.start.saturating_sub(64 * i).min(63);
            let to = u64::MAX >> (64 * (i + 1)).saturating_sub(range.end).min(63);
            Ones(!present & from & to).map(move |bit| (64 * i) as Id + bit)
        })
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}

/// The positions of the ones of a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_the_absent() {
        let mut set = BitSet::with_room(10);
        for id in [0, 3, 63, 64, 130] {
            assert!(set.insert(id) && !set.insert(id) && set.contains(id));
        }
        assert_eq!(
            (set.word_from(3), set.word_from(63), set.word_from(130)),
            (1 | 1 << 60 | 1 << 61, 3, 1)
        );
        set.remove(63);
        assert_eq!((set.len(), set.contains(63), set.contains(9999)), (4, false, false));
        for range in [0..133, 5..64, 64..65, 1..1, 128..133, 60..200] {
            let absent: Vec<_> = set.absent(range.clone()).collect();
            let expected: Vec<_> = range.map(|i| i as Id).filter(|&i| !set.contains(i)).collect();
            assert_eq!(absent, expected);
        }
    }
}
