//! What the runs share: from numbers of states to counterexamples that the
//! model has confirmed.

use super::{RunError, model_error};
use crate::machine::{Machine, Packed};
use crate::model::{Order, RuleStatistics};
use crate::search::{Expander, Failure, Limit, Snapshot, Watch};
use crate::store::{Id, Kept, StateSet};
use crate::trace::{Path, Trace};
use crate::verdict::{CheckOutcome, CheckResult, Violation, Witness};

const AMT: &str = "always_may_terminating";
pub(super) const AMT_KIND: &str = "always may-terminating";
const NOT_AMT: &str = "no terminal state can be reached from the first state below the line of '='";

/// What a state of a counterexample takes, packed and readable, more or less.
const STEP_BYTES: usize = 256;

/// Why a part of a run ended early.
pub(super) enum Stop {
    /// Nothing more may be claimed, for this reason.
    Limit(Limit),
    /// There is no outcome.
    Error(RunError),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        Stop::Error(error)
    }
}

impl Stop {
    /// From a failure of which no path is known.
    pub fn from_failure(machine: &dyn Machine, failure: Failure) -> Stop {
        match failure {
            Failure::Limit(limit) => Stop::Limit(limit),
            Failure::Model(error, _) => Stop::Error(model_error(machine, &error, None)),
        }
    }
}

/// A failure before anything was expanded.
pub(super) fn in_root(machine: &dyn Machine, failure: Failure) -> RunError {
    match failure {
        Failure::Model(error, _) => model_error(machine, &error, None),
        Failure::Limit(limit) => RunError::Limit(limit),
    }
}

/// A counterexample, after the model has confirmed it.
pub(super) fn violation(
    machine: &dyn Machine,
    kind: &'static str,
    check: &str,
    message: &str,
    path: &Path,
) -> Result<Violation, RunError> {
    path.replay(machine).map_err(unsteady)?;
    let trace = Trace::new(path, machine);
    Ok(Violation { kind, check: check.to_owned(), message: message.to_owned(), trace })
}

/// The way to a state that satisfies a check, after the model has confirmed it.
pub(super) fn witness(
    machine: &dyn Machine,
    check: &str,
    path: &Path,
) -> Result<Witness, RunError> {
    path.replay(machine).map_err(unsteady)?;
    Ok(Witness { check: check.to_owned(), trace: Trace::new(path, machine) })
}

/// The violation of always may-termination that a path shows.
pub(super) fn not_terminating(machine: &dyn Machine, path: &Path) -> Result<Violation, RunError> {
    violation(machine, AMT_KIND, AMT, NOT_AMT, path)
}

/// The line of the termination check in the list of checks.
pub(super) fn termination_result(outcome: CheckOutcome) -> CheckResult {
    CheckResult { name: AMT.to_owned(), kind: AMT_KIND, outcome }
}

/// The model does not do again what it did: it is not a function of the state.
pub(super) fn unsteady(what: String) -> RunError {
    RunError::Model {
        sentence: format!(
            "model error: a counterexample could not be replayed: {what}; \
            the model gives two answers for one state (--paranoid shows where)"
        ),
        trace: None,
    }
}

/// The path along stored states, with the first transition in `order` that is
/// `better`, or else the first at all, where several lead to the next state.
pub(super) fn path_along<S: StateSet>(
    space: &Expander<'_, S>,
    ids: &[Id],
    order: Order,
    better: impl Fn(&Packed, usize, &Packed) -> bool,
) -> Result<Path, RunError> {
    let states = ids.iter().map(|&id| space.state(id)).collect();
    Path::along(space.machine(), states, order, better).map_err(unsteady)
}

/// Marks the end of a path as bad and goes on through bad states, to a cycle or
/// an end if the limits allow. If not, the path is shorter and still bad. States
/// are told by their places.
pub(super) fn walk_astray<S: Kept>(
    space: &Expander<'_, S>,
    path: &mut Path,
    is_bad: impl Fn(Id) -> bool,
    watch: &mut Watch<'_>,
) {
    path.lost_at = Some(path.states.len() - 1);
    let store = space.store();
    let is_bad_state = |s: &Packed| space.find(s).is_some_and(&is_bad);
    let has_enough = |n_steps: usize| {
        let snapshot = Snapshot {
            phase: "walking on",
            n_states: store.len() as u64,
            n_edges: space.n_edges,
            queue: 0,
            depth: n_steps as u64,
            bytes: space.bytes() + n_steps * STEP_BYTES,
        };
        watch.check(&snapshot, 0).is_err()
    };
    path.walk_on(space.machine(), is_bad_state, has_enough);
}

/// What the rules did, with the transitions' names.
pub(super) fn rules<S: StateSet>(space: &Expander<'_, S>) -> (RuleStatistics, Vec<String>) {
    let machine = space.machine();
    let names = (0..machine.n_transitions()).map(|t| machine.transition_name(t)).collect();
    (space.source().rules().cloned().unwrap_or_default(), names)
}
