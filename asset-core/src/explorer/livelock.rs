//! The search for livelocks: cycles that can go on for ever without progress.
//!
//! Which reduction keeps them depends on the labels. On transitions: `c2t`
//! always does (Laarman & Faragó), and on always may-terminating models plain
//! stubborn sets do (Theorem 6 of A. Valmari, *Stop It, and Be Stubborn!*, with
//! the progress transitions for `T*`), so `terminating` checks that on the same
//! reduced space before it says that there is no livelock. On states: `c2s`. On
//! transitions depending on the state: none, since firing in another order may
//! change the label.

use super::shared::{self, Stop, in_root};
use super::{Explorer, RunError, model_error, named_params, with_machine};
use crate::machine::{Machine, Packed, Progress};
use crate::reduction::{Choice, Order, Selector};
use crate::search::{
    Failure, Ground, Hunt, Labels, Space, Watch, dfs_fifo, incremental, lasso, nested, never_claim,
    reach,
};
use crate::store::{Id, StateSet, peak_memory};
use crate::trace::Path;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict};
use std::collections::HashMap;

const CHECK: &str = "non_progress_cycle";
const KIND: &str = "livelock";

/// How livelocks are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Livelock {
    /// The search. Default: [`LivelockSearch::DfsFifo`].
    pub search: LivelockSearch,
    /// The reduction. Default: [`LivelockReduction::Auto`].
    pub reduction: LivelockReduction,
}

/// The searches for livelocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LivelockSearch {
    /// One pass, with the fewest progresses before the cycle.
    #[default]
    DfsFifo,
    /// The older nested search; full space.
    Nested,
    /// Nested search of the product with a never claim; full space.
    NeverClaim,
    /// Starts over with one progress more each time; full space.
    Incremental,
}

impl LivelockSearch {
    /// All of them.
    pub const ALL: [LivelockSearch; 4] = [
        LivelockSearch::DfsFifo,
        LivelockSearch::Nested,
        LivelockSearch::NeverClaim,
        LivelockSearch::Incremental,
    ];

    /// The search in a word.
    pub fn name(self) -> &'static str {
        match self {
            LivelockSearch::DfsFifo => "dfs-fifo",
            LivelockSearch::Nested => "nested",
            LivelockSearch::NeverClaim => "never-claim",
            LivelockSearch::Incremental => "incremental",
        }
    }
}

/// The reductions that keep livelocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LivelockReduction {
    /// The strongest that is sound for the model: `terminating` for labels on
    /// transitions, and `c2t` if the model turns out not to be always
    /// may-terminating or has a livelock, so that the lasso has the fewest
    /// progresses; `c2s` for labels on states; `full` without rules.
    #[default]
    Auto,
    /// All enabled transitions are fired.
    Full,
    /// Stubborn sets where they fire no progress transition.
    C2t,
    /// Stubborn sets where neither the state nor a successor is a progress
    /// state, and no progress transition is fired.
    C2s,
    /// Stubborn sets everywhere; that there is no livelock is said only if the
    /// model is always may-terminating.
    Terminating,
}

impl LivelockReduction {
    /// All of them.
    pub const ALL: [LivelockReduction; 5] = [
        LivelockReduction::Auto,
        LivelockReduction::Full,
        LivelockReduction::C2t,
        LivelockReduction::C2s,
        LivelockReduction::Terminating,
    ];

    /// The reduction in a word.
    pub fn name(self) -> &'static str {
        match self {
            LivelockReduction::Auto => "auto",
            LivelockReduction::Full => "full",
            LivelockReduction::C2t => "c2t",
            LivelockReduction::C2s => "c2s",
            LivelockReduction::Terminating => "terminating",
        }
    }

    fn selector(self, order: Order, progress: &Progress) -> Selector {
        match self {
            LivelockReduction::Auto | LivelockReduction::Full => Selector::new(order, Choice::Full),
            LivelockReduction::Terminating => Selector::new(order, Choice::Stubborn),
            LivelockReduction::C2t | LivelockReduction::C2s => {
                Selector::keeping_progress(order, progress.clone())
            }
        }
    }
}

