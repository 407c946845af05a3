//! errors: 1

use asset_core::prelude::*;

#[model]
mod lamp {
    #[state]
    pub struct State<const N: usize> {
        on: [bool; N],
    }

    impl<const N: usize> State<N> {
        fn first(&self) -> bool {
            self.on[0]
        }
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State<3>, t: Transition) -> bool {
        match t {
            Transition::Press => s.on[0] = !s.first(),
        }
        true
    }
}

fn main() {}
