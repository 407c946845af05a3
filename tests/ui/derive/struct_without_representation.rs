//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
pub struct Pair {
    pub a: bool,
    pub b: bool,
}

fn main() {}
