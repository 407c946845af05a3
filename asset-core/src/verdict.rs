//! What was found, as plain values: verdicts are of runs, violations in states.

use crate::model::{CheckKind, RuleStatistics};
use crate::trace::Trace;
use std::fmt;

/// What a run as a whole may claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every check that was on holds.
    Holds,
    /// Some check is violated; there is a trace.
    Violated,
    /// Nothing may be claimed, for this reason.
    Inconclusive(String),
}

impl Verdict {
    /// The verdict in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive(_) => "inconclusive",
        }
    }

    /// The exit code of a run with this verdict.
    pub fn exit_code(&self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Inconclusive(_) => 3,
        }
    }
}

/// What a run may claim of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It holds.
    Holds,
    /// It holds, for the reason alone that there is nothing that could violate it.
    Vacuous {
        /// Whether that is certain. If not, it may hold for a better reason, too.
        is_certain: bool,
        /// What there is not.
        why: String,
    },
    /// It is violated.
    Violated,
    /// It was evaluated, but nothing may be claimed, for this reason.
    Inconclusive(String),
    /// It was not evaluated, for this reason.
    Off(String),
}

impl CheckOutcome {
    /// Whether it holds, vacuously or not.
    pub fn is_holding(&self) -> bool {
        matches!(self, CheckOutcome::Holds | CheckOutcome::Vacuous { .. })
    }

    /// The outcome in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            CheckOutcome::Holds => "holds",
            CheckOutcome::Vacuous { is_certain: true, .. } => "holds vacuously",
            CheckOutcome::Vacuous { is_certain: false, .. } => "holds, perhaps vacuously",
            CheckOutcome::Violated => "violated",
            CheckOutcome::Inconclusive(_) => "inconclusive",
            CheckOutcome::Off(_) => "off",
        }
    }

    /// Why it is off or inconclusive, or holds vacuously.
    pub fn reason(&self) -> Option<&str> {
        match self {
            CheckOutcome::Inconclusive(why)
            | CheckOutcome::Off(why)
            | CheckOutcome::Vacuous { why, .. } => Some(why),
            _ => None,
        }
    }
}

/// One check of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The check's name.
    pub name: String,
    /// Its kind in words.
    pub kind: &'static str,
    /// What may be claimed of it.
    pub outcome: CheckOutcome,
}

impl CheckResult {
    /// Why it is off, inconclusive, violated without a counterexample, or holds vacuously.
    pub fn reason(&self) -> Option<&str> {
        match self.outcome {
            CheckOutcome::Violated if self.kind == CheckKind::Reachable.name() => {
                Some("no reachable state satisfies it")
            }
            _ => self.outcome.reason(),
        }
    }
}

/// The way to a state that was to be reachable.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The check that the last state satisfies.
    pub check: String,
    /// How to get there.
    pub trace: Trace,
}

/// What a run that explored everything never saw. `None` stands for what is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// The transitions that were never enabled. Not known of a reduced run unless the model is
    /// always may-terminating.
    pub transitions: Option<Vec<String>>,
    /// The values that scalars never held. Not known of a reduced run.
    pub values: Option<Vec<NeverHeld>>,
    /// The progress checks that no state satisfies. Not known of a reduced run.
    pub progress: Option<Vec<&'static str>>,
    /// The checks that were never put to the test: deadlock checks, if no state is terminal.
    pub checks: Vec<&'static str>,
}

/// Values that a scalar of the state never held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverHeld {
    /// Its path, as in `at[2]`.
    pub variable: String,
    /// The values as they are printed; several integers in a row as `3..=7`.
    pub values: Vec<String>,
    /// How many scalars have the same path, but for places in lists.
    pub n_alike: usize,
}

/// A path without the numbers in its brackets.
pub(crate) fn without_places(path: &str) -> String {
    let mut name = String::new();
    let mut is_inside = false;
    for c in path.chars() {
        is_inside = is_inside && c != ']';
        if !is_inside {
            name.push(c);
        }
        is_inside = is_inside || c == '[';
    }
    name
}

/// A counterexample.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The kind of the violated check, in words.
    pub kind: &'static str,
    /// The violated check.
    pub check: String,
    /// What it said.
    pub message: String,
    /// How to get there.
    pub trace: Trace,
}

/// Counts and costs of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// States found.
    pub n_states: u64,
    /// Successful firings.
    pub n_edges: u64,
    /// The largest distance from an initial state, or the longest path of a
    /// depth-first search.
    pub depth: u64,
    /// Terminal states found.
    pub n_terminal: u64,
    /// Threads that took part beside the first one; none where there was little to do.
    pub n_helpers: usize,
    /// Seconds of exploration.
    pub explore_seconds: f64,
    /// Seconds of post-passes.
    pub post_seconds: f64,
    /// Bytes of the engine's data at the end, per state.
    pub bytes_per_state: f64,
    /// The most memory of the whole process, in bytes; 0 where unknown.
    pub peak_bytes: usize,
    /// Further counts of the particular search, by name.
    pub more: Vec<(&'static str, u64)>,
}

/// Everything a run found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The model's name.
    pub model: &'static str,
    /// Its parameters.
    pub params: Vec<(&'static str, &'static str)>,
    /// The search, in a word.
    pub search: &'static str,
    /// The reduction, in a word.
    pub reduction: &'static str,
    /// The order of firing, in a word.
    pub order: &'static str,
    /// What may be claimed.
    pub verdict: Verdict,
    /// Every check of the model, and those that the method adds.
    pub checks: Vec<CheckResult>,
    /// The counterexamples, in the order found.
    pub violations: Vec<Violation>,
    /// The ways to the states that were to be reachable, in the order found.
    pub witnesses: Vec<Witness>,
    /// What was never seen, if everything was explored.
    pub unseen: Option<Unseen>,
    /// What the verdict rests on, in a sentence.
    pub guarantee: String,
    /// Counts and costs.
    pub statistics: Statistics,
    /// What the stubborn set rules did, with the transitions' names.
    pub rules: Option<(RuleStatistics, Vec<String>)>,
}

impl Outcome {
    /// Takes back that the model holds if a check holds only vacuously, or perhaps does.
    pub(crate) fn deny_vacuous(&mut self) {
        let vacuous =
            self.checks.iter().find(|c| matches!(c.outcome, CheckOutcome::Vacuous { .. }));
        if let Some(CheckResult { name, outcome, .. }) = vacuous
            && self.verdict == Verdict::Holds
        {
            let why = outcome.reason().unwrap_or_default();
            self.verdict = Verdict::Inconclusive(format!("{name} {}: {why}", outcome.name()));
            self.guarantee = "nothing".to_owned();
        }
    }

    /// Asserts that the run's verdict is "holds"; prints the trace if not.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn assert_holds(&self) -> &Self {
        assert!(self.verdict == Verdict::Holds, "{self}");
        self
    }

    /// Asserts that the run's verdict is "violated", by this check. Of a check of what is to
    /// be reachable there is no counterexample.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn assert_violated(&self, check: &str) -> &Self {
        let is_it = |c: &CheckResult| c.name == check && c.outcome == CheckOutcome::Violated;
        let found = self.checks.iter().any(is_it);
        assert!(self.verdict == Verdict::Violated && found, "expected {check} violated; {self}");
        self
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.model, self.verdict.name())?;
        if let Verdict::Inconclusive(why) = &self.verdict {
            write!(f, ": {why}")?;
        }
        for violation in &self.violations {
            write!(f, "\n{}: {}\n{}", violation.check, violation.message, violation.trace)?;
        }
        Ok(())
    }
}
