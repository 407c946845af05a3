//! What a model has done wrong, as a sentence, with the way to the state that is to blame.

use super::RunError;
use crate::machine::{Machine, ModelError, Wrong};
use crate::trace::{Path, Trace};

/// A model error for people. `path` leads to the state that it is about, or to one before
/// it; `None` if no way is known. A trace ends in that state and in no other: where no path
/// does, there is none, and the sentence names the state.
pub(crate) fn model_error(
    machine: &dyn Machine,
    error: &ModelError,
    path: Option<Path>,
) -> RunError {
    let path = match &error.state {
        Some(_) => way_to_blame(machine, error, path),
        None => path,
    };
    let state = match &error.state {
        Some(state) if path.is_none() => format!("in the state {}: ", machine.show(state)),
        _ => String::new(),
    };
    let asked = match (error.transition, &error.wrong) {
        (Some(t), Wrong::NoSuchTransition { .. }) => {
            format!("the rule of {}: ", machine.transition_name(t))
        }
        (Some(t), _) if error.state.is_none() => {
            format!("the progress label of {}: ", machine.transition_name(t))
        }
        (Some(t), _) => format!("firing {}: ", machine.transition_name(t)),
        (None, Wrong::NoInitialState) => String::new(),
        (None, _) if error.state.is_none() => "in an initial state: ".to_owned(),
        (None, _) => String::new(),
    };
    RunError::Model {
        sentence: format!("model error: {state}{asked}{}", error.wrong),
        trace: path.map(|path| Trace::new(&path, machine)),
    }
}

/// The path to the state that is to blame: the given one, perhaps with one step more, or that
/// state alone if it is an initial one.
fn way_to_blame(machine: &dyn Machine, error: &ModelError, path: Option<Path>) -> Option<Path> {
    let state = error.state.as_ref()?;
    match path {
        Some(path) if path.states.last() == Some(state) => Some(path),
        Some(mut path) => path.step_to(machine, state).then_some(path),
        None => {
            let is_initial = machine.initial_states().is_ok_and(|all| all.contains(state));
            is_initial.then(|| Path { states: vec![state.clone()], ..Path::default() })
        }
    }
}
