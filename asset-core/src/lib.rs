//! Explicit-state model checking of models that are compiled Rust code.

pub mod audit;
pub mod cli;
pub mod explorer;
#[doc(hidden)]
pub mod generated;
pub mod graph;
pub mod machine;
pub mod model;
pub mod prelude;
pub mod reduction;
pub mod search;
pub mod simulate;
pub mod state;
pub mod store;
pub mod trace;
pub mod verdict;
