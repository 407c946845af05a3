//! Numbers for short lists of words.

/// Slots of a new table.
const FIRST_SLOTS: usize = 1 << 6;
/// An odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Words, each with its kind, numbered from 1 on.
#[derive(Debug)]
pub struct Names {
    /// The kind and the words of each, one after the other.
    words: Vec<u64>,
    /// How long they are together.
    n_words: usize,
    len: usize,
    /// Numbers; 0 is empty, as half of them are, or more. A power of two.
    slots: Vec<u32>,
}

impl Names {
    /// No names, of lists of so many words.
    pub fn new(n_words: usize) -> Self {
        Names { words: Vec::new(), n_words: n_words + 1, len: 0, slots: vec![0; FIRST_SLOTS] }
    }

    /// The number of these words, which is a new one if they are new.
    pub fn number(&mut self, kind: usize, words: impl Iterator<Item = u64>) -> u32 {
        let start = self.words.len();
        self.words.push(kind as u64);
        self.words.extend(words);
        debug_assert_eq!(self.words.len(), start + self.n_words);
        let next = self.len as u32 + 1;
        let slot = self.slot(next);
        if self.slots[slot] != 0 {
            self.words.truncate(start);
            return self.slots[slot];
        }
        self.slots[slot] = next;
        self.len += 1;
        if 2 * self.len > self.slots.len() {
            self.grow();
        }
        next
    }

    /// The kind and the words with this number.
    fn name(&self, number: u32) -> &[u64] {
        &self.words[(number as usize - 1) * self.n_words..][..self.n_words]
    }

    /// The slot of the number that has the same words as this one, or where it would go.
    fn slot(&self, number: u32) -> usize {
        let name = self.name(number);
        let mix = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
        let hash = name.iter().fold(0, mix);
        let mut slot = (hash >> (u64::BITS - self.slots.len().trailing_zeros())) as usize;
        while self.slots[slot] != 0 && self.name(self.slots[slot]) != name {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for number in 1..=self.len as u32 {
            let slot = self.slot(number);
            self.slots[slot] = number;
        }
    }

    /// The words with this number.
    pub fn get(&self, number: u32) -> &[u64] {
        &self.name(number)[1..]
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        8 * self.words.capacity() + 4 * self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn numbers_are_dense_from_one_on() {
        let (mut names, mut known) = (Names::new(3), HashMap::new());
        for i in 0..60_000u64 {
            let i = i * 7919 % 20_011;
            let (kind, words) = (i % 3, [i / 3 % 64, (i / 192) << 50, 0]);
            let next = known.len() as u32 + 1;
            let first = *known.entry((kind, words)).or_insert(next);
            assert_eq!(names.number(kind as usize, words.into_iter()), first);
            assert_eq!(names.get(first), words);
        }
        assert!(known.len() == names.len && known.len() > 10_000);
        assert!(names.bytes() > 32 * names.len);
    }
}
