//! Livelock searches on models made for the purpose: what is refused, what is
//! known to break printed conditions, and the limits.

use asset_core::Family;
use asset_core::expand::{Choice, Order, stubborn_set};
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch, RunError};
use asset_core::prelude::*;
use asset_core::verdict::{CheckOutcome, Outcome, Verdict};

const CHECK: &str = "non_progress_cycle";

fn run(family: Family, search: LivelockSearch, reduction: LivelockReduction) -> Outcome {
    Explorer::new(family).livelock(Livelock { search, reduction }).expect("an outcome")
}

fn reduced(family: Family, reduction: LivelockReduction) -> Outcome {
    run(family, LivelockSearch::DfsFifo, reduction)
}

fn refused(family: Family, search: LivelockSearch, reduction: LivelockReduction) -> String {
    match Explorer::new(family).livelock(Livelock { search, reduction }) {
        Err(RunError::Usage(sentence)) => sentence,
        Err(error) => panic!("{error}"),
        Ok(outcome) => panic!("{outcome}"),
    }
}

/// A goes into a progress state and stays; B toggles a bit for ever.
#[model]
mod stays {
    #[state]
    pub struct State {
        arrived: bool,
        bit: bool,
    }

    #[transitions]
    pub enum Transition {
        Toggle,
        Arrive,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Toggle => s.bit = !s.bit,
            Transition::Arrive if !s.arrived => s.arrived = true,
            Transition::Arrive => return false,
        }
        true
    }

    /// The two know nothing of each other.
    #[stubborn]
    pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}

    #[progress(state)]
    pub fn has_arrived(s: &State) -> bool {
        s.arrived
    }
}

#[test]
fn a_step_into_progress_does_not_hide_a_livelock() {
    // The condition printed as C2^S lets {Arrive} stand for the initial state:
    // it is stubborn, and the state carries no progress. Every state after it
    // does, so the cycle in which only B moves would be lost.
    let machine = stays::model().instances[0].machine;
    let start = &machine.initial_states().expect("one")[0];
    assert_eq!(stubborn_set(machine, Order::Backward, start).unwrap(), [1]);
    assert!(!machine.progress_state(start).unwrap());
    let after = machine.fire(start, 1).expect("no error").expect("enabled");
    let further = machine.fire(&after, 0).expect("no error").expect("enabled");
    assert!(machine.progress_state(&after).unwrap() && machine.progress_state(&further).unwrap());
    for reduction in [LivelockReduction::Full, LivelockReduction::C2s, LivelockReduction::Auto] {
        let outcome = reduced(stays::model(), reduction);
        let lasso = &outcome.assert_violated(CHECK).violations[0].trace;
        assert_eq!((lasso.steps.len(), lasso.cycle_start), (2, Some(0)));
    }
}

/// Progress takes two processes at once: A has arrived and B's bit is set.
#[model]
mod meets {
    /// Whether the rules know what progress is.
    #[param]
    pub const KNOWING: bool = false;

    #[state]
    pub struct State {
        arrived: bool,
        bit: bool,
    }

    #[transitions]
    pub enum Transition {
        Toggle,
        Arrive,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Toggle => s.bit = !s.bit,
            Transition::Arrive if !s.arrived => s.arrived = true,
            Transition::Arrive => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        // Arriving makes progress of a state in which the bit is set.
        if KNOWING && matches!(t, Transition::Arrive) && !s.arrived {
            need.add(Transition::Toggle);
        }
    }

    #[progress(state)]
    pub fn meet(s: &State) -> bool {
        s.arrived && s.bit
    }

    #[check(must_progress)]
    pub fn meet_again(s: &State) -> bool {
        s.arrived && s.bit
    }
}

#[test]
fn a_label_of_two_processes_must_be_known_to_the_rules() {
    // Neither the initial state nor the one after Arrive is a progress state,
    // so c2s lets {Arrive} stand for all. But it changes the label later.
    reduced(meets::model(), LivelockReduction::Full).assert_violated(CHECK);
    reduced(meets::model(), LivelockReduction::C2s).assert_holds();
    let knowing = || Explorer::new(meets::model()).param("knowing", true);
    knowing().livelock(Livelock::default()).expect("an outcome").assert_violated(CHECK);
    // The same for must progress, which goes this way.
    let outcome = knowing().reduction(Choice::Stubborn).run().expect("an outcome");
    outcome.assert_violated("meet_again");
    assert!(outcome.violations[0].trace.cycle_start.is_some());
}