pub(super) fn run(mut explorer: Explorer<'_>, options: Livelock) -> Result<Outcome, RunError> {
    let instance = explorer.instance()?;
    refuse_what_does_not_apply(&explorer)?;
    let (limits, stop, observer) = (explorer.limits(), explorer.stop, explorer.observer.take());
    let mut watch = Watch::new(limits, stop, observer);
    with_machine(instance, explorer.paranoid, |machine| {
        let name = explorer.family.name;
        let progress = Progress::of(machine).ok_or_else(|| no_labels(name))?;
        refuse_what_is_unsound(name, machine, &progress, options)?;
        let attempt = match machine.n_words() {
            1 => attempt::<1>,
            2 => attempt::<2>,
            3 => attempt::<3>,
            4 => attempt::<4>,
            _ => attempt::<0>,
        };
        let mut run = |reduction| {
            let plan = Plan { search: options.search, reduction, order: explorer.order };
            attempt(machine, plan, &progress, &mut watch)
        };
        let first = choose(machine, &progress, options);
        let mut outcome = run(first)?;
        if options.reduction == LivelockReduction::Auto
            && first == LivelockReduction::Terminating
            && !was_limited(&outcome)
            && outcome.verdict != Verdict::Holds
        {
            // Not always may-terminating: c2t can still tell. Or violated: c2t
            // finds the lasso with the fewest progresses, if it gets there.
            let mut second = run(LivelockReduction::C2t)?;
            let tried = ("states tried with terminating first", outcome.statistics.n_states);
            second.statistics.more.push(tried);
            if outcome.verdict != Verdict::Violated || second.verdict == Verdict::Violated {
                outcome = second;
            }
        }
        outcome.model = name;
        outcome.params = named_params(&explorer.family, instance);
        Ok(outcome)
    })
}

fn was_limited(outcome: &Outcome) -> bool {
    // A livelock that is not there, or not yet, without the termination check.
    matches!(outcome.verdict, Verdict::Inconclusive(_)) && outcome.violations.is_empty()
}

/// The reduction to begin with.
fn choose(machine: &dyn Machine, progress: &Progress, options: Livelock) -> LivelockReduction {
    match options.reduction {
        LivelockReduction::Auto => {}
        chosen => return chosen,
    }
    let is_full = options.search != LivelockSearch::DfsFifo
        || !machine.description().has_rules
        || progress.depends_on_state();
    match (is_full, progress.on_states()) {
        (true, _) => LivelockReduction::Full,
        (false, true) => LivelockReduction::C2s,
        (false, false) => LivelockReduction::Terminating,
    }
}

fn no_labels(name: &str) -> RunError {
    RunError::Usage(format!(
        "{name} has no progress labels, so every cycle would be a livelock; mark what is progress \
         with #[progress] on a function of a Transition, or with #[progress(state)] on a function \
         of a &State"
    ))
}

/// Options of [`Explorer`] that mean nothing here.
fn refuse_what_does_not_apply(explorer: &Explorer<'_>) -> Result<(), RunError> {
    let what = if explorer.reduction.is_some() {
        "a livelock search has reductions of its own: set Livelock::reduction"
    } else if explorer.checks.is_some() {
        "a livelock search evaluates no checks of the model, so none can be selected"
    } else if explorer.max_violations > 1 {
        "a livelock search ends at the first livelock"
    } else {
        return Ok(());
    };
    Err(RunError::Usage(what.to_owned()))
}

fn refuse_what_is_unsound(
    name: &str,
    machine: &dyn Machine,
    progress: &Progress,
    options: Livelock,
) -> Result<(), RunError> {
    use LivelockReduction::{Auto, C2s, C2t, Full, Terminating};
    let (search, reduction) = (options.search.name(), options.reduction.name());
    let why = match options.reduction {
        Auto | Full => return Ok(()),
        _ if options.search != LivelockSearch::DfsFifo => {
            format!("the {search} search explores in full; {reduction} needs the search dfs-fifo")
        }
        _ if !machine.description().has_rules => format!(
            "{name} has no stubborn set rules, so it can only be explored in full; a #[stubborn] \
             function gives it some"
        ),
        _ if progress.depends_on_state() => format!(
            "{name} marks transitions as progress depending on the state, and firing them in \
             another order could change the label; use the reduction full, or mark transitions \
             wherever they are fired"
        ),
        C2t | Terminating if progress.on_states() => format!(
            "{name} marks states as progress, which {reduction} does not keep: it is for labels on \
             transitions; c2s keeps progress states"
        ),
        C2s if !progress.on_states() => format!(
            "{name} marks transitions as progress, not states: c2t keeps them and leaves out more"
        ),
        C2t | C2s | Terminating => return Ok(()),
    };
    Err(RunError::Usage(why))
}

