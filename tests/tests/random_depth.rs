//! Random models: depth-first searches, with states, to a bound and without states, against
//! the whole graph.

use asset_core::Family;
use asset_core::expand::{Choice, Order};
use asset_core::explorer::{DepthFirst, Explorer, Livelock, RunError};
use asset_core::verdict::{Outcome, Verdict};
use asset_tests::differential::{CHECKS, MAX_STATES, violated_in};
use asset_tests::oracle::Graph;
use asset_tests::random::{self, Random, model};
use asset_tests::table::{DEADLOCK_CHECK, STATE_CHECK, TableMachine, family};

struct Case {
    family: Family,
    graph: Graph,
    order: Order,
    check: usize,
    /// The steps to the nearest state in which the check fails.
    nearest: Option<usize>,
}

impl Case {
    fn new(seed: u64, max: usize) -> Case {
        let mut random = Random::new(11_000_000 + seed);
        let check = if seed.is_multiple_of(2) { STATE_CHECK } else { DEADLOCK_CHECK };
        let (table, graph) = loop {
            let (table, graph) = model(&mut random, max);
            if graph.len() <= max {
                break (table, graph);
            }
        };
        let machine: TableMachine = table.machine();
        let nearest = graph.nearest(&violated_in(&graph, &machine, check));
        let order = if seed.is_multiple_of(3) { Order::Backward } else { Order::Forward };
        Case { family: family(machine), graph, order, check, nearest }
    }

    fn run(&self, search: DepthFirst) -> Outcome {
        let explorer = Explorer::new(self.family).order(self.order).checks([CHECKS[self.check]]);
        let outcome = explorer.depth_first(search).run().expect("an outcome");
        if let Some(violation) = outcome.violations.first() {
            assert_eq!(violation.check, CHECKS[self.check]);
        }
        outcome
    }

    /// The largest distance of a state.
    fn radius(&self) -> usize {
        *self.graph.depth.iter().max().unwrap_or(&0)
    }
}

fn steps(outcome: &Outcome) -> usize {
    outcome.violations[0].trace.steps.len() - 1
}

#[test]
fn a_search_without_a_bound_decides() {
    let mut n = [0; 2];
    for seed in 0..3_000 {
        let case = Case::new(seed, MAX_STATES);
        n[usize::from(case.nearest.is_some())] += 1;
        let plain = case.run(DepthFirst::default());
        let short = case.run(DepthFirst { shorten: true, ..DepthFirst::default() });
        match case.nearest {
            None => {
                for outcome in [plain, short] {
                    outcome.assert_holds();
                    assert_eq!(outcome.statistics.n_states as usize, case.graph.len());
                }
            }
            Some(nearest) => {
                assert_eq!(plain.verdict, Verdict::Violated, "seed {seed}");
                assert!(steps(&plain) >= nearest);
                assert_eq!(steps(&short), nearest, "seed {seed}: a shortest one");
            }
        }
    }
    assert!(n.iter().all(|&n| n > 500), "{n:?}");
}

#[test]
fn what_lies_within_a_bound_is_found() {
    let mut n = [0; 3];
    for seed in 0..3_000 {
        let case = Case::new(seed, MAX_STATES);
        let bound = seed as usize % (case.radius() + 2);
        let search = DepthFirst { max_depth: Some(bound as u32), ..DepthFirst::default() };
        let outcome = case.run(search);
        let expected = match case.nearest {
            Some(nearest) if nearest <= bound => Verdict::Violated,
            None if case.radius() <= bound => Verdict::Holds,
            _ => {
                let why = format!(
                    "no violation within {bound} steps; longer runs were left out, see --max-depth"
                );
                Verdict::Inconclusive(why)
            }
        };
        assert_eq!(outcome.verdict, expected, "seed {seed}, bound {bound}");
        n[match expected {
            Verdict::Violated => 0,
            Verdict::Holds => 1,
            Verdict::Inconclusive(_) => 2,
        }] += 1;
    }
    assert!(n.iter().all(|&n| n > 200), "{n:?}");
}

#[test]
fn a_search_without_states_says_no_more_than_it_saw() {
    let mut n = [0; 3];
    for seed in 0..1_500 {
        let case = Case::new(seed, 25);
        let bound = 1 + seed as usize % 6;
        let max_depth = Some(bound as u32);
        let search = DepthFirst { stateless: true, max_depth, shorten: seed.is_multiple_of(5) };
        let outcome = case.run(search);
        match (&outcome.verdict, case.nearest) {
            (Verdict::Violated, Some(nearest)) => {
                assert!(nearest <= bound && steps(&outcome) <= bound);
                assert!(!search.shorten || steps(&outcome) == nearest, "seed {seed}");
                n[0] += 1;
            }
            (Verdict::Holds, None) => {
                assert!(case.radius() <= bound, "seed {seed}");
                n[1] += 1;
            }
            // A longer run goes on: round a cycle, or to what is further away.
            (Verdict::Inconclusive(_), nearest) => {
                assert!(nearest.is_none_or(|nearest| nearest > bound), "seed {seed}");
                n[2] += 1;
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(n.iter().all(|&n| n > 50), "{n:?}");
}

#[test]
fn what_it_cannot_decide_is_refused() {
    let table = random::graph(&mut Random::new(1));
    let family = family(table.machine());
    let refused = |explorer: Explorer<'_>, what: &str| match explorer.run() {
        Err(RunError::Usage(sentence)) => assert!(sentence.contains(what), "{sentence}"),
        Err(error) => panic!("{error}"),
        Ok(outcome) => panic!("{outcome}"),
    };
    let dfs = || Explorer::new(family).depth_first(DepthFirst::default());
    let stateless = DepthFirst { stateless: true, ..DepthFirst::default() };
    refused(Explorer::new(family).depth_first(stateless), "give it a bound");
    refused(dfs().checks(["may"]), "decides checks of states and of deadlocks only");
    refused(dfs().reduction(Choice::Stubborn), "fires everything");
    refused(dfs().max_violations(2), "one violation");
    refused(dfs().ltl("G terminal"), "not at infinite runs");
    match dfs().livelock(Livelock::default()) {
        Err(RunError::Usage(sentence)) => assert!(sentence.contains("searches of its own")),
        _ => panic!("not refused"),
    }
}
