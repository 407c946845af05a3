//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
#[repr(C)]
pub struct Named {
    pub name: &'static str,
}

fn main() {}
