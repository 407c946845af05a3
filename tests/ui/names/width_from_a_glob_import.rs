//! errors: 1

use asset_core::prelude::*;

mod others {
    pub const BITS_PER_STATE: u32 = 8;
}

#[model]
mod lamp {
    use super::others::*;

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
        BITS_PER_STATE < 4
    }
}

fn main() {}
