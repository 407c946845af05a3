//! Explicit-state model checking of models that are compiled Rust code.

pub mod machine;
pub mod model;
pub mod prelude;
pub mod reduction;
pub mod state;
