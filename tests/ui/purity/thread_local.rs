//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    thread_local! {
        pub static COUNT: u8 = 3;
    }

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
