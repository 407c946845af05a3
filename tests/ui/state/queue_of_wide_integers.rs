//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
        queue: Queue<u64, 2>,
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
