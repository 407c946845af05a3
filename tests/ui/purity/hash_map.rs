//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    use std::collections::HashMap;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let map: HashMap<u8, u8> = HashMap::new();
        s.on = !s.on;
        true
    }
}

fn main() {}
