//! errors: 1

use asset_core::prelude::*;

#[derive(StateVar)]
#[repr(u8)]
pub enum Colour {
    Red,
    Green,
}

fn main() {}
