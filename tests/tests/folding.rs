//! Machines whose states are folded to one word do what those beneath do, whatever is
//! known of their transitions; and where that is wrong, it is found out.

use asset_core::expand::{Batch, Choice, Order, Recipe};
use asset_core::explorer::Explorer;
use asset_core::machine::{ModelError, Packed, Successors, Wrong};
use asset_core::prelude::*;
use asset_core::verdict::Verdict;
use asset_tests::random::{Random, loose, model};
use asset_tests::table::{Branch, Effect, Predicate, Table};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Explores, a few states at a time. Returns all successors of each state, in the order of
/// discovery.
fn explore(recipe: &Recipe<'_>) -> Result<Vec<Vec<(usize, u32)>>, ModelError> {
    let (n_words, mut source) = (recipe.n_words(), recipe.source());
    let (mut numbers, mut states): (HashMap<Packed, usize>, Vec<Packed>) = Default::default();
    for state in recipe.initial_states()?.iter().map(|state| source.key(state)) {
        if !numbers.contains_key(&state) {
            numbers.insert(state.clone(), states.len());
            states.push(state);
        }
    }
    let mut all = Vec::new();
    while all.len() < states.len() {
        let batch = states[all.len()..].iter().take(1 + all.len() % 9);
        let words: Vec<u64> = batch.flat_map(|state| state.iter().copied()).collect();
        let mut out = Successors::default();
        source.expand(Batch::awake(&words), &mut out)?;
        for i in 0..out.n_expanded() {
            let next = out.of(i).map(|e| {
                let state: Packed = out.words()[e * n_words..][..n_words].into();
                let number = *numbers.entry(state.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(state);
                }
                (number, out.transitions()[e])
            });
            all.push(next.collect());
        }
    }
    Ok(all)
}

#[test]
fn random_models() {
    let mut n_large = 0;
    for seed in 0..80 {
        let mut table = loose(&mut Random::new(7_000_000 + seed));
        for n_words in 1..=5 {
            table.n_words = n_words;
            let machine = table.clone().machine();
            for order in [Order::Backward, Order::Forward] {
                let recipe = Recipe::new(&machine, order, Choice::Full);
                let plain = explore(&recipe).expect("no error");
                let folded = explore(&recipe.folded()).expect("no error");
                assert_eq!(folded, plain, "seed {seed}");
                n_large += usize::from(folded.len() > 1000);
            }
        }
    }
    assert!(n_large > 50, "{n_large}");
}

/// Two processes with a counter each; every second step of the first one needs the
/// second to stand at 3 or more.
fn counters() -> Table {
    let (mut table, _) = model(&mut Random::new(1), 100);
    let step = |variable: usize, guard: &[(usize, u8)]| Branch {
        guard: Predicate(guard.to_vec()),
        effects: vec![(variable, Effect::Next)],
    };
    table.domains = vec![8, 8];
    table.initial = vec![vec![0, 0]];
    table.transitions =
        vec![vec![step(0, &[(0, 0x55)]), step(0, &[(1, 0xf8)])], vec![step(1, &[])]];
    table.n_words = 2;
    table
}

#[test]
fn what_is_not_told_is_found_out() {
    let told = |touched: [[u64; 2]; 2]| {
        let mut machine = counters().machine();
        assert_eq!(machine.touched, [[0xff, 0xff], [0, 0xff]]);
        machine.touched = touched.map(|touched| touched.to_vec()).to_vec();
        explore(&Recipe::new(&machine, Order::Backward, Choice::Full).folded())
    };
    assert_eq!(told([[0xff, 0xff], [0, 0xff]]).expect("it is right").len(), 64);
    let says = |touched| match told(touched).expect_err("it is wrong") {
        ModelError { wrong: Wrong::Unsteady(what), transition, .. } => (what, transition),
        error => panic!("{error:?}"),
    };
    // The state is one of the machine's.
    let mut machine = counters().machine();
    machine.touched[0] = vec![0xff, 0];
    let recipe = Recipe::new(&machine, Order::Backward, Choice::Full).folded();
    let state = explore(&recipe).expect_err("it is wrong").state.expect("a state");
    let shown = recipe.machine().show(&state).to_string();
    assert!(shown.contains("b=3"), "{shown}");
    // One looks at more, one changes more.
    let (what, _) = says([[0xff, 0], [0, 0xff]]);
    assert!(what.contains("does not do what it did"), "{what}");
    let (what, transition) = says([[0xff, 0xff], [0xff, 0]]);
    assert!(what.contains("thought not to touch"), "{what}");
    assert_eq!(transition, Some(1));
}

