//! errors: 1

use asset_core::prelude::*;

#[model]
mod queue {
    const N: usize = 2;

    #[state]
    pub struct State {
        waiting: [bool; N],
    }

    #[transitions]
    pub enum Transition {
        Turn(#[range(0..N)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Turn(i) => s.waiting[i] = !s.waiting[i],
        }
        true
    }

    #[proposition]
    fn waiting(s: &State, #[range(0..N)] i: usize) -> bool {
        s.waiting[i]
    }

    #[check(ltl)]
    const TURNS: Ltl = ltl!(G F waitng(0));
}

fn main() {}
