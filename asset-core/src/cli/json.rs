//! The result of a run as one JSON object.

use crate::trace::Trace;
use crate::verdict::{NeverHeld, Outcome, Unseen, Verdict, Violation, Witness};
use serde_json::{Map, Value, json};

/// The object that `--json` prints.
pub fn outcome(outcome: &Outcome) -> Value {
    let s = &outcome.statistics;
    let checks: Vec<_> = outcome
        .checks
        .iter()
        .map(|c| {
            json!({ "name": c.name, "kind": c.kind, "result": c.outcome.name(),
                    "reason": c.reason() })
        })
        .collect();
    let more: Map<String, Value> =
        s.more.iter().map(|(name, value)| (name.replace(' ', "_"), json!(value))).collect();
    let reason = match &outcome.verdict {
        Verdict::Inconclusive(why) => Some(why.as_str()),
        _ => None,
    };
    let mut object = json!({
        "model": outcome.model,
        "params": params(outcome.params.iter().copied()),
        "search": outcome.search,
        "reduction": outcome.reduction,
        "order": outcome.order,
        "threads": 1 + s.n_helpers,
        "verdict": outcome.verdict.name(),
        "reason": reason,
        "guarantee": outcome.guarantee,
        "states": s.n_states,
        "edges": s.n_edges,
        "depth": s.depth,
        "terminal_states": s.n_terminal,
        "more": more,
        "seconds": {
            "explore": s.explore_seconds,
            "post": s.post_seconds,
            "total": s.explore_seconds + s.post_seconds,
        },
        "memory": { "bytes_per_state": s.bytes_per_state, "peak_bytes": s.peak_bytes },
        "checks": checks,
        "violation": outcome.violations.first().map(violation),
        "coverage": outcome.unseen.as_ref().map(coverage),
    });
    if outcome.violations.len() > 1 {
        object["violations"] = outcome.violations.iter().map(violation).collect();
    }
    if !outcome.witnesses.is_empty() {
        let witness = |w: &Witness| json!({ "check": w.check, "trace": trace(&w.trace) });
        object["witnesses"] = outcome.witnesses.iter().map(witness).collect();
    }
    if let Some((rules, names)) = &outcome.rules {
        let obliged_all: Map<String, Value> = names
            .iter()
            .enumerate()
            .filter(|&(t, _)| rules.obliged_all.get(t).is_some_and(|&n| n > 0))
            .map(|(t, name)| (name.clone(), json!(rules.obliged_all[t])))
            .collect();
        object["rules"] = json!({
            "states": rules.n_states,
            "samples": rules.n_samples,
            "reduced_samples": rules.n_reduced,
            "enabled_in_samples": rules.n_enabled,
            "fired_in_samples": rules.n_fired,
            "obliged_all": obliged_all,
        });
    }
    object
}

/// The parameters of an instance.
pub fn params<'p>(params: impl Iterator<Item = (&'p str, &'p str)>) -> Value {
    params.map(|(name, value)| (name.to_owned(), param(value))).collect::<Map<_, _>>().into()
}

/// A parameter's value: a number or a truth value where it looks like one.
pub fn param(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| json!(value))
}

fn coverage(unseen: &Unseen) -> Value {
    let values = |list: &Vec<NeverHeld>| -> Value {
        list.iter().map(|v| json!({ "variable": v.variable, "values": v.values })).collect()
    };
    json!({
        "transitions_never_enabled": unseen.transitions,
        "values_never_taken": unseen.values.as_ref().map(values),
        "progress_never_true": unseen.progress,
        "checks_never_tested": unseen.checks,
    })
}

fn violation(violation: &Violation) -> Value {
    json!({
        "kind": violation.kind,
        "check": violation.check,
        "message": violation.message,
        "trace": trace(&violation.trace),
        "lost_at": violation.trace.lost_at,
        "cycle_start": violation.trace.cycle_start,
        "closing_transition": violation.trace.closing,
    })
}

/// The states of a trace.
pub fn trace(trace: &Trace) -> Value {
    let step = |step: &crate::trace::Step| {
        let mut object =
            json!({ "transition": step.transition, "state": step.state, "line": step.line });
        if !step.notes.is_empty() {
            object["notes"] = json!(step.notes);
        }
        object
    };
    trace.steps.iter().map(step).collect()
}
