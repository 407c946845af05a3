//! The complete lasso of a livelock: the way from an initial state with the
//! fewest progresses, then a shortest cycle.
//!
//! A search for livelocks knows a state on a cycle and not how it got there, so
//! that it need not remember where each state came from. The way is found
//! afterwards among the states that it has expanded, breadth-first in levels of
//! equal progress. That costs four bytes per state and at most one more firing
//! of each, and only if there is something to show. D. Faragó and P. Schmitt,
//! *Improving Non-progress Cycle Checks* (2009), do it with another depth-first
//! search; breadth-first ways are shorter.

use super::labels::Ground;
use super::{Failure, Snapshot};
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// Stands for "nobody has come here", and for the parent of an initial state.
const NOBODY: Id = Id::MAX;

/// The states of a path from an initial state to `target` with the fewest
/// progresses, or `None` if there is none within `among`. All states of `among`
/// must have been expanded before.
pub fn stem<const W: usize>(
    ground: &mut Ground<'_, '_, '_, W>,
    target: Id,
    among: &BitSet,
) -> Result<Option<Vec<Id>>, Failure> {
    let mut way = Way::new(ground.space.store().len());
    for root in 0..ground.space.n_roots() as Id {
        way.reach(root, NOBODY);
    }
    loop {
        while let Some(id) = way.pop() {
            if id == target {
                return Ok(Some(way.back_from(target)));
            }
            if among.contains(id) {
                way.expand(ground, id, |_| false)?;
            }
        }
        // Ways with one progress more, where there was none with fewer.
        for (to, from) in std::mem::take(&mut way.after_progress) {
            way.reach(to, from);
        }
        if way.is_done() {
            return Ok(None);
        }
    }
}

/// The states of a shortest cycle without progress from `start` on, or `None`
/// if there is none within `among`. All states of `among` must have been
/// expanded before.
pub fn cycle<const W: usize>(
    ground: &mut Ground<'_, '_, '_, W>,
    start: Id,
    among: &BitSet,
) -> Result<Option<Vec<Id>>, Failure> {
    let mut way = Way::new(ground.space.store().len());
    way.reach(start, NOBODY);
    while let Some(id) = way.pop() {
        if among.contains(id) && way.expand(ground, id, |to| to == start)? {
            return Ok(Some(way.back_from(id)));
        }
    }
    Ok(None)
}

/// A breadth-first search that remembers where it came from.
struct Way {
    parent: Vec<Id>,
    is_reached: BitSet,
    queue: Vec<Id>,
    /// The first state of the queue that has not been taken.
    next: usize,
    /// Edges with progress, and the state each comes from.
    after_progress: Vec<(Id, Id)>,
    is_after_progress: BitSet,
}

impl Way {
    fn new(n_states: usize) -> Self {
        Way {
            parent: vec![NOBODY; n_states],
            is_reached: BitSet::with_room(n_states),
            queue: Vec::new(),
            next: 0,
            after_progress: Vec::new(),
            is_after_progress: BitSet::with_room(n_states),
        }
    }

    fn reach(&mut self, id: Id, from: Id) {
        // The state at which the search ended may have successors that it had
        // not seen; they lie on no way to what it has.
        let is_known = (id as usize) < self.parent.len();
        if is_known && self.is_reached.insert(id) {
            self.parent[id as usize] = from;
            self.queue.push(id);
        }
    }

    fn pop(&mut self) -> Option<Id> {
        let id = *self.queue.get(self.next)?;
        self.next += 1;
        Some(id)
    }

    fn is_done(&self) -> bool {
        self.next == self.queue.len()
    }

    /// Follows the edges of a state; true if `ends` says so of one without
    /// progress.
    fn expand<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        id: Id,
        ends: impl Fn(Id) -> bool,
    ) -> Result<bool, Failure> {
        let flow = ground.labels.expand(ground.space, id, |edge, is_progress| {
            if !is_progress && ends(edge.to) {
                return ControlFlow::Break(());
            }
            if !is_progress {
                self.reach(edge.to, id);
            } else if !self.is_reached.contains(edge.to) && self.is_after_progress.insert(edge.to) {
                self.after_progress.push((edge.to, id));
            }
            ControlFlow::Continue(())
        })?;
        let snapshot = Snapshot {
            phase: "building the counterexample",
            n_states: ground.space.store().len() as u64,
            n_edges: ground.space.n_edges,
            queue: (self.queue.len() - self.next) as u64,
            depth: 0,
            bytes: ground.space.bytes() + 8 * self.parent.len(),
        };
        ground.watch.check(&snapshot, 0)?;
        Ok(flow.is_break())
    }

    fn back_from(&self, id: Id) -> Vec<Id> {
        let parent = |&id: &Id| Some(self.parent[id as usize]).filter(|&p| p != NOBODY);
        let mut path: Vec<Id> = std::iter::successors(Some(id), parent).collect();
        path.reverse();
        path
    }
}
