//! Depth-first runs with state and deadlock checks on the fly: with states, to a bound,
//! or without states.

use super::shared::{self, Stop, in_root};
use super::{Explorer, Rules, RunError, model_error, named_params};
use crate::expand::{Choice, Recipe};
use crate::machine::{Machine, Packed};
use crate::memory::peak_memory;
use crate::model::{CheckKind, CheckSet};
use crate::search::{Failure, Space, Watch, deep, stateless};
use crate::trace::Path;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict};

/// A depth-first search for faults of states and for illegal deadlocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthFirst {
    /// Keep no states but those of the path; needs a bound. Default: keep all.
    pub stateless: bool,
    /// The most steps of a run. Default: no bound.
    pub max_depth: Option<u32>,
    /// Go on until no shorter counterexample can be found. Default: no.
    pub shorten: bool,
}

impl DepthFirst {
    fn name(self) -> &'static str {
        if self.stateless { "stateless" } else { "dfs" }
    }
}

/// What either search has found.
struct Found {
    fault: Option<(Path, usize, String)>,
    is_cut: bool,
    statistics: Statistics,
}

pub(super) fn run(mut explorer: Explorer<'_>, search: DepthFirst) -> Result<Outcome, RunError> {
    let instance = explorer.instance()?;
    let (limits, stop, observer) = (explorer.limits(), explorer.stop, explorer.observer.take());
    let mut watch = Watch::new(limits, stop, observer);
    let machine = instance.machine;
    let off = refuse(&explorer, machine, search)?;
    let checks = machine.description().checks;
    let set = |kind: CheckKind| {
        let is_on = |&i: &usize| checks[i].kind == kind && off[i].is_none();
        CheckSet((0..checks.len()).filter(is_on).fold(0, |set, i| set | 1 << i))
    };
    let options = deep::Options {
        state_checks: set(CheckKind::State),
        deadlock_checks: set(CheckKind::Deadlock),
        max_depth: search.max_depth,
        shorten: search.shorten,
    };
    let recipe = explorer.recipe(machine, Choice::Full);
    let found = match search.max_depth {
        Some(bound) if search.stateless => walk(&recipe, options, bound, &mut watch),
        _ => for_words!(recipe, descend)(&recipe, options, &mut watch),
    };
    let mut outcome = outcome(machine, search, &off, found)?;
    outcome.order = explorer.order.name();
    outcome.statistics.explore_seconds = watch.elapsed().as_secs_f64();
    outcome.model = explorer.family.name;
    outcome.params = named_params(&explorer.family, instance);
    Ok(outcome)
}

/// Why each check is off, if it is. Refuses what would be ignored.
fn refuse(
    explorer: &Explorer<'_>,
    machine: &dyn Machine,
    search: DepthFirst,
) -> Result<Vec<Option<String>>, RunError> {
    let checks = machine.description().checks;
    let name = search.name();
    let usage = |what: String| Err(RunError::Usage(what));
    if search.stateless && search.max_depth.is_none() {
        return usage(
            "a search without states follows every cycle for ever: give it a bound with \
             --max-depth"
                .to_owned(),
        );
    }
    if explorer.reduction == Some(Choice::Stubborn) {
        return usage(format!(
            "the {name} search fires everything that is enabled: leave --reduction stubborn out, \
             or leave --search out"
        ));
    }
    if explorer.rules == Rules::Inferred {
        return usage(format!(
            "the {name} search fires everything that is enabled, so rules have no say: leave out \
             inferred rules, or leave --search out"
        ));
    }
    if explorer.max_violations > 1 {
        return usage(format!("the {name} search ends at one violation"));
    }
    if explorer.temporal.asks_for_anything() {
        return usage(format!(
            "the {name} search looks at states, not at infinite runs: --search scc decides formulas"
        ));
    }
    let mut off = explorer.off_checks(checks)?;
    for (check, off) in checks.iter().zip(&mut off) {
        if off.is_some() || matches!(check.kind, CheckKind::State | CheckKind::Deadlock) {
            continue;
        }
        let why = format!("the {name} search decides checks of states and of deadlocks only");
        if explorer.checks.is_some() {
            let kind = check.kind.name();
            return usage(format!("{why}, and {} is {kind}: leave --search out", check.name));
        }
        *off = Some(why);
    }
    if off.iter().all(Option::is_some) {
        return usage(format!("there is nothing that the {name} search could check"));
    }
    Ok(off)
}

