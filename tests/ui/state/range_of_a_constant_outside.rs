//! errors: 1

use asset_core::prelude::*;

const MOST: u8 = 4;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
        #[range(0..=MOST)]
        n: [u8; 2],
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
