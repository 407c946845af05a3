//! Stubborn sets may put a transition off for ever where a model is not always
//! may-terminating. What then seems lost must not be called lost.

use asset_core::expand::{Choice, Order};
use asset_core::explorer::Explorer;
use asset_core::prelude::*;
use asset_core::verdict::{CheckOutcome, Verdict};

/// A lamp that blinks for ever, and a door that can be opened at any time.
#[model]
pub mod blinker {
    #[state]
    pub struct State {
        on: bool,
        open: bool,
    }

    #[transitions]
    pub enum Transition {
        Open,
        Blink,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Open if s.open => return false,
            Transition::Open => s.open = true,
            Transition::Blink => s.on = !s.on,
        }
        true
    }

    /// Right: the two have nothing to do with each other.
    #[stubborn]
    pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}

    #[check(may_progress)]
    pub fn can_be_opened(s: &State) -> bool {
        s.open
    }
}

#[test]
fn what_reduction_puts_off_is_not_lost() {
    let run = |choice, order| {
        let explorer = Explorer::new(blinker::model()).reduction(choice).order(order);
        explorer.run().expect("no model error")
    };
    assert_eq!(run(Choice::Full, Order::Backward).verdict, Verdict::Holds);
    // Only the lamp is ever fired here.
    let reduced = run(Choice::Stubborn, Order::Backward);
    assert_eq!(reduced.statistics.n_states, 2);
    assert!(matches!(reduced.verdict, Verdict::Inconclusive(_)), "{reduced}");
    assert_eq!(reduced.checks[1].outcome, CheckOutcome::Violated);
    // Only the door, then only the lamp.
    let reduced = run(Choice::Stubborn, Order::Forward);
    assert_eq!(reduced.statistics.n_states, 3);
    assert!(matches!(reduced.verdict, Verdict::Inconclusive(_)), "{reduced}");
}

#[test]
fn what_is_lost_is_still_called_lost() {
    // Peterson's algorithm with the flaw that the paper reveals: customer 0
    // waits for ever for one that has stopped.
    for (n, n_states, n_edges) in [(2, 116, 162), (3, 23_134, 41_562)] {
        let explorer = Explorer::new(models::peterson::model()).param("n", n);
        let outcome = explorer.param("variant", "revealing").run().expect("no model error");
        outcome.assert_violated("customer_0_is_served");
        assert_eq!((outcome.statistics.n_states, outcome.statistics.n_edges), (n_states, n_edges));
        let trace = &outcome.violations[0].trace;
        assert!(trace.lost_at.is_some() && trace.cycle_start.is_some());
    }
}

/// Each chooses left or right, once.
#[model]
pub mod choose {
    pub const N: usize = 12;

    #[derive(StateVar)]
    pub enum At {
        Open,
        Left,
        Right,
    }

    #[state]
    pub struct State {
        at: [At; N],
    }

    #[transitions]
    pub enum Transition {
        Left(#[range(0..N)] usize),
        Right(#[range(0..N)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Left(i) if s.at[i] == At::Open => s.at[i] = At::Left,
            Transition::Right(i) if s.at[i] == At::Open => s.at[i] = At::Right,
            _ => return false,
        }
        true
    }

    #[stubborn]
    pub fn rules(_: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Left(i) => need.add(Transition::Right(i)),
            Transition::Right(i) => need.add(Transition::Left(i)),
        }
    }

    #[check(may_progress(strict))]
    pub fn all_left(s: &State) -> bool {
        s.at == [At::Left; N]
    }
}

#[test]
fn a_bad_end_needs_no_trial() {
    // To try the states before the ends would take too many.
    for order in [Order::Backward, Order::Forward] {
        for choice in [Choice::Full, Choice::Stubborn] {
            let explorer = Explorer::new(choose::model()).reduction(choice).order(order);
            let outcome = explorer.run().expect("no model error");
            outcome.assert_violated("all_left");
            assert!(!outcome.to_string().contains("is not always may-terminating"), "{outcome}");
        }
    }
}
