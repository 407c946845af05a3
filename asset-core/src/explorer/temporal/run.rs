//! Decides the properties of a run, one after the other.

use super::evidence;
use super::fair;
use super::property::{Aim, Property};
use super::{Temporal, TemporalSearch};
use crate::explorer::shared::{self, Stop, in_root};
use crate::explorer::{Explorer, RunError, model_error};
use crate::machine::{Machine, Packed};
use crate::memory::peak_memory;
use crate::model::{Order, RuleStatistics};
use crate::reduction::{Choice, Selector};
use crate::search::temporal::{
    EngineStates, Fairness, Graph, Hunted, Lasso, Product, Table, Wanted, Without, components,
    nested,
};
use crate::search::{Failure, Good, Space, Watch, reach};
use crate::store::{Id, StateSet};
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict, Violation};
use asset_automata::{Automaton, Ltl};

/// The temporal properties of a run.
pub(in crate::explorer) struct Plan<'m> {
    machine: &'m dyn Machine,
    properties: Vec<Property<'m>>,
    fairness: Fairness,
    options: Temporal,
    order: Order,
    /// What was asked for; `None` if nothing was.
    choice: Option<Choice>,
}

impl<'m> Plan<'m> {
    /// The checks of the model that are on, and the properties of the options.
    pub fn new(
        explorer: &Explorer<'_>,
        machine: &'m dyn Machine,
        off: &[Option<String>],
    ) -> Result<Self, RunError> {
        let checks = machine.description().checks;
        let is_on = |&i: &usize| checks[i].kind.is_temporal() && off[i].is_none();
        let mut properties = Vec::new();
        for check in (0..checks.len()).filter(is_on) {
            properties.push(Property::of_check(machine, check)?);
        }
        for extra in &explorer.temporal.extra {
            properties.push(Property::of_extra(machine, extra)?);
        }
        let fairness = match properties.is_empty() {
            true => Fairness::default(),
            false => fair::conditions(machine, explorer.temporal.fairness)?,
        };
        let plan = Plan {
            machine,
            properties,
            fairness,
            options: explorer.temporal.clone(),
            order: explorer.order,
            choice: explorer.reduction,
        };
        plan.refuse(explorer.checks.is_some())?;
        Ok(plan)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Refuses what would be unsound, and what would be ignored.
    fn refuse(&self, selects_checks: bool) -> Result<(), RunError> {
        let usage = |what: String| Err(RunError::Usage(what));
        let is_strong = self.fairness.conditions.iter().any(|condition| condition.is_strong);
        if self.options.search == TemporalSearch::Nested && is_strong {
            return usage(
                "the nested search decides no strong fairness: use --search scc, or weaken it \
                 with --fairness weak"
                    .to_owned(),
            );
        }
        for property in &self.properties {
            if self.choice != Some(Choice::Stubborn) || self.keeps(property) {
                continue;
            }
            if property.check.is_none() || selects_checks {
                return usage(format!(
                    "stubborn sets are not proven to keep {}: use --reduction full",
                    property.name
                ));
            }
        }
        Ok(())
    }

    /// Whether stubborn sets keep the property, by Theorem 6; that the model is always
    /// may-terminating is checked on the way.
    fn keeps(&self, property: &Property<'_>) -> bool {
        matches!(property.aim, Aim::NeverWithout(_))
            && self.fairness.conditions.is_empty()
            && self.machine.description().has_rules
    }

    /// What is fired for a property; `None` if what was asked for does not keep it.
    fn reduction(&self, property: &Property<'_>) -> Option<Choice> {
        match (self.choice, self.keeps(property)) {
            (Some(Choice::Full), _) | (None, false) => Some(Choice::Full),
            (None | Some(Choice::Stubborn), true) => Some(Choice::Stubborn),
            (Some(Choice::Stubborn), false) => None,
        }
    }

    /// Decides all properties, up to `max_violations` violations.
    pub fn run(&self, max_violations: usize, watch: &mut Watch<'_>) -> Result<Decided, RunError> {
        let mut decided = Decided::default();
        let decide = for_words!(self.machine, decide);
        for property in &self.properties {
            let outcome = if decided.violations.len() >= max_violations {
                CheckOutcome::Inconclusive("the run ended at a violation".to_owned())
            } else {
                match self.reduction(property) {
                    Some(choice) => decide(self, property, choice, watch, &mut decided)?,
                    None => CheckOutcome::Off(
                        "stubborn sets are not proven to keep it; --reduction full decides it"
                            .to_owned(),
                    ),
                }
            };
            decided.results.push((property.check, CheckResult {
                name: property.name.clone(),
                kind: property.kind,
                outcome,
            }));
        }
        decided.assumption = self.assumption();
        Ok(decided)
    }

    /// What is assumed of runs, in a clause.
    fn assumption(&self) -> String {
        let names = |is_strong: bool| -> Vec<&str> {
            let of = self.fairness.conditions.iter().filter(|c| c.is_strong == is_strong);
            of.map(|c| c.name.as_str()).collect()
        };
        let told = [("weakly", names(false)), ("strongly", names(true))];
        let told = told.iter().filter(|(_, names)| !names.is_empty());
        let told: Vec<String> =
            told.map(|(how, names)| format!("{how} fair to {}", names.join(", "))).collect();
        match told.is_empty() {
            true => "no fairness was assumed".to_owned(),
            false => format!("runs are {}", told.join(", and ")),
        }
    }
}

/// What has been found out.
#[derive(Default)]
pub(in crate::explorer) struct Decided {
    /// What may be claimed, with the index of the check if the model has it.
    results: Vec<(Option<usize>, CheckResult)>,
    violations: Vec<Violation>,
    n_states: u64,
    n_edges: u64,
    n_terminal: u64,
    depth: u64,
    n_nodes: u64,
    n_product_edges: u64,
    bytes: usize,
    seconds: f64,
    assumption: String,
    /// Whether anything was searched with stubborn sets.
    is_reduced: bool,
}

/// Decides one property.
fn decide<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    choice: Choice,
    watch: &mut Watch<'_>,
    decided: &mut Decided,
) -> Result<CheckOutcome, RunError> {
    let start = watch.elapsed();
    let done = match property.automaton()? {
        Some(automaton) => formula::<W>(plan, property, automaton, watch, decided),
        None => never_without::<W>(plan, property, choice, watch, decided),
    };
    decided.seconds += (watch.elapsed() - start).as_secs_f64();
    decided.is_reduced |= choice == Choice::Stubborn;
    match done {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Limit(limit)) => Ok(CheckOutcome::Inconclusive(limit.to_string())),
        Err(Stop::Error(error)) => Err(error),
    }
}

