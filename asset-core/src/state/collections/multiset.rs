//! Multisets of numbers, numbered: how a bag stands in its image.
//!
//! Multisets of one size are numbered by the combinatorial number system (D. H. Lehmer,
//! *The Machine Tools of Combinatorics*, 1964): sorted and spread out, `a0 < a1+1 < a2+2 …`
//! is a set, whose number is the sum of the binomials `(ai + i) over (i + 1)`. Smaller
//! multisets come first. So a bag takes as many bits as there are contents.

use super::super::number::MAX_NUMBERED;

/// How multisets of at most `capacity` numbers below `n` are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multisets {
    /// The elements are below this.
    pub n: u64,
    /// The most elements.
    pub capacity: usize,
}

impl Multisets {
    /// Number of multisets, or `None` if there are too many to be numbered.
    pub const fn n_values(&self) -> Option<u64> {
        smaller(self.n, self.capacity + 1)
    }

    /// The number of a multiset that is told by its size and its sorted elements.
    pub fn number(&self, size: usize, element: impl Fn(usize) -> u64) -> u64 {
        let of_element = |i: usize| binomial(element(i) + i as u64, i as u64 + 1).unwrap_or(0);
        smaller(self.n, size).unwrap_or(0) + (0..size).map(of_element).sum::<u64>()
    }

    /// Takes the multiset with this number apart: its size, and calls of `put` with each
    /// position, from the last, and the element.
    pub fn elements(&self, number: u64, mut put: impl FnMut(usize, u64)) -> usize {
        let is_smaller = |&size: &usize| smaller(self.n, size + 1).is_some_and(|n| n <= number);
        let size = (0..self.capacity).take_while(is_smaller).count();
        let mut rest = number - smaller(self.n, size).unwrap_or(0);
        for i in (0..size).rev() {
            let k = i as u64 + 1;
            // The largest number whose binomial is not above the rest.
            let (mut low, mut high) = (i as u64, self.n + i as u64);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match binomial(middle, k) {
                    Some(binomial) if binomial <= rest => low = middle,
                    _ => high = middle,
                }
            }
            rest -= binomial(low, k).unwrap_or(0);
            put(i, low - i as u64);
        }
        size
    }
}

/// Number of multisets of numbers below `n` with fewer than `size` elements.
const fn smaller(n: u64, size: usize) -> Option<u64> {
    // The sum of all `(n + j - 1) over j` for smaller `j`.
    if size == 0 { Some(0) } else { binomial(n + size as u64 - 1, size as u64 - 1) }
}

/// `n over k`, if it can be numbered.
const fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let (mut product, mut i) = (1u128, 0u64);
    while i < k {
        i += 1;
        product = product * (n - k + i) as u128 / i as u128;
        if product > MAX_NUMBERED {
            return None;
        }
    }
    Some(product as u64)
}
