//! Numbers for short lists of words.

use hashbrown::HashMap;

/// Words, each with its kind, numbered from 1 on.
#[derive(Debug, Default)]
pub struct Names {
    numbers: HashMap<Vec<u64>, u32>,
    /// The kind and the words of each, one after the other.
    words: Vec<u64>,
    /// How long they are together.
    n_words: usize,
}

impl Names {
    /// The number of these words, which is a new one if they are new.
    pub fn number(&mut self, kind: usize, words: impl Iterator<Item = u64>) -> u32 {
        let (start, next) = (self.words.len(), self.numbers.len() as u32 + 1);
        self.words.push(kind as u64);
        self.words.extend(words);
        self.n_words = self.words.len() - start;
        let number = *self.numbers.entry_ref(&self.words[start..]).or_insert(next);
        if number != next {
            self.words.truncate(start);
        }
        number
    }

    /// The words with this number.
    pub fn get(&self, number: u32) -> &[u64] {
        &self.words[(number as usize - 1) * self.n_words..][1..self.n_words]
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        16 * self.words.capacity() + 64 * self.numbers.len()
    }
}
