//! Traces in files: JSON in the Informal Trace Format, so that viewers made
//! for other tools show them, with what a replay needs under `#meta`.

use super::{Path, Trace};
use crate::machine::{Machine, Packed};
use crate::model::{CheckKind, CheckSet, Shown};
use crate::verdict::{Violation, Witness};
use serde_json::{Map, Value, json};
use std::fmt;

/// Marks files of this tool, with the version of what stands under `#meta`.
const FORMAT: &str = "asset-trace-1";

/// A trace with what is needed to replay it.
pub struct TraceFile {
    /// The model's name.
    pub model: String,
    /// Its parameters.
    pub params: Vec<(String, String)>,
    /// The kind of the check, in words.
    pub kind: String,
    /// The check that is violated, or that the last state satisfies if it is of what is to
    /// be reachable.
    pub check: String,
    /// What it said.
    pub message: String,
    json: Value,
}

/// Why a trace file cannot be used, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFileError(pub String);

impl fmt::Display for TraceFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn broken(what: impl Into<String>) -> TraceFileError {
    TraceFileError(format!("this is not a trace of this tool: {}", what.into()))
}

impl TraceFile {
    /// The text of a file for a violation of `model`.
    pub fn to_text(model: &str, params: &[(&str, &str)], violation: &Violation) -> String {
        let Violation { kind, check, message, trace } = violation;
        text_of(model, params, [kind, check, message], trace)
    }

    /// The text of a file for a witness of `model`.
    pub fn witness_text(model: &str, params: &[(&str, &str)], witness: &Witness) -> String {
        let about = [CheckKind::Reachable.name(), &witness.check, "satisfied in the last state"];
        text_of(model, params, about, &witness.trace)
    }

    /// Reads a file's text.
    pub fn parse(text: &str) -> Result<TraceFile, TraceFileError> {
        let json: Value =
            serde_json::from_str(text).map_err(|e| broken(format!("not JSON: {e}")))?;
        let meta = &json["#meta"];
        if meta["format"] != FORMAT {
            return Err(broken(format!("\"#meta\" does not say {FORMAT}")));
        }
        let word = |key: &str| {
            let value = meta[key].as_str().map(str::to_owned);
            value.ok_or_else(|| broken(format!("\"#meta\" has no \"{key}\"")))
        };
        let params = meta["params"].as_object().ok_or_else(|| broken("there are no parameters"))?;
        let param = |(name, value): (&String, &Value)| {
            let value = value.as_str().ok_or_else(|| broken("a parameter is not a string"))?;
            Ok((name.clone(), value.to_owned()))
        };
        Ok(TraceFile {
            model: word("model")?,
            params: params.iter().map(param).collect::<Result<_, _>>()?,
            kind: word("kind")?,
            check: word("check")?,
            message: word("message")?,
            json,
        })
    }

    /// Fires the file's transitions through a model. The error says where the
    /// model does something else than the file.
    pub fn replay(&self, machine: &dyn Machine) -> Result<Path, TraceFileError> {
        let states = self.json["states"].as_array().ok_or_else(|| broken("there are no states"))?;
        let first = states.first().ok_or_else(|| broken("there are no states"))?;
        let changed = |what: String| TraceFileError(format!("the model has changed: {what}"));
        let initial = machine.initial_states().map_err(|e| changed(e.wrong.to_string()))?;
        let start = initial.into_iter().find(|s| same_state(machine, s, first));
        let start = start
            .ok_or_else(|| changed("the file's first state is not an initial state".into()))?;
        let mut path = Path { states: vec![start], ..Path::default() };
        for (i, wanted) in states.iter().enumerate().skip(1) {
            let t = transition(machine, &wanted["#meta"]["transition"], i)?;
            let next = fire(machine, &path.states[i - 1], t, i).map_err(changed)?;
            if !same_state(machine, &next, wanted) {
                return Err(changed(format!(
                    "step {i}, {}, leads to {} now",
                    machine.transition_name(t),
                    machine.show(&next)
                )));
            }
            path.transitions.push(t);
            path.states.push(next);
        }
        let index = |name: &str, value: &Value| match value.as_u64() {
            Some(i) if i < states.len() as u64 => Ok(Some(i as usize)),
            None if value.is_null() => Ok(None),
            _ => Err(broken(format!("\"{name}\" is not the number of a state"))),
        };
        path.lost_at = index("lost_at", &self.json["#meta"]["lost_at"])?;
        if let Some(start) = index("loop", &self.json["loop"])? {
            let t = transition(machine, &self.json["#meta"]["closing"], states.len())?;
            let last = &path.states[states.len() - 1];
            if fire(machine, last, t, states.len()).map_err(changed)? != path.states[start] {
                return Err(changed("the cycle does not close".into()));
            }
            path.closing = Some((t, start));
        }
        self.still_fails(machine, &path).map_err(changed)?;
        Ok(path)
    }

