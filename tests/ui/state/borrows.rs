//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State<'a> {
        on: bool,
        name: &'a str,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State<'_>, t: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() {}
