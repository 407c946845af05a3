//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
pub enum Colour {
    Red,
    Green,
}

fn main() {}