/// What one search is to do; the reduction is not `Auto`.
#[derive(Clone, Copy)]
struct Plan {
    search: LivelockSearch,
    reduction: LivelockReduction,
    order: Order,
}

/// A space with its labels, and what can be done there.
pub(super) struct Chase<'m, const W: usize> {
    pub space: Space<'m, W>,
    labels: Labels<'m>,
    progress: Progress,
}

impl<'m, const W: usize> Chase<'m, W> {
    pub fn new(
        machine: &'m dyn Machine,
        selector: Selector,
        progress: Progress,
    ) -> Result<Self, RunError> {
        let space = Space::new(machine, selector).map_err(|f| in_root(machine, f))?;
        let labels = Labels::new(progress.clone(), &space)
            .map_err(|error| model_error(machine, &error, None))?;
        Ok(Chase { space, labels, progress })
    }

    fn ground<'g, 'o>(&'g mut self, watch: &'g mut Watch<'o>) -> Ground<'g, 'm, 'o, W> {
        Ground { space: &mut self.space, labels: &mut self.labels, watch }
    }

    /// Searches. A limit is not an error here if the hunt says so itself; a
    /// model error comes with the way to it.
    fn search(&mut self, search: LivelockSearch, watch: &mut Watch<'_>) -> Result<Hunt, RunError> {
        let mut ground = self.ground(watch);
        let hunt = match search {
            LivelockSearch::DfsFifo => dfs_fifo::hunt(&mut ground),
            LivelockSearch::Nested => nested::hunt(&mut ground),
            LivelockSearch::NeverClaim => never_claim::hunt(&mut ground),
            LivelockSearch::Incremental => incremental::hunt(&mut ground),
        };
        let Err(Failure::Model(error, id)) = &hunt.end else { return Ok(hunt) };
        let path = id.and_then(|id| self.path_to(id, &hunt, watch).ok().flatten());
        Err(model_error(self.space.machine(), error, path))
    }

    /// Searches to the end; a limit is a reason to stop.
    pub fn hunt(&mut self, search: LivelockSearch, watch: &mut Watch<'_>) -> Result<Hunt, Stop> {
        let hunt = self.search(search, watch)?;
        match &hunt.end {
            Err(failure) => Err(Stop::from_failure(self.space.machine(), failure.clone())),
            Ok(()) => Ok(hunt),
        }
    }

    /// Whether an edge carries no progress: such edges are preferred.
    fn is_quiet(&self) -> impl Fn(&Packed, usize, &Packed) -> bool {
        |from, t, to| !self.progress.edge(self.space.machine(), from, t, to)
    }

    /// The path with the fewest progresses to a state that the hunt has met.
    fn path_to(
        &mut self,
        id: Id,
        hunt: &Hunt,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Path>, Stop> {
        let ids = lasso::stem(&mut self.ground(watch), id, &hunt.expanded)
            .map_err(|failure| Stop::from_failure(self.space.machine(), failure))?;
        let order = self.space.selector().order;
        let path = ids.map(|ids| shared::path_along(&self.space, &ids, order, self.is_quiet()));
        Ok(path.transpose()?)
    }

    /// The lasso to the livelock that the hunt has found, if it has. That no
    /// edge of its cycle is progress has been verified.
    pub fn lasso(&mut self, hunt: &Hunt, watch: &mut Watch<'_>) -> Result<Option<Path>, Stop> {
        let Some(start) = hunt.on_cycle else { return Ok(None) };
        let lost = || shared::unsteady("the way to the livelock was not found again".to_owned());
        let machine = self.space.machine();
        let fail = |failure| Stop::from_failure(machine, failure);
        let cycle = lasso::cycle(&mut self.ground(watch), start, &hunt.expanded).map_err(fail)?;
        let stem = lasso::stem(&mut self.ground(watch), start, &hunt.expanded).map_err(fail)?;
        let (Some(mut cycle), Some(mut ids)) = (cycle, stem) else { return Err(lost().into()) };
        // The cycle begins where the stem first meets it.
        let place: HashMap<Id, usize> = cycle.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let at = ids.iter().position(|id| place.contains_key(id)).ok_or_else(lost)?;
        cycle.rotate_left(place[&ids[at]]);
        ids.truncate(at);
        ids.append(&mut cycle);
        let order = self.space.selector().order;
        let mut path = shared::path_along(&self.space, &ids, order, self.is_quiet())?;
        path.close(machine, at, order, self.is_quiet()).map_err(shared::unsteady)?;
        let is_quiet = self.is_quiet();
        if !path.cycle().all(|(from, t, to)| is_quiet(from, t, to)) {
            let what = "its cycle has progress after all".to_owned();
            return Err(shared::unsteady(what).into());
        }
        Ok(Some(path))
    }

    /// The path to a terminal state that is no progress state, if there is one.
    pub fn bad_end(&mut self, hunt: &Hunt, watch: &mut Watch<'_>) -> Result<Option<Path>, Stop> {
        let is_bad = |&id: &Id| hunt.terminal.contains(id) && !self.labels.is_progress_state(id);
        match (0..self.space.store().len() as Id).find(is_bad) {
            Some(id) => self.path_to(id, hunt, watch),
            None => Ok(None),
        }
    }

    /// A path to where no terminal state can be reached any more, if there is
    /// such a state.
    fn astray(&mut self, hunt: &Hunt, watch: &mut Watch<'_>) -> Result<Option<Path>, Stop> {
        let mut good = hunt.terminal.clone();
        reach::close_by_firing(&mut self.space, &mut good, watch)
            .map_err(|failure| Stop::from_failure(self.space.machine(), failure))?;
        let Some(id) = good.absent(0..self.space.store().len()).next() else { return Ok(None) };
        let mut path = self.path_to(id, hunt, watch)?;
        if let Some(path) = &mut path {
            shared::walk_astray(&self.space, path, |id| !good.contains(id), watch);
        }
        Ok(path)
    }

    /// The progresses of a path before its cycle.
    fn n_progresses(&self, path: &Path) -> u64 {
        let is_quiet = self.is_quiet();
        let end = path.closing.map_or(path.transitions.len(), |(_, start)| start);
        (0..end).map(|i| path.edge(i)).filter(|&(from, t, to)| !is_quiet(from, t, to)).count()
            as u64
    }
}

/// What became of a search.
struct Found {
    livelock: CheckOutcome,
    termination: CheckOutcome,
    violations: Vec<crate::verdict::Violation>,
    n_progresses: Option<u64>,
}

/// One search with one reduction.
fn attempt<const W: usize>(
    machine: &dyn Machine,
    plan: Plan,
    progress: &Progress,
    watch: &mut Watch<'_>,
) -> Result<Outcome, RunError> {
    let selector = plan.reduction.selector(plan.order, progress);
    let mut chase = Chase::<W>::new(machine, selector, progress.clone())?;
    let start = watch.elapsed();
    let hunt = chase.search(plan.search, watch)?;
    let explored = watch.elapsed();
    let (bytes, n_visible) = (chase.space.bytes(), chase.space.selector().n_visible());
    let found = conclude(&mut chase, plan, &hunt, watch)?;
    let mut statistics = Statistics {
        n_states: hunt.n_states,
        n_edges: hunt.n_edges,
        depth: hunt.depth,
        n_terminal: hunt.terminal.len() as u64,
        explore_seconds: (explored - start).as_secs_f64(),
        post_seconds: (watch.elapsed() - explored).as_secs_f64(),
        bytes_per_state: (bytes + hunt.bytes) as f64 / hunt.n_states.max(1) as f64,
        peak_bytes: peak_memory().unwrap_or(0),
        more: hunt.more.clone(),
    };
    if matches!(plan.reduction, LivelockReduction::C2t | LivelockReduction::C2s) {
        statistics.more.push(("states expanded in full for progress", n_visible));
    }
    if let Some(n) = found.n_progresses {
        statistics.more.push(("progresses before the cycle", n));
    }
    let verdict = match &found.livelock {
        CheckOutcome::Holds => Verdict::Holds,
        CheckOutcome::Violated => Verdict::Violated,
        CheckOutcome::Inconclusive(why) | CheckOutcome::Off(why) => {
            Verdict::Inconclusive(why.clone())
        }
    };
    let mut checks =
        vec![CheckResult { name: CHECK.to_owned(), kind: KIND, outcome: found.livelock }];
    checks.extend(machine.description().checks.iter().map(|check| CheckResult {
        name: check.name.to_owned(),
        kind: check.kind.name(),
        outcome: CheckOutcome::Off("`check` evaluates it".to_owned()),
    }));
    checks.push(shared::termination_result(found.termination));
    Ok(Outcome {
        model: "",
        params: Vec::new(),
        search: plan.search.name(),
        reduction: plan.reduction.name(),
        order: plan.order.name(),
        guarantee: guarantee(plan, &verdict),
        verdict,
        checks,
        violations: found.violations,
        statistics,
        rules: (plan.reduction != LivelockReduction::Full).then(|| shared::rules(&chase.space)),
    })
}

/// Turns what a search has found into what may be claimed.
fn conclude<const W: usize>(
    chase: &mut Chase<'_, W>,
    plan: Plan,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
) -> Result<Found, RunError> {
    let not_needed = match plan.reduction {
        LivelockReduction::Full => "not needed: every enabled transition was fired",
        _ => "not needed: the reduction keeps livelocks by itself",
    };
    let mut found = Found {
        livelock: CheckOutcome::Holds,
        termination: CheckOutcome::Off(not_needed.to_owned()),
        violations: Vec::new(),
        n_progresses: None,
    };
    let done = match &hunt.end {
        Err(failure) => Err(Stop::from_failure(chase.space.machine(), failure.clone())),
        Ok(()) if hunt.on_cycle.is_some() => violated(chase, hunt, watch, &mut found),
        Ok(()) if plan.reduction == LivelockReduction::Terminating => {
            terminating(chase, hunt, watch, &mut found)
        }
        Ok(()) => Ok(()),
    };
    match done {
        Ok(()) => Ok(found),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Limit(limit)) => {
            let why = match hunt.on_cycle {
                Some(_) => format!("there is a livelock, but before it could be shown {limit}"),
                None => limit.to_string(),
            };
            found.livelock = CheckOutcome::Inconclusive(why);
            Ok(found)
        }
    }
}

/// Shows the livelock.
fn violated<const W: usize>(
    chase: &mut Chase<'_, W>,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(path) = chase.lasso(hunt, watch)? else { return Ok(()) };
    let n = chase.n_progresses(&path);
    let message = match n {
        0 => "a cycle without progress, reached without any".to_owned(),
        1 => "a cycle without progress, reached with 1 progress".to_owned(),
        n => format!("a cycle without progress, reached with {n} progresses"),
    };
    found.violations.push(shared::violation(chase.space.machine(), KIND, CHECK, &message, &path)?);
    found.n_progresses = Some(n);
    found.livelock = CheckOutcome::Violated;
    found.termination =
        CheckOutcome::Off("not needed: a livelock that is found is real".to_owned());
    Ok(())
}

/// Claims that there is no livelock if the model is always may-terminating.
fn terminating<const W: usize>(
    chase: &mut Chase<'_, W>,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(path) = chase.astray(hunt, watch)? else {
        found.termination = CheckOutcome::Holds;
        return Ok(());
    };
    found.violations.push(shared::not_terminating(chase.space.machine(), &path)?);
    found.termination = CheckOutcome::Violated;
    let why = "none was found, but plain stubborn sets keep livelocks only on always \
               may-terminating models, and this one is not; c2t keeps them on all";
    found.livelock = CheckOutcome::Inconclusive(why.to_owned());
    Ok(())
}

