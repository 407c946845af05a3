//! Stubborn set rules that are found in the model's own code.
//!
//! Syntax bounds: the macro tells what each transition may read and write
//! ([`Machine::accesses`]). Tables decide: the compiled model is run on the values that can
//! occur (`values`, `case`), so that it is known what each transition does in each of its
//! *situations*, and on which few lanes that depends (`tree`). What is obliged in a situation
//! is worked out when a search first meets it (`meeting`, `cut`).
//!
//! Why the sets that follow satisfy D1 and D2 of A. Valmari, *Stop It, and Be Stubborn!*: of a
//! member `t` let `O` be what is not obliged. Along any sequence of `O`, an enabled `t` stays
//! enabled and commutes with what is fired, as nothing that can happen there is harmful; a
//! disabled one stays disabled, as every way to where it is enabled is cut. The final set
//! leaves out no more than `O` of any member, and the conditions only become weaker when `O`
//! shrinks.
//!
//! Where something is not understood or too large there are no rules, or a rule obliges
//! everything: never nothing.

mod case;
mod checks;
mod cut;
mod firing;
mod flat;
mod meeting;
mod partial;
mod rule;
mod source;
mod tables;
mod tree;
mod values;

use crate::machine::Machine;
use crate::model::CheckSet;
use flat::Flat;
use partial::Partial;
pub use source::ByInferred;
use std::fmt;
use tables::Tables;

/// The rules of one machine. What is obliged in a situation is worked out once, by whoever
/// meets it first.
#[derive(Debug)]
pub struct Inferred {
    flat: Flat,
}

impl Inferred {
    /// Rules of a machine that respect the state checks that are `on`, or why there are none.
    pub fn new(machine: &dyn Machine, on: CheckSet) -> Result<Self, Why> {
        let flat = Flat::new(Tables::new(machine, on)?, machine.n_words());
        Ok(Inferred { flat })
    }
}

/// The value of a lane, as its difference to the least.
type Value = u32;

/// What firing does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Effect {
    /// It cannot be fired.
    Disabled,
    /// The model's code panics, or leaves a range.
    Failed,
    /// These lanes get these values, and no others change.
    Enabled(Box<[(usize, Value)]>),
}

/// Why no rules are inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is not known which variables a transition reads and writes.
    NotUnderstood,
    /// The model has no initial state, or fails there.
    NoInitialState,
    /// Variables have too many values, alone or together.
    TooManyValues,
    /// To find out what transitions do would take too many firings.
    TooManyFirings,
    /// Transitions do different things in too many situations.
    TooManySituations,
    /// This transition did not do the same where all that it reads was the same.
    Unsteady(usize),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NotUnderstood => {
                "it is not known which variables a transition reads and writes (see `list`)"
            }
            Why::NoInitialState => "the model has no initial state, or fails there",
            Why::TooManyValues => "its variables have too many values to try them all",
            Why::TooManyFirings => "what transitions read has too many values to try them all",
            Why::TooManySituations => "its transitions do different things in too many situations",
            Why::Unsteady(_) => "a transition does not do the same where all it reads is the same",
        })
    }
}
