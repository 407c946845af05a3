//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[derive(StateVar)]
    pub struct Pair {
        a: bool,
        b: bool,
    }

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
        Hold(Pair),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = t == Transition::Press;
        true
    }
}

fn main() {}
