//! Who discovered whom in breadth-first order, in two bits per state.
//!
//! States are expanded in the order of their numbers, and new states get the
//! next numbers. So it is enough to write, for each expanded state, a one for
//! every state it discovers and then a zero: the k-th one is the k-th state
//! that has a parent, and the zeros before it number its parent.

use super::Id;
use super::bit_list::BitList;
use std::ops::Range;

/// Ones that are written at once.
const MOST: usize = 62;

/// The discovery tree of a breadth-first search.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    bits: BitList,
    n_roots: usize,
    n_expanded: usize,
    n_discovered: usize,
}

impl Parents {
    /// A tree whose first `n_roots` states have no parent.
    pub fn new(n_roots: usize) -> Self {
        Parents { n_roots, ..Parents::default() }
    }

    /// The next state in the order of numbers has discovered so many others.
    #[inline(always)]
    pub fn push(&mut self, n_discovered: usize) {
        self.n_expanded += 1;
        self.n_discovered += n_discovered;
        let mut n_ones = n_discovered;
        while n_ones > MOST {
            self.bits.push((1 << MOST) - 1, MOST);
            n_ones -= MOST;
        }
        self.bits.push((1 << n_ones) - 1, n_ones + 1);
    }

    /// As [`Parents::push`], for the next states in turn, which have discovered
    /// `n_all` together.
    #[inline(always)]
    pub fn extend(&mut self, n_all: usize, n_discovered: impl Iterator<Item = usize>) {
        if n_all > MOST {
            return n_discovered.for_each(|n| self.push(n));
        }
        let mut n_expanded = 0;
        self.bits.extend(n_discovered.map(|n| {
            n_expanded += 1;
            ((1 << n) - 1, n + 1)
        }));
        self.n_expanded += n_expanded;
        self.n_discovered += n_all;
    }

    /// The states from a root to `id`, both included. One pass over the bits,
    /// however long the path.
    pub fn path_to(&self, id: Id) -> Vec<Id> {
        let mut path = vec![id];
        let mut walk = self.walk_back();
        let mut child = id as usize;
        while child >= self.n_roots {
            let Some((_, parent)) = walk.find(|&(found, _)| found as usize == child) else { break };
            path.push(parent);
            child = parent as usize;
        }
        path.reverse();
        path
    }

    /// All pairs (child, parent), children in decreasing order.
    pub fn walk_back(&self) -> impl Iterator<Item = (Id, Id)> + '_ {
        self.families_back()
            .flat_map(|(parent, children)| children.rev().map(move |child| (child, parent)))
    }

    /// The expanded states in decreasing order, with the states that each
    /// discovered.
    pub fn families_back(&self) -> Families<'_> {
        Families::new(self)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bits.bytes()
    }
}

/// See [`Parents::families_back`].
pub struct Families<'p> {
    bits: &'p BitList,
    /// The words before this one have not been read.
    n_words: usize,
    /// The bits of the next word that have not been read, at the high end.
    word: u64,
    n_bits: u32,
    n_left: usize,
    /// The least number of the children that have been told.
    child: Id,
}

impl<'p> Families<'p> {
    fn new(parents: &'p Parents) -> Self {
        let Parents { bits, n_roots, n_expanded, n_discovered } = parents;
        let n_states = (n_roots + n_discovered) as Id;
        let n_words = bits.len() / 64 + 1;
        let n_bits = (bits.len() % 64) as u32;
        let mut families =
            Families { bits, n_words, word: 0, n_bits, n_left: *n_expanded, child: n_states };
        families.fetch(n_bits);
        families.take_children();
        families
    }

    /// Goes to the word before, of which `n_bits` have not been read.
    #[inline(always)]
    fn fetch(&mut self, n_bits: u32) {
        self.n_words -= 1;
        self.n_bits = n_bits;
        self.word = if n_bits == 0 { 0 } else { self.bits.word(self.n_words) << (64 - n_bits) };
    }

    /// Number of families to come; the next one is that of the state with the
    /// number below.
    #[inline(always)]
    pub fn n_left(&self) -> usize {
        self.n_left
    }

