//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
pub enum Wide {
    None,
    Some(u64),
}

fn main() {}
