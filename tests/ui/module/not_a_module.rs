//! errors: 1

use asset_core::prelude::*;

#[model]
pub struct Lamp {
    pub on: bool,
}

fn main() {}
