//! errors: 3

use asset_core::prelude::*;

#[model]
mod lamp {

}

fn main() {}
