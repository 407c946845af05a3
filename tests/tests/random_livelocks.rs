//! Thousands of small random models with random progress labels: the livelock
//! searches against strong components, and reduced runs against full ones.

use asset_core::Family;
use asset_core::expand::{Order, stubborn_set};
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::machine::Machine;
use asset_core::trace::TraceFile;
use asset_core::verdict::{CheckOutcome, Outcome, Verdict};
use asset_tests::livelock::{fewest_progresses, is_progress, keeps_label, on_livelock, progresses};
use asset_tests::oracle::Graph;
use asset_tests::random::{self, RULE_KINDS, Random, model, right_rules};
use asset_tests::table::{Predicate, Table, TableMachine, family};

const MAX_STATES: usize = 120;

/// A model with labels, and what is known of it.
struct Labelled {
    graph: Graph,
    machine: TableMachine,
    family: Family,
    /// The fewest progresses before a livelock, if there is one.
    fewest: Option<usize>,
}

impl Labelled {
    /// A model with labels on transitions, on states, or on both.
    fn new(random: &mut Random, with_states: bool) -> Labelled {
        let (mut table, graph) = model(random, MAX_STATES);
        let n = table.transitions.len();
        table.progress_transitions &= ((1u16 << n) - 1) as u8;
        if !with_states {
            table.progress_states = Predicate::default();
            table.progress_transitions |= 1 << random.below(n);
        } else if table.progress_states.0.is_empty() {
            table.progress_states = table.may.clone();
        }
        let kind = RULE_KINDS[random.below(3)];
        table.rules = right_rules(random, &table.clone().machine(), &graph, kind);
        Labelled::of(table, graph)
    }

    fn any_graph(random: &mut Random) -> Labelled {
        let table = random::graph(random);
        let graph = Graph::explore(&table.clone().machine(), MAX_STATES).expect("few states");
        Labelled::of(table, graph)
    }

    fn of(table: Table, graph: Graph) -> Labelled {
        let machine = table.clone().machine();
        let is_progress =
            |s: usize, t, to: usize| is_progress(&machine, &graph.states[s], t, &graph.states[to]);
        let livelocks = on_livelock(&graph, is_progress);
        let fewest = fewest_progresses(&graph, &livelocks, is_progress);
        let family = family(table.machine());
        Labelled { fewest, graph, machine, family }
    }

    /// Runs, and checks that a lasso is one.
    fn run(&self, order: Order, search: LivelockSearch, reduction: LivelockReduction) -> Found {
        let explorer = Explorer::new(self.family).order(order);
        let outcome = explorer
            .livelock(Livelock { search, reduction })
            .unwrap_or_else(|e| panic!("{search:?} {reduction:?} {e}"));
        let machine = self.family.instances[0].machine;
        let n_progresses = (outcome.verdict == Verdict::Violated).then(|| {
            assert_eq!(outcome.violations.len(), 1);
            let text = TraceFile::to_text(outcome.model, &outcome.params, &outcome.violations[0]);
            let file = TraceFile::parse(&text).expect("its own trace file");
            let path = file.replay(machine).expect("a lasso that replays");
            let n = progresses(&path, |from, t, to| is_progress(machine, from, t, to));
            let said = outcome.statistics.more.iter().find(|m| m.0.starts_with("progresses"));
            assert_eq!(said.map(|m| m.1), Some(n as u64));
            n
        });
        Found { outcome, n_progresses }
    }

    fn verdict(&self) -> Verdict {
        if self.fewest.is_some() { Verdict::Violated } else { Verdict::Holds }
    }

    /// Whether the rules know the progress states, which `c2s` takes.
    fn rules_know_progress_states(&self, order: Order) -> bool {
        let machine: &dyn Machine = &self.machine;
        let good: Vec<bool> =
            self.graph.states.iter().map(|s| machine.progress_state(s).unwrap()).collect();
        (0..self.graph.len()).all(|s| {
            let set = stubborn_set(&self.machine, order, &self.graph.states[s]).unwrap();
            keeps_label(&self.graph, s, &set, &good)
        })
    }
}

struct Found {
    outcome: Outcome,
    n_progresses: Option<usize>,
}

fn order_of(seed: u64) -> Order {
    if seed.is_multiple_of(2) { Order::Backward } else { Order::Forward }
}

