//! errors: 2

use asset_core::prelude::*;

#[model]
mod lamp {
    #[derive(StateVar)]
    pub enum Colour {
        Red = 1,
        Green = 2,
    }

    #[state]
    pub struct State {
        on: bool,
        colour: Colour,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
        }
        true
    }
}

fn main() {}
