//! errors: 1

use asset_core::prelude::*;

pub use std::collections::HashSet;

#[model]
mod lamp {
    use super::*;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let set: HashSet<u8> = HashSet::new();
        let other: HashSet<u8> = HashSet::new();
        s.on = !s.on;
        true
    }
}

fn main() {}
