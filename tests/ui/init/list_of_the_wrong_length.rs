//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(2..=5)]
    const N: usize = 3;

    #[state]
    pub struct State {
        on: [bool; N],
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    #[init]
    fn start() -> State {
        State { on: [true, false, false] }
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on[0] = true,
        }
        true
    }
}

fn main() {}
