//! Rules that are inferred: their sets against the definition of stubborn sets, and the runs
//! that follow them against the truth, on random machines and on the bundled models.
//!
//! The usual run takes a few hundred machines. `ASSET_MACHINES=20000 cargo test --test inferred`
//! takes more, from other seeds.

use asset_core::Family;
use asset_core::audit::{AuditOptions, AuditVerdict};
use asset_core::expand::Choice;
use asset_core::expand::inferred::Inferred;
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch, Rules};
use asset_core::model::{CheckSet, Order};
use asset_core::verdict::{CheckOutcome, Verdict};
use asset_tests::differential::{CHECKS, violated_in};
use asset_tests::livelock::{is_progress, on_livelock};
use asset_tests::oracle::{Graph, is_stubborn};
use asset_tests::random::{self, Random};
use asset_tests::table::{
    Branch, DEADLOCK_CHECK, Effect, MAY_CHECK, MUST_CHECK, Predicate, STATE_CHECK, Table, family,
};
use std::env;
use std::ops::Range;
use std::sync::Arc;

const ORDERS: [Order; 2] = [Order::Backward, Order::Forward];
const MAX_STATES: usize = 400;

fn seeds(usual: u64) -> Range<u64> {
    match env::var("ASSET_MACHINES") {
        Ok(n) => 1_000_000..1_000_000 + n.parse::<u64>().expect("a number of machines"),
        Err(_) => 0..usual,
    }
}

/// A random machine of few states, without rules.
fn machine(seed: u64) -> Option<(Table, Graph)> {
    let mut random = Random::new(20_000_000 + seed);
    let table = match seed % 50 {
        // Its check is another model's.
        0 => Table { bad: Predicate::default(), ..random::loose(&mut random) },
        _ => random::table(&mut random),
    };
    let graph = Graph::explore(&table.clone().machine(), MAX_STATES)?;
    Some((table, graph))
}

/// Asserts that the sets of all states are stubborn, word for word. Returns how many leave
/// something out, and how many there are.
fn assert_stubborn(table: &Table, graph: &Graph, seed: u64) -> [usize; 2] {
    let machine = table.clone().machine();
    let inferred = Inferred::new(&machine, CheckSet::ALL).expect("all is known of a table");
    let inferred = Arc::new(inferred);
    let bad = graph.bad(&machine, STATE_CHECK);
    let (mut n_sets, mut n_reducing) = (0, 0);
    for s in 0..graph.len() {
        let n_enabled = graph.next[s].iter().flatten().count();
        for order in ORDERS {
            let set = inferred.stubborn_set(&machine, order, &graph.states[s]).unwrap();
            let n_fired = set.iter().filter(|&&t| graph.next[s][t].is_some()).count();
            n_sets += 1;
            n_reducing += usize::from(n_fired < n_enabled);
            let values = table.unpack(&graph.states[s]);
            assert!(
                is_stubborn(graph, s, &set, &bad),
                "seed {seed}: {set:?} is not stubborn in {values:?}, {order:?}\n{table:?}"
            );
        }
    }
    [n_reducing, n_sets]
}

#[test]
fn inferred_sets_are_stubborn() {
    let (mut n_reducing, mut n_sets) = (0, 0);
    for seed in seeds(600) {
        let Some((table, graph)) = machine(seed) else { continue };
        let [reducing, sets] = assert_stubborn(&table, &graph, seed);
        (n_reducing, n_sets) = (n_reducing + reducing, n_sets + sets);
    }
    println!("{n_reducing} of {n_sets} sets leave something out");
    assert!(n_reducing * 10 > n_sets, "{n_reducing} of {n_sets}");
}

#[test]
fn runs_by_inferred_rules_say_what_is_true() {
    let (mut n_smaller, mut n_livelocks) = (0, 0);
    for seed in seeds(300).filter(|seed| seed % 50 != 0) {
        let Some((mut table, graph)) = machine(seed) else { continue };
        // Labels of states are the author's to keep; see below.
        table.progress_states = Predicate::default();
        let n = table.transitions.len();
        table.progress_transitions = (table.progress_transitions | 1) & ((1u16 << n) - 1) as u8;
        let family = family(table.clone().machine());
        for order in ORDERS {
            for check in [STATE_CHECK, DEADLOCK_CHECK, MAY_CHECK, MUST_CHECK] {
                n_smaller += usize::from(assert_true(family, &table, &graph, check, order, seed));
            }
            n_livelocks += usize::from(assert_livelocks(family, &table, &graph, order, seed));
        }
        let report = Explorer::new(family).rules(Rules::Inferred).audit(AuditOptions::default());
        let verdict = report.expect("no model error").verdict;
        assert!(matches!(verdict, AuditVerdict::NoFault), "seed {seed}: {verdict:?}\n{table:?}");
    }
    println!("{n_smaller} smaller, {n_livelocks} livelocks");
    assert!(n_smaller > 100 && n_livelocks > 50, "{n_smaller} smaller, {n_livelocks} livelocks");
}

/// Asserts that a check gets its true verdict, or none where the model is not always
/// may-terminating. True if fewer states were visited than there are.
fn assert_true(
    family: Family,
    table: &Table,
    graph: &Graph,
    check: usize,
    order: Order,
    seed: u64,
) -> bool {
    let explorer = Explorer::new(family).rules(Rules::Inferred).order(order);
    let outcome = explorer.checks([CHECKS[check]]).run().expect("no model error");
    let is_violated = violated_in(graph, &table.clone().machine(), check).contains(&true);
    let terminates = graph.always_may_terminate();
    let said = &outcome.checks[check].outcome;
    let is_right = match said {
        CheckOutcome::Holds | CheckOutcome::Vacuous { .. } => !is_violated,
        CheckOutcome::Violated => is_violated,
        CheckOutcome::Inconclusive(_) => {
            !terminates && ![DEADLOCK_CHECK, MUST_CHECK].contains(&check)
        }
        _ => false,
    };
    assert!(is_right, "seed {seed}, {}: {said:?}, {order:?}\n{table:?}", CHECKS[check]);
    assert!(outcome.statistics.n_states as usize <= graph.len(), "seed {seed}");
    outcome.violations.is_empty() && (outcome.statistics.n_states as usize) < graph.len()
}

