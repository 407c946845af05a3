//! The command line of two tiny models, for tests: `switches`, whose rules may
//! be wrong, and with `lamp` as first argument one without rules.

use asset_core::prelude::*;
use std::process::ExitCode;

/// Two people at two switches, one of which they share.
#[model]
pub mod switches {
    /// Whether the rules know that a switch is shared.
    #[param]
    pub const KNOWN: Known = Known::Shared;

    /// What the rules know.
    pub enum Known {
        /// They do.
        Shared,
        /// They do not.
        Nothing,
    }

    #[state]
    pub struct State {
        own: bool,
        shared: bool,
    }

    #[transitions]
    pub enum Transition {
        Own,
        On,
        Off,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Own => s.own = true,
            Transition::On => s.shared = true,
            Transition::Off => s.shared = false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::On if matches!(KNOWN, Known::Shared) => need.add(Transition::Off),
            Transition::Off if matches!(KNOWN, Known::Shared) => need.add(Transition::On),
            _ => {}
        }
    }
}

/// A lamp.
#[model]
pub mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub const TRANSITIONS: usize = 1;

    pub fn fire_transition(s: &mut State, _: usize) -> bool {
        s.on = !s.on;
        true
    }
}

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|first| first == "lamp") {
        arguments.remove(1);
        return asset_core::cli::run(lamp::model(), arguments);
    }
    asset_core::cli::run(switches::model(), arguments)
}
