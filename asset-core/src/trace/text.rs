//! The words of a trace: states, what a step changed, and ASSET's two separators.

use crate::model::Shown;

/// Stands before the first state from which something good is impossible.
pub const LOST: &str = "==========";
/// Stands before the first state of the final cycle.
pub const CYCLE: &str = "----------";

/// The variables by name, for a model that does not say how to print a state.
pub(super) fn fields(state: &Shown) -> String {
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
pub fn changes(before: &Shown, after: &Shown) -> String {
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
