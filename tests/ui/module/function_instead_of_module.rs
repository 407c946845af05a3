//! errors: 1

use asset_core::prelude::*;

#[model]
fn lamp() -> bool {
    true
}

fn main() {}
