//! Searches for one property: a fair run that its automaton accepts, or a cycle that must not
//! be.

use super::TemporalSearch;
use super::evidence;
use super::property::{Aim, Property};
use super::run::{Decided, Plan};
use crate::expand::Choice;
use crate::explorer::shared::{self, Stop, in_root};
use crate::explorer::{RunError, model_error};
use crate::machine::Packed;
use crate::model::Order;
use crate::search::temporal::{
    EngineStates, Graph, Hunted, Lasso, Product, Table, Wanted, Without, components, nested,
};
use crate::search::{Failure, Good, Space, Watch, reach};
use crate::store::{Id, StateSet};
use crate::trace::Path;
use crate::verdict::{CheckOutcome, Violation};
use asset_automata::{Automaton, Ltl};
use std::collections::VecDeque;

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
    Space::<W>::new(&plan.recipe.with_choice(choice))
        .map_err(|failure| in_root(plan.machine, failure))
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
fn way_to<const W: usize>(space: &Space<'_, W>, target: Id) -> Option<Path> {
    let machine = space.machine();
    let n = space.store().len();
    let mut parent = vec![Id::MAX; n];
    let mut queue: VecDeque<Id> = (0..space.n_roots() as Id).collect();
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
        let state = space.state(id);
        for t in 0..machine.n_transitions() {
            let Ok(Some(next)) = machine.fire(&state, t) else { continue };
            let Some(to) = space.find(&next) else { continue };
            if parent[to as usize] == Id::MAX {
                parent[to as usize] = id;
                queue.push_back(to);
            }
        }
    }
    None
}

/// Looks for a fair run that an automaton accepts.
pub(super) fn formula<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    automaton: Automaton,
    watch: &mut Watch<'_>,
    decided: &mut Decided,
) -> Result<CheckOutcome, Stop> {
    if let Aim::Formula(_) = property.aim
        && automaton.edges.iter().all(Vec::is_empty)
    {
        let why = "every run satisfies it, whatever the model does";
        return Ok(vacuous(why.to_owned()));
    }
    if let Some(violation) = accepted::<W>(plan, property, automaton, watch, Some(decided))? {
        decided.violations.push(violation);
        return Ok(CheckOutcome::Violated);
    }
    let Aim::Formula(formula) = &property.aim else { return Ok(CheckOutcome::Holds) };
    for (premise, without) in formula.without_a_conclusion() {
        if !fails::<W>(plan, property, &without, watch)? {
            let why = format!(
                "no {}run comes to `{}`, so nothing rests on what should follow from it",
                if plan.fairness.conditions.is_empty() { "" } else { "fair " },
                property.show(&premise),
            );
            return Ok(vacuous(why));
        }
    }
    Ok(CheckOutcome::Holds)
}

fn vacuous(why: String) -> CheckOutcome {
    CheckOutcome::Vacuous { is_certain: true, why }
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
    let mut product = Product::new(&mut states, &table, &plan.fairness, property.atoms.terminal());
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
    let mut product = Product::new(&mut states, &table, &plan.fairness, property.atoms.terminal());
    let wanted = product.wanted();
    let search = (plan.options.search, plan.fairness.n_weak());
    let (hunted, lasso) = hunt(&mut product, &wanted, search, watch);
    let n_copies = table.automaton().n_states() as u32;
    let counts = (states.n_edges, states.terminal.len());
    if let Some(decided) = decided {
        decided.note(&hunted, &space, counts);
    }
    let lasso = lasso.map_err(|failure| stop(&space, failure))?;
    let Some(lasso) = lasso else {
        return match hunted.found {
            None => Ok(None),
            Some(_) => Err(lost().into()),
        };
    };
    let state = |node: u32| -> Packed { space.state(node / n_copies) };
    let path = evidence::path(&lasso, state);
    let view = |(node, edge): (&u32, &crate::search::temporal::GraphEdge)| {
        let n_sets = table.automaton().n_sets;
        let sets: Vec<String> =
            (0..n_sets).filter(|set| edge.colours >> set & 1 != 0).map(|s| s.to_string()).collect();
        let (from, to) = (node % n_copies, edge.to % n_copies);
        let sets = match sets.is_empty() {
            true => String::new(),
            false => format!(", in acceptance set {}", sets.join(", ")),
        };
        format!("automaton: from {from} to {to}{sets}")
    };
    let views =
        plan.options.explain.then(|| lasso.nodes.iter().zip(&lasso.edges).map(view).collect());
    evidence::violation(plan.machine, property, &plan.fairness, &path, views).map(Some)
}

fn lost() -> RunError {
    shared::unsteady("the way to the cycle was not found again".to_owned())
}

/// Looks for a cycle with a watched transition and without a remedy.
pub(super) fn never_without<const W: usize>(
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
    let (n_edges, terminal) = (states.n_edges, states.terminal.clone());
    decided.note(&hunted, &space, (n_edges, terminal.len()));
    let lasso = lasso.map_err(|failure| stop(&space, failure))?;
    if let Some(lasso) = lasso {
        let path = evidence::path(&lasso, |node| space.state(node / 2));
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
        let why = "none of the watched transitions is ever fired";
        return Ok(vacuous(why.to_owned()));
    }
    Ok(CheckOutcome::Holds)
}
