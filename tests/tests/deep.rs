//! Depth: ten million states on the stack, and a livelock at the end of a long
//! way.

use asset_core::expand::Choice;
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::verdict::Outcome;
use std::time::Duration;

fn run(length: &str, end: &str, search: LivelockSearch) -> Outcome {
    let explorer = Explorer::new(models::chain::model()).param("length", length).param("end", end);
    let reduction = LivelockReduction::Full;
    explorer.livelock(Livelock { search, reduction }).expect("an outcome")
}

#[test]
fn ten_million_states_on_the_stack() {
    let outcome = run("10000000", "terminal", LivelockSearch::DfsFifo);
    let s = &outcome.assert_holds().statistics;
    assert_eq!((s.n_states, s.depth), (10_000_001, 10_000_001));
    assert!(s.more.contains(&("stack maximum", 10_000_001)), "{:?}", s.more);
    // A state of one word, its slot, four bytes of stack, a few bits of marks.
    assert!(s.bytes_per_state < 32.0, "{} bytes per state", s.bytes_per_state);
}

#[test]
fn every_search_finds_the_livelock_at_the_end_of_the_chain() {
    for search in LivelockSearch::ALL {
        let outcome = run("1000", "livelock", search);
        let lasso = &outcome.assert_violated("non_progress_cycle").violations[0].trace;
        assert_eq!(lasso.steps.len(), 1_001, "{search:?}");
        assert!(lasso.cycle_start.is_some_and(|start| start >= 999), "{search:?}");
    }
}

/// The first state is already one from which nothing ends, and the way from
/// there to the cycle is the whole chain. Looking for the repetition takes time
/// linear in its length; quadratic time would not get there in ten seconds.
#[test]
fn a_long_way_astray_is_walked_to_its_cycle() {
    let explorer = Explorer::new(models::chain::model())
        .param("length", "200000")
        .param("end", "livelock")
        .reduction(Choice::Stubborn)
        .max_time(Duration::from_secs(10));
    let outcome = explorer.run().expect("an outcome");
    let lasso = &outcome.violations[0].trace;
    assert_eq!(outcome.violations[0].check, "always_may_terminating");
    assert_eq!((lasso.lost_at, lasso.cycle_start), (Some(0), Some(199_999)));
}