/// Asserts that all searches for livelocks by inferred rules say what is true. True if there
/// are livelocks.
fn assert_livelocks(family: Family, table: &Table, graph: &Graph, order: Order, seed: u64) -> bool {
    let machine = table.clone().machine();
    let label =
        |s: usize, t, to: usize| is_progress(&machine, &graph.states[s], t, &graph.states[to]);
    let has_livelock = on_livelock(graph, label).contains(&true);
    for reduction in
        [LivelockReduction::Auto, LivelockReduction::C2t, LivelockReduction::Terminating]
    {
        let explorer = Explorer::new(family).rules(Rules::Inferred).order(order);
        let options = Livelock { search: LivelockSearch::DfsFifo, reduction };
        let verdict = explorer.livelock(options).expect("no model error").verdict;
        let is_right = match verdict {
            Verdict::Holds => !has_livelock,
            Verdict::Violated => has_livelock,
            Verdict::Inconclusive(_) => {
                reduction == LivelockReduction::Terminating && !graph.always_may_terminate()
            }
        };
        assert!(is_right, "seed {seed}, {reduction:?}, {order:?}: {verdict:?}\n{table:?}");
    }
    has_livelock
}

/// A guard, and what is done.
type Guarded<'g> = (&'g [(usize, u8)], &'g [(usize, Effect)]);

/// A machine of guarded assignments, one a transition.
fn simple(domains: &[u8], transitions: &[Guarded<'_>]) -> Table {
    let branch = |&(guard, effects): &Guarded<'_>| {
        vec![Branch { guard: Predicate(guard.to_vec()), effects: effects.to_vec() }]
    };
    Table {
        domains: domains.to_vec(),
        initial: vec![vec![0; domains.len()]],
        transitions: transitions.iter().map(branch).collect(),
        // Never.
        bad: Predicate(vec![(0, 0)]),
        progress_states: Predicate::default(),
        n_words: 1,
        ..random::table(&mut Random::new(1))
    }
}

/// Asserts that the sets of a machine are stubborn.
fn assert_small(table: &Table) {
    let graph = Graph::explore(&table.clone().machine(), MAX_STATES).expect("few states");
    assert_stubborn(table, &graph, 0);
}

#[test]
fn what_is_read_only_later_counts() {
    // `t` reads `y` and `z` only where `c` is 1, and is disabled there if both are. Three
    // others set them. At first none of the three seems to get in its way.
    let set = Effect::Set;
    let mut table = simple(
        &[2, 2, 2, 2],
        &[
            (&[], &[(3, set(1))]),
            (&[], &[(0, set(1))]),
            (&[], &[(1, set(1))]),
            (&[], &[(2, set(1))]),
        ],
    );
    let guards: [&[(usize, u8)]; 3] = [&[(0, 1)], &[(1, 1)], &[(2, 1)]];
    let branch = |guard: &&[(usize, u8)]| Branch {
        guard: Predicate(guard.to_vec()),
        effects: vec![(3, set(1))],
    };
    table.transitions[0] = guards.iter().map(branch).collect();
    assert_small(&table);
}

#[test]
fn who_only_reads_is_asked() {
    // The second reads what the first writes, and changes nothing that the first looks at.
    let set = Effect::Set;
    let table = simple(&[2, 3], &[(&[], &[(0, set(1))]), (&[(0, 1)], &[(1, Effect::Next)])]);
    assert_small(&table);
}

#[test]
fn variables_outside_the_view_have_any_value() {
    // The second gets in the way only after the third has set `b`.
    let set = Effect::Set;
    let table = simple(
        &[3, 2, 2],
        &[(&[(0, 1)], &[(2, set(1))]), (&[(1, 2)], &[(0, set(2))]), (&[], &[(1, set(1))])],
    );
    assert_small(&table);
}

#[test]
fn a_failure_that_begins_elsewhere_is_not_mended_unseen() {
    // The check fails where `d` is 0. Both toggle it, so they commute; but what the first
    // does before the second, the second ends: after either alone the check fails, and
    // after both it holds.
    let mut table = simple(
        &[2, 2],
        &[(&[(0, 1)], &[(0, Effect::Set(1)), (1, Effect::Next)]), (&[], &[(1, Effect::Next)])],
    );
    table.initial = vec![vec![0, 1]];
    table.bad = Predicate(vec![(1, 1)]);
    assert_small(&table);
}

#[test]
fn what_is_not_known_or_not_kept_is_refused() {
    let (mut table, _) = machine(1).expect("few states");
    table.progress_states = Predicate(vec![(0, 1)]);
    let family = family(table.machine());
    let livelock = Explorer::new(family).rules(Rules::Inferred).livelock(Livelock::default());
    let said = livelock.expect_err("labels of states").to_string();
    assert!(said.contains("labels that depend on the state"), "{said}");
    let full = Explorer::new(family).rules(Rules::Inferred).reduction(Choice::Full).run();
    let said = full.expect_err("full").to_string();
    assert!(said.contains("rules have no say"), "{said}");
}
