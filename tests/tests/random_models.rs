//! Thousands of small random models: the engine against a naive oracle, and
//! reduced runs against full ones.

use asset_core::explorer::Explorer;
use asset_core::machine::Machine;
use asset_core::model::{Family, Obligations};
use asset_core::reduction::{Choice, Order, Selector};
use asset_core::trace::{Trace, TraceFile};
use asset_core::verdict::{CheckOutcome, Outcome, Verdict};
use asset_tests::livelock::keeps_label;
use asset_tests::oracle::{Graph, first_component, is_stubborn};
use asset_tests::random::{RULE_KINDS, Random, RuleKind, forget, model, right_rules};
use asset_tests::table::{
    DEADLOCK_CHECK, MAY_CHECK, MUST_CHECK, STATE_CHECK, TableMachine, family,
};

const MAX_STATES: usize = 120;
const CHECKS: [&str; 4] = ["bad", "illegal", "may", "must"];

fn run(family: Family, choice: Choice, order: Order, check: usize) -> Outcome {
    let explorer = Explorer::new(family).reduction(choice).order(order).checks([CHECKS[check]]);
    let outcome = explorer.run().expect("a model without errors");
    // Every counterexample survives being written down and fired again.
    for violation in &outcome.violations {
        let text = TraceFile::to_text(outcome.model, &outcome.params, violation);
        let file = TraceFile::parse(&text).expect("its own trace file");
        let path = file.replay(family.instances[0].machine).expect("a trace that replays");
        assert_eq!(Trace::new(&path, family.instances[0].machine), violation.trace);
    }
    outcome
}

/// For each state, whether the check is violated in it.
fn violated_in(graph: &Graph, machine: &TableMachine, check: usize) -> Vec<bool> {
    let table = &machine.table;
    match check {
        STATE_CHECK => graph.bad(machine, check),
        DEADLOCK_CHECK => graph.illegal(machine, check),
        MAY_CHECK => graph.lost(&graph.progress(machine, check), !table.may_is_strict),
        _ => graph.can_avoid(&graph.progress(machine, check), !table.must_is_strict),
    }
}

/// The states of a trace up to where something is lost, or to its end.
fn length(trace: &Trace) -> usize {
    trace.lost_at.unwrap_or(trace.steps.len() - 1)
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
        let machine = table.machine();
        let n = machine.n_transitions();
        for (state, next) in graph.states.iter().zip(&graph.next) {
            let obliged: Vec<Vec<usize>> = (0..n)
                .map(|t| {
                    let mut need = Obligations::new();
                    machine.obligations(state, t, &mut need);
                    need.take(n)
                })
                .collect();
            let enabled: Vec<bool> = next.iter().map(Option::is_some).collect();
            for order in [Order::Backward, Order::Forward] {
                let (set, fired) = first_component(order, &obliged, &enabled);
                let mut selector = Selector::new(order, Choice::Stubborn);
                assert_eq!(machine.stubborn_set(state, &mut selector), set, "seed {seed}");
                let mut out = Default::default();
                machine.expand(state, &mut selector, &mut out).expect("no model error");
                let order_fired: Vec<usize> =
                    out.transitions().iter().map(|&t| t as usize).collect();
                assert_eq!(order_fired, fired, "seed {seed}");
                n_larger += usize::from(set.len() > fired.len() && set.len() < n);
            }
        }
    }
    assert!(n_larger > 1000, "sets with disabled members occur: {n_larger}");
}

/// A model with rules, and what is known of it.
struct Ruled {
    graph: Graph,
    machine: TableMachine,
    family: Family,
}

impl Ruled {
    fn new(random: &mut Random, kind: RuleKind, n_forgotten: usize) -> Ruled {
        let (mut table, graph) = model(random, MAX_STATES);
        table.rules = right_rules(random, &table.clone().machine(), &graph, kind);
        for _ in 0..n_forgotten {
            forget(random, &mut table.rules, graph.next[0].len());
        }
        let family = family(table.clone().machine());
        Ruled { graph, machine: table.machine(), family }
    }

    fn set(&self, s: usize, order: Order) -> Vec<usize> {
        let mut selector = Selector::new(order, Choice::Stubborn);
        self.machine.stubborn_set(&self.graph.states[s], &mut selector)
    }

