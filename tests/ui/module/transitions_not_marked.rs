//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    pub enum Transition {
        Press,
        Hold(#[range(0..3)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
            Transition::Hold(_) => return false,
        }
        true
    }
}

fn main() {}
