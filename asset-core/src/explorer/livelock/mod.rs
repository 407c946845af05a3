//! The search for livelocks: cycles that can go on for ever without progress.
//!
//! Which reduction keeps them depends on the labels. On transitions: `c2t`
//! always does (Laarman & Faragó), and on always may-terminating models plain
//! stubborn sets do (Theorem 6 of A. Valmari, *Stop It, and Be Stubborn!*, with
//! the progress transitions for `T*`), so `terminating` checks that on the same
//! reduced space before it says that there is no livelock. On states: `c2s`. On
//! transitions depending on the state: none, since firing in another order may
//! change the label.

mod chase;
mod claims;
mod options;

use chase::By;
pub(super) use chase::Chase;
pub use options::{Livelock, LivelockReduction, LivelockSearch};

use super::{Explorer, Rules, RunError, model_error, named_params, shared};
use crate::expand::{Choice, Recipe};
use crate::machine::{Machine, Progress};
use crate::memory::peak_memory;
use crate::model::{CheckSet, Order};
use crate::search::pdfs_fifo::Crew;
use crate::search::{Watch, rounds};
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict};

const CHECK: &str = "non_progress_cycle";
const KIND: &str = "livelock";
/// Up to so many chunks of states, of which there are a thousand each unless a test says
/// otherwise, one thread searches.
const SMALL_CHUNKS: usize = 20;

pub(super) fn run(mut explorer: Explorer<'_>, options: Livelock) -> Result<Outcome, RunError> {
    let instance = explorer.instance()?;
    refuse_what_does_not_apply(&explorer)?;
    let (limits, stop, observer) = (explorer.limits(), explorer.stop, explorer.observer.take());
    let mut watch = Watch::new(limits, stop, observer);
    let machine = instance.machine;
    let name = explorer.family.name;
    let progress = Progress::of(machine).map_err(|e| model_error(machine, &e, None))?;
    let progress = progress.ok_or_else(|| no_labels(name))?;
    let has_rules = explorer.has_rules(machine);
    refuse_what_is_unsound(name, has_rules, &progress, options)?;
    refuse_rules_that_do_not_apply(&explorer, &progress, options)?;
    let inferred = explorer.inferred(machine, CheckSet::default())?;
    let full = explorer.recipe(machine, Choice::Full).inferring(inferred);
    let crew = crew(&explorer, machine, options)?;
    let attempt = for_words!(machine, attempt);
    let mut run = |reduction| {
        let Explorer { order, rules, .. } = explorer;
        let plan = Plan { search: options.search, reduction, order, rules, crew };
        attempt(&full, plan, &progress, &mut watch)
    };
    let first = choose(has_rules, &progress, options);
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
}

/// The threads that search: of states of one word.
fn crew(
    explorer: &Explorer<'_>,
    machine: &dyn Machine,
    options: Livelock,
) -> Result<Option<Crew>, RunError> {
    let Some(rounds::Crew { n_threads, chunk, .. }) = explorer.crew else { return Ok(None) };
    if options.search != LivelockSearch::DfsFifo {
        return Err(RunError::Usage(format!(
            "the {} search takes one thread; several need the search dfs-fifo",
            options.search.name()
        )));
    }
    let crew = Crew { n_threads, is_strict: !explorer.loose, small: SMALL_CHUNKS * chunk };
    Ok((machine.n_words() == 1).then_some(crew))
}

fn was_limited(outcome: &Outcome) -> bool {
    // A livelock that is not there, or not yet, without the termination check.
    matches!(outcome.verdict, Verdict::Inconclusive(_)) && outcome.violations.is_empty()
}

/// The reduction to begin with.
fn choose(has_rules: bool, progress: &Progress, options: Livelock) -> LivelockReduction {
    match options.reduction {
        LivelockReduction::Auto => {}
        chosen => return chosen,
    }
    let is_full =
        options.search != LivelockSearch::DfsFifo || !has_rules || progress.depends_on_state();
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
    } else if explorer.deep.is_some() || explorer.temporal.asks_for_anything() {
        "a livelock search looks for cycles without progress only, and has searches of its own: \
         set Livelock::search"
    } else {
        return Ok(());
    };
    Err(RunError::Usage(what.to_owned()))
}

/// Inferred rules where they have no say, or would not keep what is looked for.
fn refuse_rules_that_do_not_apply(
    explorer: &Explorer<'_>,
    progress: &Progress,
    options: Livelock,
) -> Result<(), RunError> {
    let what = if explorer.rules == Rules::Author {
        return Ok(());
    } else if options.search != LivelockSearch::DfsFifo
        || options.reduction == LivelockReduction::Full
    {
        "where everything is fired, rules have no say: leave out inferred rules, or choose the \
         search dfs-fifo and a reduction"
            .to_owned()
    } else if progress.on_states() || progress.depends_on_state() {
        format!(
            "{} has progress labels that depend on the state, which inferred rules do not know; \
             the author's rules or the reduction full keep them",
            explorer.family.name
        )
    } else {
        return Ok(());
    };
    Err(RunError::Usage(what))
}

fn refuse_what_is_unsound(
    name: &str,
    has_rules: bool,
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
        _ if !has_rules => format!(
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
    rules: Rules,
    /// The threads, if not one.
    crew: Option<Crew>,
}

/// One search with one reduction.
fn attempt<const W: usize>(
    full: &Recipe<'_>,
    plan: Plan,
    progress: &Progress,
    watch: &mut Watch<'_>,
) -> Result<Outcome, RunError> {
    let machine = full.machine();
    let recipe = plan.reduction.recipe(full, progress);
    let mut chase = Chase::<W>::new(&recipe, progress.clone())?;
    chase.space.max_states = watch.max_states().map_or(usize::MAX, |max| max as usize);
    let start = watch.elapsed();
    let keeps_states = plan.reduction == LivelockReduction::Terminating;
    let by = plan.crew.map(|crew| By { crew, keeps_states });
    let hunt = chase.search(plan.search, by, watch)?;
    let explored = watch.elapsed();
    let (bytes, n_visible) =
        (chase.space.bytes(), chase.space.source().n_visible() + hunt.n_visible);
    let found = claims::conclude(&mut chase, plan, &hunt, watch)?;
    let mut statistics = Statistics {
        // The state that was one too many does not count.
        n_states: hunt.n_states.min(chase.space.max_states as u64),
        n_edges: hunt.n_edges,
        depth: hunt.depth,
        n_terminal: hunt.n_terminal,
        n_helpers: hunt.n_threads - 1,
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
        CheckOutcome::Holds | CheckOutcome::Vacuous { .. } => Verdict::Holds,
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
        witnesses: Vec::new(),
        unseen: None,
        model: "",
        params: Vec::new(),
        search: plan.search.name(),
        reduction: plan.reduction.name(),
        order: plan.order.name(),
        guarantee: claims::guarantee(plan, &verdict),
        verdict,
        checks,
        violations: found.violations,
        statistics,
        rules: (plan.reduction != LivelockReduction::Full).then(|| {
            let (mut rules, names) = shared::rules(&chase.space);
            rules.add(&hunt.rules);
            (rules, names)
        }),
    })
}
