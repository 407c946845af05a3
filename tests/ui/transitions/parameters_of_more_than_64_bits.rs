//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press(#[range(0..=18446744073709551615)] u64, #[range(0..16)] u8),
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