/// The paper's Figure 3: what the incremental search meets first is met with
/// too much progress.
#[model]
mod figure_3 {
    #[derive(StateVar)]
    pub enum Place {
        Start,
        A,
        B,
        S2,
        S1,
        S0,
        X,
    }

    #[state]
    pub struct State {
        at: Place,
    }

    #[transitions]
    pub enum Transition {
        First,
        Second,
        Third,
        Quiet,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        s.at = match (s.at, t) {
            // Path 1, with three progresses to S2.
            (Place::Start, Transition::First) => Place::A,
            (Place::A, Transition::First) => Place::B,
            (Place::B, Transition::First) => Place::S2,
            // Path 2, with two to S1.
            (Place::Start, Transition::Second) => Place::S2,
            (Place::S2, Transition::First) => Place::S1,
            // Path 3, with two to S0, which is on the livelock.
            (Place::Start, Transition::Third) => Place::S1,
            (Place::S1, Transition::First) => Place::S0,
            // The livelock, and a way with progress that uses it up.
            (Place::S0, Transition::First) => Place::X,
            (Place::S0 | Place::X, Transition::Quiet) => match s.at {
                Place::S0 => Place::X,
                _ => Place::S0,
            },
            _ => return false,
        };
        true
    }

    #[progress]
    pub fn is_loud(t: Transition) -> bool {
        !matches!(t, Transition::Quiet)
    }
}

#[test]
fn the_incremental_search_goes_on_beyond_the_fewest_progresses() {
    let run = |search| {
        let explorer = Explorer::new(figure_3::model()).order(Order::Forward);
        let reduction = LivelockReduction::Auto;
        let outcome = explorer.livelock(Livelock { search, reduction }).expect("an outcome");
        outcome.assert_violated(CHECK).statistics.more.clone()
    };
    let fifo = run(LivelockSearch::DfsFifo);
    assert!(
        fifo.contains(&("progresses before the cycle", 2)) && fifo[0] == ("progress levels", 3)
    );
    // With at most two progresses S0 is cut off, with three it is used up, with
    // four it is cut off again.
    assert_eq!(run(LivelockSearch::Incremental)[0], ("rounds", 6));
}

/// Only every other turn is progress: the label depends on the state.
#[model]
mod depends {
    /// Whether there is a way back that is no progress.
    #[param]
    pub const BACK: bool = false;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
        Back,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
            Transition::Back if BACK && s.on => s.on = false,
            Transition::Back => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, _: Transition, need: &mut Obligations) {
        need.all();
    }

    #[progress]
    pub fn switched_off(s: &State, t: Transition) -> bool {
        s.on && matches!(t, Transition::Press)
    }
}

#[test]
fn labels_may_depend_on_the_state_in_full_search() {
    for search in LivelockSearch::ALL {
        run(depends::model(), search, LivelockReduction::Auto).assert_holds();
        let explorer = Explorer::new(depends::model()).param("back", true).paranoid(true);
        let reduction = LivelockReduction::Full;
        let outcome = explorer.livelock(Livelock { search, reduction }).expect("an outcome");
        let lasso = &outcome.assert_violated(CHECK).violations[0].trace;
        assert!(
            lasso.steps.iter().any(|s| s.transition.as_deref() == Some("Back"))
                || lasso.closing.as_deref() == Some("Back")
        );
    }
    let why = refused(depends::model(), LivelockSearch::DfsFifo, LivelockReduction::C2t);
    assert!(why.contains("depending on the state"), "{why}");
}

/// No labels and no rules.
#[model]
mod bare {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.on = !s.on;
        true
    }
}

#[test]
fn what_is_unsound_is_refused_with_a_reason() {
    use LivelockReduction::{Auto, C2s, C2t, Terminating};
    let why = refused(bare::model(), LivelockSearch::DfsFifo, Auto);
    assert!(why.contains("#[progress]") && why.contains("#[progress(state)]"), "{why}");
    let why = refused(figure_3::model(), LivelockSearch::DfsFifo, C2t);
    assert!(why.contains("#[stubborn]"), "{why}");
    for reduction in [C2t, Terminating] {
        let why = refused(stays::model(), LivelockSearch::DfsFifo, reduction);
        assert!(why.contains("c2s keeps progress states"), "{why}");
    }
    let why = refused(ruled::model(), LivelockSearch::DfsFifo, C2s);
    assert!(why.contains("c2t"), "{why}");
    for search in &LivelockSearch::ALL[1..] {
        let why = refused(ruled::model(), *search, C2t);
        assert!(why.contains("dfs-fifo"), "{why}");
    }
    let options = |explorer: Explorer<'_>| explorer.livelock(Livelock::default()).is_err();
    assert!(options(Explorer::new(ruled::model()).reduction(Choice::Full)));
    assert!(options(Explorer::new(ruled::model()).checks(["never"])));
    assert!(options(Explorer::new(ruled::model()).max_violations(2)));
}

