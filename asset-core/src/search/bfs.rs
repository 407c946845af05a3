//! Breadth-first exploration with state and deadlock checks on the fly.
//!
//! States are numbered in the order of discovery, and that numbering is the
//! queue. What is counted, and when, is fixed to the edge: every successful
//! firing is an edge; a state is checked when it is new; a violation ends the
//! run at once, with the offending state and its edge counted.

use super::{Edge, Failure, Snapshot, Space, Visitor, Watch, guarded};
use crate::machine::{Machine, ModelError};
use crate::model::{CheckSet, Fault};
use crate::store::{Id, Parents};
use std::ops::ControlFlow;

/// States expanded at a time, so that the misses of their look-ups overlap.
const BATCH: usize = 48;

/// Stands for "no witness".
pub const NO_WITNESS: Id = Id::MAX;

/// What a breadth-first search checks and keeps.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The state checks to evaluate.
    pub state_checks: CheckSet,
    /// The deadlock checks to evaluate.
    pub deadlock_checks: CheckSet,
    /// End after so many faults; at least 1.
    pub max_faults: usize,
    /// Keep one successor of every state, for [`super::reach`].
    pub keep_witnesses: bool,
}

/// What a breadth-first search has found.
pub struct Exploration {
    /// The discovery tree.
    pub parents: Parents,
    /// For every expanded state, one successor that was not new, or
    /// [`NO_WITNESS`]. Empty unless asked for.
    pub witnesses: Vec<Id>,
    /// Number of states found, the offending one included.
    pub n_states: u64,
    /// Number of edges.
    pub n_edges: u64,
    /// The largest distance from an initial state.
    pub depth: u64,
    /// Number of terminal states found.
    pub n_terminal: u64,
    /// Faults in the order found, with their states.
    pub faults: Vec<(Id, Fault)>,
    /// Whether every state was expanded, and what ended the search if not.
    pub end: Result<(), Failure>,
}

/// Explores everything that the space's initial states can reach.
pub fn explore<const W: usize>(
    space: &mut Space<'_, W>,
    options: Options,
    watch: &mut Watch<'_>,
) -> Exploration {
    let mut marks = Marks {
        machine: space.machine(),
        options,
        parents: Parents::new(space.n_roots()),
        witnesses: Vec::new(),
        witness: None,
        n_terminal: 0,
        faults: Vec::new(),
        failure: None,
    };
    let mut n_states = 0;
    let mut depth = 0;
    let mut end = Ok(());
    while n_states < space.n_roots() && marks.flow().is_continue() {
        marks.check_state(n_states as Id, space.store().get(n_states as Id));
        n_states += 1;
    }
    if marks.flow().is_continue() {
        end = levels(space, &mut marks, watch, &mut depth);
        n_states = space.store().len();
    }
    Exploration {
        n_states: n_states as u64,
        n_edges: space.n_edges,
        depth,
        n_terminal: marks.n_terminal,
        parents: marks.parents,
        witnesses: marks.witnesses,
        faults: marks.faults,
        end: marks.failure.map_or(end, Err),
    }
}

/// Expands level after level, a batch at a time.
fn levels<const W: usize>(
    space: &mut Space<'_, W>,
    marks: &mut Marks<'_>,
    watch: &mut Watch<'_>,
    depth: &mut u64,
) -> Result<(), Failure> {
    let mut next = 0;
    let mut level_end = space.store().len();
    while next < space.store().len() {
        if next == level_end {
            *depth += 1;
            level_end = space.store().len();
        }
        let batch = next..level_end.min(next + BATCH);
        next = batch.end;
        let flow = space.expand_range(batch, marks);
        if space.store().len() > level_end && !matches!(flow, Ok(ControlFlow::Continue(()))) {
            *depth += 1;
        }
        if flow?.is_break() {
            return Ok(());
        }
        let n_states = space.store().len();
        let snapshot = Snapshot {
            phase: "exploring",
            n_states: n_states as u64,
            n_edges: space.n_edges,
            queue: (n_states - next) as u64,
            depth: *depth,
            bytes: space.bytes() + marks.bytes(),
        };
        watch.check(&snapshot, space.store().bytes_after_growth() + marks.bytes())?;
    }
    Ok(())
}

/// The marks of the search, and what it does with an edge.
struct Marks<'m> {
    machine: &'m dyn Machine,
    options: Options,
    parents: Parents,
    witnesses: Vec<Id>,
    witness: Option<Id>,
    n_terminal: u64,
    faults: Vec<(Id, Fault)>,
    /// A check that panicked.
    failure: Option<Failure>,
}

impl Marks<'_> {
    #[inline(always)]
    fn check_state(&mut self, id: Id, state: &[u64]) {
        if self.options.state_checks != CheckSet::default() {
            let fault =
                guarded(Some(state), || self.machine.state_fault(state, self.options.state_checks));
            self.note(id, fault);
        }
    }

    #[inline(always)]
    fn note(&mut self, id: Id, fault: Result<Option<Fault>, ModelError>) {
        match fault {
            Ok(None) => {}
            Ok(Some(fault)) => self.faults.push((id, fault)),
            Err(error) => self.failure = Some(error.into()),
        }
    }

    fn bytes(&self) -> usize {
        self.parents.bytes() + self.witnesses.len() * size_of::<Id>()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.faults.len() >= self.options.max_faults || self.failure.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Visitor for Marks<'_> {
    #[inline(always)]
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()> {
        if edge.is_new {
            self.parents.discover();
            self.check_state(edge.to, edge.state);
            return self.flow();
        }
        self.witness = Some(edge.to);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn expanded(&mut self, id: Id, state: &[u64], n_edges: usize) -> ControlFlow<()> {
        self.parents.end_state();
        if self.options.keep_witnesses {
            self.witnesses.push(self.witness.take().unwrap_or(NO_WITNESS));
        }
        if n_edges > 0 {
            return ControlFlow::Continue(());
        }
        self.n_terminal += 1;
        if self.options.deadlock_checks != CheckSet::default() {
            let fault = guarded(Some(state), || {
                self.machine.deadlock_fault(state, self.options.deadlock_checks)
            });
            self.note(id, fault);
        }
        self.flow()
    }
}
