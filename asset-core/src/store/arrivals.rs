//! The transition by which each state was discovered, in as few bits as the
//! number of transitions needs.

use super::Id;

/// A list of small numbers of equal width, one per discovered state.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    words: Vec<u64>,
    width: usize,
    n_roots: usize,
    n: usize,
}

impl Arrivals {
    /// For numbers below `n_transitions`; the first `n_roots` states have none.
    pub fn new(n_transitions: usize, n_roots: usize) -> Self {
        let width = (usize::BITS - n_transitions.saturating_sub(1).leading_zeros()).max(1) as usize;
        Arrivals { words: Vec::new(), width, n_roots, n: 0 }
    }

    /// The next state was discovered by this transition.
    #[inline(always)]
    pub fn push(&mut self, transition: u32) {
        let (at, shift) = (self.n * self.width / 64, self.n * self.width % 64);
        if at + 1 >= self.words.len() {
            self.words.resize(at + 2, 0);
        }
        let transition = u64::from(transition);
        self.words[at] |= transition << shift;
        if shift + self.width > 64 {
            self.words[at + 1] |= transition >> (64 - shift);
        }
        self.n += 1;
    }

    /// The transition by which a state that is not initial was discovered.
    pub fn get(&self, id: Id) -> usize {
        let i = id as usize - self.n_roots;
        let (at, shift) = (i * self.width / 64, i * self.width % 64);
        let mut x = self.words[at] >> shift;
        if shift + self.width > 64 {
            x |= self.words[at + 1] << (64 - shift);
        }
        (x & ((1 << self.width) - 1)) as usize
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width() {
        for n_transitions in [1, 2, 3, 8, 9, 100, 1000, 70_000] {
            let mut arrivals = Arrivals::new(n_transitions, 2);
            let number = |i: usize| (i * i + 7 * i) % n_transitions;
            (0..1000).for_each(|i| arrivals.push(number(i) as u32));
            assert!((0..1000).all(|i| arrivals.get(i as Id + 2) == number(i)));
        }
    }
}