/// No part comes again, so that nothing can be learnt from one.
#[model]
mod odometers {
    /// Steps.
    pub const LENGTH: u64 = 200_000;

    #[state]
    pub struct State {
        first: u64,
        second: u64,
    }

    #[transitions]
    pub enum Transition {
        Go,
        Rest,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Go => {
                let can_go = s.first < LENGTH;
                if can_go {
                    s.first += 1;
                    s.second = s.first.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                }
                can_go
            }
            Transition::Rest => s.first.is_multiple_of(2),
        }
    }

    #[check(state)]
    pub fn not_far(s: &State) -> bool {
        s.first <= LENGTH
    }

    #[check(may_progress)]
    pub fn can_be_there(s: &State) -> bool {
        s.first == LENGTH
    }
}

/// All states differ in both parts, and have many successors: to learn from them would take
/// a gigabyte.
#[model]
mod scattered {
    /// States, but for one.
    pub const N: u64 = 20_000;

    #[state]
    pub struct State {
        first: u64,
        second: u64,
    }

    #[transitions]
    pub enum Transition {
        Go(#[range(0..100)] u64),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let Transition::Go(k) = t;
        let next = (s.first % N * 7919 + k * 104_729 + 1) % N;
        s.first = next + N * (next * next % 1_000_003);
        s.second = (next + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        true
    }

    #[check(state)]
    pub fn fine(s: &State) -> bool {
        s.first < u64::MAX
    }
}

#[test]
fn what_is_learnt_takes_little_memory() {
    let outcome = Explorer::new(scattered::model()).max_memory(64 << 20).run().expect("no error");
    assert_eq!(outcome.verdict, Verdict::Holds);
    assert_eq!(outcome.statistics.n_states, scattered::N + 1);
    assert_eq!(outcome.statistics.n_edges, 100 * (scattered::N + 1));
}

/// A transition that looks at what is not told, from some batch on.
static HIDDEN: AtomicBool = AtomicBool::new(false);

#[test]
fn audits_ask_the_model() {
    // States are learnt from what is remembered beneath, which must not be asked.
    let machine = moody::model().instances[0].machine;
    let recipe = Recipe::new(machine, Order::Backward, Choice::Full).folded();
    let mut source = recipe.source();
    let key = source.key(&recipe.initial_states().expect("it has one")[0]);
    let mut expand = || source.expand(Batch::awake(&key), &mut Successors::default());
    for _ in 0..1000 {
        expand().expect("no error");
    }
    HIDDEN.store(true, Ordering::Relaxed);
    let n = (0..1000).take_while(|_| expand().is_ok()).count();
    HIDDEN.store(false, Ordering::Relaxed);
    assert!(n < 64, "{n}");
}

fn hidden() -> bool {
    HIDDEN.load(Ordering::Relaxed)
}

/// Does one thing, and later another.
#[model]
mod moody {
    #[state]
    pub struct State {
        first: [u8; 10],
        second: [u8; 10],
    }

    #[transitions]
    pub enum Transition {
        First,
        Second,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::First => s.first[0] = if super::hidden() { 2 } else { 1 },
            Transition::Second => s.second[9] = 1,
        }
        true
    }
}

#[test]
fn where_no_part_comes_again() {
    for checks in [&["not_far"][..], &["not_far", "can_be_there"]] {
        let explorer = Explorer::new(odometers::model()).checks(checks.iter().copied());
        let outcome = explorer.run().expect("no error");
        assert_eq!(outcome.verdict, Verdict::Holds);
        let n = odometers::LENGTH;
        assert_eq!(outcome.statistics.n_states, n + 1);
        assert_eq!(outcome.statistics.n_edges, n + n / 2 + 1);
        assert_eq!(outcome.statistics.n_terminal, 0);
    }
}
