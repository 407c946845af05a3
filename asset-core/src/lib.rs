//! Explicit-state model checking of models that are compiled Rust code.
//!
//! A model is a module under [`#[model]`](macro@prelude::model). It says what a
//! state is and what can happen in it. The engine visits every reachable state,
//! breadth-first, and returns an exact verdict with a counterexample that has
//! been replayed through the model.
//!
//! ```
//! use asset_core::explorer::Explorer;
//! use asset_core::prelude::*;
//!
//! /// Two processes that take two locks in different orders.
//! #[model]
//! pub mod locks {
//!     #[state]
//!     pub struct State {
//!         /// How many locks each process holds.
//!         #[range(0..=2)]
//!         held: [u8; 2],
//!         /// Whether each lock is taken.
//!         taken: [bool; 2],
//!         gone: [bool; 2],
//!     }
//!
//!     #[transitions]
//!     pub enum Transition {
//!         Take(#[range(0..2)] usize),
//!         Release(#[range(0..2)] usize),
//!     }
//!
//!     pub fn fire_transition(s: &mut State, t: Transition) -> bool {
//!         match t {
//!             Transition::Take(i) => {
//!                 if s.gone[i] || s.held[i] == 2 {
//!                     return false;
//!                 }
//!                 // Process 0 begins with lock 0, process 1 with lock 1.
//!                 let lock = (i + usize::from(s.held[i])) % 2;
//!                 if s.taken[lock] {
//!                     return false;
//!                 }
//!                 s.taken[lock] = true;
//!                 s.held[i] += 1;
//!             }
//!             Transition::Release(i) => {
//!                 if s.held[i] != 2 {
//!                     return false;
//!                 }
//!                 s.taken = [false; 2];
//!                 s.held[i] = 0;
//!                 s.gone[i] = true;
//!             }
//!         }
//!         true
//!     }
//!
//!     /// The end comes only when both are done.
//!     #[check(deadlock)]
//!     pub fn both_are_done(s: &State) -> bool {
//!         s.gone == [true; 2]
//!     }
//! }
//!
//! let outcome = Explorer::new(locks::model()).run().unwrap();
//! outcome.assert_violated("both_are_done");
//! assert_eq!(outcome.violations[0].trace.steps.len(), 3);
//! ```
//!
//! # Which search
//!
//! | question | call | reduction |
//! |---|---|---|
//! | Do the checks hold? | [`Explorer::run`](explorer::Explorer::run) | stubborn sets where the model has rules; [`Choice::Full`](expand::Choice::Full) fires everything |
//! | Are the rules right? | [`Explorer::audit`](explorer::Explorer::audit) | judges it |
//! | What does a run look like? | [`simulate`] | none |
//! | What does the space look like? | [`graph`] | either |
//!
//! Take a full run where it fits: its verdicts need no proviso. Take stubborn
//! sets where it does not, or to be quicker: deadlocks are always kept, and
//! state checks and may progress are kept if the model is always
//! may-terminating, which the run checks. A search for cycles without progress
//! has reductions of its own. [`verdict`] says what a run may claim.
//!
//! # From the command line
//!
//! [`cli::main`] makes a program of a model, with one line:
//! `asset_core::cli::main(locks::model())`.
//!
//! # Layers
//!
//! [`mod@model`], [`state`] ← [`machine`] ← [`store`], [`expand`] ← [`search`] ←
//! [`explorer`] ← [`cli`]. Each module's documentation has its invariant. Users
//! need [`prelude`], [`explorer`] and [`verdict`].

pub mod audit;
pub mod cli;
pub mod expand;
pub mod explorer;
#[doc(hidden)]
pub mod generated;
pub mod graph;
pub mod machine;
mod memory;
pub mod model;
pub mod prelude;
pub mod search;
pub mod simulate;
pub mod state;
pub mod store;
pub mod trace;
pub mod verdict;

#[doc(no_inline)]
pub use asset_macros::model;
pub use machine::Family;