#[test]
fn all_searches_agree_with_strong_components() {
    let (mut n_violated, mut n_later, mut n_more, mut n_rounds_more) = (0, 0, 0, 0);
    for seed in 0..6000 {
        let mut random = Random::new(5_000_000 + seed);
        let labelled = match seed % 4 {
            0 => Labelled::new(&mut random, true),
            1 => Labelled::new(&mut random, false),
            _ => Labelled::any_graph(&mut random),
        };
        let order = order_of(seed);
        let run = |search| labelled.run(order, search, LivelockReduction::Full);
        let found = run(LivelockSearch::DfsFifo);
        assert_eq!(found.outcome.verdict, labelled.verdict(), "seed {seed}");
        assert_eq!(found.n_progresses, labelled.fewest, "seed {seed}");
        if found.n_progresses.is_none() {
            let s = &found.outcome.statistics;
            let n_terminal =
                (0..labelled.graph.len()).filter(|&s| labelled.graph.is_terminal(s)).count();
            assert_eq!(
                (s.n_states as usize, s.n_edges as usize, s.n_terminal as usize),
                (labelled.graph.len(), labelled.graph.n_edges(), n_terminal),
                "seed {seed}"
            );
        }
        for search in &LivelockSearch::ALL[1..] {
            let found = run(*search);
            assert_eq!(found.outcome.verdict, labelled.verdict(), "seed {seed}, {search:?}");
            n_more += usize::from(found.n_progresses > labelled.fewest);
            let (name, n_rounds) = found.outcome.statistics.more[0];
            let fewest = labelled.fewest.map_or(u64::MAX, |n| n as u64);
            n_rounds_more += usize::from(name == "rounds" && n_rounds > fewest.saturating_add(1));
        }
        n_violated += usize::from(labelled.fewest.is_some());
        n_later += usize::from(labelled.fewest.is_some_and(|n| n > 0));
    }
    assert!(n_violated > 1000 && n_violated < 5000, "both verdicts occur: {n_violated}");
    assert!(n_later > 500, "livelocks after progress occur: {n_later}");
    assert!(n_more > 20, "the other searches do not look for the least: {n_more}");
    assert!(n_rounds_more > 20, "the incremental search goes round too often: {n_rounds_more}");
}

#[test]
fn labels_on_transitions_are_kept_by_c2t_and_on_terminating_models_by_all() {
    let (mut n_inconclusive, mut n_smaller, mut n_amt_violated) = (0, 0, 0);
    for seed in 0..3000 {
        let labelled = Labelled::new(&mut Random::new(6_000_000 + seed), false);
        let order = order_of(seed);
        let run = |reduction| labelled.run(order, LivelockSearch::DfsFifo, reduction);
        let c2t = run(LivelockReduction::C2t);
        assert_eq!(c2t.outcome.verdict, labelled.verdict(), "seed {seed}");
        assert_eq!(c2t.n_progresses, labelled.fewest, "seed {seed}");
        let auto = run(LivelockReduction::Auto);
        assert_eq!(auto.outcome.verdict, labelled.verdict(), "seed {seed}");
        assert_eq!(auto.n_progresses, labelled.fewest, "seed {seed}");
        let terminates = labelled.graph.always_may_terminate();
        let terminating = run(LivelockReduction::Terminating);
        let amt = &terminating.outcome.checks.last().expect("the termination check").outcome;
        match &terminating.outcome.verdict {
            Verdict::Inconclusive(_) => {
                assert!(!terminates && *amt == CheckOutcome::Violated, "seed {seed}");
                n_inconclusive += 1;
            }
            verdict => {
                assert_eq!(*verdict, labelled.verdict(), "seed {seed}");
                let is_amt_holds = *amt == CheckOutcome::Holds;
                assert_eq!(is_amt_holds, *verdict == Verdict::Holds, "seed {seed}");
                assert!(terminates || !is_amt_holds, "seed {seed}");
            }
        }
        n_amt_violated += usize::from(terminates && labelled.fewest.is_some());
        if labelled.fewest.is_none() {
            let sizes = [&terminating, &c2t].map(|found| found.outcome.statistics.n_states);
            assert!(sizes[0] <= sizes[1], "seed {seed}");
            assert!(sizes[1] as usize <= labelled.graph.len(), "seed {seed}");
            n_smaller += usize::from((sizes[1] as usize) < labelled.graph.len());
        }
    }
    assert!(n_inconclusive > 50, "models that do not terminate occur: {n_inconclusive}");
    assert!(n_smaller > 200, "reduction happens: {n_smaller}");
    assert!(n_amt_violated > 100, "livelocks of terminating models occur: {n_amt_violated}");
}

#[test]
fn labels_on_states_are_kept_by_c2s() {
    let (mut n_smaller, mut n_violated, mut n_known, mut n_wrong) = (0, 0, 0, 0);
    for seed in 0..6000 {
        let labelled = Labelled::new(&mut Random::new(7_000_000 + seed), true);
        let order = order_of(seed);
        let c2s = labelled.run(order, LivelockSearch::DfsFifo, LivelockReduction::C2s);
        let auto = labelled.run(order, LivelockSearch::DfsFifo, LivelockReduction::Auto);
        assert_eq!(auto.outcome.reduction, "c2s");
        if !labelled.rules_know_progress_states(order) {
            // What is found is real all the same.
            assert!(c2s.n_progresses.is_none() || labelled.fewest.is_some(), "seed {seed}");
            n_wrong += usize::from(c2s.outcome.verdict != labelled.verdict());
            continue;
        }
        n_known += 1;
        assert_eq!(c2s.outcome.verdict, labelled.verdict(), "seed {seed}");
        assert_eq!(c2s.n_progresses, labelled.fewest, "seed {seed}");
        n_violated += usize::from(labelled.fewest.is_some());
        let n_states = c2s.outcome.statistics.n_states as usize;
        let is_smaller = labelled.fewest.is_none() && n_states < labelled.graph.len();
        n_smaller += usize::from(is_smaller);
    }
    assert!(n_known > 3000 && n_violated > 500, "{n_known} models, {n_violated} violated");
    assert!(n_smaller > 200, "reduction happens: {n_smaller}");
    assert!(n_wrong > 0, "it matters whether the rules know the label: {n_wrong}");
}
