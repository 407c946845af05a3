//! What a model consists of, for `list`.

use super::report::counted;
use super::{json, temporal, unbuilt};
use crate::machine::Family;
use crate::machine::Machine;
use crate::model::NotUnderstood;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A variable of the state with what it costs.
struct Variable {
    name: String,
    n_scalars: usize,
    bits: u32,
}

/// The lanes of a state, gathered by variable.
fn variables(machine: &dyn Machine) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    for (path, lane) in machine.lane_paths().iter().zip(machine.layout().lanes()) {
        let name = path.split(['[', '.']).next().unwrap_or(path);
        match variables.last_mut() {
            Some(last) if last.name == name => {
                last.n_scalars += 1;
                last.bits += lane.bits();
            }
            _ => {
                variables.push(Variable { name: name.to_owned(), n_scalars: 1, bits: lane.bits() })
            }
        }
    }
    variables
}

pub fn to_text(family: &Family, default: &dyn Machine) -> String {
    let description = default.description();
    let mut text = format!("{}: {}\n", family.name, family.doc.lines().next().unwrap_or("").trim());
    if !family.params.is_empty() {
        text.push_str("\nparameters\n");
    }
    for param in family.params {
        let first = param.doc.lines().next().unwrap_or("").trim();
        let values = param.values.join(", ");
        let _ =
            writeln!(text, "  --{} {}  (default {})  {first}", param.name, values, param.default);
    }
    text.push_str("\ninstances");
    if !family.is_whole() {
        let _ = write!(text, " that are built, of {}", family.n_listed());
    }
    text.push('\n');
    for instance in family.instances {
        let values: Vec<_> = family
            .params
            .iter()
            .zip(instance.values)
            .map(|(param, value)| format!("{}={value}", param.name))
            .collect();
        let name = if values.is_empty() { "(the only one)".to_owned() } else { values.join(" ") };
        let machine = instance.machine;
        let _ = writeln!(
            text,
            "  {name:<32} {:>9}, {:>2} bytes per state, {:>15}",
            counted(machine.layout().bits().into(), "bit"),
            8 * machine.n_words(),
            counted(machine.n_transitions() as u64, "transition")
        );
    }
    if !family.is_whole() {
        text.push_str("  others are built where they are named, as in ");
        text.push_str(&unbuilt::example(family));
        text.push('\n');
    }
    text.push_str("\nvariables of the default instance\n");
    for variable in variables(default) {
        let each = match variable.n_scalars {
            1 => String::new(),
            n => format!(" ({n} scalars)"),
        };
        let bits = counted(variable.bits.into(), "bit");
        let _ = writeln!(text, "  {:<32} {bits:>9}{each}", variable.name);
    }
    text.push_str("\nchecks\n");
    for check in description.checks {
        let doc = check.doc.lines().next().unwrap_or("").trim();
        let _ = writeln!(text, "  {:<32} {:<24} {doc}", check.name, check.kind.name());
    }
    if description.checks.is_empty() {
        text.push_str("  none\n");
    }
    text.push_str(&temporal::to_text(default));
    let _ = writeln!(
        text,
        "\nstubborn set rules: {}",
        if description.has_rules { "yes" } else { "no" }
    );
    let _ = writeln!(text, "progress labels: {}", progress(default));
    text.push_str(&not_understood(description.not_understood));
    text
}

/// The most names in one line.
const MAX_NAMES: usize = 6;

/// What the macro did not understand, a line for each reason.
fn not_understood(list: &[NotUnderstood]) -> String {
    let is_like = |one: &NotUnderstood, other: &NotUnderstood| {
        (one.aspect, one.why, one.line) == (other.aspect, other.why, other.line)
    };
    let mut text = String::new();
    for (i, this) in list.iter().enumerate() {
        if list[..i].iter().any(|before| is_like(before, this)) {
            continue;
        }
        let names = list.iter().filter(|other| is_like(this, other));
        let names: Vec<String> = names.map(|other| format!("`{}`", other.name)).collect();
        let shown = names[..names.len().min(MAX_NAMES)].join(", ");
        let others = match names.len().saturating_sub(MAX_NAMES) {
            0 => String::new(),
            n => format!(" and {}", counted(n as u64, "other")),
        };
        let line = if this.line == 0 { String::new() } else { format!(" (line {})", this.line) };
        let (why, follows) = (this.why, this.aspect.consequence());
        let _ = writeln!(text, "{shown}{others}: not understood: {why}{line}; {follows}");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn progress(machine: &dyn Machine) -> &'static str {
    let d = machine.description();
    match (d.progress_transitions, d.progress_states, d.progress_edges) {
        (false, false, false) => "none",
        (true, false, false) => "on transitions",
        (false, true, false) => "on states",
        (false, false, true) => "on transitions, depending on the state",
        _ => "on transitions and on states",
    }
}

pub fn to_json(family: &Family, default: &dyn Machine) -> Value {
    let description = default.description();
    let params: Vec<_> = family
        .params
        .iter()
        .map(|p| {
            let values: Vec<_> = p.values.iter().map(|v| json::param(v)).collect();
            json!({ "name": p.name, "doc": p.doc, "values": values, "default": json::param(p.default) })
        })
        .collect();
    let instances: Vec<_> = family
        .instances
        .iter()
        .map(|i| {
            json!({ "values": i.values, "bits": i.machine.layout().bits(),
                "bytes_per_state": 8 * i.machine.n_words(), "transitions": i.machine.n_transitions() })
        })
        .collect();
    let variables: Vec<_> = variables(default)
        .iter()
        .map(|v| json!({ "name": v.name, "scalars": v.n_scalars, "bits": v.bits }))
        .collect();
    let checks: Vec<_> = description
        .checks
        .iter()
        .map(|c| json!({ "name": c.name, "kind": c.kind.name(), "doc": c.doc }))
        .collect();
    let mut object = json!({
        "model": family.name, "doc": family.doc, "params": params, "instances": instances,
        "n_instances": family.n_listed() as u64,
        "variables": variables, "checks": checks, "rules": description.has_rules,
        "progress": progress(default),
    });
    temporal::add_to_json(default, &mut object);
    if !description.not_understood.is_empty() {
        let of = |part: &NotUnderstood| {
            json!({ "name": part.name, "why": part.why, "line": part.line,
                "consequence": part.aspect.consequence() })
        };
        object["not_understood"] = description.not_understood.iter().map(of).collect();
    }
    object
}
