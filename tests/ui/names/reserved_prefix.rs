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
        Press,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }

    const __asset_state: u8 = 3;

    #[check(state)]
    fn few(_: &State) -> bool {
        __asset_state < 4
    }
}

fn main() {}
