//! Breadth-first exploration with state and deadlock checks on the fly.
//!
//! States are numbered in the order of discovery, and that numbering is the
//! queue. What is counted, and when, is fixed to the edge: every successful
//! firing is an edge; a state is checked when it is new; a violation ends the
//! run at once, with the offending state and its edge counted.

use super::notes::Notes;
use super::seen::Seen;
use super::{BatchVisitor, Expander, Failure, Found, Size, Snapshot, Watch};
use crate::expand::StateChecks;
use crate::model::{CheckSet, Fault};
use crate::store::{Arrivals, Id, Parents, StateSet};
use std::ops::ControlFlow;

/// What a breadth-first search checks and keeps.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The state checks to evaluate.
    pub state_checks: CheckSet,
    /// The deadlock checks to evaluate.
    pub deadlock_checks: CheckSet,
    /// End after so many faults; at least 1.
    pub max_faults: usize,
    /// What is to be reached: the first state of each of these checks is told.
    pub goals: CheckSet,
    /// The largest number of states.
    pub max_states: usize,
    /// Keep which values the scalars of states have had; not where states are folded.
    pub values: bool,
    /// End when each of them has been reached.
    pub ends_with_goals: bool,
    /// Keep the transition by which each state was discovered, for traces
    /// where the set does not keep its states.
    pub keep_arrivals: bool,
}

/// Terminal states that are listed. Where there are more, they can be looked for.
pub const MAX_LISTED: usize = 1 << 14;

/// What a breadth-first search has found.
pub struct Exploration {
    /// The discovery tree.
    pub parents: Parents,
    /// The transitions by which states were discovered. Empty unless asked for.
    pub arrivals: Arrivals,
    /// Number of states found, the offending one included.
    pub n_states: u64,
    /// Number of edges.
    pub n_edges: u64,
    /// The largest distance from an initial state.
    pub depth: u64,
    /// Number of terminal states found, …
    pub n_terminal: u64,
    /// … and which these are, if they are few: the first [`MAX_LISTED`] of them.
    pub terminal: Vec<Id>,
    /// Faults in the order found, with their states.
    pub faults: Vec<(Id, Fault)>,
    /// The first state that satisfies a goal, for each that was reached: its check and the
    /// state, in the order found.
    pub reached: Vec<(usize, Id)>,
    /// What was fired, and which values there were.
    pub seen: Seen,
    /// Whether every state that can be reached was expanded.
    pub is_complete: bool,
    /// What ended the search, if it was neither a fault nor the last goal.
    pub end: Result<(), Failure>,
}

/// Explores everything that the space's initial states can reach.
pub fn explore<S: StateSet>(
    space: &mut Expander<'_, S>,
    options: Options,
    watch: &mut Watch<'_>,
) -> Exploration {
    let mut marks = Marks {
        notes: Notes::new(space.recipe(), options, space.n_roots()),
        checks: space.recipe().state_checks(options.state_checks),
        watch,
        level_end: 0,
        depth: 0,
    };
    let mut end = Ok(());
    if marks.notes.check_roots(space, &mut marks.checks).is_continue() {
        end = levels(space, &mut marks);
    }
    marks.notes.into_exploration(space.n_edges, marks.depth, end)
}

/// Expands level after level.
fn levels<S: StateSet>(
    space: &mut Expander<'_, S>,
    marks: &mut Marks<'_, '_, '_>,
) -> Result<(), Failure> {
    let mut start = 0;
    while start < marks.notes.n_states {
        let end = marks.notes.n_states;
        marks.level_end = end;
        let flow = space.expand_batches(start..end, marks);
        if marks.notes.n_states > end {
            marks.depth += 1;
        }
        if flow?.is_break() {
            return Ok(());
        }
        start = end;
    }
    Ok(())
}

/// The marks of the search, and what it does with what it finds.
struct Marks<'m, 'w, 'o> {
    notes: Notes<'m>,
    checks: StateChecks<'m>,
    watch: &'w mut Watch<'o>,
    level_end: usize,
    depth: u64,
}

impl BatchVisitor for Marks<'_, '_, '_> {
    #[inline(always)]
    fn found(&mut self, found: Found<'_>) -> ControlFlow<usize> {
        self.notes.found(found, &mut self.checks)
    }

    fn pause(&mut self, size: Size) -> ControlFlow<()> {
        let own = self.notes.bytes() + self.checks.bytes();
        let snapshot = Snapshot {
            phase: "exploring",
            n_states: size.n_states as u64,
            n_edges: size.n_edges,
            queue: (size.n_states - self.level_end + size.n_left) as u64,
            depth: self.depth,
            bytes: size.bytes + own,
        };
        if let Err(limit) = self.watch.check(&snapshot, size.bytes_ahead + own) {
            self.notes.failure = Some(limit.into());
        }
        self.notes.flow()
    }
}
