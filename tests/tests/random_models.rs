//! Thousands of small random models: the engine against a naive oracle, and
//! reduced runs against full ones.

use asset_core::expand::{Batch, Choice, Order, Recipe, stubborn_set};
use asset_core::machine::{Machine, Successors};
use asset_core::model::Obligations;
use asset_core::verdict::Verdict;
use asset_tests::differential::{CHECKS, MAX_STATES, Ruled, length, run, violated_in};
use asset_tests::oracle::{Graph, first_component};
use asset_tests::random::{RULE_KINDS, Random, forget, model, right_rules};
use asset_tests::shrink::shrink;
use asset_tests::table::{Branch, Effect, MAY_CHECK, Predicate, Rules, Table, family};

/// The differences of a model, shrunk to what shows them.
fn report(table: Table, seed: u64) -> String {
    let differs = |table: &Table| {
        Ruled::new(table.clone()).is_some_and(|ruled| {
            ruled.is_right()
                && [Order::Backward, Order::Forward].iter().any(|&o| ruled.difference(o).is_some())
        })
    };
    let small = shrink(table, differs);
    format!("seed {seed}: right rules change a verdict of {small:#?}")
}

#[test]
fn full_runs_agree_with_the_oracle() {
    let mut n = [[0; 2]; 4];
    for seed in 0..2000 {
        let (table, graph) = model(&mut Random::new(seed), MAX_STATES);
        let family = family(table.clone().machine());
        let order = if seed % 2 == 0 { Order::Backward } else { Order::Forward };
        for check in 0..4 {
            let outcome = run(family, Choice::Full, order, check);
            let bad = violated_in(&graph, &table.clone().machine(), check);
            let nearest = graph.nearest(&bad);
            n[check][usize::from(nearest.is_some())] += 1;
            assert_eq!(
                outcome.verdict,
                if nearest.is_some() { Verdict::Violated } else { Verdict::Holds },
                "seed {seed}, {}",
                CHECKS[check]
            );
            match (nearest, outcome.violations.first()) {
                (Some(nearest), Some(violation)) => {
                    let found = length(&violation.trace);
                    // A terminal state is known as such when its turn comes,
                    // and turns come in the order of distance.
                    assert_eq!(found, nearest, "seed {seed}, {}", CHECKS[check]);
                }
                (nearest, violation) => {
                    assert!(nearest.is_none() && violation.is_none());
                    let s = &outcome.statistics;
                    let counts = (s.n_states as usize, s.n_edges as usize, s.n_terminal as usize);
                    let n_terminal = (0..graph.len()).filter(|&s| graph.is_terminal(s)).count();
                    assert_eq!(counts, (graph.len(), graph.n_edges(), n_terminal), "seed {seed}");
                    assert_eq!(s.depth as usize, *graph.depth.iter().max().unwrap_or(&0));
                }
            }
        }
    }
    assert!(n.iter().flatten().all(|&n| n > 200), "all verdicts occur: {n:?}");
}

#[test]
fn the_stubborn_set_is_the_first_component_with_something_enabled() {
    let mut n_larger = 0;
    for seed in 0..600 {
        let mut random = Random::new(1_000_000 + seed);
        let (mut table, graph) = model(&mut random, MAX_STATES);
        let kind = RULE_KINDS[random.below(2)];
        table.rules = right_rules(&mut random, &table.clone().machine(), &graph, kind);
        forget(&mut random, &mut table.rules, graph.next[0].len());
        let machine: &dyn Machine = &table.machine();
        let n = machine.n_transitions();
        for (state, next) in graph.states.iter().zip(&graph.next) {
            let obliged: Vec<Vec<usize>> = (0..n)
                .map(|t| {
                    let mut need = Obligations::new();
                    machine.obligations(state, t, &mut need).unwrap();
                    need.take(n)
                })
                .collect();
            let enabled: Vec<bool> = next.iter().map(Option::is_some).collect();
            for order in [Order::Backward, Order::Forward] {
                let (set, fired) = first_component(order, &obliged, &enabled);
                assert_eq!(stubborn_set(machine, order, state).unwrap(), set, "seed {seed}");
                let recipe = Recipe::new(machine, order, Choice::Stubborn);
                let mut out = Successors::default();
                recipe.source().expand(Batch::awake(state), &mut out).expect("no model error");
                let order_fired: Vec<usize> =
                    out.transitions().iter().map(|&t| t as usize).collect();
                assert_eq!(order_fired, fired, "seed {seed}");
                n_larger += usize::from(set.len() > fired.len() && set.len() < n);
            }
        }
    }
    assert!(n_larger > 1000, "sets with disabled members occur: {n_larger}");
}

