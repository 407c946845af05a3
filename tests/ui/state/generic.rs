//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State<T> {
        on: T,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State<bool>, t: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
