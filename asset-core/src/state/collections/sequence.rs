//! Sequences of numbers, numbered: how a queue stands in its image.
//!
//! A queue is cut into scalars of as many places as fit into 62 bits, filled from the
//! front. A scalar with room for `g` places and elements below `n` holds one of
//! `1 + n + … + n^g` sequences: first the empty one, then those of length one, and so on.

use super::super::number::MAX_NUMBERED;

/// How sequences of at most `capacity` numbers below `n` are cut and numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// The elements are below this.
    pub n: u64,
    /// The most elements.
    pub capacity: usize,
    /// Places of a scalar; the last one may have fewer.
    pub per_scalar: usize,
}

impl Sequences {
    /// The plan for elements below `n`, at least 1 and at most 2^62.
    pub const fn new(n: u64, capacity: usize) -> Sequences {
        let mut per_scalar = 1;
        while per_scalar < capacity && count(n, per_scalar + 1) <= MAX_NUMBERED {
            per_scalar += 1;
        }
        Sequences { n, capacity, per_scalar }
    }

    /// Number of scalars.
    pub const fn n_scalars(&self) -> usize {
        self.capacity.div_ceil(self.per_scalar)
    }

    /// Places of this scalar.
    pub const fn places(&self, scalar: usize) -> usize {
        let left = self.capacity - scalar * self.per_scalar;
        if left < self.per_scalar { left } else { self.per_scalar }
    }

    /// Number of sequences that this scalar tells apart.
    pub const fn n_values(&self, scalar: usize) -> u64 {
        let count = count(self.n, self.places(scalar));
        // A single place may take as many numbers as there are, and be empty besides.
        if count <= u64::MAX as u128 { count as u64 } else { u64::MAX }
    }

    /// The number of a sequence, told by its length and its elements.
    #[inline(always)]
    pub fn number(&self, length: usize, mut element: impl FnMut(usize) -> u64) -> u64 {
        let (mut shorter, mut digits, mut i) = (0, 0, 0);
        while i < length {
            shorter = shorter * self.n + 1;
            digits = digits * self.n + element(i);
            i += 1;
        }
        shorter + digits
    }

    /// The length of the sequence with this number among those of so many places, and
    /// its own number among those of its length.
    #[inline(always)]
    pub fn length(&self, places: usize, number: u64) -> (usize, u64) {
        let (mut shorter, mut length) = (0u64, 0);
        while length < places {
            let next = shorter * self.n + 1;
            if number < next {
                break;
            }
            shorter = next;
            length += 1;
        }
        (length, number - shorter)
    }

    /// Takes a sequence apart that has this number among those of its length: calls
    /// `put` with each position, from the last, and the element.
    #[inline(always)]
    pub fn elements(&self, length: usize, mut number: u64, mut put: impl FnMut(usize, u64)) {
        let mut i = length;
        while i > 0 {
            i -= 1;
            put(i, number % self.n);
            number /= self.n;
        }
    }
}

/// Number of sequences of at most `places` numbers below `n`, or more than can be
/// numbered.
const fn count(n: u64, places: usize) -> u128 {
    let (mut count, mut i) = (1u128, 0);
    while i < places && count <= MAX_NUMBERED {
        count = count * n as u128 + 1;
        i += 1;
    }
    count
}
