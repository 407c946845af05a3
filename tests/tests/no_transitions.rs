//! A model may have no transitions, for some values of its parameters or at all: then its
//! initial states are all there is, whatever is fired.

use asset_core::audit::{AuditOptions, AuditVerdict};
use asset_core::expand::{Choice, Order, Recipe};
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::graph::StateGraph;
use asset_core::prelude::*;
use asset_core::search::Watch;
use asset_core::simulate::{End, Walk, simulate};

/// As many as a parameter says.
#[model]
pub mod twice {
    #[param(0..=2)]
    pub const K: usize = 0;

    #[state]
    pub struct State {
        #[range(0..9)]
        n: u8,
    }

    #[transitions]
    pub const TRANSITIONS: usize = 2 * K;

    pub fn fire_transition(s: &mut State, _: usize) -> bool {
        s.n = (s.n + 1) % 9;
        true
    }

    #[stubborn]
    pub fn rules(_: &State, _: usize, need: &mut Obligations) {
        need.all();
    }

    #[check(state)]
    pub fn is_small(s: &State) -> bool {
        s.n < 5
    }

    #[check(deadlock)]
    pub fn goes_on(_: &State) -> bool {
        false
    }

    #[check(may_progress)]
    pub fn may(s: &State) -> bool {
        s.n == 3
    }

    #[check(must_progress(strict))]
    pub fn must(s: &State) -> bool {
        s.n == 3
    }

    #[progress]
    pub fn label(_: usize) -> bool {
        false
    }
}

/// None, with several words.
#[model]
pub mod none {
    #[state]
    pub struct State {
        n: [u32; 5],
    }

    #[transitions]
    pub const TRANSITIONS: usize = 0;

    pub fn fire_transition(_: &mut State, _: usize) -> bool {
        panic!("there is none")
    }

    #[stubborn]
    pub fn rules(_: &State, _: usize, need: &mut Obligations) {
        need.all();
    }

    #[check(state)]
    pub fn is_small(s: &State) -> bool {
        s.n[0] < 3
    }

    #[check(deadlock)]
    pub fn goes_on(_: &State) -> bool {
        false
    }

    #[check(may_progress)]
    pub fn may(s: &State) -> bool {
        s.n[0] == 3
    }

    #[check(must_progress(strict))]
    pub fn must(s: &State) -> bool {
        s.n[0] == 3
    }

    #[progress]
    pub fn label(_: usize) -> bool {
        false
    }
}

#[test]
fn checks_say_what_a_full_search_says() {
    for family in [twice::model(), none::model()] {
        for choice in [Choice::Full, Choice::Stubborn] {
            for (order, paranoid) in [(Order::Backward, false), (Order::Forward, true)] {
                let run = |checks: Option<&str>| {
                    let explorer = Explorer::new(family).reduction(choice).order(order);
                    let explorer = explorer.paranoid(paranoid);
                    match checks {
                        Some(check) => explorer.checks([check]).run().expect("no model error"),
                        None => explorer.run().expect("no model error"),
                    }
                };
                let outcome = run(None);
                outcome.assert_violated("goes_on");
                let s = &outcome.statistics;
                assert_eq!((s.n_states, s.n_edges, s.n_terminal), (1, 0, 1));
                run(Some("is_small")).assert_holds();
                run(Some("may")).assert_holds();
                run(Some("must")).assert_violated("must");
            }
        }
    }
    let some = Explorer::new(twice::model()).param("k", "1").run().expect("no model error");
    some.assert_violated("is_small");
}

#[test]
fn every_other_command_goes_to_its_end() {
    for family in [twice::model(), none::model()] {
        let explorer = || Explorer::new(family);
        for search in LivelockSearch::ALL {
            let options = Livelock { search, reduction: LivelockReduction::Auto };
            explorer().livelock(options).expect("no model error").assert_holds();
        }
        for reduction in [LivelockReduction::C2t, LivelockReduction::Terminating] {
            let options = Livelock { search: LivelockSearch::DfsFifo, reduction };
            explorer().livelock(options).expect("no model error").assert_holds();
        }
        for max_states in [0, 10] {
            let options = AuditOptions { max_states, ..AuditOptions::default() };
            let report = explorer().audit(options).expect("no model error");
            assert!(!matches!(report.verdict, AuditVerdict::WrongRule(_)));
        }
        let machine = family.instance(&[]).expect("an instance").machine;
        for choice in [Choice::Full, Choice::Stubborn] {
            let recipe = Recipe::new(machine, Order::Backward, choice);
            let graph = StateGraph::explore(&recipe, 10, &mut Watch::unlimited());
            assert_eq!(graph.expect("no model error").size(), (1, 0));
        }
        let (trace, end) = simulate(machine, Walk::Random(1), 9).expect("no model error");
        assert_eq!((trace.steps.len(), end), (1, End::Fault("goes_on".to_owned(), String::new())));
    }
}
