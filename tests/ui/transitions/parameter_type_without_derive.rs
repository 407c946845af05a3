//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[derive(PartialEq)]
    pub enum Colour {
        Red,
        Green,
    }

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
        Hold(Colour),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = t == Transition::Press;
        true
    }
}

fn main() {}
