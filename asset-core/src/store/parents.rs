//! Who discovered whom in breadth-first order, in two bits per state.
//!
//! States are expanded in the order of their numbers, and new states get the
//! next numbers. So it is enough to write, for each expanded state, a one for
//! every state it discovers and then a zero: the k-th one is the k-th state
//! that has a parent, and the zeros before it number its parent.

use super::Id;
use super::bit_list::BitList;
use std::ops::Range;

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
        while n_ones >= 63 {
            self.bits.push(u64::MAX >> 1, 63);
            n_ones -= 63;
        }
        self.bits.push((1 << n_ones) - 1, n_ones + 1);
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
        let n_states = (self.n_roots + self.n_discovered) as Id;
        Families { parents: self, at: self.bits.len(), n_left: self.n_expanded, child: n_states }
    }

    /// Length of the run of ones that ends before bit `at`.
    #[inline(always)]
    fn n_ones_before(&self, at: usize) -> usize {
        let mut start = at;
        while start > 0 {
            let last = start - 1;
            let word = self.bits.word(last / 64) << (63 - last % 64);
            let n_ones = (word.leading_ones() as usize).min(last % 64 + 1);
            start -= n_ones;
            if n_ones <= last % 64 {
                break;
            }
        }
        at - start
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bits.bytes()
    }
}

/// See [`Parents::families_back`].
pub struct Families<'p> {
    parents: &'p Parents,
    /// The bits before this one have not been read.
    at: usize,
    n_left: usize,
    /// The least number of the children that have been told.
    child: Id,
}

impl Families<'_> {
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
            let n_bits = (self.at - 1) % 64 + 1;
            let word = self.parents.bits.word((self.at - 1) / 64);
            let n_ones = (word << (64 - n_bits)).count_ones() as usize;
            let n_zeros = n_bits - n_ones;
            if n_zeros > n {
                break;
            }
            self.at -= n_bits;
            self.child -= n_ones as Id;
            self.n_left -= n_zeros;
            n -= n_zeros;
        }
        // The words may have ended amid the children of a family left out.
        self.take_children();
        for _ in 0..n {
            self.next();
        }
    }

    /// Takes the run of ones that comes next.
    #[inline(always)]
    fn take_children(&mut self) {
        let n_children = self.parents.n_ones_before(self.at);
        self.at -= n_children;
        self.child -= n_children as Id;
    }
}

impl Iterator for Families<'_> {
    type Item = (Id, Range<Id>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.n_left = self.n_left.checked_sub(1)?;
        let end = self.child;
        // The zero that ends the family, and its ones.
        self.at -= 1;
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
        while n_expanded < 5000 {
            if n_expanded == parent_of.len() {
                break;
            }
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let n_discovered = if n_expanded == 7 { 200 } else { (x >> 60) as usize % 5 };
            parent_of.extend([Some(n_expanded as Id)].repeat(n_discovered));
            parents.push(n_discovered);
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
}
