//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    use std::collections::HashMap;

    #[state]
    pub struct State {
        on: bool,
        seen: HashMap<u8, u8>,
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
