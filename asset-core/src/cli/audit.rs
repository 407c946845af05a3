//! `audit`: are the rules right? In words that can be read aloud, or as JSON.

use super::commands::{chosen_params, print, print_json, rules};
use super::progress::ProgressLine;
use super::report::{count, counted};
use super::{CliError, STOP, json, stderr_is_terminal};
use crate::audit::{AuditOptions, AuditReport, AuditVerdict, Coverage, Hint, Square};
use crate::explorer::{Explorer, Rules};
use crate::machine::Family;
use crate::search::Observer;
use crate::trace::Step;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Hints shown in the text; the JSON has all.
const MAX_HINTS: usize = 8;

pub fn run(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let mut line = (stderr_is_terminal() && !matches.get_flag("quiet")).then(ProgressLine::new);
    let mut explorer = Explorer::new(*family).rules(rules(matches)).stop_flag(&STOP);
    if let Some(line) = line.as_mut() {
        explorer = explorer.observer(line as &mut dyn Observer);
    }
    for (name, value) in chosen_params(family, matches) {
        explorer = explorer.param(&name, value);
    }
    if let Some(&time) = matches.get_one::<Duration>("max-time") {
        explorer = explorer.max_time(time);
    }
    if let Some(names) = matches.get_many::<String>("check") {
        explorer = explorer.checks(names.cloned());
    }
    let default = AuditOptions::default();
    let number = |name: &str, default: usize| {
        matches.get_one::<u64>(name).map_or(default, |&n| usize::try_from(n).unwrap_or(default))
    };
    let report = explorer.audit(AuditOptions {
        max_states: number("max-states", default.max_states),
        n_samples: number("samples", default.n_samples),
        seed: matches.get_one::<u64>("seed").copied().unwrap_or(default.seed),
        max_r: number("max-r", default.max_r),
        ..default
    });
    if let Some(line) = &line {
        line.clear();
    }
    let report = report?;
    if matches.get_flag("json") {
        print_json(&to_json(&report))?;
    } else if !matches.get_flag("quiet") {
        print(&to_text(&report, rules(matches)))?;
    }
    Ok(report.verdict.exit_code())
}

fn to_text(report: &AuditReport, rules: Rules) -> String {
    let mut text = report.model.to_owned();
    for (name, value) in &report.params {
        let _ = write!(text, " {name}={value}");
    }
    text.push_str(match rules {
        Rules::Author => ": audit of the stubborn set rules\n\n",
        Rules::Inferred => ": audit of the inferred stubborn set rules\n\n",
    });
    if let AuditVerdict::WrongRule(square) = &report.verdict {
        text += &square_text(square);
        text.push('\n');
    }
    text += &coverage(&report.coverage, report.seconds);
    if let Some(seed) = report.seed {
        let _ = writeln!(text, "random walks with seed {seed}: --seed {seed} repeats them");
    }
    text += &hints(&report.hints);
    text += &match &report.verdict {
        AuditVerdict::NoFault => {
            "\nverdict: no fault (every reachable state was judged: the rules are right)\n"
                .to_owned()
        }
        AuditVerdict::NoFaultFound(why) => format!("\nverdict: no fault found, but {why}\n"),
        AuditVerdict::WrongRule(square) => {
            format!("\nverdict: wrong rule: {} ({})\n", square.missing, square.flaw.condition())
        }
        AuditVerdict::NothingCovered(why) => format!("\nverdict: nothing covered: {why}\n"),
    };
    text
}

fn coverage(c: &Coverage, seconds: f64) -> String {
    let mut text = format!(
        "{} judged, {}; {}, {} of which leave something enabled out\n",
        counted(c.n_states, "state"),
        if c.is_exhaustive { "all that are reachable" } else { "not all that are reachable" },
        counted(c.n_sets, "stubborn set"),
        count(c.n_reducing),
    );
    let _ = write!(text, "{} compared in {seconds:.2} s", counted(c.n_squares, "square"));
    if c.n_cut_off > 0 {
        let _ = write!(text, "; {} judged in part", counted(c.n_cut_off, "set"));
    }
    text.push('\n');
    text
}

/// A list of names as in a sentence.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [name] => name.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn state(step: &Step) -> String {
    step.line.clone().unwrap_or_else(|| step.state.to_string())
}