/// Two workers that go round and may stop, with labels on transitions.
#[model]
mod ruled {
    /// Whether workers may stop.
    #[param]
    pub const MAY_STOP: bool = true;

    #[state]
    pub struct State {
        #[range(0..3)]
        at: [u8; 2],
        stopped: [bool; 2],
    }

    #[transitions]
    pub enum Transition {
        Step(#[range(0..2)] usize),
        Finish(#[range(0..2)] usize),
        Stop(#[range(0..2)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) if s.at[i] < 2 && !s.stopped[i] => s.at[i] += 1,
            Transition::Finish(i) if s.at[i] == 2 => s.at[i] = 0,
            Transition::Stop(i) if MAY_STOP && s.at[i] == 0 && !s.stopped[i] => s.stopped[i] = true,
            _ => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, t: Transition, need: &mut Obligations) {
        let (Transition::Step(i) | Transition::Finish(i) | Transition::Stop(i)) = t;
        need.add(Transition::Step(i));
        need.add(Transition::Finish(i));
        need.add(Transition::Stop(i));
    }

    #[progress]
    pub fn is_done(t: Transition) -> bool {
        matches!(t, Transition::Finish(_))
    }

    #[check(state)]
    pub fn never(_: &State) -> bool {
        true
    }
}

#[test]
fn auto_takes_the_strongest_that_is_sound() {
    let auto = reduced(ruled::model(), LivelockReduction::Auto);
    assert_eq!(auto.assert_holds().reduction, "terminating");
    let [termination, check] = [2, 1].map(|i| &auto.checks[i].outcome);
    assert_eq!(*termination, CheckOutcome::Holds);
    assert!(matches!(check, CheckOutcome::Off(why) if why.contains("check")));
    let endless = || Explorer::new(ruled::model()).param("may-stop", false);
    let terminating = Livelock { reduction: LivelockReduction::Terminating, ..Livelock::default() };
    let outcome = endless().livelock(terminating).expect("an outcome");
    assert!(matches!(&outcome.verdict, Verdict::Inconclusive(why) if why.contains("c2t")));
    assert_eq!(outcome.violations[0].check, "always_may_terminating");
    let auto = endless().livelock(Livelock::default()).expect("an outcome");
    assert_eq!(auto.assert_holds().reduction, "c2t");
    let sizes = [LivelockReduction::Terminating, LivelockReduction::C2t, LivelockReduction::Full]
        .map(|reduction| reduced(ruled::model(), reduction).assert_holds().statistics.n_states);
    assert!(sizes[0] < sizes[1] && sizes[1] <= sizes[2], "{sizes:?}");
}

#[test]
fn limits_end_every_search_without_a_claim() {
    for search in LivelockSearch::ALL {
        let reduction = LivelockReduction::Full;
        let explorer = Explorer::new(ruled::model()).max_states(5);
        let outcome = explorer.livelock(Livelock { search, reduction }).expect("an outcome");
        assert!(
            matches!(&outcome.verdict, Verdict::Inconclusive(why) if why.contains("5 states")),
            "{search:?}: {outcome}"
        );
    }
}

/// A counter that leaves its range when it has made some progress.
#[model]
mod breaks {
    #[state]
    pub struct State {
        #[range(0..3)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Count,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.n += 1;
        true
    }

    #[progress]
    pub fn every(_: Transition) -> bool {
        true
    }
}

#[test]
fn a_model_error_comes_with_the_way_to_it() {
    for search in LivelockSearch::ALL {
        let options = Livelock { search, ..Livelock::default() };
        match Explorer::new(breaks::model()).livelock(options) {
            Err(RunError::Model { trace: Some(trace), .. }) => assert_eq!(trace.steps.len(), 3),
            other => panic!("{search:?}: {other:?}"),
        }
    }
}
