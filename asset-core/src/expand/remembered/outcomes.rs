//! What the transitions of a group do in a state, each such outcome once.

use hashbrown::HashMap;

/// The number of no outcome.
pub const UNKNOWN: u32 = 0;
/// Outcomes begin at multiples of so many words, by which they are numbered.
const GRAIN: usize = 2;
/// Words that there is room for.
const MAX_WORDS: usize = 1 << 22;

/// Outcomes: which transitions are enabled, and which bits of the state each of
/// those changes.
///
/// Enabled transitions are told as bits, in the order in which they are fired, 64 of
/// all transitions in a *block*. Behind the blocks are the changes, in this order,
/// each as words of a state: mostly, a look-up reads one cache line.
#[derive(Debug)]
pub struct Outcomes {
    /// One after the other.
    words: Vec<u64>,
    /// The number of each.
    numbers: HashMap<Box<[u64]>, u32>,
}

impl Outcomes {
    /// None. Where there would be one with the number 0, there are `n_zeros` words
    /// that tell and change nothing.
    pub fn new(n_zeros: usize) -> Self {
        Outcomes { words: vec![0; n_zeros.next_multiple_of(GRAIN)], numbers: HashMap::new() }
    }

    /// The number of an outcome: blocks, and then changes. `None` if there is no room
    /// for another one.
    pub fn number(&mut self, outcome: &[u64]) -> Option<u32> {
        if let Some(&number) = self.numbers.get(outcome) {
            return Some(number);
        }
        let start = self.words.len();
        if start + outcome.len() > MAX_WORDS {
            return None;
        }
        self.words.extend_from_slice(outcome);
        self.words.resize(self.words.len().next_multiple_of(GRAIN), 0);
        self.numbers.insert(outcome.into(), (start / GRAIN) as u32);
        Some((start / GRAIN) as u32)
    }

    /// Where an outcome begins among `words`.
    #[inline(always)]
    pub fn start(number: u32) -> usize {
        number as usize * GRAIN
    }

    /// All outcomes.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        2 * size_of_val(&*self.words)
    }
}
