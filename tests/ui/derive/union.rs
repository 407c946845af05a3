//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, StateVar)]
#[repr(C)]
pub union Either {
    pub a: u8,
    pub b: i8,
}

fn main() {}
