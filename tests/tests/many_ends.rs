//! More terminal states than a search lists: the others are found by what they lack.

use asset_core::expand::Choice;
use asset_core::explorer::Explorer;
use asset_core::prelude::*;
use asset_core::search::bfs::MAX_LISTED;

/// A walker who may sit down at every step, but not in the pit at the end of the way.
#[model]
mod walker {
    /// Whether there is a pit.
    #[param]
    pub const PIT: bool = false;

    #[state]
    pub struct State {
        #[range(0..=20000)]
        at: u16,
        sits: bool,
    }

    #[transitions]
    pub enum Transition {
        Step,
        Sit,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step if !s.sits && s.at < 20000 => s.at += 1,
            // There is no way out, and no rest.
            Transition::Step if !s.sits && PIT => {}
            Transition::Sit if !s.sits && (s.at < 20000 || !PIT) => s.sits = true,
            _ => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, _: Transition, need: &mut Obligations) {
        need.all();
    }

    /// From everywhere, the walker can sit down.
    #[check(may_progress)]
    pub fn can_rest(_: &State) -> bool {
        false
    }
}

#[test]
fn all_ends_are_found() {
    for (pit, n_ends) in [(false, 20_001), (true, 20_000)] {
        assert!(n_ends > MAX_LISTED as u64);
        for reduction in [Choice::Full, Choice::Stubborn] {
            let explorer = Explorer::new(walker::model()).param("pit", pit).reduction(reduction);
            let outcome = explorer.run().expect("the model does nothing wrong");
            assert_eq!(outcome.statistics.n_terminal, n_ends);
            match pit {
                false => drop(outcome.assert_holds()),
                true => {
                    let trace = &outcome.assert_violated("can_rest").violations[0].trace;
                    assert_eq!(trace.lost_at, Some(20_000));
                }
            }
        }
    }
}
