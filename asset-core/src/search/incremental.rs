//! Incremental depth-first search that starts over: with at most 0 progresses
//! on a path, then at most 1, and so on, until nothing is cut off.
//!
//! D. Faragó and P. Schmitt, *Improving Non-progress Cycle Checks* (2009),
//! Listings 3 and 4. A cycle is one without progress if the path has made as
//! many progresses at its end as where the cycle begins.
//!
//! Its weakness, which the paper shows in Figure 3: a state may be met first on
//! a path with more progresses than necessary, and what lies behind it is then
//! cut off; or a cycle may be met while progress is still allowed and be used
//! up by way of progress. So the limit may have to grow beyond the fewest
//! progresses, and what is near the initial states is searched again in every
//! round. DFS_FIFO has neither flaw; this is kept for comparison.
//!
//! A cycle is found in the end all the same. Take the first state of a
//! non-progress cycle that a search without a limit meets, and the progresses
//! of its path there. What that search has left before the state cannot reach
//! it but through that path, so the round with just that limit takes the same
//! path; and then no progress is left to use the cycle up.
//!
//! Where we differ: progress is on edges too, and states stay stored from one
//! round to the next; only the marks start over. The counters of the path are
//! kept in a list by state, four bytes each.

use super::dfs::{self, Stack, Turn};
use super::labels::{Ground, Hunt};
use super::{Failure, Limit};
use crate::model::RuleStatistics;
use crate::store::{BitSet, Id, MAX_STATES, StateSet};
use std::ops::ControlFlow;

/// Searches round after round, until a non-progress cycle is found or nothing
/// is cut off.
pub fn hunt<const W: usize>(ground: &mut Ground<'_, '_, '_, W>) -> Hunt {
    let mut search = Search::default();
    let end = search.rounds(ground);
    Hunt {
        on_cycle: search.on_cycle,
        n_states: ground.space.store().len() as u64,
        n_edges: search.n_edges,
        depth: search.stack.longest(),
        bytes: search.stack.bytes() + search.marks(),
        more: vec![
            ("rounds", search.n_rounds),
            ("firings", ground.space.n_edges),
            ("stack maximum", search.stack.largest()),
        ],
        n_terminal: search.terminal.len() as u64,
        n_threads: 1,
        rules: RuleStatistics::default(),
        n_visible: 0,
        expanded: search.visited,
        terminal: search.terminal,
        end,
    }
}

/// A stack entry: a state, and whether the edge to it was progress.
fn node(id: Id, is_progress: bool) -> Id {
    2 * id + Id::from(is_progress)
}

#[derive(Default)]
struct Search {
    stack: Stack,
    visited: BitSet,
    terminal: BitSet,
    /// The progresses before each state of the path.
    counter: Vec<u32>,
    /// The progresses of the path.
    n_progress: u32,
    limit: u32,
    was_pruned: bool,
    on_cycle: Option<Id>,
    n_rounds: u64,
    /// Edges of the last round.
    n_edges: u64,
}

impl Search {
    /// `DFS_starting_over` of the paper.
    fn rounds<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
    ) -> Result<(), Failure> {
        loop {
            self.n_rounds += 1;
            self.visited = BitSet::default();
            self.was_pruned = false;
            self.n_edges = 0;
            for root in 0..ground.space.n_roots() {
                self.depth_first(ground, root as Id)?;
                if self.on_cycle.is_some() {
                    return Ok(());
                }
            }
            if !self.was_pruned {
                return Ok(());
            }
            self.limit += 1;
        }
    }

    /// `DFS_prune,NPC` of the paper.
    fn depth_first<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        root: Id,
    ) -> Result<(), Failure> {
        self.stack.push(node(root, false));
        while let Some(turn) = self.stack.next(|node| self.visited.insert(node / 2)) {
            match turn {
                Turn::Leave(node) => self.n_progress -= node % 2,
                Turn::Enter(node) => {
                    self.n_progress += node % 2;
                    self.enter(ground, node / 2)?;
                    if self.on_cycle.is_some() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn enter<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        id: Id,
    ) -> Result<(), Failure> {
        if self.counter.len() <= id as usize {
            self.counter.resize(ground.space.store().len(), 0);
        }
        self.counter[id as usize] = self.n_progress;
        let n_firings = ground.space.n_edges;
        let flow = ground
            .labels
            .expand(ground.space, id, |edge, is_progress| self.see(edge.to, is_progress))?;
        if flow.is_break() {
            return Ok(());
        }
        if ground.space.n_edges == n_firings {
            self.terminal.insert(id);
        }
        self.n_edges += ground.space.n_edges - n_firings;
        let n_ahead = ground.space.store().len() + ground.space.machine().n_transitions();
        if n_ahead > MAX_STATES / 2 {
            return Err(Limit::StateNumbers.into());
        }
        let marks = self.marks() + ground.labels.bytes();
        let snapshot = dfs::snapshot("looking for livelocks", ground.space, &self.stack, marks);
        Ok(ground.watch.check(&snapshot, ground.space.store().bytes_after_growth() + marks)?)
    }

    fn see(&mut self, to: Id, is_progress: bool) -> ControlFlow<()> {
        if self.visited.contains(to) {
            let is_on_path = [false, true].iter().any(|&p| self.stack.is_on_path(node(to, p)));
            if is_on_path && !is_progress && self.counter[to as usize] == self.n_progress {
                self.on_cycle = Some(to);
                return ControlFlow::Break(());
            }
        } else if is_progress && self.n_progress == self.limit {
            self.was_pruned = true;
        } else {
            self.stack.push(node(to, is_progress));
        }
        ControlFlow::Continue(())
    }

    fn marks(&self) -> usize {
        self.visited.bytes() + self.terminal.bytes() + self.counter.capacity() * 4
    }
}