    /// Whether every reachable state's set is stubborn, by the definition.
    fn is_right(&self) -> bool {
        let bad = self.graph.bad(&self.machine, STATE_CHECK);
        (0..self.graph.len()).all(|s| {
            [Order::Backward, Order::Forward]
                .iter()
                .all(|&order| is_stubborn(&self.graph, s, &self.set(s, order), &bad))
        })
    }

    /// Whether the rules know the progress states of the must-progress check.
    fn rules_know_must_progress(&self, order: Order) -> bool {
        let good = self.graph.progress(&self.machine, MUST_CHECK);
        (0..self.graph.len()).all(|s| keeps_label(&self.graph, s, &self.set(s, order), &good))
    }

    /// Why a reduced run says something else than the truth, if it does.
    fn difference(&self, order: Order) -> Option<String> {
        let graph = &self.graph;
        let terminates = graph.always_may_terminate();
        let (found, n_edges) = graph.reduced(|s| self.set(s, order));
        let is_missing = |&s: &usize| graph.is_terminal(s) && !found.contains(&s);
        if let Some(s) = (0..graph.len()).find(is_missing) {
            return Some(format!("the terminal state {s} is not found"));
        }
        for check in [STATE_CHECK, DEADLOCK_CHECK, MAY_CHECK, MUST_CHECK] {
            let outcome = run(self.family, Choice::Stubborn, order, check);
            let violated = violated_in(graph, &self.machine, check).contains(&true);
            let said = &outcome.checks[check].outcome;
            let amt = &outcome.checks[4].outcome;
            let is_fine = match said {
                CheckOutcome::Holds if check == MUST_CHECK => {
                    !violated || !self.rules_know_must_progress(order)
                }
                CheckOutcome::Holds => !violated,
                CheckOutcome::Violated => violated,
                CheckOutcome::Inconclusive(_) => !terminates,
                CheckOutcome::Off(_) => false,
            };
            if !is_fine {
                return Some(format!(
                    "{}: {said:?}, violated: {violated}, always may-terminating: {terminates}",
                    CHECKS[check]
                ));
            }
            let amt_is_fine = match amt {
                CheckOutcome::Holds => terminates,
                CheckOutcome::Violated => !terminates,
                CheckOutcome::Inconclusive(_) => *said == CheckOutcome::Violated,
                CheckOutcome::Off(_) => [DEADLOCK_CHECK, MUST_CHECK].contains(&check),
            };
            if !amt_is_fine {
                return Some(format!("always may-terminating: {amt:?}, in truth {terminates}"));
            }
            let counts =
                (outcome.statistics.n_states as usize, outcome.statistics.n_edges as usize);
            if outcome.violations.is_empty() && counts != (found.len(), n_edges) {
                return Some(format!("{counts:?}, expected {:?}", (found.len(), n_edges)));
            }
        }
        None
    }
}

#[test]
fn right_rules_change_no_verdict() {
    let mut n_reduced = 0;
    let mut n_amt = 0;
    let n_seeds = 1500;
    for seed in 0..n_seeds {
        let mut random = Random::new(2_000_000 + seed);
        let kind = RULE_KINDS[seed as usize % 3];
        let ruled = Ruled::new(&mut random, kind, 0);
        n_amt += usize::from(ruled.graph.always_may_terminate());
        for order in [Order::Backward, Order::Forward] {
            let difference = ruled.difference(order);
            assert_eq!(difference, None, "seed {seed}, {kind:?}, {order:?}");
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
        assert!(Ruled::new(&mut random, kind, 0).is_right(), "seed {seed}, {kind:?}");
    }
}

#[test]
fn forgotten_obligations_change_verdicts() {
    // A test that could not fail would be no test: wrong rules do show.
    let (mut n_wrong, mut n_different) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(4_000_000 + seed);
        let ruled = Ruled::new(&mut random, RULE_KINDS[seed as usize % 3], 2);
        let is_different = ruled.difference(Order::Backward).is_some();
        let is_right = ruled.is_right();
        assert!(!is_different || !is_right, "seed {seed}");
        n_wrong += usize::from(!is_right);
        n_different += usize::from(is_different);
    }
    assert!(n_wrong > 50 && n_different > 10, "{n_wrong} wrong, {n_different} different");
}
