//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(1..=16)]
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
        match t {
            Transition::Press => s.on[i] = true,
        }
        true
    }
}

fn main() {}
