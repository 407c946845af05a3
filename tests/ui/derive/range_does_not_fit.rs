//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
#[repr(C)]
pub struct Pair {
    #[range(0..1000)]
    pub a: u8,
}

fn main() {}
