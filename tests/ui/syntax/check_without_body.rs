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

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
        }
        true
    }

    #[check(state)]
    fn fine(s: &State) -> bool;
}

fn main() {
    // What the module would define is there all the same.
    let press: lamp::Transition = lamp::Transition::Press;
    let _: fn(&mut lamp::State, lamp::Transition) -> bool = lamp::fire_transition;
    let _ = (lamp::model(), press);
}
