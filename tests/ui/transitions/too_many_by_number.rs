//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub const TRANSITIONS: usize = 1 << 32;

    pub fn fire_transition(s: &mut State, _: usize) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
