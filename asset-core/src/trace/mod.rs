//! Counterexamples: built from what a search remembers, replayed through the
//! model before anyone sees them, and kept as plain values.
//!
//! Invariant: nothing here knows how a counterexample was found.

mod file;
mod layout;
mod path;
mod text;

pub use file::{TraceFile, TraceFileError};
pub(crate) use layout::wrap;
pub use layout::{TraceLayout, TraceStyle};
pub use path::Path;
pub(crate) use text::changes;

use crate::machine::Machine;
use crate::model::Shown;

/// A path through a state space that people and files can read. A trace ends;
/// a lasso, which has a `cycle_start`, loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The states in order, each with the transition that led to it.
    pub steps: Vec<Step>,
    /// The first state from which something good has become impossible.
    pub lost_at: Option<usize>,
    /// The first state of the final cycle.
    pub cycle_start: Option<usize>,
    /// The transition from the last state back to `cycle_start`.
    pub closing: Option<String>,
}

/// One state of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The transition that led here; `None` for the initial state.
    pub transition: Option<String>,
    /// The state on one line, as the model prints it, if it says how.
    pub line: Option<String>,
    /// The state's variables.
    pub state: Shown,
    /// What else is said of this state and of the step that leads on from it.
    pub notes: Vec<String>,
}

/// A state on one line, as the model prints it, if it says how. A panic of that
/// code is shown in place of the line, so that nothing else is lost.
pub(crate) fn line(machine: &dyn Machine, state: &[u64]) -> Option<String> {
    machine.display(state).unwrap_or_else(|error| {
        Some(format!("{} (in #[display], {})", machine.show(state), error.wrong))
    })
}

impl Trace {
    /// Makes a path readable.
    pub fn new(path: &Path, machine: &dyn Machine) -> Trace {
        let step = |(i, state): (usize, &crate::machine::Packed)| Step {
            transition: i.checked_sub(1).map(|i| machine.transition_name(path.transitions[i])),
            line: line(machine, state),
            state: machine.show(state),
            notes: Vec::new(),
        };
        Trace {
            steps: path.states.iter().enumerate().map(step).collect(),
            lost_at: path.lost_at,
            cycle_start: path.closing.map(|(_, start)| start),
            closing: path.closing.map(|(transition, _)| machine.transition_name(transition)),
        }
    }
}
