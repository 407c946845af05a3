//! Workers that go round, with a livelock put in near the start or far away.
//!
//! A synthetic model for comparing searches on the fly, after the experiment
//! with shallow and deep injected livelocks in A. Laarman and D. Faragó,
//! *Improved On-The-Fly Livelock Detection* (2013). Every round that ends is
//! progress, so that the livelock put in is the only one. It has about the cube
//! of its steps in states.
//!
//! `injected_states` is the same with progress marked
//! on states.
//!
//! States / edges:
//!
//! | livelock | steps | full | stubborn sets |
//! |---|---|---|---|
//! | none | 10 | 1,331 / 3,993 | 31 / 33 |
//! | | 100 | 1,030,301 / 3,090,903 | 301 / 303 |
//! | shallow | 10 | 2,662 / 7,988 | 170 / 193 |
//! | | 100 | 2,060,602 / 6,181,808 | 1,700 / 1,723 |
//! | deep | 10 | 2,662 / 7,988 | 186 / 209 |
//! | | 100 | 2,060,602 / 6,181,808 | 1,896 / 1,919 |

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    injected::model()
}

/// Three workers in rounds, with a livelock put in.
#[model]
pub mod injected {
    /// Steps that a worker takes in one round.
    #[param(3, 10, 100)]
    pub const STEPS: usize = 10;

    /// Where the livelock is.
    #[param]
    pub const LIVELOCK: Livelock = Livelock::None;

    /// Where the livelock is.
    pub enum Livelock {
        /// There is none.
        None,
        /// Where each worker has taken one step.
        Shallow,
        /// Where each worker is at the end of its round.
        Deep,
    }

    /// Number of workers.
    pub const WORKERS: usize = 3;

    /// The state variables.
    #[state]
    pub struct State {
        /// How far each worker is in its round.
        #[range(0..STEPS)]
        at: [u8; WORKERS],
        /// Workers that do no more rounds.
        stopped: [bool; WORKERS],
        /// Goes back and forth in the livelock.
        turned: bool,
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// A worker takes a step that does not end its round.
        Step(#[range(0..WORKERS)] usize),
        /// A worker takes the step that ends its round.
        Finish(#[range(0..WORKERS)] usize),
        /// A worker stops instead of starting another round.
        Stop(#[range(0..WORKERS)] usize),
        /// The livelock.
        Turn,
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) if !s.stopped[i] && !is_at_end(s, i) => s.at[i] += 1,
            Transition::Finish(i) if is_at_end(s, i) => s.at[i] = 0,
            Transition::Stop(i) if s.at[i] == 0 && !s.stopped[i] => s.stopped[i] = true,
            Transition::Turn if livelock_is_at() == Some(s.at) => s.turned = !s.turned,
            _ => return false,
        }
        true
    }

    fn is_at_end(s: &State, i: usize) -> bool {
        usize::from(s.at[i]) == STEPS - 1
    }

    fn livelock_is_at() -> Option<[u8; WORKERS]> {
        match LIVELOCK {
            Livelock::None => None,
            Livelock::Shallow => Some([1; WORKERS]),
            Livelock::Deep => Some([STEPS as u8 - 1; WORKERS]),
        }
    }

    /// Workers do not know of each other.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Turn => match livelock_is_at() {
                // Nothing ever enables it.
                None => {}
                // Any worker that moves on disables it.
                Some(place) if place == s.at => need.all(),
                // A worker that is elsewhere has to come.
                Some(place) => {
                    let elsewhere = (0..WORKERS).find(|&i| s.at[i] != place[i]);
                    elsewhere.into_iter().for_each(|i| steps_of(i, need));
                }
            },
            Transition::Step(i) | Transition::Finish(i) | Transition::Stop(i) => {
                if !s.stopped[i] {
                    steps_of(i, need);
                    // Leaving the place of the livelock disables it.
                    if livelock_is_at().is_some_and(|place| place[i] == s.at[i]) {
                        need.add(Transition::Turn);
                    }
                }
            }
        }
    }

    fn steps_of(i: usize, need: &mut Obligations) {
        need.add(Transition::Step(i));
        need.add(Transition::Finish(i));
        need.add(Transition::Stop(i));
    }

    /// At the end all workers have stopped.
    #[check(deadlock)]
    pub fn all_workers_have_stopped(s: &State) -> Result<(), &'static str> {
        if s.stopped == [true; WORKERS] { Ok(()) } else { Err("A worker is stuck") }
    }

    /// A round ends.
    #[progress]
    pub fn end_of_round(t: Transition) -> bool {
        matches!(t, Transition::Finish(_))
    }
}
