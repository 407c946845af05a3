//! errors: 3

use asset_core::prelude::*;

#[model]
mod lamp {
    #[param(2..=4)]
    const N: usize = 3;

    #[state]
    pub struct State {
        on: bool,
        wait: [std::time::Duration; N],
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