fn square_text(square: &Square) -> String {
    let mut text = flaw_text(square);
    if square.trace.steps.len() == 1 {
        text.push_str("\n  the state is initial\n");
    } else {
        let _ = write!(text, "\n  the state is reached by\n{}", square.trace);
    }
    text
}

fn flaw_text(square: &Square) -> String {
    let mut text = format!("wrong rule: {}\n\n", square.missing);
    let _ = writeln!(text, "  in the state          {}", state(&square.path[0]));
    let order = match square.evidence.order {
        crate::model::Order::Backward => "backward",
        crate::model::Order::Forward => "forward",
    };
    let _ = writeln!(text, "  the stubborn set is   {}  (in {order} order)", listed(&square.set));
    if square.t.is_empty() {
        let _ = writeln!(text, "\n  expected: {}", square.expected);
        let _ = writeln!(text, "  happened: {}", square.happened);
        return text;
    }
    let _ = writeln!(text, "  the rule of {} obliges {} there", square.t, listed(&square.obliged));
    if square.path.len() > 1 {
        text.push_str("\n  transitions outside the set lead on\n");
        steps(&mut text, &square.path[1..]);
    }
    let _ = writeln!(text, "\n  there, {} and then {}", square.t, square.u);
    side(&mut text, &square.t_first, [&square.t, &square.u]);
    let _ = writeln!(text, "\n  there, {} and then {}", square.u, square.t);
    side(&mut text, &square.u_first, [&square.u, &square.t]);
    let _ = writeln!(text, "\n  expected: {}", square.expected);
    let _ = writeln!(text, "  happened: {}", square.happened);
    text
}

fn steps(text: &mut String, steps: &[Step]) {
    for step in steps {
        let name = step.transition.as_deref().unwrap_or_default();
        let _ = writeln!(text, "    {name:<18}  {}", state(step));
    }
}

/// Two transitions one after the other, and what they lead to.
fn side(text: &mut String, fired: &[Step], names: [&String; 2]) {
    steps(text, fired);
    if let Some(name) = names.get(fired.len()) {
        let _ = writeln!(text, "    {name:<18}  is disabled");
    }
}

fn hints(hints: &[Hint]) -> String {
    let mut text = String::new();
    for hint in hints.iter().take(MAX_HINTS) {
        let how = if hint.by_name { "obliges" } else { "obliges everything, so also" };
        let _ = writeln!(
            text,
            "hint: {} {how} {}, but in no state does that matter",
            hint.transition,
            listed(&hint.never_needed)
        );
    }
    if hints.len() > MAX_HINTS {
        let _ = writeln!(text, "and {} more hints; --json lists all", hints.len() - MAX_HINTS);
    }
    text
}

fn to_json(report: &AuditReport) -> Value {
    let (square, reason) = match &report.verdict {
        AuditVerdict::WrongRule(square) => (Some(square_json(square)), None),
        AuditVerdict::NoFaultFound(why) | AuditVerdict::NothingCovered(why) => (None, Some(why)),
        AuditVerdict::NoFault => (None, None),
    };
    let c = &report.coverage;
    let hints: Vec<Value> = report
        .hints
        .iter()
        .map(|hint| {
            json!({ "transition": hint.transition, "never_needed": hint.never_needed,
                    "by_name": hint.by_name })
        })
        .collect();
    json!({
        "model": report.model,
        "params": json::params(report.params.iter().copied()),
        "verdict": report.verdict.name(),
        "reason": reason,
        "exhaustive": c.is_exhaustive,
        "seed": report.seed,
        "states": c.n_states,
        "stubborn_sets": c.n_sets,
        "reducing_sets": c.n_reducing,
        "sets_judged_in_part": c.n_cut_off,
        "squares": c.n_squares,
        "seconds": report.seconds,
        "square": square,
        "hints": hints,
    })
}

fn square_json(square: &Square) -> Value {
    let steps = |steps: &[Step]| -> Value {
        let step = |step: &Step| json!({ "transition": step.transition, "state": step.state, "line": step.line });
        steps.iter().map(step).collect()
    };
    let or_null = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    json!({
        "missing": square.missing,
        "condition": square.flaw.condition(),
        "stubborn_set": square.set,
        "obliged": square.obliged,
        "path": steps(&square.path),
        "member": or_null(&square.t),
        "other": or_null(&square.u),
        "member_first": steps(&square.t_first),
        "other_first": steps(&square.u_first),
        "expected": square.expected,
        "happened": square.happened,
        "trace": json::trace(&square.trace),
    })
}
