//! The ordinary run: breadth-first exploration, then the post-passes, then
//! what may be claimed.
//!
//! The order is exploration with state and deadlock checks, may progress, must
//! progress, always may-terminating; a violation ends it. Which verdict a
//! reduced run may claim is Valmari's Theorems 1 and 3 to 5.

mod claims;
mod passes;
mod unseen;

use super::shared::{self, Stop, in_root};
use super::{Explorer, RunError, model_error, named_params, on_checks, temporal};
use crate::expand::{Choice, Recipe};
use crate::machine::Machine;
use crate::model::{Check, CheckKind, CheckSet, Fault};
use crate::search::bfs::{self, Exploration};
use crate::search::rounds::{self, Balance, Crew};
use crate::search::{Expander, Failure, Watch};
use crate::store::{Compact, Id, Ordered, Parted, StateSet, Store};
use crate::trace::Path;
use crate::verdict::{CheckOutcome, Outcome, Violation, Witness};

pub(super) fn run(mut explorer: Explorer<'_>) -> Result<Outcome, RunError> {
    let instance = explorer.instance()?;
    if explorer.loose {
        let what = "loose order is one of livelock searches; a check has none";
        return Err(RunError::Usage(what.to_owned()));
    }
    let (limits, stop, observer) = (explorer.limits(), explorer.stop, explorer.observer.take());
    let mut watch = Watch::new(limits, stop, observer);
    let machine = instance.machine;
    let choice = explorer.choice(machine)?;
    let checks = machine.description().checks;
    let mut off = explorer.off_checks(checks)?;
    let temporal = temporal::Plan::new(&explorer, machine, &off)?;
    for (off, check) in off.iter_mut().zip(checks) {
        if check.kind.is_temporal() {
            // Until the search for cycles has decided it.
            off.get_or_insert_with(|| "not selected".to_owned());
        }
    }
    let is_alone = !temporal.is_empty() && off.iter().all(Option::is_some);
    let max_violations = explorer.max_violations;
    let inferred = explorer.inferred(machine, on_checks(&off))?;
    let recipe = explorer.recipe(machine, choice).inferring(inferred);
    let plan = Plan { recipe, checks, off, max_violations, crew: explorer.crew };
    let mut outcome = match is_alone {
        true => None,
        false => Some(plan.run(&mut watch)?),
    };
    if !temporal.is_empty() {
        let n_violations = outcome.as_ref().map_or(0, |outcome| outcome.violations.len());
        let n_left = max_violations.saturating_sub(n_violations);
        let decided = temporal.run(n_left, &mut watch)?;
        outcome = Some(temporal::merge(&temporal, decided, outcome));
    }
    let Some(mut outcome) = outcome else {
        return Err(RunError::Usage("there is nothing to check".to_owned()));
    };
    if explorer.denies_vacuous {
        outcome.deny_vacuous();
    }
    outcome.model = explorer.family.name;
    outcome.params = named_params(&explorer.family, instance);
    Ok(outcome)
}

/// What a run is to do.
struct Plan {
    recipe: Recipe<'static>,
    checks: &'static [Check],
    /// Why each check is off, if it is.
    off: Vec<Option<String>>,
    max_violations: usize,
    /// Who explores, if not one thread.
    crew: Option<Crew>,
}

impl Plan {
    /// Runs it, in the most compact set that gives what the post-passes ask for.
    fn run(&self, watch: &mut Watch<'_>) -> Result<Outcome, RunError> {
        if self.needs_numbers() {
            return for_words!(self.recipe, full_run)(self, watch);
        }
        let recipe = &self.recipe.clone().folded();
        let n_bits = recipe.machine().facts().n_bits();
        if recipe.machine().n_words() > 1 {
            return match self.needs_states() {
                true => Run::go(recipe, self, Ordered::widening(), watch, alone, Run::post_passes),
                false => Run::go(recipe, self, Compact::widening(), watch, alone, no_passes),
            };
        }
        match (self.needs_states(), self.crew) {
            (true, None) => {
                Run::go(recipe, self, Ordered::new(n_bits), watch, alone, Run::post_passes)
            }
            (false, None) => Run::go(recipe, self, Compact::new(n_bits), watch, alone, no_passes),
            (true, Some(crew)) => {
                let set = Parted::<true>::new(n_bits, crew.n_parts());
                Run::go(recipe, self, set, watch, together(crew), Run::post_passes)
            }
            (false, Some(crew)) => {
                let set = Parted::<false>::new(n_bits, crew.n_parts());
                Run::go(recipe, self, set, watch, together(crew), no_passes)
            }
        }
    }

