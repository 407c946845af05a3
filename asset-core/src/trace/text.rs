//! A trace on a terminal: one line per state, the transition that led to it,
//! what it changed, and ASSET's two separators.

use super::{Step, Trace};
use crate::model::Shown;
use std::fmt;

/// Stands before the first state from which something good is impossible.
pub const LOST: &str = "==========";
/// Stands before the first state of the final cycle.
pub const CYCLE: &str = "----------";

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

impl Trace {
    /// The text form; `color` dims what did not change.
    pub fn to_text(&self, color: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, color);
        text
    }

    fn write(&self, f: &mut dyn fmt::Write, color: bool) -> fmt::Result {
        let number = self.steps.len().saturating_sub(1).to_string().len();
        let name_of = |step: &Step| step.transition.clone().unwrap_or_default();
        let names = self.steps.iter().map(|s| name_of(s).chars().count()).max().unwrap_or(0);
        let line_of = |step: &Step| step.line.clone().unwrap_or_else(|| fields(&step.state));
        let lines = self.steps.iter().map(|s| line_of(s).chars().count()).max().unwrap_or(0);
        for (i, step) in self.steps.iter().enumerate() {
            if self.lost_at == Some(i) {
                writeln!(f, "{LOST}")?;
            }
            if self.cycle_start == Some(i) {
                writeln!(f, "{CYCLE}")?;
            }
            let line = line_of(step);
            write!(f, "{i:>number$}  {:<names$}  ", name_of(step))?;
            let changed = match i {
                0 => String::new(),
                _ => changes(&self.steps[i - 1].state, &step.state),
            };
            if changed.is_empty() {
                writeln!(f, "{line}")?;
            } else if color {
                writeln!(f, "{line:<lines$}  \x1b[33m{changed}\x1b[0m")?;
            } else {
                writeln!(f, "{line:<lines$}  {changed}")?;
            }
            for note in &step.notes {
                writeln!(f, "{:>number$}    · {note}", "")?;
            }
        }
        if let (Some(start), Some(closing)) = (self.cycle_start, &self.closing) {
            writeln!(f, "{:>number$}  {closing} leads back to state {start}", "")?;
        }
        Ok(())
    }
}

/// The variables by name, for a model that does not say how to print a state.
fn fields(state: &Shown) -> String {
    match state {
        Shown::Record(fields) => {
            let parts: Vec<_> =
                fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
            parts.join(" ")
        }
        other => other.to_string(),
    }
}

/// What differs, as `at[1]: Idle→Gate`, in the order of the variables.
fn changes(before: &Shown, after: &Shown) -> String {
    let mut list = Vec::new();
    collect(String::new(), before, after, &mut list);
    list.join(" ")
}

fn collect(path: String, before: &Shown, after: &Shown, list: &mut Vec<String>) {
    match (before, after) {
        (Shown::Record(old), Shown::Record(new)) => {
            for ((name, old), (_, new)) in old.iter().zip(new) {
                let dot = if path.is_empty() { "" } else { "." };
                collect(format!("{path}{dot}{name}"), old, new, list);
            }
        }
        (Shown::List(old), Shown::List(new)) => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                collect(format!("{path}[{i}]"), old, new, list);
            }
        }
        (Shown::Map(old), Shown::Map(new)) => {
            for ((key, old), (_, new)) in old.iter().zip(new) {
                collect(format!("{path}[{key}]"), old, new, list);
            }
        }
        (Shown::Tuple(old), Shown::Tuple(new)) => {
            for (i, (old, new)) in old.iter().zip(new).enumerate() {
                collect(format!("{path}.{i}"), old, new, list);
            }
        }
        (Shown::Set(old), Shown::Set(new)) if old != new => {
            list.push(format!("{path}: {}", of_set(old, new)));
        }
        (Shown::Queue(old), Shown::Queue(new)) if old != new => {
            let changed = of_queue(old, new).unwrap_or_else(|| format!("{before}→{after}"));
            list.push(format!("{path}: {changed}"));
        }
        _ if before != after => list.push(format!("{path}: {before}→{after}")),
        _ => {}
    }
}

/// What was taken out of a set or a bag, and what was put in: `-Ack +Vote(from 1)`.
fn of_set(old: &[Shown], new: &[Shown]) -> String {
    let left = |from: &[Shown], other: &[Shown], sign: char| {
        let mut other = other.to_vec();
        let is_left = |element: &&Shown| match other.iter().position(|known| known == *element) {
            Some(same) => {
                other.swap_remove(same);
                false
            }
            None => true,
        };
        let left: Vec<&Shown> = from.iter().filter(is_left).collect();
        left.into_iter().map(|element| format!("{sign}{element}")).collect::<Vec<_>>()
    };
    let mut changes = left(old, new, '-');
    changes.extend(left(new, old, '+'));
    changes.join(" ")
}

/// What was taken out at the front of a queue, and what was put in at its end; `None` if
/// it has changed otherwise.
fn of_queue(old: &[Shown], new: &[Shown]) -> Option<String> {
    let n_out = (0..=old.len()).find(|&n| new.starts_with(&old[n..]))?;
    // All new elements: nothing says that they came in at the end.
    if n_out == old.len() && n_out > 1 {
        return None;
    }
    let mut changes: Vec<String> = old[..n_out].iter().map(|e| format!("-{e}")).collect();
    changes.extend(new[old.len() - n_out..].iter().map(|e| format!("+{e}")));
    Some(changes.join(" "))
}
