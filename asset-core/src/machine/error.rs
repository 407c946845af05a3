//! What can go wrong inside a model, as a value.

use super::Packed;
use crate::model::NoTransition;
use std::any::Any;
use std::fmt;

/// A model that broke its contract: where, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The state in which it happened; `None` for an initial state that cannot be made,
    /// and for what is asked of a transition alone: its progress label.
    pub state: Option<Packed>,
    /// The transition that was being fired, or whose rule or label was asked for, if any.
    pub transition: Option<usize>,
    /// What happened.
    pub wrong: Wrong,
}

/// The ways in which a model can break its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A variable received a value outside its range.
    OutOfRange {
        /// The variable.
        path: String,
        /// The value it received.
        value: i128,
        /// The smallest legal value.
        lo: i128,
        /// The largest legal value.
        hi: i128,
    },
    /// More was put into a collection than it has room for.
    TooMany {
        /// The variable.
        path: String,
        /// The most elements.
        capacity: usize,
    },
    /// Something was put into a collection that is out of its own range.
    IllegalElement {
        /// The variable.
        path: String,
    },
    /// The model's code panicked.
    Panic(String),
    /// The transition's rule obliges a transition that there is not.
    NoSuchTransition {
        /// What the rule named.
        named: NoTransition,
        /// How many transitions there are.
        n_transitions: usize,
    },
    /// The same call gave two answers, or two calls that should agree did not; found
    /// by `--paranoid`, or where something remembered is worked out anew.
    Unsteady(String),
    /// There is no initial state, so nothing could be claimed of any.
    NoInitialState,
}

impl ModelError {
    /// What went wrong while `transition` was being fired in `state`.
    #[cold]
    pub fn new(state: &[u64], transition: usize, wrong: Wrong) -> ModelError {
        ModelError { state: Some(state.into()), transition: Some(transition), wrong }
    }

    /// The rule of `transition` names something that is none of the `n_transitions` there are.
    #[cold]
    pub(super) fn no_such_transition(
        state: &[u64],
        transition: usize,
        named: NoTransition,
        n_transitions: usize,
    ) -> Box<ModelError> {
        let wrong = Wrong::NoSuchTransition { named, n_transitions };
        Box::new(ModelError::new(state, transition, wrong))
    }

    /// What is wrong in a state, whatever is fired there.
    #[cold]
    pub fn of_state(state: &[u64], wrong: Wrong) -> ModelError {
        ModelError { state: Some(state.into()), transition: None, wrong }
    }

    /// What is wrong with the initial states.
    #[cold]
    pub fn of_initial_states(wrong: Wrong) -> ModelError {
        ModelError { state: None, transition: None, wrong }
    }
}

impl Wrong {
    /// From what a panic carried.
    pub fn from_panic(payload: Box<dyn Any + Send>) -> Wrong {
        Wrong::Panic(panic_message(payload))
    }
}

/// The message that a panic carried.
fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::OutOfRange { path, value, lo, hi } => {
                write!(f, "`{path}` received {value}, which is outside its range {lo}..={hi}")
            }
            Wrong::TooMany { path, capacity } => {
                write!(f, "`{path}` received more than the {capacity} that it has room for")
            }
            Wrong::IllegalElement { path } => {
                write!(f, "`{path}` received an element whose data are out of their range")
            }
            Wrong::Panic(message) => write!(f, "the model panicked: {message}"),
            Wrong::NoSuchTransition { named: NoTransition::Number(number), n_transitions } => {
                write!(
                    f,
                    "it obliges transition number {number}, and there are only {n_transitions}, \
                     numbered from 0"
                )
            }
            Wrong::NoSuchTransition { named, .. } => write!(f, "it obliges {named}"),
            Wrong::Unsteady(what) => f.write_str(what),
            Wrong::NoInitialState => f.write_str("#[init] gives no initial state"),
        }
    }
}
