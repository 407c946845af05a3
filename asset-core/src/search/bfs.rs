//! Breadth-first exploration with state and deadlock checks on the fly.
//!
//! States are numbered in the order of discovery, and that numbering is the
//! queue. What is counted, and when, is fixed to the edge: every successful
//! firing is an edge; a state is checked when it is new; a violation ends the
//! run at once, with the offending state and its edge counted.

use super::{Edge, Expander, Failure, Size, Snapshot, Visitor, Watch, guarded};
use crate::machine::{Checker, Machine, ModelError, Wrong};
use crate::model::{CheckSet, Fault};
use crate::store::{Arrivals, Id, Parents, StateSet};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a breadth-first search checks and keeps.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The state checks to evaluate.
    pub state_checks: CheckSet,
    /// The deadlock checks to evaluate.
    pub deadlock_checks: CheckSet,
    /// End after so many faults; at least 1.
    pub max_faults: usize,
    /// Keep the transition by which each state was discovered, for traces
    /// where the set does not keep its states.
    pub keep_arrivals: bool,
}

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
    /// Number of terminal states found.
    pub n_terminal: u64,
    /// Faults in the order found, with their states.
    pub faults: Vec<(Id, Fault)>,
    /// Whether every state was expanded, and what ended the search if not.
    pub end: Result<(), Failure>,
}

/// Explores everything that the space's initial states can reach.
pub fn explore<S: StateSet>(
    space: &mut Expander<'_, S>,
    options: Options,
    watch: &mut Watch<'_>,
) -> Exploration {
    let mut marks = Marks {
        machine: space.machine(),
        checker: space.machine().checker(),
        options,
        watch,
        level_end: 0,
        depth: 0,
        parents: Parents::new(space.n_roots()),
        n_new: 0,
        arrivals: Arrivals::new(space.machine().n_transitions(), space.n_roots()),
        n_terminal: 0,
        faults: Vec::new(),
        checking: None,
        failure: None,
    };
    let mut n_states = 0;
    let mut end = Ok(());
    while n_states < space.n_roots() && marks.flow().is_continue() {
        let id = n_states as Id;
        if let Err(panic) = catch_panic(|| marks.check_state(id, &space.store().state(id))) {
            marks.blame_check(panic, space.store());
        }
        n_states += 1;
    }
    if marks.flow().is_continue() {
        end = levels(space, &mut marks);
        n_states = space.store().len();
    }
    if marks.n_new > 0 {
        // What ended the search ended the expansion of this state too.
        marks.parents.push(marks.n_new);
    }
    Exploration {
        n_states: n_states as u64,
        n_edges: space.n_edges,
        depth: marks.depth,
        n_terminal: marks.n_terminal,
        parents: marks.parents,
        arrivals: marks.arrivals,
        faults: marks.faults,
        end: marks.failure.map_or(end, Err),
    }
}

/// Expands level after level.
fn levels<S: StateSet>(
    space: &mut Expander<'_, S>,
    marks: &mut Marks<'_, '_, '_>,
) -> Result<(), Failure> {
    let mut start = 0;
    while start < space.store().len() {
        let end = space.store().len();
        marks.level_end = end;
        let expanded = catch_panic(|| space.expand_range(start..end, marks));
        if space.store().len() > end {
            marks.depth += 1;
        }
        let flow = expanded.unwrap_or_else(|panic| {
            marks.blame_check(panic, space.store());
            Ok(ControlFlow::Break(()))
        });
        if flow?.is_break() {
            return Ok(());
        }
        start = end;
    }
    Ok(())
}

type Panic = Box<dyn Any + Send>;

fn catch_panic<R>(part: impl FnOnce() -> R) -> Result<R, Panic> {
    catch_unwind(AssertUnwindSafe(part))
}

/// The marks of the search, and what it does with an edge.
struct Marks<'m, 'w, 'o> {
    machine: &'m dyn Machine,
    checker: Box<dyn Checker + 'm>,
    options: Options,
    watch: &'w mut Watch<'o>,
    level_end: usize,
    depth: u64,
    parents: Parents,
    /// States that the one that is being expanded has discovered so far.
    n_new: usize,
    arrivals: Arrivals,
    n_terminal: u64,
    faults: Vec<(Id, Fault)>,
    /// The state that is being checked. Panics are caught around whole levels,
    /// not around each check, and this tells then whose it was.
    checking: Option<Id>,
    /// A check that panicked, or a limit.
    failure: Option<Failure>,
}

impl Marks<'_, '_, '_> {
    #[inline(always)]
    fn check_state(&mut self, id: Id, state: &[u64]) {
        if self.options.state_checks != CheckSet::default() {
            self.checking = Some(id);
            let fault = self.checker.state_fault(state, self.options.state_checks);
            self.checking = None;
            if let Some(fault) = fault {
                self.faults.push((id, fault));
            }
        }
    }

    /// Makes a failure of a panic in a check of a state. Other panics are not
    /// the model's, and go on.
    fn blame_check(&mut self, panic: Panic, states: &impl StateSet) {
        let Some(id) = self.checking.take() else { resume_unwind(panic) };
        let state = Some(states.state(id));
        let error = ModelError { state, transition: None, wrong: Wrong::from_panic(panic) };
        self.failure = Some(Failure::model(error, Some(id)));
    }

    #[inline(always)]
    fn note(&mut self, id: Id, fault: Result<Option<Fault>, ModelError>) {
        match fault {
            Ok(None) => {}
            Ok(Some(fault)) => self.faults.push((id, fault)),
            Err(error) => self.failure = Some(Failure::model(error, Some(id))),
        }
    }

    fn bytes(&self) -> usize {
        self.parents.bytes() + self.arrivals.bytes()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.faults.len() >= self.options.max_faults || self.failure.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Visitor for Marks<'_, '_, '_> {
    const NEW_ONLY: bool = true;

    #[inline(always)]
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()> {
        self.n_new += 1;
        if self.options.keep_arrivals {
            self.arrivals.push(edge.transition);
        }
        self.check_state(edge.to, edge.state);
        self.flow()
    }

    #[inline(always)]
    fn expanded(&mut self, id: Id, state: &[u64], n_edges: usize) -> ControlFlow<()> {
        self.parents.push(std::mem::take(&mut self.n_new));
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

    fn pause(&mut self, size: Size) -> ControlFlow<()> {
        let snapshot = Snapshot {
            phase: "exploring",
            n_states: size.n_states as u64,
            n_edges: size.n_edges,
            queue: (size.n_states - self.level_end + size.n_left) as u64,
            depth: self.depth,
            bytes: size.bytes + self.bytes(),
        };
        if let Err(limit) = self.watch.check(&snapshot, size.bytes_ahead + self.bytes()) {
            self.failure = Some(limit.into());
        }
        self.flow()
    }
}
