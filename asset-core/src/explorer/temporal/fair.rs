//! The fairness conditions of a run: what the model says, weakened as asked.

use super::FairnessLevel;
use crate::explorer::{RunError, model_error};
use crate::machine::{Machine, Packed};
use crate::search::temporal::{Condition, Fairness};
use crate::trace::Path;

/// The most colours that conditions may take, two for each strong one.
const MAX_COLOURS: u32 = 32;

/// What the model says, as far as `level` lets it.
pub(super) fn conditions(
    machine: &dyn Machine,
    level: Option<FairnessLevel>,
) -> Result<Fairness, RunError> {
    let n = machine.n_transitions();
    let mut fairness = Fairness { conditions: Vec::new(), of_transition: vec![0; n] };
    if level == Some(FairnessLevel::None) {
        return Ok(fairness);
    }
    let mut members: Vec<(Condition, Vec<usize>)> = Vec::new();
    for transition in 0..n {
        let fair = machine.fairness(transition).map_err(|e| model_error(machine, &e, None))?;
        let Some(fair) = fair else { continue };
        let name = fair.group.unwrap_or_else(|| machine.transition_name(transition));
        let is_strong = fair.is_strong && level != Some(FairnessLevel::Weak);
        let condition = Condition { name, is_strong };
        match members.iter_mut().find(|(known, _)| *known == condition) {
            Some((_, transitions)) => transitions.push(transition),
            None => members.push((condition, vec![transition])),
        }
    }
    members.sort_by_key(|(condition, _)| condition.is_strong);
    for (i, (condition, transitions)) in members.into_iter().enumerate() {
        fairness.conditions.push(condition);
        if i < 64 {
            transitions.into_iter().for_each(|t| fairness.of_transition[t] |= 1 << i);
        }
    }
    if fairness.n_colours() > MAX_COLOURS {
        return Err(RunError::Usage(format!(
            "the model has {} fairness conditions, and there is room for {MAX_COLOURS} weak ones \
             or half as many strong ones: let one condition stand for several transitions with \
             #[fair(…, by = PARAMETER)] or #[fair(…, group = NAME)]",
            fairness.conditions.len()
        )));
    }
    Ok(fairness)
}

/// What a level takes away of what the model says, in a clause; `None` if nothing.
pub(super) fn weakened(
    machine: &dyn Machine,
    level: Option<FairnessLevel>,
) -> Result<Option<String>, RunError> {
    let said = |is_it: fn(bool) -> bool| -> Result<bool, RunError> {
        for transition in 0..machine.n_transitions() {
            let fair = machine.fairness(transition).map_err(|e| model_error(machine, &e, None))?;
            if fair.is_some_and(|fair| is_it(fair.is_strong)) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    Ok(match level {
        Some(FairnessLevel::None) if said(|_| true)? => {
            Some("--fairness none leaves out the fairness that the model assumes".to_owned())
        }
        Some(FairnessLevel::Weak) if said(|is_strong| is_strong)? => {
            Some("--fairness weak makes weak what the model calls strongly fair".to_owned())
        }
        _ => None,
    })
}

/// For each state of a path, what the conditions see there if it is on the cycle: which are
/// disabled, and which are taken on the way to the next state.
pub(super) fn views(machine: &dyn Machine, fairness: &Fairness, path: &Path) -> Vec<Vec<String>> {
    let last = path.states.len() - 1;
    let start = path.closing.map_or(last, |(_, start)| start);
    let mut fired: Vec<usize> = Vec::new();
    fired.extend(path.cycle().map(|(_, transition, _)| transition));
    let own = |t: usize, condition: usize| fairness.of_transition[t] >> condition & 1 != 0;
    let view = |at: usize| {
        let is_enabled = |condition: usize| {
            (0..machine.n_transitions())
                .filter(|&t| own(t, condition))
                .any(|t| !matches!(machine.fire(&path.states[at], t), Ok(None)))
        };
        let said = |(i, condition): (usize, &Condition)| {
            let kind = if condition.is_strong { "strong" } else { "weak" };
            let next = at.checked_sub(start).and_then(|step| fired.get(step));
            let what = match next {
                Some(&t) if own(t, i) => "taken",
                _ if is_enabled(i) => "enabled and not taken",
                _ => "disabled",
            };
            format!("{kind} fairness of {}: {what}", condition.name)
        };
        let conditions = fairness.conditions.iter().enumerate();
        if at < start { Vec::new() } else { conditions.map(said).collect() }
    };
    (0..=last).map(view).collect()
}

/// For each condition, why the cycle of a path is fair to it, in words; the error is the
/// first condition to which it is not. The model is fired for it: no search is trusted.
pub(super) fn explain(
    machine: &dyn Machine,
    fairness: &Fairness,
    path: &Path,
) -> Result<Vec<String>, String> {
    let last = path.states.len() - 1;
    let start = path.closing.map_or(last, |(_, start)| start);
    let mut fired: Vec<usize> = Vec::new();
    fired.extend(path.cycle().map(|(_, transition, _)| transition));
    let is_enabled = |state: &Packed, condition: usize| {
        let own = |&t: &usize| fairness.of_transition[t] >> condition & 1 != 0;
        (0..machine.n_transitions())
            .filter(own)
            .any(|t| !matches!(machine.fire(state, t), Ok(None)))
    };
    let mut reasons = Vec::new();
    for (i, condition) in fairness.conditions.iter().enumerate() {
        let kind = if condition.is_strong { "strong" } else { "weak" };
        let own = |&t: &usize| fairness.of_transition[t] >> i & 1 != 0;
        let disabled = (start..=last).find(|&at| !is_enabled(&path.states[at], i));
        let enabled = (start..=last).find(|&at| is_enabled(&path.states[at], i));
        let why = match (fired.iter().position(own), disabled, enabled) {
            (Some(at), _, _) => {
                format!("{} is fired in state {}", machine.transition_name(fired[at]), start + at)
            }
            (None, _, None) => "it is enabled nowhere on the cycle".to_owned(),
            (None, Some(at), _) if !condition.is_strong => format!("disabled in state {at}"),
            _ => return Err(condition.name.clone()),
        };
        reasons.push(format!("{kind} fairness of {}: {why}", condition.name));
    }
    Ok(reasons)
}
