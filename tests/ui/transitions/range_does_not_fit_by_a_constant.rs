//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    const N: usize = 300;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
        Hold(#[range(0..N)] u8),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = t == Transition::Press;
        true
    }
}

fn main() {}
