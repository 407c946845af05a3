//! errors: 1

use asset_core::prelude::*;

#[model(instances(k = 2))]
mod lamp {
    #[param(1..=3)]
    const N: usize = 1;

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
            Transition::Press => s.on[0] = !s.on[0],
        }
        true
    }
}

fn main() {}
