//! errors: 4

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
        text: String,
    }

    #[transitions]
    pub enum Transition {
        Press(u8),
    }

    pub fn fire_transition(s: &State, t: Transition) -> bool {
        true
    }

    #[chekc(state)]
    fn fine(s: &State) -> bool {
        true
    }
}

fn main() {}
