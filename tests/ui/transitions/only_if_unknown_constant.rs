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
        #[only_if(LOSSI)] Hold,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = t == Transition::Press;
        true
    }
}

fn main() {}
