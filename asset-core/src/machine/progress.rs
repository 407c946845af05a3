//! What a model marks as progress: transitions, states, or transitions
//! depending on the state.

use super::{Machine, ModelError};
use crate::model::Description;

/// Where the progress states come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum States {
    /// No state is marked.
    None,
    /// The model's `#[progress(state)]`.
    Marked,
    /// The progress states of the must-progress check with this index.
    OfCheck(usize),
}

/// The progress labels of a machine, as a function of its packed states.
#[derive(Clone, Debug)]
pub struct Progress {
    /// For each transition, whether firing it is progress wherever it happens.
    transitions: Vec<bool>,
    states: States,
    /// Whether the model is to be asked about each edge.
    depends_on_state: bool,
}

impl Progress {
    /// The labels of a model, or `None` if it has none.
    pub fn of(machine: &dyn Machine) -> Result<Option<Progress>, ModelError> {
        let Description { progress_transitions, progress_states, progress_edges, .. } =
            *machine.description();
        if !progress_transitions && !progress_states && !progress_edges {
            return Ok(None);
        }
        let is_marked = |t| match progress_transitions {
            true => machine.progress_transition(t),
            false => Ok(false),
        };
        Ok(Some(Progress {
            transitions: (0..machine.n_transitions()).map(is_marked).collect::<Result<_, _>>()?,
            states: if progress_states { States::Marked } else { States::None },
            depends_on_state: progress_edges,
        }))
    }

    /// The progress states of one of the model's may- or must-progress checks,
    /// given by its index.
    pub fn of_check(machine: &dyn Machine, check: usize) -> Progress {
        Progress {
            transitions: vec![false; machine.n_transitions()],
            states: States::OfCheck(check),
            depends_on_state: false,
        }
    }

    /// Whether there may be progress states.
    pub fn on_states(&self) -> bool {
        self.states != States::None
    }

    /// Whether a transition can be progress in one state and not in another.
    pub fn depends_on_state(&self) -> bool {
        self.depends_on_state
    }

    /// Whether firing `transition` is progress wherever it happens.
    #[inline(always)]
    pub fn transition(&self, transition: usize) -> bool {
        self.transitions[transition]
    }

    /// Whether `state` is a progress state.
    pub fn state(&self, machine: &dyn Machine, state: &[u64]) -> Result<bool, ModelError> {
        match self.states {
            States::None => Ok(false),
            States::Marked => machine.progress_state(state),
            States::OfCheck(check) => {
                let mut is_good = false;
                machine.progress_states_of(state, check, &mut |_| is_good = true)?;
                Ok(is_good)
            }
        }
    }

    /// Whether firing `transition` in `from` is progress by itself, whatever it
    /// leads to.
    #[inline(always)]
    pub fn firing(
        &self,
        machine: &dyn Machine,
        from: &[u64],
        transition: usize,
    ) -> Result<bool, ModelError> {
        match self.depends_on_state && !self.transitions[transition] {
            true => machine.progress_edge(from, transition),
            false => Ok(self.transitions[transition]),
        }
    }

    /// Whether an edge is progress: its transition is, or it leads to a
    /// progress state. A cycle has a progress state iff one of its edges leads
    /// to one, so edges are all that a search needs to know.
    pub fn edge(
        &self,
        machine: &dyn Machine,
        from: &[u64],
        transition: usize,
        to: &[u64],
    ) -> Result<bool, ModelError> {
        Ok(self.firing(machine, from, transition)? || self.state(machine, to)?)
    }
}
