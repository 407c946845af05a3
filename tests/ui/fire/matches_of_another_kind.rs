//! errors: 1

use asset_core::prelude::*;

macro_rules! matches {
    ($state:ident.on, $value:pat) => {
        $state.dim
    };
}

#[model]
pub mod lamp {
    #[state]
    pub struct State {
        on: bool,
        dim: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        if matches!(s.on, true) {
            return false;
        }
        s.on = !s.on;
        true
    }
}

fn main() {}
