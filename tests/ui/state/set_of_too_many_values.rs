//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[derive(StateVar)]
    pub struct Id(#[range(0..1000)] u16);

    #[state]
    pub struct State {
        on: bool,
        seen: Set<Id>,
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