impl Decided {
    fn note<const W: usize>(&mut self, hunted: &Hunted, space: &Space<'_, W>, n_terminal: usize) {
        self.n_states = self.n_states.max(space.store().len() as u64);
        self.n_edges = self.n_edges.max(space.n_edges);
        self.n_terminal = self.n_terminal.max(n_terminal as u64);
        self.depth = self.depth.max(hunted.depth);
        self.n_nodes += hunted.n_nodes;
        self.n_product_edges += hunted.n_edges;
        self.bytes = self.bytes.max(hunted.bytes + space.bytes());
    }
}

/// A search through a graph, and the lasso that it has found.
fn hunt(
    graph: &mut dyn Graph,
    wanted: &Wanted,
    search: (TemporalSearch, u32),
    watch: &mut Watch<'_>,
) -> (Hunted, Result<Option<Lasso>, Failure>) {
    let mut hunted = match search {
        (TemporalSearch::Components, _) => components(graph, wanted, watch),
        (TemporalSearch::Nested, n_weak) => nested(graph, n_weak, watch),
    };
    if let Err(failure) = std::mem::replace(&mut hunted.end, Ok(())) {
        return (hunted, Err(failure));
    }
    let lasso = match hunted.found {
        Some(_) => Lasso::shortest(graph, &hunted, wanted, watch),
        None => Ok(None),
    };
    (hunted, lasso)
}

/// A space for a property.
fn space<'m, const W: usize>(plan: &Plan<'m>, choice: Choice) -> Result<Space<'m, W>, RunError> {
    let selector = Selector::new(plan.order, choice);
    Space::<W>::new(plan.machine, selector).map_err(|failure| in_root(plan.machine, failure))
}

