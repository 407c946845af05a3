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
        Press,
    }

    impl State {
        pub fn fire_transition(&mut self, t: Transition) -> bool {
            self.on = !self.on;
            true
        }
    }
}

fn main() {}
