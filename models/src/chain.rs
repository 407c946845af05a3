//! A chain of states as long as one likes: depth for searches to stand.
//!
//! A depth-first search has the whole chain on its stack when it gets to the
//! end, ten million states in the largest instance. A breadth-first search has
//! one state in every level.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    chain::model()
}

/// A counter that steps up to its end.
#[model]
pub mod chain {
    /// Number of steps.
    #[param(10, 1_000, 200_000, 10_000_000)]
    pub const LENGTH: u32 = 1_000;

    /// What is at the end.
    #[param]
    pub const END: End = End::Terminal;

    /// What is at the end.
    pub enum End {
        /// Nothing more happens.
        Terminal,
        /// One step back and up again, for ever: a livelock at full depth.
        Livelock,
    }

    /// The state variables.
    #[state]
    pub struct State {
        #[range(0..=LENGTH)]
        at: u32,
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// One step up.
        Up,
        /// One step back from the end.
        Back,
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Up if s.at < LENGTH => s.at += 1,
            Transition::Back if s.at == LENGTH && matches!(END, End::Livelock) => s.at -= 1,
            _ => return false,
        }
        true
    }

    /// Never more than one transition is enabled, so there is nothing to leave
    /// out; but a disabled one waits for the other.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Up if s.at == LENGTH => need.add(Transition::Back),
            Transition::Back if s.at < LENGTH => need.add(Transition::Up),
            Transition::Up | Transition::Back => {}
        }
    }

    /// The end can be reached from everywhere.
    #[check(may_progress)]
    pub fn end_may_be_reached(s: &State) -> bool {
        s.at == LENGTH
    }

    /// No step is progress: whatever cycle there is, is a livelock.
    #[progress]
    pub fn nothing_is_progress(t: Transition) -> bool {
        let (Transition::Up | Transition::Back) = t;
        false
    }
}