/// A failure of a search in a space, with the way to the state if there is one.
fn stop<const W: usize>(space: &Space<'_, W>, failure: Failure) -> Stop {
    match failure {
        Failure::Limit(limit) => Stop::Limit(limit),
        Failure::Model(error, id) => {
            let way = id.and_then(|id| way_to(space, id));
            Stop::Error(model_error(space.machine(), &error, way))
        }
    }
}

/// A way to a state through states that are stored, by expanding them once more.
fn way_to<const W: usize>(space: &Space<'_, W>, target: Id) -> Option<crate::trace::Path> {
    let machine = space.machine();
    let n = space.store().len();
    let mut parent = vec![Id::MAX; n];
    let mut queue: std::collections::VecDeque<Id> = (0..space.n_roots() as Id).collect();
    queue.iter().for_each(|&root| parent[root as usize] = root);
    while let Some(id) = queue.pop_front() {
        if id == target {
            let mut ids = vec![id];
            while parent[ids[ids.len() - 1] as usize] != ids[ids.len() - 1] {
                ids.push(parent[ids[ids.len() - 1] as usize]);
            }
            ids.reverse();
            return shared::path_along(space, &ids, Order::default(), |_, _, _| true).ok();
        }
        let state = space.store().state(id);
        for t in 0..machine.n_transitions() {
            let Ok(Some(next)) = machine.fire(&state, t) else { continue };
            use crate::store::Kept;
            let Some(to) = space.store().find(&next) else { continue };
            if parent[to as usize] == Id::MAX {
                parent[to as usize] = id;
                queue.push_back(to);
            }
        }
    }
    None
}

/// Looks for a fair run that an automaton accepts.
fn formula<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    automaton: Automaton,
    watch: &mut Watch<'_>,
    decided: &mut Decided,
) -> Result<CheckOutcome, Stop> {
    if let Aim::Formula(_) = property.aim
        && automaton.edges.iter().all(Vec::is_empty)
    {
        let why = "vacuous: it holds of every run, whatever the model does";
        return Ok(CheckOutcome::Inconclusive(why.to_owned()));
    }
    if let Some(violation) = accepted::<W>(plan, property, automaton, watch, Some(decided))? {
        decided.violations.push(violation);
        return Ok(CheckOutcome::Violated);
    }
    let Aim::Formula(formula) = &property.aim else { return Ok(CheckOutcome::Holds) };
    for (premise, without) in formula.without_a_conclusion() {
        if !fails::<W>(plan, property, &without, watch)? {
            let why = format!(
                "vacuous: it holds, and would if nothing could follow from `{}`, since no {}run \
                 gets there; see whether that is what the formula was to say",
                property.show(&premise),
                if plan.fairness.conditions.is_empty() { "" } else { "fair " },
            );
            return Ok(CheckOutcome::Inconclusive(why));
        }
    }
    Ok(CheckOutcome::Holds)
}

/// Whether a formula over the atoms of a property fails on some fair run.
fn fails<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    formula: &Ltl,
    watch: &mut Watch<'_>,
) -> Result<bool, Stop> {
    let automaton = property.negated(formula)?;
    let mut space = space::<W>(plan, Choice::Full)?;
    let table = Table::new(automaton);
    let states = EngineStates::new(&mut space, &property.atoms.list);
    let mut states = states.map_err(|e| model_error(plan.machine, &e, None))?;
    let mut product =
        Product::new(&mut states, &table, &plan.fairness, property.atoms.terminal());
    let wanted = product.wanted();
    let hunted = components(&mut product, &wanted, watch);
    match hunted.end {
        Ok(()) => Ok(hunted.found.is_some()),
        Err(failure) => Err(stop(&space, failure)),
    }
}

