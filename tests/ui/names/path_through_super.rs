//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(2..=3)]
    pub const N: usize = 2;

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

    #[check(state)]
    fn few(_: &State) -> bool {
        super::lamp::N < 4
    }
}

fn main() {}
