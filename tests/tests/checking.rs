//! State checks that are remembered say what they say of each state for itself: in the
//! bundled models, and in one whose checks look at the state in every way.

use asset_core::Family;
use asset_core::expand::{Choice, Order, Recipe, StateFaults};
use asset_core::explorer::{Explorer, RunError};
use asset_core::machine::{Machine, Packed, Successors};
use asset_core::model::{CheckKind, CheckSet, Fault};
use asset_core::prelude::*;
use asset_core::state::packing::fast;
use asset_core::verdict::{Outcome, Verdict};
use asset_tests::disguised;
use std::collections::HashSet;

/// Dials that are turned; few of their positions are bad.
#[model]
mod dials {
    #[param(2, 3)]
    pub const N: usize = 3;

    #[derive(StateVar)]
    pub enum Lamp {
        Off,
        On(#[range(0..3)] u8),
    }

    #[derive(StateVar)]
    pub struct Dial {
        #[range(0..8)]
        at: u8,
        lamp: Lamp,
    }

    #[state]
    pub struct State {
        #[range(-1..=6)]
        n_turns: i8,
        dials: [Dial; N],
        #[range(0..N)]
        last: u8,
    }

    #[transitions]
    pub enum Transition {
        Turn(#[range(0..N)] usize),
        Light(#[range(0..N)] usize),
        Forget,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Turn(i) => {
                s.dials[i].at = (s.dials[i].at + 1) % 8;
                s.n_turns = if s.n_turns == 6 { -1 } else { s.n_turns + 1 };
                s.last = i as u8;
                true
            }
            Transition::Light(i) => {
                s.dials[i].lamp = match s.dials[i].lamp {
                    Lamp::Off => Lamp::On(0),
                    Lamp::On(2) => Lamp::Off,
                    Lamp::On(n) => Lamp::On(n + 1),
                };
                true
            }
            Transition::Forget => {
                if s.n_turns <= 3 {
                    return false;
                }
                s.last = 0;
                true
            }
        }
    }

    fn is_high(s: &State, i: usize) -> bool {
        s.dials[i].at == 7
    }

    fn next(i: usize) -> usize {
        (i + 1) % N
    }

    /// One element, and what depends on the parameter.
    #[check(state)]
    pub fn first(s: &State) -> bool {
        !(is_high(s, 0) && s.dials[next(0)].at == 5 && s.n_turns == 4)
    }

    /// All elements, with a message.
    #[check(state)]
    pub fn every(s: &State) -> Result<(), String> {
        match s.dials.iter().filter(|dial| matches!(dial.lamp, Lamp::On(2))).count() {
            N if s.n_turns == -1 => Err(format!("{} lamps, {:?}", N, s.dials[usize::from(s.last)])),
            _ => Ok(()),
        }
    }

    /// In a loop.
    #[check(state)]
    pub fn by_and_by(s: &State) -> bool {
        let mut sum = 0;
        for i in 0..N {
            sum += s.dials[i].at;
        }
        sum < 7 * N as u8
    }

