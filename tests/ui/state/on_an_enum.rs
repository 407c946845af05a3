//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    #[derive(Default)]
    pub enum State {
        #[default]
        Off,
        On,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        *s = State::On;
        true
    }
}

fn main() {}
