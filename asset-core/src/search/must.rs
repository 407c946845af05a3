//! From which states can progress be avoided for ever? Depth-first over the
//! stored states.
//!
//! A state is bad if it is not good and is terminal where termination is no
//! progress, or lies on a cycle of states that are not good, or leads to a bad
//! state. When a state is left, it is bad iff some successor is on the path
//! (they then share a cycle) or bad: a successor that was left before reaches
//! nothing on the path unless it is bad itself.

use super::{Edge, Expander, Failure, Snapshot, Watch};
use crate::store::{BitSet, Id, Kept};
use std::ops::ControlFlow;

/// The states from which progress can be avoided for ever, among those stored.
/// `terminal_is_good` says whether termination counts as progress. The space must
/// tell numbers: it is one whose places are numbers.
pub fn avoiders<S: Kept>(
    space: &mut Expander<'_, S>,
    good: &BitSet,
    terminal_is_good: bool,
    watch: &mut Watch<'_>,
) -> Result<BitSet, Failure> {
    assert!(S::PLACES_ARE_NUMBERS, "must progress needs the numbers of states");
    let n_states = space.store().len();
    let mut search = Search { good, terminal_is_good, ..Search::with_room(good, n_states) };
    for root in good.absent(0..n_states) {
        if search.seen.contains(root) {
            continue;
        }
        search.enter(space, root)?;
        while search.step(space)? {
            let snapshot = Snapshot {
                phase: "looking for ways round progress",
                n_states: n_states as u64,
                n_edges: space.n_edges,
                queue: search.successors.len() as u64,
                depth: search.path.len() as u64,
                bytes: space.bytes() + search.bytes(),
            };
            watch.check(&snapshot, 0)?;
        }
    }
    Ok(search.bad)
}

/// A state on the path, and where its unvisited successors start.
struct Frame {
    id: Id,
    successors_from: usize,
}

struct Search<'g> {
    good: &'g BitSet,
    terminal_is_good: bool,
    seen: BitSet,
    on_path: BitSet,
    bad: BitSet,
    path: Vec<Frame>,
    successors: Vec<Id>,
}

impl<'g> Search<'g> {
    fn with_room(good: &'g BitSet, n: usize) -> Self {
        Search {
            good,
            terminal_is_good: false,
            seen: BitSet::with_room(n),
            on_path: BitSet::with_room(n),
            bad: BitSet::with_room(n),
            path: Vec::new(),
            successors: Vec::new(),
        }
    }

    fn enter<S: Kept>(&mut self, space: &mut Expander<'_, S>, id: Id) -> Result<(), Failure> {
        self.seen.insert(id);
        self.on_path.insert(id);
        self.path.push(Frame { id, successors_from: self.successors.len() });
        let mut n_edges = 0;
        let successors = &mut self.successors;
        let good = self.good;
        let flow = space.expand_one(id, &mut |edge: Edge<'_>| {
            n_edges += 1;
            if !good.contains(edge.to) {
                successors.push(edge.to);
            }
            ControlFlow::Continue(())
        })?;
        debug_assert!(flow.is_continue());
        if n_edges == 0 && !self.terminal_is_good {
            self.bad.insert(id);
        }
        Ok(())
    }

    /// Goes one step on or back; false when the path is empty.
    fn step<S: Kept>(&mut self, space: &mut Expander<'_, S>) -> Result<bool, Failure> {
        let Some(frame) = self.path.last() else { return Ok(false) };
        let id = frame.id;
        if self.successors.len() > frame.successors_from {
            let next = self.successors[self.successors.len() - 1];
            if !self.seen.contains(next) {
                self.enter(space, next)?;
                return Ok(true);
            }
            if self.on_path.contains(next) || self.bad.contains(next) {
                self.bad.insert(id);
            }
            self.successors.pop();
        } else {
            self.on_path.remove(id);
            self.path.pop();
        }
        Ok(true)
    }

    fn bytes(&self) -> usize {
        3 * self.seen.bytes() + self.path.len() * size_of::<Frame>() + self.successors.len() * 4
    }
}
