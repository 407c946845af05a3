//! DFS_FIFO: non-progress cycles in one pass, those with the least progress
//! before them first.
//!
//! A. Laarman and D. Faragó, *Improved On-The-Fly Livelock Detection* (2013),
//! Alg. 1; D. Faragó and P. Schmitt, *Improving Non-progress Cycle Checks*
//! (2009). Depth-first along edges without progress; what an edge with progress
//! leads to waits in a first-in-first-out queue until nothing else is left. So
//! each state is first met on a path with the fewest possible progresses, and a
//! cycle without progress is an edge without progress back to the path.
//!
//! Where we differ:
//! - The search is iterative, and all edges of a state are seen when it is
//!   entered. The path is then what it will be when they are taken, so an edge
//!   that closes a cycle is found no later.
//! - A state counts as visited when it is entered, not when it is left. On the
//!   path both are the same for an edge without progress, and an edge with
//!   progress need not put the state into the queue again.
//! - The queue is kept as two lists, the level that is searched and the next
//!   one, and one bit per state says that it has been in a list. `V`, `F` and
//!   `S` of the paper are three bits beside the one table of states.
//! - There may be several initial states. The path does not reach back to them;
//!   [`super::lasso`] finds the way.

use super::dfs::{self, Stack, Turn};
use super::labels::{Ground, Hunt};
use super::{Edge, Failure};
use crate::model::RuleStatistics;
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// Searches everything that the initial states can reach, until a non-progress
/// cycle is found.
pub fn hunt<const W: usize>(ground: &mut Ground<'_, '_, '_, W>) -> Hunt {
    let mut search = Search { most: usize::MAX, ..Search::default() };
    let end = search.levels(ground);
    search.done(ground, end)
}

/// The same, but gives up when there are more than `most` states.
pub(super) fn hunt_small<const W: usize>(
    ground: &mut Ground<'_, '_, '_, W>,
    most: usize,
) -> Option<Hunt> {
    let mut search = Search { most, ..Search::default() };
    let end = search.levels(ground);
    (!search.has_given_up).then(|| search.done(ground, end))
}

#[derive(Default)]
struct Search {
    /// Gives up when there are more states.
    most: usize,
    has_given_up: bool,
    /// `S`.
    stack: Stack,
    /// `V`, and the states of `S`.
    visited: BitSet,
    /// The states that are or were in `F`.
    queued: BitSet,
    /// The part of `F` that has one progress more than what is searched now.
    next_level: Vec<Id>,
    terminal: BitSet,
    on_cycle: Option<Id>,
    n_levels: u64,
    largest_queue: usize,
}

impl Search {
    /// What has been found.
    fn done<const W: usize>(
        self,
        ground: &Ground<'_, '_, '_, W>,
        end: Result<(), Failure>,
    ) -> Hunt {
        let search = self;
        Hunt {
            on_cycle: search.on_cycle,
            n_states: ground.space.store().len() as u64,
            n_edges: ground.space.n_edges,
            depth: search.stack.longest(),
            bytes: search.largest_queue * size_of::<Id>() + search.stack.bytes() + search.marks(),
            more: vec![
                ("progress levels", search.n_levels),
                ("queue maximum", search.largest_queue as u64),
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

    /// `dfs-fifo` of the paper.
    fn levels<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
    ) -> Result<(), Failure> {
        let mut level: Vec<Id> = (0..ground.space.n_roots() as Id).collect();
        while !level.is_empty() {
            self.n_levels += 1;
            for (i, &start) in level.iter().enumerate() {
                self.depth_first(ground, start, level.len() - i)?;
                if self.on_cycle.is_some() || self.has_given_up {
                    return Ok(());
                }
            }
            level = std::mem::take(&mut self.next_level);
        }
        Ok(())
    }

    /// `dfs` of the paper. `n_waiting` are left of this level.
    fn depth_first<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        start: Id,
        n_waiting: usize,
    ) -> Result<(), Failure> {
        self.stack.push(start);
        while let Some(turn) = self.stack.next(|id| self.visited.insert(id)) {
            let Turn::Enter(id) = turn else { continue };
            let n_edges = ground.space.n_edges;
            let flow = ground
                .labels
                .expand(ground.space, id, |edge, is_progress| see(self, edge, is_progress))?;
            if flow.is_break() {
                return Ok(());
            }
            if ground.space.n_edges == n_edges {
                self.terminal.insert(id);
            }
            if ground.space.store().len() > self.most {
                self.has_given_up = true;
                return Ok(());
            }
            let queue = n_waiting + self.next_level.len();
            self.largest_queue = self.largest_queue.max(queue);
            let marks = self.marks() + ground.labels.bytes() + queue * size_of::<Id>();
            let mut snapshot =
                dfs::snapshot("looking for livelocks", ground.space, &self.stack, marks);
            snapshot.queue += queue as u64;
            ground.watch.check(&snapshot, ground.space.store().bytes_after_growth() + marks)?;
        }
        Ok(())
    }

    fn marks(&self) -> usize {
        self.visited.bytes() + self.queued.bytes() + self.terminal.bytes()
    }
}

/// What is done with one edge of the state at the end of the path.
#[inline(always)]
fn see(search: &mut Search, edge: Edge<'_>, is_progress: bool) -> ControlFlow<()> {
    if !is_progress && search.stack.is_on_path(edge.to) {
        search.on_cycle = Some(edge.to);
        return ControlFlow::Break(());
    }
    if !search.visited.contains(edge.to) {
        if !is_progress {
            search.stack.push(edge.to);
        } else if search.queued.insert(edge.to) {
            search.next_level.push(edge.to);
        }
    }
    ControlFlow::Continue(())
}
