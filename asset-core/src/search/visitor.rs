//! What a search sees of an expansion: edge by edge, or batch by batch.

use crate::machine::Successors;
use crate::store::{Id, NewStates};
use std::ops::ControlFlow;

/// One successful firing.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'s> {
    /// The state that was expanded.
    pub from: Id,
    /// The words of that state.
    pub from_state: &'s [u64],
    /// What was fired.
    pub transition: u32,
    /// The state it led to: its number if it is new, or else its place.
    pub to: Id,
    /// Whether that state has just been found for the first time.
    pub is_new: bool,
    /// The words of the state it led to.
    pub state: &'s [u64],
}

/// What a search does with the edges of an expansion. `Break` ends the
/// expansion at once.
pub trait Visitor {
    /// One edge, in the order of firing.
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()>;

    /// A state whose edges have all been seen, with their number.
    fn expanded(&mut self, id: Id, state: &[u64], n_edges: usize) -> ControlFlow<()> {
        let _ = (id, state, n_edges);
        ControlFlow::Continue(())
    }

    /// Called now and then between states, to keep limits.
    fn pause(&mut self, size: Size) -> ControlFlow<()> {
        let _ = size;
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(Edge<'_>) -> ControlFlow<()>> Visitor for F {
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()> {
        self(edge)
    }
}

/// A few states in the order of their numbers, whose successors have all been
/// stored.
#[derive(Clone, Copy, Debug)]
pub struct Found<'s> {
    /// The number of the first state that was expanded.
    pub first: Id,
    /// The words of the expanded states, side by side.
    pub states: &'s [u64],
    /// Their successors, in the order of firing.
    pub successors: &'s Successors,
    /// Which of the successors are new. They have the next numbers, in this order.
    pub new: &'s NewStates,
}

impl Found<'_> {
    /// How many new states each of the expanded ones has led to.
    #[inline(always)]
    pub fn n_new_of_each(&self) -> impl Iterator<Item = usize> {
        let mut n_before = 0;
        self.successors.ends().iter().map(move |&end| {
            let n = self.new.up_to(end as usize);
            n - std::mem::replace(&mut n_before, n)
        })
    }

    /// Whether one of the expanded states has no successors.
    #[inline(always)]
    pub fn has_terminal(&self) -> bool {
        let (mut start, mut found) = (0, false);
        for &end in self.successors.ends() {
            found |= end == start;
            start = end;
        }
        found
    }
}

/// What a breadth-first search does with what it finds, a batch at a time: most
/// batches hold nothing to stop at, and then there is little to do for each edge.
pub trait BatchVisitor {
    /// A batch, in the order of firing. `Break` ends the expansion, with the
    /// number of successors in the batch up to the one that ended it. Those behind
    /// it count as not found, though the set of states has them.
    fn found(&mut self, found: Found<'_>) -> ControlFlow<usize>;

    /// As [`Visitor::pause`].
    fn pause(&mut self, size: Size) -> ControlFlow<()>;
}

/// How large a space has become.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// States found.
    pub n_states: usize,
    /// Edges visited.
    pub n_edges: u64,
    /// States still to be expanded in the expansion under way.
    pub n_left: usize,
    /// Bytes of the store and of the buffers.
    pub bytes: usize,
    /// Bytes after the store has grown once more.
    pub bytes_ahead: usize,
}
