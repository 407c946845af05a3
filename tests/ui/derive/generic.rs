//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
#[repr(C)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

fn main() {}
