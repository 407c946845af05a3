//! What a run never saw, in a line or two.

use super::report::counted;
use crate::verdict::{NeverHeld, Unseen, without_places};
use std::collections::BTreeMap;

/// The most names, and the most values of a variable, in one line.
const MAX_NAMES: usize = 6;

/// What was never seen; nothing if there is nothing.
pub fn to_text(unseen: &Unseen) -> String {
    let mut text = String::new();
    let transitions = unseen.transitions.as_deref().unwrap_or_default();
    if !transitions.is_empty() {
        let named = in_short(transitions, "transition");
        text += &format!("never enabled: {named}\n");
    }
    let mut others = Vec::new();
    if let Some(values) = &unseen.values {
        others.extend(never_taken(values));
    }
    let progress = unseen.progress.iter().flatten();
    others.extend(progress.map(|check| format!("{check} is never true")));
    others.extend(unseen.checks.iter().map(|check| format!("{check} is never asked")));
    if !others.is_empty() {
        text += &format!("never seen: {}\n", others.join("; "));
    }
    text
}

/// The first of several names.
fn in_short(names: &[String], noun: &str) -> String {
    let shown = names[..names.len().min(MAX_NAMES)].join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        n => format!("{shown} and {} more; --json lists all", counted(n as u64, noun)),
    }
}

/// The values that no element of a variable has taken, and how many there are else.
fn never_taken(values: &[NeverHeld]) -> Option<String> {
    // By the name of a variable without its places in lists.
    let mut variables = BTreeMap::<String, Vec<&NeverHeld>>::new();
    let mut names = Vec::new();
    for held in values {
        let name = without_places(&held.variable);
        let known = variables.entry(name.clone()).or_default();
        if known.is_empty() {
            names.push(name);
        }
        known.push(held);
    }
    let mut shown = Vec::new();
    let mut n_others = 0;
    for name in names {
        let lacking = &variables[&name];
        let is_common = |value: &&String| lacking.iter().all(|held| held.values.contains(value));
        // An element that has taken every value is not listed; then nothing is common.
        let common: Vec<String> = match lacking.len() == lacking[0].n_alike {
            true => lacking[0].values.iter().filter(is_common).cloned().collect(),
            false => Vec::new(),
        };
        let n_lacking: usize = lacking.iter().map(|held| held.values.len()).sum();
        n_others += n_lacking - common.len() * lacking.len();
        if !common.is_empty() {
            shown.push(format!("{name} = {}", in_short(&common, "value")));
        }
    }
    if n_others > 0 {
        let values = counted(n_others as u64, "value");
        shown.push(format!("{values} of single elements (--json lists them)"));
    }
    (!shown.is_empty()).then(|| shown.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(variable: &str, values: &[&str], n_alike: usize) -> NeverHeld {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        NeverHeld { variable: variable.to_owned(), values, n_alike }
    }

    #[test]
    fn nothing_is_told_of_nothing() {
        let unseen = Unseen { transitions: None, values: None, progress: None, checks: Vec::new() };
        assert_eq!(to_text(&unseen), "");
    }

    #[test]
    fn what_all_elements_lack_is_told_by_name() {
        let names = |n: usize| (0..n).map(|i| format!("Win({i})")).collect();
        let values = vec![
            held("role[0]", &["Leader"], 2),
            held("role[1]", &["Leader", "Candidate"], 2),
            // A third one has taken every value.
            held("seat[0].taken", &["yes"], 3),
            held("seat[2].taken", &["yes"], 3),
            held("term", &["3..=7"], 1),
        ];
        let unseen = Unseen {
            transitions: Some(names(8)),
            values: Some(values),
            progress: Some(vec!["elected"]),
            checks: vec!["ends_well"],
        };
        assert_eq!(
            to_text(&unseen),
            "never enabled: Win(0), Win(1), Win(2), Win(3), Win(4), Win(5) and 2 transitions \
             more; --json lists all\n\
             never seen: role[] = Leader; term = 3..=7; 3 values of single elements (--json lists \
             them); elected is never true; ends_well is never asked\n"
        );
    }
}
