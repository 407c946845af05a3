//! Depth: ten million states on the stack, and a livelock at the end of a long
//! way.

use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::verdict::Outcome;

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
