//! Depth-first search without recursion: the stack that the depth-first
//! searches share, and plain exploration as a yardstick for them.
//!
//! A stack entry has four bytes. A state is entered where it stands, below the
//! successors that it pushes, and leaves the stack when they have gone; one bit
//! per state tells entered states from waiting ones. So a path of ten million
//! states takes 40 MB, and every successor that waits beside it takes four
//! bytes more.

use super::{Failure, Snapshot, Space, Watch};
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// What a depth-first search does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The path now ends here, and successors may be pushed.
    Enter(Id),
    /// Everything after this node is done; the path now ends before it.
    Leave(Id),
}

/// The stack of a depth-first search over numbered nodes.
#[derive(Default)]
pub struct Stack {
    /// Nodes of the path and nodes that wait, the next one last.
    todo: Vec<Id>,
    on_path: BitSet,
    /// Where the successors of the node entered last start.
    fresh: usize,
    length: usize,
    longest: usize,
    largest: usize,
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Stack::default()
    }

    /// Adds a successor of the node entered last, or a root. It must not be on
    /// the path.
    #[inline(always)]
    pub fn push(&mut self, node: Id) {
        debug_assert!(!self.on_path.contains(node), "a node on the path is pushed");
        self.todo.push(node);
    }

    /// What to do next; `None` when everything is done. A waiting node is
    /// entered if `enter` says so, which must be false for nodes that have been
    /// entered before. Successors come in the order in which they were pushed.
    ///
    /// A node may wait in several places. It is entered in the topmost one,
    /// and has left before another comes to the top: so a node on the path that
    /// is on top is one that leaves.
    #[inline(always)]
    pub fn next(&mut self, mut enter: impl FnMut(Id) -> bool) -> Option<Turn> {
        self.largest = self.largest.max(self.todo.len());
        self.todo[self.fresh..].reverse();
        loop {
            let node = *self.todo.last()?;
            if self.on_path.contains(node) {
                self.on_path.remove(node);
                self.length -= 1;
                self.todo.pop();
                self.fresh = self.todo.len();
                return Some(Turn::Leave(node));
            }
            if enter(node) {
                self.on_path.insert(node);
                self.length += 1;
                self.longest = self.longest.max(self.length);
                self.fresh = self.todo.len();
                return Some(Turn::Enter(node));
            }
            self.todo.pop();
            self.fresh = self.todo.len();
        }
    }

    /// Whether a node is on the path.
    #[inline(always)]
    pub fn is_on_path(&self, node: Id) -> bool {
        self.on_path.contains(node)
    }

    /// Number of nodes on the path.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The length of the longest path so far.
    pub fn longest(&self) -> u64 {
        self.longest as u64
    }

    /// The largest number of entries so far, waiting ones included.
    pub fn largest(&self) -> u64 {
        self.largest as u64
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.todo.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.todo.is_empty()
    }

    /// Bytes in use.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.todo.capacity() * size_of::<Id>() + self.on_path.bytes()
    }
}

/// What a plain exploration has counted.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Number of states.
    pub n_states: u64,
    /// Number of edges.
    pub n_edges: u64,
    /// The longest path of the search.
    pub depth: u64,
    /// The largest number of stack entries.
    pub stack: u64,
    /// Bytes of states, marks and stack.
    pub bytes: usize,
}

/// Visits everything that the initial states can reach, and checks nothing.
pub fn explore<const W: usize>(
    space: &mut Space<'_, W>,
    watch: &mut Watch<'_>,
) -> Result<Counts, Failure> {
    let mut stack = Stack::new();
    let mut visited = BitSet::default();
    for root in 0..space.n_roots() {
        stack.push(root as Id);
        while let Some(turn) = stack.next(|id| visited.insert(id)) {
            let Turn::Enter(id) = turn else { continue };
            let flow = space.expand_one(id, &mut |edge: super::Edge<'_>| {
                if !visited.contains(edge.to) {
                    stack.push(edge.to);
                }
                ControlFlow::Continue(())
            })?;
            debug_assert!(flow.is_continue());
            let snapshot = snapshot("exploring", space, &stack, visited.bytes());
            watch.check(&snapshot, space.store().bytes_after_growth())?;
        }
    }
    Ok(Counts {
        n_states: space.store().len() as u64,
        n_edges: space.n_edges,
        depth: stack.longest(),
        stack: stack.largest(),
        bytes: space.bytes() + stack.bytes() + visited.bytes(),
    })
}

/// The counters of a depth-first search under way; `marks` are its bytes beside
/// space and stack.
#[inline(always)]
pub(super) fn snapshot<const W: usize>(
    phase: &'static str,
    space: &Space<'_, W>,
    stack: &Stack,
    marks: usize,
) -> Snapshot {
    Snapshot {
        phase,
        n_states: space.store().len() as u64,
        n_edges: space.n_edges,
        queue: (stack.len() - stack.length()) as u64,
        depth: stack.length() as u64,
        bytes: space.bytes() + stack.bytes() + marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recursive search of the same graph, as a record of turns.
    fn recursive(graph: &[Vec<Id>], id: Id, seen: &mut Vec<bool>, turns: &mut Vec<Turn>) {
        if std::mem::replace(&mut seen[id as usize], true) {
            return;
        }
        turns.push(Turn::Enter(id));
        for &next in &graph[id as usize] {
            recursive(graph, next, seen, turns);
        }
        turns.push(Turn::Leave(id));
    }

    #[test]
    fn turns_are_those_of_recursion() {
        let mut x = 7u64;
        let mut random = |n: u64| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) % n
        };
        for _ in 0..500 {
            let n = 1 + random(12);
            let graph: Vec<Vec<Id>> =
                (0..n).map(|_| (0..random(4)).map(|_| random(n) as Id).collect()).collect();
            let mut expected = Vec::new();
            recursive(&graph, 0, &mut vec![false; n as usize], &mut expected);
            let (mut stack, mut seen, mut turns) = (Stack::new(), BitSet::default(), Vec::new());
            let mut path = Vec::new();
            stack.push(0);
            while let Some(turn) = stack.next(|id| seen.insert(id)) {
                turns.push(turn);
                match turn {
                    Turn::Enter(id) => {
                        path.push(id);
                        for &next in graph[id as usize].iter().filter(|&&id| !seen.contains(id)) {
                            stack.push(next);
                        }
                    }
                    Turn::Leave(id) => assert_eq!(path.pop(), Some(id)),
                }
                assert_eq!(stack.length(), path.len());
                assert!((0..n as Id).all(|id| stack.is_on_path(id) == path.contains(&id)));
            }
            assert_eq!(turns, expected);
        }
    }
}
