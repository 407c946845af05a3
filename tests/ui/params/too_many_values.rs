//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(0..100_000)]
    const N: usize = 1;

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
}

fn main() {}