/// The counterexample to a property: a fair run that the automaton accepts, if there is one.
fn accepted<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    automaton: Automaton,
    watch: &mut Watch<'_>,
    decided: Option<&mut Decided>,
) -> Result<Option<Violation>, Stop> {
    let automaton = match plan.options.search {
        TemporalSearch::Components => automaton,
        TemporalSearch::Nested => automaton.degeneralised(),
    };
    let mut space = space::<W>(plan, Choice::Full)?;
    let table = Table::new(automaton);
    let states = EngineStates::new(&mut space, &property.atoms.list);
    let mut states = states.map_err(|e| model_error(plan.machine, &e, None))?;
    let mut product =
        Product::new(&mut states, &table, &plan.fairness, property.atoms.terminal());
    let wanted = product.wanted();
    let search = (plan.options.search, plan.fairness.n_weak());
    let (hunted, lasso) = hunt(&mut product, &wanted, search, watch);
    let n_copies = table.automaton().n_states() as u32;
    let n_terminal = states.terminal.len();
    if let Some(decided) = decided {
        decided.note(&hunted, &space, n_terminal);
    }
    let lasso = lasso.map_err(|failure| stop(&space, failure))?;
    let Some(lasso) = lasso else {
        return match hunted.found {
            None => Ok(None),
            Some(_) => Err(lost().into()),
        };
    };
    let state = |node: u32| -> Packed { space.store().state(node / n_copies) };
    let path = evidence::path(&lasso, state);
    let view = |(node, edge): (&u32, &crate::search::temporal::GraphEdge)| {
        let n_sets = table.automaton().n_sets;
        let sets: Vec<String> =
            (0..n_sets).filter(|set| edge.colours >> set & 1 != 0).map(|s| s.to_string()).collect();
        let (from, to) = (node % n_copies, edge.to % n_copies);
        format!("automaton: {from} -> {to} {{{}}}", sets.join(" "))
    };
    let views = plan.options.explain.then(|| {
        let lines = lasso.nodes.iter().zip(&lasso.edges).map(view).enumerate();
        lines.map(|(i, line)| format!("state {i}, {line}")).collect()
    });
    evidence::violation(plan.machine, property, &plan.fairness, &path, views).map(Some)
}

fn lost() -> RunError {
    shared::unsteady("the way to the cycle was not found again".to_owned())
}

/// Looks for a cycle with a watched transition and without a remedy.
fn never_without<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    choice: Choice,
    watch: &mut Watch<'_>,
    decided: &mut Decided,
) -> Result<CheckOutcome, Stop> {
    let Aim::NeverWithout(roles) = &property.aim else { return Ok(CheckOutcome::Holds) };
    let mut space = space::<W>(plan, choice)?;
    let states = EngineStates::new(&mut space, &[]);
    let mut states = states.map_err(|e| model_error(plan.machine, &e, None))?;
    let mut graph = Without::new(&mut states, roles, &plan.fairness);
    let wanted = graph.wanted();
    let search = (plan.options.search, plan.fairness.n_weak());
    let (hunted, lasso) = hunt(&mut graph, &wanted, search, watch);
    let was_watched = graph.was_watched;
    let terminal = states.terminal.clone();
    decided.note(&hunted, &space, terminal.len());
    let lasso = lasso.map_err(|failure| stop(&space, failure))?;
    if let Some(lasso) = lasso {
        let path = evidence::path(&lasso, |node| space.store().state(node / 2));
        let views = plan.options.explain.then(Vec::new);
        let found = evidence::violation(plan.machine, property, &plan.fairness, &path, views)?;
        decided.violations.push(found);
        return Ok(CheckOutcome::Violated);
    }
    if hunted.found.is_some() {
        return Err(lost().into());
    }
    if choice == Choice::Stubborn {
        let mut good = Good::from(terminal);
        reach::close_by_firing(&mut space, &mut good, watch)
            .map_err(|failure| Stop::from_failure(plan.machine, failure))?;
        if good.numbers().absent(0..space.store().len()).next().is_some() {
            let why = "none was found, but stubborn sets keep this only on always \
                       may-terminating models, and this one is not; --reduction full decides it";
            return Ok(CheckOutcome::Inconclusive(why.to_owned()));
        }
    }
    if !was_watched {
        let why = "vacuous: none of the watched transitions is ever fired";
        return Ok(CheckOutcome::Inconclusive(why.to_owned()));
    }
    Ok(CheckOutcome::Holds)
}

