//! The result of a run in words, for a terminal.

use super::coverage;
use crate::model::RuleStatistics;
use crate::trace::TraceLayout;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Verdict, Violation, Witness};
use std::fmt::Write as _;

/// Cases from which a share is told: with a hundred it is right within ten
/// percentage points nearly always.
const MIN_SAMPLES: u64 = 100;

/// States from which memory is told per state. With fewer, most of it is tables that are empty.
const MIN_STATES: u64 = 10_000;

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

/// A number with its noun, which is regular.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A number of bytes in megabytes.
pub fn megabytes(bytes: usize) -> String {
    format!("{} MB", count((bytes / 1_000_000) as u64))
}

/// The whole summary of a run, with the ways to what is to be reachable if they are asked for.
pub fn summary(outcome: &Outcome, shows_witnesses: bool, layout: TraceLayout) -> String {
    let color = layout.color;
    let mut text = heading(outcome);
    for violation in &outcome.violations {
        text += &violation_text(violation, layout);
    }
    for witness in outcome.witnesses.iter().filter(|_| shows_witnesses) {
        let trace = witness.trace.to_text(layout);
        let _ = write!(text, "\n{} (reachable): in the last state\n{trace}", witness.check);
    }
    text.push('\n');
    text += &checks_table(&outcome.checks, color);
    text += &witnesses(&outcome.witnesses, shows_witnesses);
    text.push('\n');
    text += &statistics(outcome);
    if let Some(unseen) = &outcome.unseen {
        text += &coverage::to_text(unseen);
    }
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
        "inferred" => "stubborn sets by inferred rules".to_owned(),
        other => format!("reduction {other}"),
    };
    let _ = writeln!(text, ": {} search, {reduction}, {} order", outcome.search, outcome.order);
    text
}

/// A counterexample with its trace.
pub fn violation_text(violation: &Violation, layout: TraceLayout) -> String {
    let what = match row_words(&violation.check, violation.kind) {
        (name, "") => name.to_owned(),
        (_, kind) => format!("{} ({kind})", violation.check),
    };
    format!("\n{what}: {}\n{}", violation.message, violation.trace.to_text(layout))
}

/// The name and the kind of a check, such that "name holds" can be read aloud.
/// A model names its checks after what holds. The checks that the tool adds have
/// names for programs, and get words for people here.
fn row_words<'c>(name: &'c str, kind: &'c str) -> (&'c str, &'c str) {
    match kind {
        "livelock" => ("no non-progress cycle", kind),
        "always may-terminating" => (kind, ""),
        _ => (name, kind),
    }
}

fn checks_table(checks: &[CheckResult], color: bool) -> String {
    let words = checks.iter().map(|c| row_words(&c.name, c.kind));
    let names = words.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    let kinds = words.map(|(_, kind)| kind.len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let (mark, code) = match check.outcome {
            CheckOutcome::Holds => ('+', "32"),
            CheckOutcome::Vacuous { .. } => ('~', "33"),
            CheckOutcome::Violated => ('!', "31"),
            CheckOutcome::Inconclusive(_) => ('?', "33"),
            CheckOutcome::Off(_) => ('-', "2"),
        };
        let (name, kind) = row_words(&check.name, check.kind);
        let outcome = check.outcome.name();
        let mut line = format!("{mark} {name:<names$}  {kind:<kinds$}  {outcome}");
        if let Some(why) = check.reason() {
            let _ = write!(line, ": {why}");
        }
        let _ = match color {
            true => writeln!(text, "  \x1b[{code}m{line}\x1b[0m"),
            false => writeln!(text, "  {line}"),
        };
    }
    text
}

/// How far the states that were to be reachable are, if that is not shown above.
fn witnesses(witnesses: &[Witness], are_shown: bool) -> String {
    let far = |witness: &Witness| {
        let n_steps = witness.trace.steps.len() as u64 - 1;
        format!("{} after {}", witness.check, counted(n_steps, "step"))
    };
    let all: Vec<_> = witnesses.iter().map(far).collect();
    match are_shown || all.is_empty() {
        true => String::new(),
        false => format!("reached: {} (--witness shows how)\n", all.join(", ")),
    }
}