fn guarantee(plan: Plan, verdict: &Verdict) -> String {
    use LivelockReduction::{Auto, C2s, C2t, Full, Terminating};
    let rules = "provided the rules are right (see `audit`): ";
    match (verdict, plan.reduction) {
        (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
        (Verdict::Violated, reduction) => {
            let least = match (plan.search, reduction) {
                (LivelockSearch::DfsFifo, Full | Auto) => {
                    ", and no livelock can be reached with fewer progresses".to_owned()
                }
                (LivelockSearch::DfsFifo, C2t | C2s) => {
                    format!("; {rules}no livelock can be reached with fewer progresses")
                }
                (LivelockSearch::DfsFifo, Terminating) => {
                    "; c2t and full also find the fewest progresses".to_owned()
                }
                _ => "; dfs-fifo also finds the fewest progresses".to_owned(),
            };
            format!("the lasso was replayed through the model, its cycle has no progress{least}")
        }
        (Verdict::Holds, Full | Auto) => {
            "every reachable state was visited and every enabled transition fired".to_owned()
        }
        (Verdict::Holds, C2t) => {
            format!("{rules}nothing was left out where a progress transition was fired")
        }
        (Verdict::Holds, C2s) => {
            format!("{rules}nothing was left out where a progress state was in sight")
        }
        (Verdict::Holds, Terminating) => format!(
            "{rules}the model is always may-terminating, so stubborn sets preserve livelocks"
        ),
    }
}
