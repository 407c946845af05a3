//! errors: 1

use asset_core::prelude::*;

#[allow(unused)]
mod others {
    macro_rules! dim {
        ($state:ident.on, $value:pat) => {
            $state.dim
        };
    }
    pub(crate) use dim as matches;
}

#[model]
pub mod lamp {
    #[allow(unused_imports)]
    use super::others::*;

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
