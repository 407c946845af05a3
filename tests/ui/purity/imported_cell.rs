//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    use std::cell::RefCell;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let n = RefCell::new(3);
        *n.borrow_mut() = 4;
        s.on = !s.on;
        true
    }
}

fn main() {}
