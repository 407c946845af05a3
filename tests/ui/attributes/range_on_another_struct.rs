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

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
        }
        true
    }

    struct Pair {
        #[range(0..3)]
        a: u8,
    }
}

fn main() {}