    /// Whether the check that was violated still is, as far as the last state
    /// tells: a state check or a deadlock check. What is to be reachable is to be
    /// satisfied there.
    fn still_fails(&self, machine: &dyn Machine, path: &Path) -> Result<(), String> {
        let checks = machine.description().checks;
        let Some(i) = checks.iter().position(|check| check.name == self.check) else {
            // The method adds checks of its own.
            return match checks.iter().any(|check| check.kind.name() == self.kind) {
                true => Err(format!("it has no check {}", self.check)),
                false => Ok(()),
            };
        };
        let last = &path.states[path.states.len() - 1];
        let on = CheckSet(1 << i);
        let is_terminal = (0..machine.n_transitions()).all(|t| machine.fire(last, t) == Ok(None));
        let fault = match checks[i].kind {
            kind if kind.is_asked_everywhere() => machine.state_fault(last, on),
            CheckKind::Deadlock if !is_terminal => Ok(None),
            CheckKind::Deadlock => machine.deadlock_fault(last, on),
            _ => return Ok(()),
        };
        match fault.map_err(|error| error.wrong.to_string())? {
            None if checks[i].kind == CheckKind::Reachable => {
                Err(format!("{} is not satisfied in the last state now", self.check))
            }
            None => Err(format!("{} does not fail in the last state now", self.check)),
            Some(_) => Ok(()),
        }
    }
}

/// The text of a file: of which kind the check is, its name, and what it said.
fn text_of(
    model: &str,
    params: &[(&str, &str)],
    [kind, check, message]: [&str; 3],
    trace: &Trace,
) -> String {
    let vars: Vec<&str> = match trace.steps.first().map(|s| &s.state) {
        Some(Shown::Record(fields)) => fields.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    };
    let params: Map<String, Value> =
        params.iter().map(|(n, v)| ((*n).to_owned(), json!(v))).collect();
    let states: Vec<Value> = trace.steps.iter().enumerate().map(state_json).collect();
    let mut file = json!({
        "#meta": {
            "format": FORMAT,
            "format-description": "Informal Trace Format (ITF)",
            "model": model,
            "params": params,
            "kind": kind,
            "check": check,
            "message": message,
            "lost_at": trace.lost_at,
            "closing": trace.closing,
        },
        "vars": vars,
        "states": states,
    });
    if let Some(start) = trace.cycle_start {
        file["loop"] = json!(start);
    }
    format!("{file:#}\n")
}

fn state_json((i, step): (usize, &super::Step)) -> Value {
    let mut state = Map::new();
    state.insert("#meta".into(), json!({ "index": i, "transition": step.transition }));
    if let (Shown::Record(fields), Ok(Value::Object(map))) =
        (&step.state, serde_json::to_value(&step.state))
    {
        debug_assert_eq!(fields.len(), map.len());
        state.extend(map);
    }
    Value::Object(state)
}

/// Whether the variables of a stored state are those of a packed one.
fn same_state(machine: &dyn Machine, state: &Packed, stored: &Value) -> bool {
    let Ok(Value::Object(shown)) = serde_json::to_value(machine.show(state)) else { return false };
    let Some(stored) = stored.as_object() else { return false };
    let mut variables = stored.iter().filter(|(name, _)| *name != "#meta");
    shown.len() == variables.clone().count()
        && variables.all(|(name, value)| shown.get(name) == Some(value))
}

fn transition(machine: &dyn Machine, name: &Value, i: usize) -> Result<usize, TraceFileError> {
    let name = name.as_str().ok_or_else(|| broken(format!("step {i} names no transition")))?;
    (0..machine.n_transitions()).find(|&t| machine.transition_name(t) == name).ok_or_else(|| {
        TraceFileError(format!("the model has changed: it has no transition {name} (step {i})"))
    })
}

fn fire(machine: &dyn Machine, state: &Packed, t: usize, i: usize) -> Result<Packed, String> {
    match machine.fire(state, t) {
        Ok(Some(next)) => Ok(next),
        Ok(None) => Err(format!("step {i}, {}, is disabled now", machine.transition_name(t))),
        Err(error) => Err(format!("step {i}: {}", error.wrong)),
    }
}
