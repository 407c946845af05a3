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

    pub fn fire_transition(t: Transition, s: &mut State) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
