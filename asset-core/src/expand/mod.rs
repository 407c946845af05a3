//! Sources of successors: which of a state's transitions are fired, by what is remembered of
//! them or by the model's own code. No search knows about it.
//!
//! Invariant: nothing here knows the store or the order of the search, and all that is
//! remembered is owned by one worker.

mod checked;
mod checks;
mod folded;
mod full;
pub mod inferred;
mod keep_progress;
mod pairs;
mod recipe;
mod remembered;
mod source;
mod stubborn;
mod trial;

pub use crate::model::{Order, RuleStatistics};
pub use checks::{StateChecks, StateFaults};
pub use folded::Fold;
pub use recipe::{Choice, Recipe};
pub use source::{Batch, Source};
pub use stubborn::stubborn_set;

#[cfg(test)]
pub(crate) use remembered::tests as test_machines;
