//! From a lasso of the product to a counterexample that the model has confirmed, without the
//! automaton.

use super::atoms::Atoms;
use super::fair;
use super::property::{Aim, Property};
use crate::explorer::shared::{self, Stop};
use crate::explorer::{RunError, model_error};
use crate::machine::{Machine, Packed};
use crate::search::temporal::{Fairness, GraphEdge, Lasso, STUTTER};
use crate::trace::Path;
use crate::verdict::Violation;
use asset_automata::Word;

/// The path that a lasso takes. `state` gives the state of a node.
pub(super) fn path(lasso: &Lasso, state: impl Fn(u32) -> Packed) -> Path {
    // A run that stays in a terminal state ends there; the automaton may go on.
    let end = lasso.edges.iter().position(|edge| edge.transition == STUTTER);
    let n = end.map_or(lasso.nodes.len(), |at| at + 1);
    let transition = |edge: &GraphEdge| edge.transition as usize;
    let mut path = Path {
        states: lasso.nodes[..n].iter().map(|&node| state(node)).collect(),
        transitions: lasso.edges[..n - 1].iter().map(transition).collect(),
        ..Path::default()
    };
    if end.is_none() {
        path.closing = Some((transition(&lasso.edges[n - 1]), lasso.start));
    }
    path
}

/// The letters along a path, as an infinite word.
fn word(machine: &dyn Machine, atoms: &Atoms<'_>, path: &Path) -> Result<Word, RunError> {
    let letter = |state: &Packed| -> Result<u64, RunError> {
        let letter =
            machine.letter(state, &atoms.list).map_err(|e| model_error(machine, &e, None))?;
        let is_terminal =
            (0..machine.n_transitions()).all(|t| matches!(machine.fire(state, t), Ok(None)));
        Ok(letter | if is_terminal { atoms.terminal() } else { 0 })
    };
    let mut letters: Vec<u64> = path.states.iter().map(letter).collect::<Result<_, _>>()?;
    let start = path.closing.map_or(letters.len() - 1, |(_, start)| start);
    let cycle = letters.split_off(start);
    Ok(Word::new(letters, cycle))
}

/// The counterexample that a path is, after everything about it has been confirmed: that the
/// model can take it, that the property fails on it, and that it is fair.
pub(super) fn violation(
    machine: &dyn Machine,
    property: &Property<'_>,
    fairness: &Fairness,
    path: &Path,
    views: Option<Vec<String>>,
) -> Result<Violation, Stop> {
    let lost = |what: &str| shared::unsteady(what.to_owned());
    let ends_terminal = || {
        let last = &path.states[path.states.len() - 1];
        (0..machine.n_transitions()).all(|t| matches!(machine.fire(last, t), Ok(None)))
    };
    if path.closing.is_none() && !ends_terminal() {
        return Err(lost("it ends where something is enabled").into());
    }
    match &property.aim {
        Aim::Formula(formula) => {
            if word(machine, &property.atoms, path)?.satisfies(formula) {
                return Err(lost("the formula holds on it after all").into());
            }
        }
        Aim::Automaton(automaton) => {
            if !automaton.accepts(&word(machine, &property.atoms, path)?) {
                return Err(lost("the automaton does not accept it after all").into());
            }
        }
        Aim::NeverWithout(roles) => {
            let of = |t: usize| roles[t];
            let watched = path.cycle().any(|(_, t, _)| of(t).is_watched);
            if !watched || path.cycle().any(|(_, t, _)| of(t).is_remedy) {
                return Err(lost("its cycle is a harmless one after all").into());
            }
        }
    }
    let reasons = fair::explain(machine, fairness, path)
        .map_err(|condition| lost(&format!("it is not fair to {condition} after all")))?;
    let mut message = property.fails();
    if path.closing.is_none() {
        message += "; it ends in a terminal state, which repeats for ever";
    }
    if !fairness.conditions.is_empty() {
        message += "; the run is fair";
    }
    if views.is_some() {
        for line in &reasons {
            message += "\n  ";
            message += line;
        }
    }
    let mut violation = shared::violation(machine, property.kind, &property.name, &message, path)?;
    if let Some(views) = views {
        let of_fairness = fair::views(machine, fairness, path);
        let mut of_automaton = views.into_iter();
        for (step, fair) in violation.trace.steps.iter_mut().zip(of_fairness) {
            step.notes = of_automaton.next().into_iter().chain(fair).collect();
        }
    }
    Ok(violation)
}