    fn choice(&self) -> Choice {
        self.recipe.choice()
    }

    /// The checks of a kind that are on.
    fn on(&self, is_kind: impl Fn(CheckKind) -> bool) -> impl Iterator<Item = usize> {
        let is_on = move |&i: &usize| is_kind(self.checks[i].kind) && self.off[i].is_none();
        (0..self.checks.len()).filter(is_on)
    }

    fn set(&self, is_kind: impl Fn(CheckKind) -> bool) -> CheckSet {
        CheckSet(self.on(is_kind).fold(0, |set, i| set | 1 << i))
    }

    /// What is to be reached.
    fn goals(&self) -> CheckSet {
        self.set(|k| k == CheckKind::Reachable)
    }

    /// Whether nothing is asked but what is to be reached.
    fn seeks_only(&self) -> bool {
        self.on(|_| true).count() > 0 && self.on(|k| k != CheckKind::Reachable).count() == 0
    }

    fn n_may(&self) -> usize {
        self.on(|k| matches!(k, CheckKind::MayProgress { .. })).count()
    }

    /// Whether a post-pass will ask for the states again.
    fn needs_states(&self) -> bool {
        self.needs_termination() || self.on(CheckKind::is_progress).count() > 0
    }

    /// Whether a post-pass asks for the number of a state.
    fn needs_numbers(&self) -> bool {
        self.choice() == Choice::Full
            && self.on(|k| matches!(k, CheckKind::MustProgress { .. })).count() > 0
    }

    /// Whether a post-pass goes backwards.
    fn needs_links(&self) -> bool {
        self.n_may() > 0 || self.needs_termination()
    }

    /// Why always may-termination is not asked about, if it is not.
    fn termination_unasked(&self) -> Option<CheckOutcome> {
        let why = match self.choice() {
            Choice::Full => "not needed: every enabled transition was fired",
            Choice::Stubborn if self.needs_termination() => return None,
            Choice::Stubborn => "not needed: reduction keeps all deadlocks",
        };
        Some(CheckOutcome::Off(why.to_owned()))
    }

    /// Whether "holds" rests on the model being always may-terminating.
    fn needs_termination(&self) -> bool {
        self.choice() == Choice::Stubborn
            && (self.n_may() > 0 || !self.set(CheckKind::is_asked_everywhere).is_empty())
    }
}

/// Exploration by one thread.
fn alone<S: StateSet>(
    space: &mut Expander<'_, S>,
    options: bfs::Options,
    watch: &mut Watch<'_>,
) -> (Exploration, Option<Balance>) {
    (bfs::explore(space, options, watch), None)
}

/// Exploration by several threads.
fn together<'m, const KEPT: bool>(
    crew: Crew,
) -> impl FnOnce(
    &mut Expander<'m, Parted<KEPT>>,
    bfs::Options,
    &mut Watch<'_>,
) -> (Exploration, Option<Balance>) {
    move |space, options, watch| {
        let (exploration, balance) = rounds::explore(space, options, crew, watch);
        (exploration, Some(balance))
    }
}

/// For sets that do not keep their states.
fn no_passes<S>(_: &mut Run<'_, '_, S>, _: &mut Watch<'_>) -> Result<(), Stop> {
    Ok(())
}

/// A run that keeps its states and their numbers.
fn full_run<const W: usize>(plan: &Plan, watch: &mut Watch<'_>) -> Result<Outcome, RunError> {
    let n_words = plan.recipe.n_words();
    let set = match plan.needs_links() {
        true => Store::<W>::with_links(n_words),
        false => Store::new(n_words),
    };
    Run::go(&plan.recipe, plan, set, watch, alone, Run::post_passes)
}

