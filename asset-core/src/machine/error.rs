//! What can go wrong inside a model, as a value.

use super::Packed;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A model that broke its contract: where, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// The state in which it happened; `None` for an initial state.
    pub state: Option<Packed>,
    /// The transition that was being fired, if any.
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
    /// The model's code panicked.
    Panic(String),
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
pub(crate) fn panic_message(payload: Box<dyn Any + Send>) -> String {
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
            Wrong::Panic(message) => write!(f, "the model panicked: {message}"),
            Wrong::Unsteady(what) => f.write_str(what),
            Wrong::NoInitialState => f.write_str("#[init] gives no initial state"),
        }
    }
}

/// Runs a part of the model on a state, or on none; a panic becomes an error.
#[inline(always)]
pub(crate) fn guarded<T>(state: Option<&[u64]>, part: impl FnOnce() -> T) -> Result<T, ModelError> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|payload| ModelError {
        state: state.map(Into::into),
        transition: None,
        wrong: Wrong::from_panic(payload),
    })
}
