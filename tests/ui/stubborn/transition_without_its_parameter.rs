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
        Press(#[range(0..2)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press(_) => s.on = !s.on,
        }
        true
    }

    #[stubborn]
    fn rules(_: &State, _: Transition, need: &mut Obligations) {
        need.add(Transition::Press);
    }
}

fn main() {}
