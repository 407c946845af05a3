//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(2..=4)]
    const N: usize = 3;

    #[state]
    pub struct State {
        on: [bool; N],
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = [true, false];
        true
    }
}

fn main() {}
