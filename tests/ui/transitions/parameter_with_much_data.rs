//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[derive(StateVar)]
    pub enum Much {
        Some([u16; 3]),
    }

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press(Much),
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
