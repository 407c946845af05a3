//! A list of numbers in as few bits as most of them need.

use super::bit_list::BitList;
use crate::memory::prefetch;
use hashbrown::HashMap;

/// Numbers of equal width. The few that do not fit, and the largest that would,
/// stand elsewhere; a number of ones is in their place.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    bits: BitList,
    width: usize,
    large: HashMap<usize, usize>,
}

impl Numbers {
    /// An empty list, most of whose numbers will be below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Numbers { bits: BitList::default(), width: width(bound), large: HashMap::new() }
    }

    /// How many numbers there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bits.len() / self.width
    }

    #[inline(always)]
    fn ones(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Appends a number.
    #[inline(always)]
    pub(super) fn push(&mut self, number: usize) {
        if (number as u64) < self.ones() {
            return self.bits.push(number as u64, self.width);
        }
        self.large.insert(self.len(), number);
        self.bits.push(self.ones(), self.width);
    }

    /// An empty list of numbers as wide as these.
    pub(super) fn empty_like(&self) -> Self {
        Numbers { bits: BitList::default(), width: self.width, large: HashMap::new() }
    }

    /// Appends all numbers of another list, which has the same width.
    pub(super) fn append(&mut self, other: &Numbers) {
        debug_assert_eq!(self.width, other.width, "numbers of one width");
        let n = self.len();
        self.large.extend(other.large.iter().map(|(&i, &number)| (n + i, number)));
        self.bits.append(&other.bits);
    }

    /// The `i`-th number.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> usize {
        let number = self.bits.get(i * self.width, self.width);
        if number == self.ones() { self.large[&i] } else { number as usize }
    }

    /// Changes every number to its value in `new`, most of which are below
    /// `bound`, a bound no lower than before.
    pub(super) fn change(&mut self, new: &[u32], bound: usize) {
        let ahead = |number: usize| prefetch(new.as_ptr().wrapping_add(number));
        self.change_by(bound, ahead, |number| new[number] as usize);
    }

    /// Changes every number to what `new` says, most of which are below `bound`, a bound no
    /// lower than before. `ahead` is told of each a little earlier.
    pub(super) fn change_by(
        &mut self,
        bound: usize,
        ahead: impl Fn(usize),
        new: impl Fn(usize) -> usize,
    ) {
        let (old_large, old_ones) = (std::mem::take(&mut self.large), self.ones());
        let old_width = self.width;
        self.width = width(bound).max(old_width);
        let ones = self.ones();
        let large = &mut self.large;
        let ahead = |number: u64| {
            if number != old_ones {
                ahead(number as usize);
            }
        };
        self.bits.widen(old_width, self.width, ahead, |i, number| {
            let number = if number == old_ones { old_large[&i] } else { number as usize };
            let number = new(number);
            if (number as u64) < ones {
                return number as u64;
            }
            large.insert(i, number);
            ones
        });
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bits.bytes() + self.large.len() * 32
    }
}

/// Bits of the numbers below `bound`.
fn width(bound: usize) -> usize {
    (usize::BITS - bound.saturating_sub(1).leading_zeros()).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_numbers_through_changes() {
        let mut bound = 64usize;
        let mut numbers = Numbers::new(bound);
        let mut expected: Vec<usize> = Vec::new();
        for round in 0..12 {
            for i in 0..500 {
                let number = (i * 31 + round) % (bound + 9);
                numbers.push(number);
                expected.push(number);
            }
            assert!(expected.iter().enumerate().all(|(i, &number)| numbers.get(i) == number));
            let new_bound = bound * (4 + round % 2) / 3;
            let new: Vec<u32> = (0..2 * bound).map(|i| (i * new_bound / bound) as u32).collect();
            numbers.change(&new, new_bound);
            expected.iter_mut().for_each(|number| *number = new[*number] as usize);
            assert!(expected.iter().enumerate().all(|(i, &number)| numbers.get(i) == number));
            bound = new_bound;
        }
        assert_eq!(numbers.len(), expected.len());
    }
}