/// A run under way.
struct Run<'r, 'm, S> {
    machine: &'m dyn Machine,
    plan: &'r Plan,
    space: Expander<'m, S>,
    exploration: Exploration,
    /// What may be claimed of each check, unless something comes in between.
    outcomes: Vec<CheckOutcome>,
    /// The checks of which nothing else will be claimed.
    settled: CheckSet,
    /// What may be claimed of always may-termination, once that is known.
    amt: Option<CheckOutcome>,
    violations: Vec<Violation>,
    witnesses: Vec<Witness>,
    /// The progress checks that no state that was visited satisfies.
    without_progress: Vec<usize>,
    post_bytes: usize,
}

/// What comes after the exploration.
type PostPasses<'r, 'm, S> = fn(&mut Run<'r, 'm, S>, &mut Watch<'_>) -> Result<(), Stop>;

impl<'r, 'm, S: StateSet> Run<'r, 'm, S> {
    fn go(
        recipe: &Recipe<'m>,
        plan: &'r Plan,
        set: S,
        watch: &mut Watch<'_>,
        explore: impl FnOnce(
            &mut Expander<'m, S>,
            bfs::Options,
            &mut Watch<'_>,
        ) -> (Exploration, Option<Balance>),
        post_passes: PostPasses<'r, 'm, S>,
    ) -> Result<Outcome, RunError> {
        let machine = recipe.machine();
        let mut space = Expander::with_set(recipe, set).map_err(|f| in_root(machine, f))?;
        let options = bfs::Options {
            state_checks: plan.set(|k| k == CheckKind::State),
            deadlock_checks: plan.set(|k| k == CheckKind::Deadlock),
            max_faults: plan.max_violations,
            goals: plan.goals(),
            values: plan.choice() == Choice::Full && space.source().fold().is_none(),
            max_states: watch.max_states().map_or(usize::MAX, |max| max as usize),
            ends_with_goals: plan.seeks_only(),
            keep_arrivals: !S::KEEPS_STATES,
        };
        let (exploration, balance) = explore(&mut space, options, watch);
        let explore_seconds = watch.elapsed().as_secs_f64();
        let outcome = |(check, why): (&Check, &Option<String>)| match why {
            Some(why) => CheckOutcome::Off(why.clone()),
            None if check.kind == CheckKind::Reachable => CheckOutcome::Violated,
            None => CheckOutcome::Holds,
        };
        let mut run = Run {
            machine,
            plan,
            space,
            exploration,
            outcomes: plan.checks.iter().zip(&plan.off).map(outcome).collect(),
            settled: CheckSet(!plan.set(|_| true).0),
            amt: plan.termination_unasked(),
            violations: Vec::new(),
            witnesses: Vec::new(),
            without_progress: Vec::new(),
            post_bytes: 0,
        };
        run.conclude(watch, post_passes)?;
        let mut outcome = run.outcome()?;
        outcome.statistics.explore_seconds = explore_seconds;
        if let Some(balance) = balance.filter(|balance| balance.n_threads > 1) {
            outcome.statistics.n_helpers = balance.n_threads - 1;
            let more = [
                ("threads", balance.n_threads as u64),
                ("rounds of all threads", balance.n_rounds),
                ("states of the busiest thread", balance.busiest),
            ];
            outcome.statistics.more.extend(more);
            if let Some((rules, _)) = &mut outcome.rules {
                rules.add(&balance.rules);
            }
        }
        outcome.statistics.post_seconds = watch.elapsed().as_secs_f64() - explore_seconds;
        Ok(outcome)
    }

    /// Turns what the exploration found, and then the post-passes, into what
    /// may be claimed of each check.
    fn conclude(
        &mut self,
        watch: &mut Watch<'_>,
        post_passes: PostPasses<'r, 'm, S>,
    ) -> Result<(), RunError> {
        match self.exploration.end.clone() {
            Err(Failure::Model(error, id)) => {
                let path = id.and_then(|id| self.path_to(id).ok());
                return Err(model_error(self.machine, &error, path));
            }
            Err(Failure::Limit(_)) | Ok(()) => {}
        }
        for (check, id) in std::mem::take(&mut self.exploration.reached) {
            self.reached(check, id)?;
        }
        for (id, fault) in std::mem::take(&mut self.exploration.faults) {
            self.fault(id, &fault)?;
        }
        if let Err(Failure::Limit(limit)) = self.exploration.end {
            self.withdraw(&limit.to_string());
        }
        if !self.has_enough() && self.exploration.is_complete {
            self.withdraw_hidden();
            self.settle_explored();
            match post_passes(self, watch) {
                Ok(()) => {}
                Err(Stop::Limit(limit)) => self.withdraw(&limit.to_string()),
                Err(Stop::Error(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// From now on nothing else will be claimed of a check.
    fn settle(&mut self, check: usize, outcome: CheckOutcome) {
        self.outcomes[check] = outcome;
        self.settled.0 |= 1 << check;
    }

    /// Settles what is known of checks when everything has been explored: in full, of those
    /// that were asked of every state, and in any case of deadlocks, all of which
    /// are in a reduced space, too.
    fn settle_explored(&mut self) {
        let is_full = self.plan.choice() == Choice::Full;
        self.settled.0 |= self
            .plan
            .set(|kind| match kind {
                CheckKind::Deadlock => true,
                kind => is_full && kind.is_asked_everywhere(),
            })
            .0;
    }

    /// A state that satisfies what is to be reachable.
    fn reached(&mut self, check: usize, id: Id) -> Result<(), RunError> {
        let path = self.path_to(id)?;
        let name = self.plan.checks[check].name;
        self.witnesses.push(shared::witness(self.machine, name, &path)?);
        self.settle(check, CheckOutcome::Holds);
        Ok(())
    }

    /// Whether as many violations were found as were asked for. If so, nothing
    /// more may be claimed, beyond what has been settled.
    fn has_enough(&mut self) -> bool {
        let has_enough = self.violations.len() >= self.plan.max_violations;
        if has_enough {
            self.withdraw("the run ended at a violation");
        }
        has_enough
    }

    /// A state is charged with the first check that fails in it; of the checks
    /// after that one nothing is known there.
    fn withdraw_hidden(&mut self) {
        let plan = self.plan;
        for kind in [CheckKind::State, CheckKind::Deadlock] {
            let is_violated = |&i: &usize| self.outcomes[i] == CheckOutcome::Violated;
            let Some(first) = plan.on(|k| k == kind).find(is_violated) else { continue };
            for i in plan.on(|k| k == kind).filter(|&i| i > first) {
                if self.outcomes[i] == CheckOutcome::Holds {
                    let (name, other) = (plan.checks[i].name, plan.checks[first].name);
                    let why = format!(
                        "not evaluated in states that violate {other}; --check {name} does that"
                    );
                    self.settle(i, CheckOutcome::Inconclusive(why));
                }
            }
        }
    }

    /// Claims nothing of the checks that are not settled.
    fn withdraw(&mut self, why: &str) {
        let why = CheckOutcome::Inconclusive(why.to_owned());
        for check in 0..self.outcomes.len() {
            if !self.settled.contains(check) {
                self.settle(check, why.clone());
            }
        }
        self.amt.get_or_insert(why);
    }

    fn fault(&mut self, id: Id, fault: &Fault) -> Result<(), RunError> {
        let check = &self.plan.checks[fault.check];
        self.settle(fault.check, CheckOutcome::Violated);
        let message = match (&*fault.message, check.kind) {
            ("", CheckKind::Deadlock) => "the model must not terminate here",
            ("", _) => "the check fails here",
            (message, _) => message,
        };
        let path = self.path_to(id)?;
        self.violation(fault.check, message, &path)
    }

    /// Adds a counterexample to one of the model's checks.
    fn violation(&mut self, check: usize, message: &str, path: &Path) -> Result<(), RunError> {
        let check = &self.plan.checks[check];
        let found = shared::violation(self.machine, check.kind.name(), check.name, message, path)?;
        self.violations.push(found);
        Ok(())
    }

    fn path_to(&self, id: Id) -> Result<Path, RunError> {
        let ids = self.exploration.parents.path_to(id);
        if S::KEEPS_STATES {
            return shared::path_along(&self.space, &ids, self.plan.recipe.order(), |_, _, _| true);
        }
        let transitions = ids[1..].iter().map(|&id| self.exploration.arrivals.get(id));
        Path::follow(self.machine, ids[0] as usize, transitions).map_err(shared::unsteady)
    }
}