#[test]
fn right_rules_change_no_verdict() {
    let mut n_reduced = 0;
    let mut n_amt = 0;
    let n_seeds = 1500;
    for seed in 0..n_seeds {
        let mut random = Random::new(2_000_000 + seed);
        let kind = RULE_KINDS[seed as usize % 3];
        let ruled = Ruled::random(&mut random, kind, 0);
        n_amt += usize::from(ruled.graph.always_may_terminate());
        for order in [Order::Backward, Order::Forward] {
            let difference = ruled.difference(order);
            assert!(
                difference.is_none(),
                "{kind:?}, {order:?}, {difference:?}\n{}",
                report(ruled.machine.table.clone(), seed)
            );
            n_reduced += usize::from(
                ruled.graph.reduced(|s| ruled.set(s, order)).0.len() < ruled.graph.len(),
            );
        }
    }
    assert!(n_reduced > 500, "reduction happens: {n_reduced}");
    assert!(n_amt > 200 && n_amt < 1300, "both kinds of models occur: {n_amt}");
}

#[test]
fn rules_made_to_be_right_are_right() {
    for seed in 0..300 {
        let mut random = Random::new(3_000_000 + seed);
        let kind = RULE_KINDS[seed as usize % 3];
        assert!(Ruled::random(&mut random, kind, 0).is_right(), "seed {seed}, {kind:?}");
    }
}

#[test]
fn forgotten_obligations_change_verdicts() {
    // A test that could not fail would be no test: wrong rules do show.
    let (mut n_wrong, mut n_different) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(4_000_000 + seed);
        let ruled = Ruled::random(&mut random, RULE_KINDS[seed as usize % 3], 2);
        let is_different = ruled.difference(Order::Backward).is_some();
        let is_right = ruled.is_right();
        assert!(!is_different || !is_right, "seed {seed}");
        n_wrong += usize::from(!is_right);
        n_different += usize::from(is_different);
    }
    assert!(n_wrong > 50 && n_different > 10, "{n_wrong} wrong, {n_different} different");
}

/// A graph of `n` states of random edges, a few of them terminal.
fn large_graph(random: &mut Random, n: usize) -> Table {
    let values =
        |i: usize| vec![(i % 8) as u8, (i / 8 % 8) as u8, (i / 64 % 8) as u8, (i / 512) as u8];
    let branch = |from: usize, to: usize| Branch {
        guard: Predicate(values(from).iter().map(|&value| 1 << value).enumerate().collect()),
        effects: values(to).into_iter().map(Effect::Set).enumerate().collect(),
    };
    let mut transitions = vec![Vec::new(); 5];
    for from in (0..n).filter(|&i| i < 40 || i % 31 != 0) {
        for transition in &mut transitions {
            if random.percent(60) {
                // Most lead to earlier states: those take many sweeps backwards.
                let to = if random.percent(40) { random.below(from + 1) } else { random.below(n) };
                transition.push(branch(from, to));
            }
        }
    }
    let nowhere = Predicate(vec![(0, 0)]);
    Table {
        domains: vec![8; 4],
        initial: vec![values(0)],
        transitions,
        may: nowhere.clone(),
        bad: nowhere.clone(),
        illegal: nowhere.clone(),
        must: nowhere.clone(),
        progress_states: nowhere,
        may_is_strict: false,
        must_is_strict: false,
        progress_transitions: 0,
        rules: Rules::default(),
        n_words: 1,
    }
}

#[test]
fn post_passes_are_right_however_full_the_table_is() {
    let (mut n, mut n_lost) = (0, 0);
    for size in 150..700 {
        let table = large_graph(&mut Random::new(size as u64), size);
        let machine = table.clone().machine();
        let graph = Graph::explore(&machine, 1000).expect("few states");
        let is_lost = violated_in(&graph, &machine, MAY_CHECK).contains(&true);
        let outcome = run(family(machine), Choice::Full, Order::Backward, MAY_CHECK);
        let expected = if is_lost { Verdict::Violated } else { Verdict::Holds };
        assert_eq!(
            (outcome.statistics.n_states as usize, outcome.verdict),
            (graph.len(), expected)
        );
        n += usize::from(graph.len() > 100);
        n_lost += usize::from(is_lost);
    }
    assert!(n > 400 && n_lost < n / 2, "{n} of them large, {n_lost} lost");
}
