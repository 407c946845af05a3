//! What a model needs in scope; `#[model]` brings it into the module itself.

pub use crate::model::StatedFormula as Ltl;
pub use crate::model::{NeverWithout, Obligations};
pub use crate::state::collections::{Bag, Map, Queue, Set};
pub use asset_macros::{StateVar, model};
