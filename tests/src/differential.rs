//! Reduced runs against the truth.

use crate::oracle::{Graph, is_stubborn};
use crate::random::{Random, RuleKind, forget, model, right_rules};
use crate::table::{
    DEADLOCK_CHECK, MAY_CHECK, MUST_CHECK, STATE_CHECK, Table, TableMachine, family,
};
use asset_core::Family;
use asset_core::expand::{Choice, Order, stubborn_set};
use asset_core::explorer::Explorer;
use asset_core::trace::{Trace, TraceFile};
use asset_core::verdict::{CheckOutcome, Outcome};

/// The largest random model.
pub const MAX_STATES: usize = 120;
/// The names of a table's checks.
pub const CHECKS: [&str; 4] = ["bad", "illegal", "may", "must"];

/// Evaluates one check; replays every counterexample from its file.
///
/// # Panics
///
/// If the model fails, or a trace does not replay.
pub fn run(family: Family, choice: Choice, order: Order, check: usize) -> Outcome {
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
pub fn violated_in(graph: &Graph, machine: &TableMachine, check: usize) -> Vec<bool> {
    let table = &machine.table;
    match check {
        STATE_CHECK => graph.bad(machine, check),
        DEADLOCK_CHECK => graph.illegal(machine, check),
        MAY_CHECK => graph.lost(&graph.progress(machine, check), !table.may_is_strict),
        _ => graph.can_avoid(&graph.progress(machine, check), !table.must_is_strict),
    }
}

/// The steps of a trace up to where something is lost, or to its end.
pub fn length(trace: &Trace) -> usize {
    trace.lost_at.unwrap_or(trace.steps.len() - 1)
}

/// A model with rules, and what is known of it.
pub struct Ruled {
    /// The full state space.
    pub graph: Graph,
    /// The model.
    pub machine: TableMachine,
    /// The same, for explorers.
    pub family: Family,
}

impl Ruled {
    /// A random model with rules of a kind, of which some were forgotten.
    pub fn random(random: &mut Random, kind: RuleKind, n_forgotten: usize) -> Ruled {
        let (mut table, graph) = model(random, MAX_STATES);
        table.rules = right_rules(random, &table.clone().machine(), &graph, kind);
        for _ in 0..n_forgotten {
            forget(random, &mut table.rules, graph.next[0].len());
        }
        Ruled::from_graph(table, graph)
    }

    /// A model that has at most [`MAX_STATES`] states, or `None`.
    pub fn new(table: Table) -> Option<Ruled> {
        let graph = Graph::explore(&table.clone().machine(), MAX_STATES)?;
        Some(Ruled::from_graph(table, graph))
    }

    fn from_graph(table: Table, graph: Graph) -> Ruled {
        let family = family(table.clone().machine());
        Ruled { graph, machine: table.machine(), family }
    }

    /// The stubborn set of a state.
    pub fn set(&self, s: usize, order: Order) -> Vec<usize> {
        stubborn_set(&self.machine, order, &self.graph.states[s]).unwrap()
    }

    /// Whether every reachable state's set is stubborn, by the definition.
    pub fn is_right(&self) -> bool {
        let bad = self.graph.bad(&self.machine, STATE_CHECK);
        (0..self.graph.len()).all(|s| {
            [Order::Backward, Order::Forward]
                .iter()
                .all(|&order| is_stubborn(&self.graph, s, &self.set(s, order), &bad))
        })
    }

    /// Why a reduced run says something else than the truth, if it does.
    pub fn difference(&self, order: Order) -> Option<String> {
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
                CheckOutcome::Holds | CheckOutcome::Vacuous { .. } => !violated,
                CheckOutcome::Violated => violated,
                CheckOutcome::Inconclusive(_) => check != MUST_CHECK && !terminates,
                CheckOutcome::Off(_) => false,
            };
            if !is_fine {
                return Some(format!(
                    "{}: {said:?}, violated: {violated}, always may-terminating: {terminates}",
                    CHECKS[check]
                ));
            }
            let amt_is_fine = match amt {
                CheckOutcome::Holds | CheckOutcome::Vacuous { .. } => terminates,
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