fn statistics(outcome: &Outcome) -> String {
    let s = &outcome.statistics;
    let mut text = format!(
        "{}, {}, depth {}, {} terminal\n",
        counted(s.n_states, "state"),
        counted(s.n_edges, "edge"),
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
    if s.n_states < MIN_STATES {
        let _ = write!(text, "; {} bytes", count((s.bytes_per_state * s.n_states as f64) as u64));
    } else {
        let _ = write!(text, "; {:.1} bytes per state", s.bytes_per_state);
    }
    if s.peak_bytes > 0 {
        let _ = write!(text, ", process peak {}", megabytes(s.peak_bytes));
    }
    text.push('\n');
    text
}

/// What the rules did, for the person who writes them. Nothing is said of what
/// was looked at less than [`MIN_SAMPLES`] times.
fn rules(s: &RuleStatistics, names: &[String]) -> String {
    let mut text = String::new();
    if s.n_samples >= MIN_SAMPLES {
        let per = |n: u64| n as f64 / s.n_samples as f64;
        let _ = writeln!(
            text,
            "stubborn sets left something out in {:.0} % of {} sampled states; \
             {:.2} enabled, {:.2} fired on average",
            100.0 * per(s.n_reduced),
            count(s.n_samples),
            per(s.n_enabled),
            per(s.n_fired),
        );
    }
    let is_shown = |&t: &usize| s.obliged_all[t] > 0 && s.asked[t] >= MIN_SAMPLES;
    let mut all: Vec<_> = (0..s.asked.len()).filter(is_shown).collect();
    all.sort_by_key(|&t| std::cmp::Reverse(s.obliged_all[t]));
    if !all.is_empty() {
        let share = |&t: &usize| {
            let percent = 100.0 * s.obliged_all[t] as f64 / s.asked[t] as f64;
            format!("{} in {percent:.0} % of {} cases", names[t], count(s.asked[t]))
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
    use super::{MIN_SAMPLES, count, counted, row_words, rules};
    use crate::model::RuleStatistics;

    #[test]
    fn digits_in_groups() {
        assert_eq!([0, 999, 1000, 26_209_918].map(count), ["0", "999", "1,000", "26,209,918"]);
    }

    #[test]
    fn one_is_singular() {
        let bits = |n| counted(n, "bit");
        assert_eq!([0, 1, 2, 1000].map(bits), ["0 bits", "1 bit", "2 bits", "1,000 bits"]);
    }

    #[test]
    fn rows_can_be_read_aloud() {
        assert_eq!(row_words("mutual_exclusion", "state"), ("mutual_exclusion", "state"));
        let livelock = row_words("non_progress_cycle", "livelock");
        assert_eq!(livelock, ("no non-progress cycle", "livelock"));
        let termination = row_words("always_may_terminating", "always may-terminating");
        assert_eq!(termination, ("always may-terminating", ""));
    }

    #[test]
    fn shares_of_few_cases_are_not_told() {
        let names = ["A".to_owned(), "B".to_owned()];
        let mut s = RuleStatistics {
            n_samples: MIN_SAMPLES - 1,
            asked: vec![MIN_SAMPLES - 1, 4000],
            obliged_all: vec![MIN_SAMPLES - 1, 1000],
            ..RuleStatistics::default()
        };
        let told = "rules that obliged everything: B in 25 % of 4,000 cases\n";
        assert_eq!(rules(&s, &names), told);
        s.n_samples = MIN_SAMPLES;
        assert!(rules(&s, &names).starts_with("stubborn sets left something out in 0 % of 100 "));
        assert_eq!(rules(&RuleStatistics::default(), &names), "");
    }
}
