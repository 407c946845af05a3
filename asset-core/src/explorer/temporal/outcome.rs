//! From what was decided to the outcome of a run.

use super::run::{Decided, Plan};
use crate::expand::Choice;
use crate::explorer::shared;
use crate::memory::peak_memory;
use crate::model::RuleStatistics;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict};

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
    if decided.n_nodes > 0 {
        outcome.statistics.more.extend(more.into_iter().take(if is_alone { 2 } else { 3 }));
    }
    let is_off = |outcome: &CheckOutcome| matches!(outcome, CheckOutcome::Off(_));
    let is_decided = !decided.results.iter().all(|(_, result)| is_off(&result.outcome));
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
    // What was left out changes nothing of what is claimed.
    if !is_decided && !is_alone {
        return outcome;
    }
    let is_broken = !decided.violations.is_empty();
    outcome.violations.extend(decided.violations);
    let before = (!is_alone).then(|| std::mem::take(&mut outcome.guarantee));
    outcome.verdict = verdict(&outcome);
    outcome.guarantee = match (&outcome.verdict, before) {
        (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
        (Verdict::Violated, _) if is_broken => format!(
            "the lasso was replayed through the model, and what fails on it was evaluated again, \
             without an automaton; {}",
            decided.assumption
        ),
        (Verdict::Violated, Some(before)) if before != "nothing" => before,
        (Verdict::Violated, _) => "the trace was replayed through the model".to_owned(),
        (Verdict::Holds, before) => {
            let fired = match decided.is_reduced {
                true => "stubborn sets were fired where Theorem 6 lets them",
                false => "everything enabled was fired",
            };
            let own =
                format!("{search}: no run that breaks a formula; {}; {fired}", decided.assumption);
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
        None if checks().any(|outcome| outcome.is_holding()) => Verdict::Holds,
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
        order: plan.recipe.order().name(),
        guarantee: String::new(),
        verdict: Verdict::Holds,
        checks: checks.chain([amt]).collect(),
        violations: Vec::new(),
        witnesses: Vec::new(),
        unseen: None,
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