/// Adds what was decided to the outcome of the other checks; `None` if there were none.
pub(in crate::explorer) fn merge(
    plan: &Plan<'_>,
    decided: Decided,
    other: Option<Outcome>,
) -> Outcome {
    let search = plan.options.search.name();
    let is_alone = other.is_none();
    let mut outcome = other.unwrap_or_else(|| alone(plan, &decided));
    if !is_alone {
        outcome.statistics.post_seconds += decided.seconds;
        outcome.statistics.peak_bytes = peak_memory().unwrap_or(0);
    }
    let more = [
        ("product states", decided.n_nodes),
        ("product edges", decided.n_product_edges),
        ("states in cycle search", decided.n_states),
    ];
    outcome.statistics.more.extend(more.into_iter().take(if is_alone { 2 } else { 3 }));
    let mut extra = Vec::new();
    for (check, result) in decided.results {
        match check {
            Some(check) => outcome.checks[check] = result,
            None => extra.push(result),
        }
    }
    // The checks that the method adds stay last.
    let n_model = plan.machine.description().checks.len();
    outcome.checks.splice(n_model..n_model, extra);
    outcome.violations.extend(decided.violations);
    let before = (!is_alone).then(|| std::mem::take(&mut outcome.guarantee));
    outcome.verdict = verdict(&outcome);
    outcome.guarantee = match (&outcome.verdict, before) {
        (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
        (Verdict::Violated, _) if is_alone || outcome.violations.iter().all(|v| v.kind == "ltl") => {
            "the lasso was replayed through the model, and what fails on it was evaluated again, \
             without an automaton"
                .to_owned()
        }
        (Verdict::Violated, Some(before)) if before != "nothing" => before,
        (Verdict::Violated, _) => "the trace was replayed through the model".to_owned(),
        (Verdict::Holds, before) => {
            let fired = match decided.is_reduced {
                true => "stubborn sets were fired where Theorem 6 lets them",
                false => "everything enabled was fired",
            };
            let own = format!("{search}: no run that breaks a formula; {}; {fired}", decided.assumption);
            before.map_or(own.clone(), |before| format!("{before}; {own}"))
        }
    };
    outcome
}

/// The verdict of all checks.
fn verdict(outcome: &Outcome) -> Verdict {
    let of = |outcome: &CheckResult| outcome.outcome.clone();
    let checks = || outcome.checks.iter().filter(|c| c.kind != shared::AMT_KIND).map(of);
    if checks().any(|outcome| outcome == CheckOutcome::Violated) {
        return Verdict::Violated;
    }
    let why = checks().find_map(|outcome| match outcome {
        CheckOutcome::Inconclusive(why) => Some(why),
        _ => None,
    });
    match why {
        Some(why) => Verdict::Inconclusive(why),
        None if checks().any(|outcome| outcome == CheckOutcome::Holds) => Verdict::Holds,
        None => Verdict::Inconclusive("there was nothing to check".to_owned()),
    }
}

/// The outcome of a run that has nothing but temporal properties.
fn alone(plan: &Plan<'_>, decided: &Decided) -> Outcome {
    let checks = plan.machine.description().checks.iter().map(|check| CheckResult {
        name: check.name.to_owned(),
        kind: check.kind.name(),
        outcome: CheckOutcome::Off("not selected".to_owned()),
    });
    let not_needed = match decided.is_reduced {
        true => "not needed: it was checked with what rests on it",
        false => "not needed: every enabled transition was fired",
    };
    let amt = shared::termination_result(CheckOutcome::Off(not_needed.to_owned()));
    let reduction = if decided.is_reduced { Choice::Stubborn } else { Choice::Full };
    Outcome {
        model: "",
        params: Vec::new(),
        search: plan.options.search.name(),
        reduction: reduction.name(),
        order: plan.order.name(),
        guarantee: String::new(),
        verdict: Verdict::Holds,
        checks: checks.chain([amt]).collect(),
        violations: Vec::new(),
        statistics: Statistics {
            n_states: decided.n_states,
            n_edges: decided.n_edges,
            depth: decided.depth,
            n_terminal: decided.n_terminal,
            explore_seconds: decided.seconds,
            bytes_per_state: decided.bytes as f64 / decided.n_states.max(1) as f64,
            peak_bytes: peak_memory().unwrap_or(0),
            ..Statistics::default()
        },
        rules: None::<(RuleStatistics, Vec<String>)>,
    }
}