    /// Leaves out the next `n` families, of which there are as many.
    #[inline(always)]
    pub fn skip_families(&mut self, mut n: usize) {
        // Whole words first: zeros in them end a family each.
        while n > 0 {
            let n_ones = self.word.count_ones();
            let n_zeros = (self.n_bits - n_ones) as usize;
            if n_zeros > n || self.n_words == 0 {
                break;
            }
            self.child -= n_ones;
            self.n_left -= n_zeros;
            n -= n_zeros;
            self.fetch(64);
        }
        // The words may have ended amid the children of a family left out.
        self.take_children();
        for _ in 0..n {
            self.next();
        }
    }

    /// Takes the run of ones that comes next. If families are left, a bit of
    /// theirs is at hand then.
    #[inline(always)]
    fn take_children(&mut self) {
        loop {
            let n_ones = self.word.leading_ones().min(self.n_bits);
            self.child -= n_ones;
            if n_ones < self.n_bits {
                self.word <<= n_ones;
                self.n_bits -= n_ones;
                return;
            }
            if self.n_words == 0 {
                self.n_bits = 0;
                return;
            }
            self.fetch(64);
        }
    }
}

impl Iterator for Families<'_> {
    type Item = (Id, Range<Id>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.n_left = self.n_left.checked_sub(1)?;
        let end = self.child;
        // The zero that ends the family, and its ones.
        self.word <<= 1;
        self.n_bits -= 1;
        self.take_children();
        Some((self.n_left as Id, self.child..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_tree_is_remembered() {
        let mut parents = Parents::new(2);
        let (mut parent_of, mut n_expanded, mut x) = (vec![None, None], 0, 1u64);
        let mut counts = Vec::new();
        while n_expanded < 5000 {
            if n_expanded == parent_of.len() {
                break;
            }
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let n_discovered = if n_expanded == 7 { 200 } else { (x >> 60) as usize % 5 };
            parent_of.extend([Some(n_expanded as Id)].repeat(n_discovered));
            parents.push(n_discovered);
            counts.push(n_discovered);
            n_expanded += 1;
        }
        for id in (0..parent_of.len()).step_by(97) {
            let mut path = vec![id as Id];
            while let Some(parent) = parent_of[*path.last().unwrap() as usize] {
                path.push(parent);
            }
            path.reverse();
            assert_eq!(parents.path_to(id as Id), path);
        }
        let families: Vec<_> = parents.families_back().collect();
        assert_eq!(families.len(), n_expanded);
        let mut at_once = Parents::new(2);
        for counts in counts.chunks(8) {
            at_once.extend(counts.iter().sum(), counts.iter().copied());
        }
        assert!(at_once.families_back().eq(families.iter().cloned()));
        assert!(families.iter().rev().map(|&(parent, _)| parent).eq(0..n_expanded as Id));
        for n in [1, 3, 64, 65, 300, 4999] {
            let mut rest = parents.families_back();
            rest.skip_families(n);
            assert!(rest.eq(families[n..].iter().cloned()), "{n} left out");
            let mut now_and_then = parents.families_back();
            let mut next = 0;
            while now_and_then.n_left() > n {
                assert_eq!(now_and_then.next().as_ref(), families.get(next));
                now_and_then.skip_families(n.min(now_and_then.n_left()));
                next += 1 + n;
            }
        }
        let pairs: Vec<_> = parents.walk_back().collect();
        assert_eq!(pairs.len(), parent_of.len() - 2);
        assert!(pairs.iter().all(|&(c, p)| parent_of[c as usize] == Some(p)));
    }

    #[test]
    fn trees_of_every_length() {
        for n in 0..300 {
            let mut parents = Parents::new(1);
            (0..n).for_each(|i| parents.push(usize::from(i % 3 == 0)));
            let families: Vec<_> = parents.families_back().collect();
            assert_eq!(families.len(), n);
            let n_children: usize = families.iter().map(|(_, children)| children.len()).sum();
            assert_eq!(n_children, n.div_ceil(3));
            for n_skipped in 0..=n.min(130) {
                let mut rest = parents.families_back();
                rest.skip_families(n_skipped);
                assert!(rest.eq(families[n_skipped..].iter().cloned()));
            }
        }
    }
}
