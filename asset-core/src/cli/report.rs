//! The result of a run in words, for a terminal.

use crate::reduction::RuleStatistics;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Verdict, Violation};
use std::fmt::Write as _;

/// A number with its digits in groups of three.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of bytes in megabytes.
pub fn megabytes(bytes: usize) -> String {
    format!("{} MB", count((bytes / 1_000_000) as u64))
}

/// The whole summary of a run.
pub fn summary(outcome: &Outcome, color: bool) -> String {
    let mut text = heading(outcome);
    for violation in &outcome.violations {
        text += &violation_text(violation, color);
    }
    text.push('\n');
    text += &checks_table(&outcome.checks, color);
    text.push('\n');
    text += &statistics(outcome);
    if let Some((statistics, names)) = &outcome.rules {
        text += &rules(statistics, names);
    }
    text += &verdict_line(outcome, color);
    text
}

fn heading(outcome: &Outcome) -> String {
    let mut text = outcome.model.to_owned();
    for (name, value) in &outcome.params {
        let _ = write!(text, " {name}={value}");
    }
    let reduction = match outcome.reduction {
        "full" => "all enabled transitions".to_owned(),
        "stubborn" => "stubborn sets".to_owned(),
        other => format!("reduction {other}"),
    };
    let _ = writeln!(text, ": {} search, {reduction}, {} order", outcome.search, outcome.order);
    text
}

/// A counterexample with its trace.
pub fn violation_text(violation: &Violation, color: bool) -> String {
    let mut text = format!("\n{} ({}): {}\n", violation.check, violation.kind, violation.message);
    text += &violation.trace.to_text(color);
    text
}

fn checks_table(checks: &[CheckResult], color: bool) -> String {
    let names = checks.iter().map(|c| c.name.len()).max().unwrap_or(0);
    let kinds = checks.iter().map(|c| c.kind.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let (mark, code) = match check.outcome {
            CheckOutcome::Holds => ('+', "32"),
            CheckOutcome::Violated => ('!', "31"),
            CheckOutcome::Inconclusive(_) => ('?', "33"),
            CheckOutcome::Off(_) => ('-', "2"),
        };
        let mut line = format!(
            "{mark} {:<names$}  {:<kinds$}  {}",
            check.name,
            check.kind,
            check.outcome.name()
        );
        if let Some(why) = check.outcome.reason() {
            let _ = write!(line, ": {why}");
        }
        let _ = match color {
            true => writeln!(text, "  \x1b[{code}m{line}\x1b[0m"),
            false => writeln!(text, "  {line}"),
        };
    }
    text
}

fn statistics(outcome: &Outcome) -> String {
    let s = &outcome.statistics;
    let mut text = format!(
        "{} states, {} edges, depth {}, {} terminal\n",
        count(s.n_states),
        count(s.n_edges),
        count(s.depth),
        count(s.n_terminal),
    );
    for (name, value) in &s.more {
        let _ = writeln!(text, "{name}: {}", count(*value));
    }
    let rate = s.n_states as f64 / s.explore_seconds.max(1e-9);
    let _ = write!(text, "explored in {:.2} s", s.explore_seconds);
    if s.explore_seconds >= 0.01 {
        let _ = write!(text, " ({} states/s)", count(rate as u64));
    }
    let _ = write!(text, ", post-passes {:.2} s", s.post_seconds);
    let _ = write!(text, "; {:.1} bytes per state", s.bytes_per_state);
    if s.peak_bytes > 0 {
        let _ = write!(text, ", process peak {}", megabytes(s.peak_bytes));
    }
    text.push('\n');
    text
}

/// What the rules did, for the person who writes them.
fn rules(s: &RuleStatistics, names: &[String]) -> String {
    if s.n_samples == 0 {
        return String::new();
    }
    let per = |n: u64| n as f64 / s.n_samples as f64;
    let mut text = format!(
        "stubborn sets left something out in {:.0} % of states (of {} looked at in full); \
         {:.2} enabled, {:.2} fired on average\n",
        100.0 * per(s.n_reduced),
        count(s.n_samples),
        per(s.n_enabled),
        per(s.n_fired),
    );
    let mut all: Vec<_> = (0..names.len()).filter(|&t| s.obliged_all[t] > 0).collect();
    all.sort_by_key(|&t| std::cmp::Reverse(s.obliged_all[t]));
    if !all.is_empty() {
        let share = |&t: &usize| {
            format!("{} {:.0} %", names[t], 100.0 * s.obliged_all[t] as f64 / s.asked[t] as f64)
        };
        let shown: Vec<_> = all.iter().take(6).map(share).collect();
        let more =
            if all.len() > 6 { format!(" and {} more", all.len() - 6) } else { String::new() };
        let _ = writeln!(text, "rules that obliged everything: {}{more}", shown.join(", "));
    }
    text
}

fn verdict_line(outcome: &Outcome, color: bool) -> String {
    let code = match outcome.verdict {
        Verdict::Holds => "1;32",
        Verdict::Violated => "1;31",
        Verdict::Inconclusive(_) => "1;33",
    };
    let name = match color {
        true => format!("\x1b[{code}m{}\x1b[0m", outcome.verdict.name()),
        false => outcome.verdict.name().to_owned(),
    };
    match &outcome.verdict {
        Verdict::Inconclusive(why) => format!("\nverdict: {name}: {why}\n"),
        _ => format!("\nverdict: {name} ({})\n", outcome.guarantee),
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn digits_in_groups() {
        assert_eq!([0, 999, 1000, 26_209_918].map(count), ["0", "999", "1,000", "26,209,918"]);
    }
}
