//! Who discovered whom in breadth-first order, in two bits per state.
//!
//! States are expanded in the order of their numbers, and new states get the
//! next numbers. So it is enough to write, for each expanded state, a one for
//! every state it discovers and then a zero: the k-th one is the k-th state
//! that has a parent, and the zeros before it number its parent.

use super::bit_list::BitList;
use super::{BitSet, Id};
use crate::memory::bits::{gather_any as gather, scatter_any as scatter};
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

    /// The next states in turn are those of another tree, which has no roots.
    pub fn append(&mut self, other: &Parents) {
        debug_assert_eq!(other.n_roots, 0, "a tree goes on without new roots");
        self.bits.append(&other.bits);
        self.n_expanded += other.n_expanded;
        self.n_discovered += other.n_discovered;
    }

    /// Forgets all but the number of roots.
    pub fn clear(&mut self) {
        self.bits.clear();
        (self.n_expanded, self.n_discovered) = (0, 0);
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
#[derive(Clone)]
pub struct Families<'p> {
    bits: &'p BitList,
    /// The bits before this one have not been read. The last of them is a zero that
    /// ends a family.
    at: usize,
    n_left: usize,
    /// The least number of the children that have been told.
    child: Id,
}

impl<'p> Families<'p> {
    fn new(parents: &'p Parents) -> Self {
        let Parents { bits, n_roots, n_expanded, n_discovered } = parents;
        let child = (n_roots + n_discovered) as Id;
        Families { bits, at: bits.len(), n_left: *n_expanded, child }
    }

    /// Number of families to come; the next one is that of the state with the
    /// number below.
    #[inline(always)]
    pub fn n_left(&self) -> usize {
        self.n_left
    }

    /// The least number of the children that have been told.
    #[inline(always)]
    pub fn least_child(&self) -> Id {
        self.child
    }

    /// Leaves out the next `n` families, of which there are as many.
    #[inline(always)]
    pub fn skip_families(&mut self, mut n: usize) {
        while n > 0 {
            match self.take_some(n) {
                Some(taken) => n -= taken.n_families,
                None => n -= usize::from(self.next().is_some()),
            }
        }
    }

    /// Which of the next `n` families, at most 64, of which there are as many, have
    /// a child in `set`; a bit each, that of the next one being the highest.
    ///
    /// Many at a time: in the list a family is a run of ones, and a zero behind it.
    /// When ones that stand for its children in the set are added to the run, they
    /// carry over into that zero, and no further.
    #[inline(always)]
    pub fn with_child_in(&mut self, set: &BitSet, mut n: usize) -> u64 {
        let mut with = 0;
        while n > 0 {
            let Some(taken) = self.take_some(n) else {
                let Some((_, mut children)) = self.next() else { break };
                n -= 1;
                with |= u64::from(children.any(|child| set.contains(child))) << n;
                continue;
            };
            n -= taken.n_families;
            let in_set = scatter(set.word_from(self.child), taken.bits);
            if in_set != 0 {
                with |= gather(taken.bits + in_set, taken.ends) << n;
            }
        }
        with
    }

    /// Takes some of the next `n` families, as many as can be had at once. `None` if
    /// the next one is too large for that.
    #[inline(always)]
    fn take_some(&mut self, n: usize) -> Option<Taken> {
        let window = self.bits.before(self.at);
        // The last zero may be that of a family which begins before the window.
        let n_families = n.min(window.count_zeros() as usize - 1);
        if n_families == 0 {
            return None;
        }
        let last = window.count_zeros() as usize - 1 - n_families;
        let end = scatter(1 << last, !window).trailing_zeros();
        let n_bits = 63 - end;
        let bits = window >> 1 >> end;
        self.at -= n_bits as usize;
        self.n_left -= n_families;
        self.child -= bits.count_ones();
        Some(Taken { n_families, bits, ends: !bits & ((1 << n_bits) - 1) })
    }
}

/// The bits of a few families.
struct Taken {
    n_families: usize,
    bits: u64,
    /// Where their zeros are.
    ends: u64,
}

impl Iterator for Families<'_> {
    type Item = (Id, Range<Id>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.n_left = self.n_left.checked_sub(1)?;
        let end = self.child;
        // The zero that ends the family, and its ones.
        self.at -= 1;
        loop {
            let n_ones = self.bits.before(self.at).leading_ones();
            self.at -= n_ones as usize;
            self.child -= n_ones;
            if n_ones < 64 {
                return Some((self.n_left as Id, self.child..end));
            }
        }
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
            asks_about_many(&parents, n);
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

    /// Compares what is told of many families with what each of them tells.
    fn asks_about_many(parents: &Parents, n: usize) {
        for modulus in [1, 3, 17] {
            let mut set = BitSet::with_room(0);
            (0..20_000).filter(|id| id % modulus == 0).for_each(|id| assert!(set.insert(id)));
            let (mut one, mut many) = (parents.families_back(), parents.families_back());
            while many.n_left() > 0 {
                let n = n.min(64).min(many.n_left());
                let with = many.with_child_in(&set, n);
                let each: Vec<_> = one.by_ref().take(n).map(|(_, children)| children).collect();
                let expected = each.iter().fold(0, |with, children| {
                    with << 1 | u64::from(children.clone().any(|child| set.contains(child)))
                });
                assert_eq!(with, expected);
                assert_eq!(many.least_child(), one.least_child());
            }
        }
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
            asks_about_many(&parents, 64);
        }
    }
}