fn descend<const W: usize>(
    recipe: &Recipe<'_>,
    options: deep::Options,
    watch: &mut Watch<'_>,
) -> Result<Found, Stop> {
    let machine = recipe.machine();
    let mut space = Space::<W>::new(recipe).map_err(|f| in_root(machine, f))?;
    let descent = deep::explore(&mut space, options, watch);
    let path = |(ids, transitions): (Vec<_>, Vec<usize>)| {
        let states: Vec<Packed> = ids.iter().map(|&id| space.state(id)).collect();
        Path { states, transitions, ..Path::default() }
    };
    ended(machine, descent.end, path(descent.path))?;
    let fault = descent.found.map(|(ids, transitions, fault)| {
        (path((ids, transitions)), fault.check, fault.message.into_owned())
    });
    let n_again = descent.n_expanded.saturating_sub(descent.n_states);
    Ok(Found {
        statistics: Statistics {
            n_states: descent.n_states,
            n_edges: space.n_edges,
            depth: descent.depth,
            n_terminal: descent.n_terminal,
            bytes_per_state: space.bytes() as f64 / descent.n_states.max(1) as f64,
            more: more(options, ("states expanded again", n_again), descent.n_found),
            ..Statistics::default()
        },
        fault,
        is_cut: descent.is_cut,
    })
}

fn walk(
    recipe: &Recipe<'_>,
    options: deep::Options,
    bound: u32,
    watch: &mut Watch<'_>,
) -> Result<Found, Stop> {
    let machine = recipe.machine();
    let walked = stateless::explore(recipe, options, bound, watch);
    let path = |(states, transitions)| Path { states, transitions, ..Path::default() };
    ended(machine, walked.end, path(walked.path))?;
    let fault =
        walked.found.map(|(way, fault)| (path(way), fault.check, fault.message.into_owned()));
    Ok(Found {
        fault,
        is_cut: walked.is_cut,
        statistics: Statistics {
            n_edges: walked.n_edges,
            depth: walked.depth,
            more: more(options, ("visits of states", walked.n_visits), walked.n_found),
            ..Statistics::default()
        },
    })
}

fn more(
    options: deep::Options,
    own: (&'static str, u64),
    n_found: u64,
) -> Vec<(&'static str, u64)> {
    let mut more = vec![own];
    if options.shorten {
        more.push(("counterexamples, each shorter", n_found));
    }
    more
}

/// What ended a search early, with the path at that time.
fn ended(machine: &dyn Machine, end: Result<(), Failure>, path: Path) -> Result<(), Stop> {
    let path = Some(path).filter(|path| !path.states.is_empty());
    match end {
        Ok(()) => Ok(()),
        Err(Failure::Limit(limit)) => Err(Stop::Limit(limit)),
        Err(Failure::Model(error, _)) => Err(model_error(machine, &error, path).into()),
    }
}

fn outcome(
    machine: &dyn Machine,
    search: DepthFirst,
    off: &[Option<String>],
    found: Result<Found, Stop>,
) -> Result<Outcome, RunError> {
    let checks = machine.description().checks;
    let mut violations = Vec::new();
    let mut violated = None;
    let (rest, statistics) = match found {
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Limit(limit)) => {
            (CheckOutcome::Inconclusive(limit.to_string()), Statistics::default())
        }
        Ok(Found { fault: Some((path, check, message)), statistics, .. }) => {
            let (kind, name) = (checks[check].kind.name(), checks[check].name);
            let message = if message.is_empty() { "the check fails here" } else { &message };
            violations.push(shared::violation(machine, kind, name, message, &path)?);
            violated = Some(check);
            (CheckOutcome::Inconclusive("the run ended at a violation".to_owned()), statistics)
        }
        Ok(Found { is_cut: true, statistics, .. }) => {
            let why = format!(
                "no violation within {} steps; longer runs were left out, see --max-depth",
                search.max_depth.unwrap_or(u32::MAX)
            );
            (CheckOutcome::Inconclusive(why), statistics)
        }
        Ok(Found { statistics, .. }) => (CheckOutcome::Holds, statistics),
    };
    let result = |(i, check): (usize, &crate::model::Check)| CheckResult {
        name: check.name.to_owned(),
        kind: check.kind.name(),
        outcome: match &off[i] {
            Some(why) => CheckOutcome::Off(why.clone()),
            None if violated == Some(i) => CheckOutcome::Violated,
            None => rest.clone(),
        },
    };
    let mut results: Vec<CheckResult> = checks.iter().enumerate().map(result).collect();
    let not_needed = "not needed: every enabled transition was fired";
    results.push(shared::termination_result(CheckOutcome::Off(not_needed.to_owned())));
    let (verdict, guarantee) = match (violated, rest) {
        (Some(_), _) if search.shorten => (
            Verdict::Violated,
            "the trace was replayed through the model; there is no shorter one to any check that \
             was on",
        ),
        (Some(_), _) => (Verdict::Violated, "the trace was replayed through the model"),
        (None, CheckOutcome::Inconclusive(why)) => (Verdict::Inconclusive(why), "nothing"),
        (None, _) => {
            (Verdict::Holds, "every reachable state was visited and every enabled transition fired")
        }
    };
    Ok(Outcome {
        model: "",
        params: Vec::new(),
        search: search.name(),
        reduction: Choice::Full.name(),
        order: "",
        guarantee: guarantee.to_owned(),
        verdict,
        checks: results,
        violations,
        witnesses: Vec::new(),
        unseen: None,
        statistics: Statistics { peak_bytes: peak_memory().unwrap_or(0), ..statistics },
        rules: None,
    })
}
