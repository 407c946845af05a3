//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press(#[range(-9223372036854775808..=9223372036854775807)] i64),
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
