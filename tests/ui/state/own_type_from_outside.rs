//! errors: 1

use asset_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Red,
}

#[model]
mod lamp {
    use super::Colour;

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
