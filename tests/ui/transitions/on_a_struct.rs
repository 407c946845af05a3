//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub struct Transition {
        number: usize,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = t.number == 0;
        true
    }
}

fn main() {}
