//! The transition by which each state was discovered, in as few bits as the
//! number of transitions needs.

use super::Id;
use super::bit_list::BitList;

/// A list of small numbers of equal width, one per discovered state.
#[derive(Clone, Debug, Default)]
pub struct Arrivals {
    bits: BitList,
    width: usize,
    n_roots: usize,
}

impl Arrivals {
    /// For numbers below `n_transitions`; the first `n_roots` states have none.
    pub fn new(n_transitions: usize, n_roots: usize) -> Self {
        let width = (usize::BITS - n_transitions.saturating_sub(1).leading_zeros()).max(1) as usize;
        Arrivals { bits: BitList::default(), width, n_roots }
    }

    /// The next state was discovered by this transition.
    #[inline(always)]
    pub fn push(&mut self, transition: u32) {
        self.bits.push(u64::from(transition), self.width);
    }

    /// The next states were discovered by these transitions.
    #[inline(always)]
    pub fn extend(&mut self, transitions: impl Iterator<Item = u32>) {
        let width = self.width;
        self.bits.extend(transitions.map(|transition| (u64::from(transition), width)));
    }

    /// The next states were discovered as another list says.
    pub fn append(&mut self, other: &Arrivals) {
        self.bits.append(&other.bits);
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// The transition by which a state that is not initial was discovered.
    pub fn get(&self, id: Id) -> usize {
        self.bits.get((id as usize - self.n_roots) * self.width, self.width) as usize
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bits.bytes()
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
