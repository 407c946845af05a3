//! What a search sees of an expansion: edge by edge, or batch by batch.

use super::space::unfolded;
use crate::expand::Fold;
use crate::machine::Successors;
use crate::model::Order;
use crate::store::{Id, NewStates};
use std::ops::ControlFlow;

/// One successful firing.
#[derive(Clone, Copy)]
pub struct Edge<'s> {
    /// The state that was expanded.
    pub from: Id,
    /// The key of that state.
    pub from_state: &'s [u64],
    /// What was fired.
    pub transition: u32,
    /// The state it led to: its number if it is new, or else its place.
    pub to: Id,
    /// Whether that state has just been found for the first time.
    pub is_new: bool,
    /// The key of the state it led to.
    pub state: &'s [u64],
    /// What keys stand for, if they are not the packed states.
    pub fold: Option<&'s Fold>,
}

impl Edge<'_> {
    /// Asks something about the packed state with this key.
    #[inline(always)]
    pub fn packed<T>(&self, key: &[u64], ask: impl FnOnce(&[u64]) -> T) -> T {
        ask(unfolded(self.fold, key, &mut Vec::new()))
    }
}

/// What a search does with the edges of an expansion. `Break` ends the
/// expansion at once.
pub trait Visitor {
    /// One edge, in the order of firing.
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()>;

    /// A state whose edges have all been seen, by its key, with their number.
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
#[derive(Clone, Copy)]
pub struct Found<'s> {
    /// The number of the first state that was expanded.
    pub first: Id,
    /// The keys of the states that were to be expanded, side by side.
    pub states: &'s [u64],
    /// Words of a key.
    pub n_words: usize,
    /// What was asleep in them, if that is known.
    pub asleep: &'s [u64],
    /// Their successors, in the order of firing. Some that are known may have been left out.
    pub successors: &'s Successors,
    /// Which of the successors are new. They have the next numbers, in this order.
    pub new: &'s NewStates,
    /// In which order transitions are fired, and how many there are.
    pub order: Order,
    /// See there.
    pub n_transitions: usize,
    /// What keys stand for, if they are not the packed states.
    pub fold: Option<&'s Fold>,
}

impl Found<'_> {
    /// The bit that stands for the transition of a successor in what is asleep, or was
    /// left out.
    #[inline(always)]
    pub fn bit(&self, at: usize) -> u64 {
        1 << self.order.nth(self.successors.transitions()[at] as usize, self.n_transitions)
    }

    /// Number of edges of all states.
    #[inline(always)]
    pub fn n_edges(&self) -> usize {
        let n = self.successors.ends().last().map_or(0, |&end| end as usize);
        n + n_bits(self.successors.left_out())
    }

    /// Number of edges up to the end of the `i`-th state.
    pub fn n_edges_to(&self, i: usize) -> usize {
        self.successors.of(i).end + n_bits(&self.successors.left_out()[..=i])
    }

    /// Number of edges up to a successor of the `i`-th state, with that one.
    pub fn n_edges_to_successor(&self, i: usize, at: usize) -> usize {
        let left_out = self.successors.left_out();
        let before = if left_out[i] == 0 { 0 } else { left_out[i] & (self.bit(at) - 1) };
        at + 1 + n_bits(&left_out[..i]) + n_bits(&[before])
    }

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
        for (&end, &left_out) in self.successors.ends().iter().zip(self.successors.left_out()) {
            found |= (end == start) & (left_out == 0);
            start = end;
        }
        found
    }
}

/// How many bits there are in all.
#[inline(always)]
fn n_bits(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// What a breadth-first search does with what it finds, a batch at a time: most
/// batches hold nothing to stop at, and then there is little to do for each edge.
pub trait BatchVisitor {
    /// A batch, in the order of firing. `Break` ends the expansion, with the number of
    /// edges in the batch up to the one that ended it, those that were left out included.
    /// Successors behind it count as not found, though the set of states has them.
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
