//! What a model needs in scope; `#[model]` brings it into the module itself.

pub use crate::model::Obligations;
pub use crate::state::collections::{Bag, Map, Queue, Set};
pub use asset_macros::{StateVar, model};
