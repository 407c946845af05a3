//! Explicit-state model checking of models that are compiled Rust code.

#[doc(hidden)]
pub mod generated;
pub mod machine;
pub mod model;
pub mod prelude;
pub mod reduction;
pub mod state;
