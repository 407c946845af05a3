//! Properties of infinite runs: formulas, automata, and "never again and again without".
//!
//! A terminal state repeats for ever. A property is searched in the full space, in the
//! product with the automaton of its negation; `never_without` also in the space of stubborn
//! sets, by Valmari's Theorem 6.

mod atoms;
mod evidence;
mod fair;
mod options;
mod outcome;
mod property;
mod run;
mod search;

pub use options::{Extra, FairnessLevel, Temporal, TemporalSearch};
pub(super) use outcome::merge;
pub(super) use run::Plan;
