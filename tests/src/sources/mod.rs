//! Random models as `#[model]` source text, each with the same model in plain Rust beside it,
//! and a program that searches the latter naively and compares.
//!
//! What the macro does with names, types, ranges, parameters and the shape of code is between
//! the author and the engine, so models as values (`random.rs`) do not see it. Here a model is
//! text: branches, loops, helper functions, locals, enums with data, structs, arrays, several
//! checks, rules that are right by construction. Every other model stands in a module full of
//! things by its own names, which must not be seen in it.

mod code;
mod model;
mod plain;
mod program;
mod surroundings;

use model::Model;
pub use program::run;
pub use surroundings::SURROUNDINGS;
