//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    type u8 = u16;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
