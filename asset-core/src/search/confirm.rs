//! Is what a reduced run holds to be lost really lost? Everything is fired from
//! one state on, breadth-first, until something good turns up.
//!
//! Where something good is out of reach in a reduced space, it may still be
//! within reach in the full one: without always may-termination, stubborn sets
//! can put a transition off for ever. So such a state is a suspicion, and this
//! is the trial.

use super::{Edge, Failure, Snapshot, Space, Visitor, Watch};
use crate::expand::Recipe;
use crate::machine::{Machine, ModelError, Packed};
use crate::model::CheckKind;
use crate::store::{Id, StateSet, Store};
use std::ops::ControlFlow;

/// States expanded at a time.
const BATCH: usize = 48;

/// What a trial found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing good can be reached.
    Lost,
    /// Something good can be reached.
    NotLost,
    /// It would have taken more states than allowed.
    Unknown,
}

/// Whether nothing good by the may-progress check with index `check` can be
/// reached from `state` by the recipe, which fires everything and does not fold. Expands at most `budget` states, and subtracts from
/// it what it expanded.
pub fn may_progress<const W: usize>(
    recipe: &Recipe<'_>,
    check: usize,
    state: Packed,
    budget: &mut usize,
    watch: &mut Watch<'_>,
) -> Result<Finding, Failure> {
    let machine = recipe.machine();
    let termination_is_good =
        machine.description().checks[check].kind == CheckKind::MayProgress { strict: false };
    let mut look = Look { machine, check, termination_is_good, found: Ok(false) };
    let store = Store::new(machine.n_words());
    let mut space = Space::<W>::from_states(recipe, &[state], store);
    let mut next = 0;
    while next < space.store().len() {
        let end = space.store().len().min(next + BATCH);
        if *budget < end - next {
            return Ok(Finding::Unknown);
        }
        *budget -= end - next;
        let flow = space.expand_range(next..end, &mut look)?;
        next = end;
        if flow.is_break() {
            return Ok(look.found.map(|_| Finding::NotLost)?);
        }
        let n_states = space.store().len() as u64;
        let snapshot = Snapshot {
            phase: "confirming",
            n_states,
            n_edges: space.n_edges,
            queue: n_states - next as u64,
            depth: 0,
            bytes: space.bytes(),
        };
        watch.check(&snapshot, space.store().bytes_after_growth())?;
    }
    Ok(Finding::Lost)
}

/// Stops at the first good state.
struct Look<'m> {
    machine: &'m dyn Machine,
    check: usize,
    termination_is_good: bool,
    /// Whether there was one, or what went wrong when asking.
    found: Result<bool, ModelError>,
}

impl Visitor for Look<'_> {
    fn edge(&mut self, _: Edge<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn expanded(&mut self, _: Id, state: &[u64], n_edges: usize) -> ControlFlow<()> {
        let mut found = self.termination_is_good && n_edges == 0;
        let asked = self.machine.progress_states_of(state, self.check, &mut |_| found = true);
        self.found = asked.map(|()| found);
        if self.found == Ok(false) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
