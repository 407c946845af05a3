//! Any number of threads gives the answer of one: counts, verdict, checks and traces.

use asset_core::Family;
use asset_core::expand::{Choice, Order};
use asset_core::explorer::{Explorer, RunError};
use asset_core::prelude::*;
use asset_core::verdict::Outcome;
use asset_tests::differential::{CHECKS, MAX_STATES, Ruled};
use asset_tests::random::{RULE_KINDS, Random, model};
use asset_tests::table::family;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rows up to this size run in every test run; for others see `ASSET_LARGE_THREADS`.
const LARGE: u64 = 60_000;

/// All that must not depend on the number of threads.
fn said(outcome: &Result<Outcome, RunError>) -> String {
    match outcome {
        Ok(outcome) => {
            let s = &outcome.statistics;
            let counts = (s.n_states, s.n_edges, s.depth, s.n_terminal);
            let (checks, violations) = (&outcome.checks, &outcome.violations);
            format!("{counts:?} {:?} {checks:#?} {violations:#?}", outcome.verdict)
        }
        Err(error) => error.to_string(),
    }
}

/// Whether more than one thread took part.
fn was_shared(outcome: &Result<Outcome, RunError>) -> bool {
    outcome.as_ref().is_ok_and(|outcome| outcome.statistics.n_helpers > 0)
}

/// A model and its parameters, and how it is explored.
type Chosen = (Family, Vec<(String, String)>, Choice, Order);

fn explorer((family, params, choice, order): &Chosen) -> Explorer<'static> {
    let explorer = Explorer::new(*family).reduction(*choice).order(*order);
    params.iter().fold(explorer, |explorer, (name, value)| explorer.param(name, value))
}

/// The rows of the table of expectations, up to a size.
fn rows() -> Vec<(Chosen, String)> {
    let large = std::env::var("ASSET_LARGE_THREADS").unwrap_or_default();
    let mut rows = Vec::new();
    for line in include_str!("../../expectations.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [model, params, reduction, order, states, ..] = cells[..] else { continue };
        let n_states: u64 = states.parse().expect("a number of states");
        if n_states > LARGE && large != "all" && large != model {
            continue;
        }
        let family = *models::all().iter().find(|f| f.name == model).expect("a model");
        let param = |p: &str| p.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()));
        let params = params.split(';').filter_map(param).collect();
        let choice = if reduction == "full" { Choice::Full } else { Choice::Stubborn };
        let order = if order == "forward" { Order::Forward } else { Order::Backward };
        rows.push(((family, params, choice, order), line.to_owned()));
    }
    assert!(rows.len() > 150, "the table has gone");
    rows
}

#[test]
fn every_row_of_the_table() {
    let mut n_shared = 0;
    for (i, (chosen, line)) in rows().into_iter().enumerate() {
        let expected = said(&explorer(&chosen).run());
        for (j, n_threads) in [2, 4, 8].into_iter().enumerate() {
            let chunk = [1024, 64, 7][(i + j) % 3];
            let outcome = explorer(&chosen).threads_in_chunks(n_threads, chunk).run();
            assert_eq!(said(&outcome), expected, "{line}, {n_threads} threads, chunks of {chunk}");
            n_shared += usize::from(was_shared(&outcome));
        }
    }
    assert!(n_shared > 100, "threads were started in {n_shared} runs");
}

#[test]
fn three_repetitions_are_the_same() {
    let family = models::peterson::model();
    for choice in [Choice::Full, Choice::Stubborn] {
        let run = |n: usize| {
            Explorer::new(family)
                .param("n", 3)
                .param("variant", "correct")
                .reduction(choice)
                .threads_in_chunks(n, 100)
                .run()
        };
        let expected = said(&run(1));
        for n_threads in [2, 3, 8] {
            for _ in 0..3 {
                let outcome = run(n_threads);
                assert!(was_shared(&outcome) && said(&outcome) == expected, "{n_threads} threads");
            }
        }
    }
}

#[test]
fn random_models_with_random_threads_and_chunks() {
    let mut n_shared = 0;
    for seed in 0..600 {
        let mut random = Random::new(7_000_000 + seed);
        let (table, _) = model(&mut random, MAX_STATES);
        let family = family(table.machine());
        let order = if random.percent(50) { Order::Backward } else { Order::Forward };
        // The last one needs numbers of states, and so one thread.
        let check = random.below(CHECKS.len() - 1);
        let n_violations = 1 + random.below(4);
        let max_states = if random.percent(20) { 1 + random.below(60) as u64 } else { u64::MAX };
        let run = |n_threads, chunk| {
            let explorer = Explorer::new(family)
                .reduction(Choice::Full)
                .order(order)
                .max_violations(n_violations)
                .max_states(max_states);
            explorer.checks([CHECKS[check]]).threads_in_chunks(n_threads, chunk).run()
        };
        let expected = said(&run(1, 1));
        let (n_threads, chunk) = (2 + random.below(7), 1 + random.below(2));
        let outcome = run(n_threads, chunk);
        assert_eq!(said(&outcome), expected, "seed {seed}, {n_threads} threads, chunks of {chunk}");
        n_shared += usize::from(was_shared(&outcome));
    }
    assert!(n_shared > 60, "threads were started in {n_shared} runs");
}

