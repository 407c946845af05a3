//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    use std::sync::atomic::AtomicU8;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let n = AtomicU8::new(3);
        s.on = !s.on;
        true
    }
}

fn main() {}