    /// Nothing is known of this one.
    #[check(state)]
    pub fn whole(s: &State) -> bool {
        let State { n_turns, last, .. } = s;
        *n_turns != 2 || *last != 1
    }
}

/// About `n` states at most, in the order of discovery, so that neighbours are alike.
fn states(machine: &dyn Machine, n: usize) -> Vec<Packed> {
    let mut queue = machine.initial_states().expect("initial states");
    let mut seen: HashSet<Packed> = queue.iter().cloned().collect();
    let mut next = 0;
    while next < queue.len() && queue.len() < n {
        let mut out = Successors::default();
        let expanded = machine.expand(&queue[next], Order::default(), &mut out);
        expanded.expect("a model without errors");
        next += 1;
        let new = out.words().chunks_exact(machine.n_words()).filter(|&s| seen.insert(s.into()));
        queue.extend(new.map(Packed::from));
    }
    queue
}

/// Compares the faults of these states, in batches. Returns how many there are.
fn compare(machine: &dyn Machine, states: &[Packed], on: CheckSet, what: &str) -> usize {
    let mut checks = Recipe::new(machine, Order::default(), Choice::Full).state_checks(on);
    let mut n_faults = 0;
    for states in states.chunks(16) {
        let words: Vec<u64> = states.iter().flat_map(|state| state.iter().copied()).collect();
        let positions: Vec<u32> = (0..states.len() as u32).collect();
        let mut found = StateFaults::default();
        let done = checks.check(None, &words, &positions, &mut found);
        assert_eq!(done, Ok(()), "{what}");
        let faults = states.iter().map(|state| machine.state_fault(state, on).unwrap()).enumerate();
        let faults: Vec<(usize, Fault)> = faults.filter_map(|(i, f)| Some((i, f?))).collect();
        assert_eq!((found.n_checked, &found.faults), (states.len(), &faults), "{what}");
        n_faults += faults.len();
    }
    n_faults
}

/// The state checks of a machine.
fn state_checks(machine: &dyn Machine) -> impl Iterator<Item = usize> {
    let checks = machine.description().checks.iter().enumerate();
    checks.filter(|(_, check)| check.kind == CheckKind::State).map(|(i, _)| i)
}

#[test]
fn bundled_models() {
    let mut n_faults = 0;
    for family in models::all() {
        for instance in family.instances {
            let (machine, what) =
                (instance.machine, format!("{} {:?}", family.name, instance.values));
            if state_checks(machine).next().is_some() {
                n_faults += compare(machine, &states(machine, 3000), CheckSet::ALL, &what);
            }
        }
    }
    assert!(n_faults > 100, "there are models with faults: {n_faults}");
}

#[test]
fn every_way_to_look_at_a_state() {
    for instance in dials::model().instances {
        let states = states(instance.machine, usize::MAX);
        for on in 1..=0b1111 {
            let n = compare(instance.machine, &states, CheckSet(on), &format!("{on:b}"));
            let [few, many] = [1, 5000];
            assert!(n >= few && (n <= many || on & 0b1000 != 0), "{n} faults of {on:b}");
        }
    }
}

/// The run that remembers, and the one that checks every state.
fn both(family: Family, configure: fn(Explorer<'static>) -> Explorer<'static>) -> [Run; 2] {
    [false, true].map(|paranoid| configure(Explorer::new(family).paranoid(paranoid)).run())
}

type Run = Result<Outcome, RunError>;

#[test]
fn runs_are_the_same_as_if_nothing_were_remembered() {
    let configurations: [fn(Explorer<'static>) -> Explorer<'static>; 5] = [
        |explorer| explorer.checks(["first"]),
        |explorer| explorer.checks(["every"]).max_violations(7),
        |explorer| explorer.checks(["by_and_by"]),
        |explorer| explorer.checks(["first", "every", "by_and_by"]).max_violations(40),
        |explorer| explorer.checks(["first", "whole"]).max_violations(40),
    ];
    for configure in configurations {
        let [remembered, each] = both(dials::model(), configure).map(Result::unwrap);
        assert_eq!(remembered.verdict, Verdict::Violated);
        let counts = |outcome: &Outcome| {
            let s = &outcome.statistics;
            (s.n_states, s.n_edges, s.depth, s.n_terminal)
        };
        assert_eq!(counts(&remembered), counts(&each));
        let faults = |outcome: &Outcome| -> Vec<_> {
            let violations = outcome.violations.iter();
            violations.map(|v| (v.check.clone(), v.message.clone(), v.trace.clone())).collect()
        };
        assert!(faults(&remembered) == faults(&each));
    }
}

/// A check that panics, late.
#[model]
mod fuse {
    #[state]
    pub struct State {
        #[range(0..=200)]
        heat: u8,
        #[range(0..50)]
        time: u8,
    }

    #[transitions]
    pub enum Transition {
        Heat,
        Wait,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Heat if s.heat == 200 => return false,
            Transition::Heat => s.heat += 1,
            Transition::Wait => s.time = (s.time + 1) % 50,
        }
        true
    }

    #[check(state)]
    pub fn is_cool(s: &State) -> bool {
        assert!(s.heat < 150, "it is too hot");
        true
    }
}

#[test]
fn a_panic_is_the_same_as_if_nothing_were_remembered() {
    let [remembered, each] = both(fuse::model(), |explorer| explorer).map(|run| match run {
        Err(RunError::Model { sentence, trace }) => (sentence, trace.map_or(0, |t| t.steps.len())),
        _ => panic!("no model error"),
    });
    assert_eq!(remembered, each);
    assert_eq!(remembered, ("model error: the model panicked: it is too hot".to_owned(), 151));
}

#[test]
fn a_wrong_list_ends_the_run_with_an_error() {
    let [remembered, each] = both(disguised::check(), |explorer| explorer);
    each.unwrap().assert_violated("is_seen");
    if !fast() {
        remembered.unwrap().assert_violated("is_seen");
        return;
    }
    let sentence = remembered.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(sentence.contains("a state check fails where"), "{sentence}");
}

/// Checks whose variables are known are remembered, and no others.
#[test]
fn what_is_remembered() {
    let bytes = |on: u64| {
        let [small, _] = dials::model().instances else { panic!("two instances") };
        let recipe = Recipe::new(small.machine, Order::default(), Choice::Full);
        recipe.state_checks(CheckSet(on)).bytes()
    };
    assert_eq!((bytes(0b1000), bytes(0b1001)), (0, 0));
    for on in 1..=0b111 {
        assert_eq!(bytes(on) > 0, fast(), "{on:b}");
    }
}