#[test]
fn random_models_with_rules() {
    let mut n_shared = 0;
    for seed in 0..300 {
        let mut random = Random::new(8_000_000 + seed);
        let ruled = Ruled::random(&mut random, RULE_KINDS[seed as usize % 3], 0);
        let check = CHECKS[random.below(3)];
        let run = |n_threads, chunk| {
            Explorer::new(ruled.family)
                .reduction(Choice::Stubborn)
                .checks([check])
                .threads_in_chunks(n_threads, chunk)
                .run()
        };
        let expected = said(&run(1, 1));
        let (n_threads, chunk) = (2 + random.below(7), 1 + random.below(2));
        let outcome = run(n_threads, chunk);
        assert_eq!(said(&outcome), expected, "seed {seed}, {n_threads} threads, chunks of {chunk}");
        n_shared += usize::from(was_shared(&outcome));
    }
    assert!(n_shared > 10, "threads were started in {n_shared} runs");
}

/// Counters that go up and down, and what goes wrong far away.
#[model]
mod counters {
    /// What goes wrong.
    #[param]
    pub const WRONG: Wrong = Wrong::Nothing;

    /// What goes wrong.
    pub enum Wrong {
        /// Nothing.
        Nothing,
        /// A transition panics.
        Panics,
        /// A number leaves its range.
        OutOfRange,
        /// A check panics.
        CheckPanics,
        /// A check fails in many states.
        CheckFails,
    }

    #[state]
    pub struct State {
        #[range(0..=60)]
        at: [u8; 4],
    }

    #[transitions]
    pub enum Transition {
        Up(#[range(0..4)] usize),
        Down(#[range(0..4)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let sum: u32 = s.at.iter().map(|&n| u32::from(n)).sum();
        match t {
            Transition::Up(i) if sum == 30 && i == 2 && matches!(WRONG, Wrong::Panics) => {
                panic!("too high")
            }
            Transition::Up(i) if sum == 30 && i == 2 && matches!(WRONG, Wrong::OutOfRange) => {
                s.at[i] = 61;
            }
            Transition::Up(i) if s.at[i] < 30 => s.at[i] += 1,
            Transition::Down(i) if s.at[i] > 0 => s.at[i] -= 1,
            Transition::Up(_) | Transition::Down(_) => return false,
        }
        true
    }

    #[check(state)]
    pub fn is_low(s: &State) -> Result<(), &'static str> {
        let sum: u32 = s.at.iter().map(|&n| u32::from(n)).sum();
        match WRONG {
            Wrong::CheckPanics if sum == 31 => panic!("what a sum"),
            Wrong::CheckFails if sum == 31 => Err("too high"),
            _ => Ok(()),
        }
    }
}

fn run_counters(wrong: &str, n_threads: usize) -> Explorer<'static> {
    Explorer::new(counters::model()).param("wrong", wrong).threads_in_chunks(n_threads, 200)
}

#[test]
fn faults_are_those_of_one_thread() {
    for wrong in ["panics", "out-of-range", "check-panics", "check-fails"] {
        let expected = said(&run_counters(wrong, 1).max_violations(40).run());
        let outcome = run_counters(wrong, 8).max_violations(40).run();
        assert_eq!(said(&outcome), expected, "{wrong}");
        let expected = said(&run_counters(wrong, 1).run());
        assert_eq!(said(&run_counters(wrong, 8).run()), expected, "{wrong}");
    }
}

/// Threads of this process whose names are those of explorers.
fn explorers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("a process has threads");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(entry.ok()?.path().join("comm")).ok()
    };
    tasks.filter_map(name).filter(|name| name.starts_with("explorer")).count()
}

#[test]
fn limits_end_all_threads() {
    let is_over = |outcome: &Outcome, why: &str| {
        let text = format!("{outcome}");
        assert!(text.contains(why), "{text}");
    };
    let start = Instant::now();
    let outcome = run_counters("nothing", 8).max_time(Duration::from_millis(50)).run();
    is_over(&outcome.expect("an outcome"), "time limit");
    let outcome = run_counters("nothing", 8).max_memory(20_000_000).run();
    is_over(&outcome.expect("an outcome"), "memory limit");
    let outcome = run_counters("nothing", 8).max_states(100_000).run();
    let expected = run_counters("nothing", 1).max_states(100_000).run();
    assert_eq!(said(&outcome), said(&expected));
    is_over(&outcome.expect("an outcome"), "limit of 100000 states");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while explorers() == 0 && start.elapsed() < Duration::from_secs(60) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        let explorer = Explorer::new(counters::model()).threads(8).stop_flag(&stop);
        is_over(&explorer.run().expect("an outcome"), "interrupted");
    });
}

#[test]
fn small_runs_start_no_threads() {
    let outcome = Explorer::new(models::chain::model()).threads(8).run().expect("an outcome");
    assert_eq!(outcome.statistics.n_helpers, 0);
}
