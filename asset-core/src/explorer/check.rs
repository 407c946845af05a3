//! The ordinary run: breadth-first exploration, then the post-passes, then
//! what may be claimed.
//!
//! The order is exploration with state and deadlock checks, may progress, must
//! progress, always may-terminating; a violation ends it. Which verdict a
//! reduced run may claim is Valmari's Theorems 1 and 3 to 5.

use super::livelock::{Chase, LivelockSearch};
use super::shared::{self, Stop, in_root, unsteady};
use super::{Explorer, RunError, model_error, named_params, with_machine};
use crate::machine::{Machine, Progress};
use crate::model::{Check, CheckKind, CheckSet, Fault};
use crate::reduction::{Choice, Order, Selector};
use crate::search::bfs::{self, Exploration};
use crate::search::confirm::{self, Finding};
use crate::search::{Expander, Failure, Watch, guarded, must, reach};
use crate::store::{BitSet, Compact, Id, StateSet, Store, peak_memory};
use crate::trace::Path;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict, Violation};

const AVOIDABLE: &str = "from here on progress can be avoided for ever";

/// What is said of may progress that only the reduced space seems to lack.
const SUSPICION: &str = "progress is out of reach in the reduced space, but perhaps not in the \
    full one: the model is not always may-terminating; --reduction full decides";
/// States that may be fired in full to confirm a violation of may progress,
/// if the reduced space does not have more.
const CONFIRM_STATES: usize = 100_000;

pub(super) fn run(mut explorer: Explorer<'_>) -> Result<Outcome, RunError> {
    let instance = explorer.instance()?;
    let (limits, stop, observer) = (explorer.limits(), explorer.stop, explorer.observer.take());
    let mut watch = Watch::new(limits, stop, observer);
    with_machine(instance, explorer.paranoid, |machine| {
        let choice = explorer.choice(machine)?;
        let checks = machine.description().checks;
        let plan = Plan {
            choice,
            order: explorer.order,
            checks,
            off: explorer.off_checks(checks)?,
            max_violations: explorer.max_violations,
        };
        let run = match machine.n_words() {
            1 if !plan.needs_states() => compact_run,
            1 => full_run::<1>,
            2 => full_run::<2>,
            3 => full_run::<3>,
            4 => full_run::<4>,
            _ => full_run::<0>,
        };
        let mut outcome = run(machine, &plan, &mut watch)?;
        outcome.model = explorer.family.name;
        outcome.params = named_params(&explorer.family, instance);
        Ok(outcome)
    })
}

/// What a run is to do.
struct Plan {
    choice: Choice,
    order: Order,
    checks: &'static [Check],
    /// Why each check is off, if it is.
    off: Vec<Option<String>>,
    max_violations: usize,
}

impl Plan {
    /// The checks of a kind that are on.
    fn on(&self, is_kind: impl Fn(CheckKind) -> bool) -> impl Iterator<Item = usize> {
        let is_on = move |&i: &usize| is_kind(self.checks[i].kind) && self.off[i].is_none();
        (0..self.checks.len()).filter(is_on)
    }

    fn set(&self, kind: CheckKind) -> CheckSet {
        CheckSet(self.on(|k| k == kind).fold(0, |set, i| set | 1 << i))
    }

    fn n_may(&self) -> usize {
        self.on(|k| matches!(k, CheckKind::MayProgress { .. })).count()
    }

    /// Whether a post-pass will ask for the states again.
    fn needs_states(&self) -> bool {
        self.needs_termination()
            || self.on(|k| !matches!(k, CheckKind::State | CheckKind::Deadlock)).count() > 0
    }

    /// Whether "holds" rests on the model being always may-terminating.
    fn needs_termination(&self) -> bool {
        self.choice == Choice::Stubborn
            && (self.n_may() > 0 || self.set(CheckKind::State) != CheckSet::default())
    }
}

/// A run without post-passes, in the most compact set.
fn compact_run(
    machine: &dyn Machine,
    plan: &Plan,
    watch: &mut Watch<'_>,
) -> Result<Outcome, RunError> {
    Run::go(machine, plan, Compact::new(machine.layout().bits()), watch, |_, _| Ok(()))
}

/// A run that keeps its states.
fn full_run<const W: usize>(
    machine: &dyn Machine,
    plan: &Plan,
    watch: &mut Watch<'_>,
) -> Result<Outcome, RunError> {
    Run::go(machine, plan, Store::<W>::new(machine.n_words()), watch, Run::post_passes)
}

/// A run under way.
struct Run<'r, 'm, S> {
    machine: &'m dyn Machine,
    plan: &'r Plan,
    space: Expander<'m, S>,
    exploration: Exploration,
    outcomes: Vec<CheckOutcome>,
    amt: CheckOutcome,
    violations: Vec<Violation>,
    /// The terminal states, once they are known.
    terminal: BitSet,
    post_bytes: usize,
}

/// What comes after the exploration.
type PostPasses<'r, 'm, S> = fn(&mut Run<'r, 'm, S>, &mut Watch<'_>) -> Result<(), Stop>;

impl<'r, 'm, S: StateSet> Run<'r, 'm, S> {
    fn go(
        machine: &'m dyn Machine,
        plan: &'r Plan,
        set: S,
        watch: &mut Watch<'_>,
        post_passes: PostPasses<'r, 'm, S>,
    ) -> Result<Outcome, RunError> {
        let selector = Selector::new(plan.order, plan.choice);
        let mut space =
            Expander::with_set(machine, selector, set).map_err(|f| in_root(machine, f))?;
        let options = bfs::Options {
            state_checks: plan.set(CheckKind::State),
            deadlock_checks: plan.set(CheckKind::Deadlock),
            max_faults: plan.max_violations,
            keep_witnesses: plan.n_may() > 0 || plan.needs_termination(),
            keep_arrivals: !S::KEEPS_STATES,
        };
        let exploration = bfs::explore(&mut space, options, watch);
        let explore_seconds = watch.elapsed().as_secs_f64();
        let off = |why: &Option<String>| match why {
            Some(why) => CheckOutcome::Off(why.clone()),
            None => CheckOutcome::Holds,
        };
        let mut run = Run {
            machine,
            plan,
            space,
            exploration,
            outcomes: plan.off.iter().map(off).collect(),
            amt: CheckOutcome::Off("not needed: every enabled transition was fired".to_owned()),
            violations: Vec::new(),
            terminal: BitSet::default(),
            post_bytes: 0,
        };
        run.conclude(watch, post_passes)?;
        let mut outcome = run.outcome()?;
        outcome.statistics.explore_seconds = explore_seconds;
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
        if self.plan.choice == Choice::Stubborn && !self.plan.needs_termination() {
            self.amt = CheckOutcome::Off("not needed: reduction keeps all deadlocks".to_owned());
        }
        match self.exploration.end.clone() {
            Err(Failure::Model(error, id)) => {
                let path = id.and_then(|id| self.path_to(id).ok());
                return Err(model_error(self.machine, &error, path));
            }
            Err(Failure::Limit(limit)) => self.withdraw(&limit.to_string()),
            Ok(()) => {}
        }
        for (id, fault) in std::mem::take(&mut self.exploration.faults) {
            self.fault(id, &fault)?;
        }
        if !self.has_enough() && self.exploration.end.is_ok() {
            self.withdraw_hidden();
            match post_passes(self, watch) {
                Ok(()) => {}
                Err(Stop::Limit(limit)) => self.withdraw(&limit.to_string()),
                Err(Stop::Error(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether as many violations were found as were asked for. If so, nothing
    /// more may be claimed.
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
                    self.outcomes[i] = CheckOutcome::Inconclusive(why);
                }
            }
        }
    }

    /// Claims nothing of the checks that are on and not violated.
    fn withdraw(&mut self, why: &str) {
        let why = CheckOutcome::Inconclusive(why.to_owned());
        for outcome in &mut self.outcomes {
            if *outcome == CheckOutcome::Holds {
                *outcome = why.clone();
            }
        }
        if self.plan.needs_termination() {
            self.amt = why;
        }
    }

    fn fault(&mut self, id: Id, fault: &Fault) -> Result<(), RunError> {
        let check = &self.plan.checks[fault.check];
        self.outcomes[fault.check] = CheckOutcome::Violated;
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
            return shared::path_along(&self.space, &ids, self.plan.order, |_, _, _| true);
        }
        let transitions = ids[1..].iter().map(|&id| self.exploration.arrivals.get(id));
        Path::follow(self.machine, ids[0] as usize, transitions).map_err(shared::unsteady)
    }
}

impl<const W: usize> Run<'_, '_, Store<W>> {
    fn post_passes(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let (plan, n_states) = (self.plan, self.space.store().len());
        if plan.n_may() > 0 || plan.needs_termination() {
            self.terminal = self.terminal_states();
        }
        for check in plan.on(|k| matches!(k, CheckKind::MayProgress { .. })) {
            let strict = plan.checks[check].kind == CheckKind::MayProgress { strict: true };
            let mut good = if strict { BitSet::with_room(n_states) } else { self.terminal.clone() };
            self.add_progress_states(check, &mut good)?;
            self.close(&mut good, watch)?;
            if self.lost(check, &good, watch)? {
                return Ok(());
            }
        }
        for check in plan.on(|k| matches!(k, CheckKind::MustProgress { .. })) {
            if self.must(check, watch)? {
                return Ok(());
            }
        }
        if plan.needs_termination() {
            let mut good = self.terminal.clone();
            self.close(&mut good, watch)?;
            self.termination(&good, watch)?;
        }
        Ok(())
    }

    /// The states without a successor: they have neither child nor witness.
    fn terminal_states(&mut self) -> BitSet {
        let n_states = self.space.store().len();
        let mut live = BitSet::with_room(n_states);
        for (_, parent) in self.exploration.parents.walk_back() {
            live.insert(parent);
        }
        let mut terminal = BitSet::with_room(n_states);
        for (id, &witness) in self.exploration.witnesses.iter().enumerate() {
            if witness == bfs::NO_WITNESS && !live.contains(id as Id) {
                terminal.insert(id as Id);
            }
        }
        terminal
    }

    fn add_progress_states(&mut self, check: usize, good: &mut BitSet) -> Result<(), Stop> {
        const BATCH: usize = 4096;
        let store = self.space.store();
        for start in (0..store.len()).step_by(BATCH) {
            let states = store.get_range(start..store.len().min(start + BATCH));
            let mut add = |i: usize| {
                good.insert((start + i) as Id);
            };
            guarded(None, || self.machine.progress_states_of(states, check, &mut add))
                .map_err(|_| self.progress_error(check, start))?;
        }
        Ok(())
    }

    /// What is wrong with the first state from `start` on in which a progress
    /// check panics; one does.
    fn progress_error(&self, check: usize, start: usize) -> RunError {
        let store = self.space.store();
        let ask = |id: usize| {
            let state = store.get(id as Id);
            let asked =
                guarded(Some(state), || self.machine.progress_states_of(state, check, &mut |_| {}));
            asked.err().map(|error| (id as Id, error))
        };
        match (start..store.len()).find_map(ask) {
            Some((id, error)) => model_error(self.machine, &error, self.path_to(id).ok()),
            None => unsteady("a progress check panicked only once".to_owned()),
        }
    }

    fn close(&mut self, good: &mut BitSet, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let n_edges = self.space.n_edges;
        let closed = reach::close_backwards(&mut self.space, &self.exploration, good, watch);
        self.space.n_edges = n_edges;
        self.post_bytes = self.post_bytes.max(2 * good.bytes());
        closed.map_err(|failure| Stop::from_failure(self.machine, failure))
    }

    /// Reports the first state from which `good` is out of reach, if any.
    fn lost(&mut self, check: usize, good: &BitSet, watch: &mut Watch<'_>) -> Result<bool, Stop> {
        let Some(id) = good.absent(0..self.space.store().len()).next() else { return Ok(false) };
        let id = match self.plan.choice {
            Choice::Full => Some(id),
            Choice::Stubborn => self.first_confirmed(check, good, watch)?,
        };
        let Some(id) = id else {
            self.outcomes[check] = CheckOutcome::Inconclusive(SUSPICION.to_owned());
            return Ok(false);
        };
        self.outcomes[check] = CheckOutcome::Violated;
        let path = self.path_astray(id, |id| !good.contains(id), watch)?;
        self.violation(check, "from here on progress is impossible", &path)?;
        Ok(self.has_enough())
    }

    /// The first state from which progress is out of reach also when everything
    /// is fired, among those from which `good` is in the reduced space.
    fn first_confirmed(
        &mut self,
        check: usize,
        good: &BitSet,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Id>, Stop> {
        let n_states = self.space.store().len();
        let mut budget = CONFIRM_STATES.max(n_states);
        for id in good.absent(0..n_states) {
            let state = self.space.store().get(id).into();
            let tried = confirm::may_progress::<W>(self.machine, check, state, &mut budget, watch);
            match tried.map_err(|failure| Stop::from_failure(self.machine, failure))? {
                Finding::Lost => return Ok(Some(id)),
                Finding::NotLost => {}
                Finding::Unknown => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The path to the bad state `id` and on through bad states.
    fn path_astray(
        &self,
        id: Id,
        is_bad: impl Fn(Id) -> bool,
        watch: &mut Watch<'_>,
    ) -> Result<Path, RunError> {
        let mut path = self.path_to(id)?;
        shared::walk_astray(&self.space, &mut path, is_bad, watch);
        Ok(path)
    }

    fn must(&mut self, check: usize, watch: &mut Watch<'_>) -> Result<bool, Stop> {
        if self.plan.choice == Choice::Stubborn {
            return self.must_reduced(check, watch);
        }
        let n_states = self.space.store().len();
        let mut good = BitSet::with_room(n_states);
        self.add_progress_states(check, &mut good)?;
        let terminal_is_good =
            self.plan.checks[check].kind == CheckKind::MustProgress { strict: false };
        let n_edges = self.space.n_edges;
        let bad = must::avoiders(&mut self.space, &good, terminal_is_good, watch);
        self.space.n_edges = n_edges;
        let bad = bad.map_err(|failure| Stop::from_failure(self.machine, failure))?;
        self.post_bytes = self.post_bytes.max(4 * good.bytes());
        let Some(id) = (0..n_states as Id).find(|&id| bad.contains(id)) else { return Ok(false) };
        self.outcomes[check] = CheckOutcome::Violated;
        let path = self.path_astray(id, |id| bad.contains(id), watch)?;
        self.violation(check, AVOIDABLE, &path)?;
        Ok(self.has_enough())
    }

    /// Must progress with stubborn sets: the reduction of the exploration does
    /// not keep it, so DFS_FIFO looks for a cycle without a progress state in
    /// the space that is reduced where none is in sight. That keeps terminal
    /// states, too.
    /// A run that avoids the progress states of a check for ever, if the
    /// selector's space has one.
    fn way_round(
        &mut self,
        check: usize,
        selector: Selector,
        progress: &Progress,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Path>, Stop> {
        let mut chase = Chase::<W>::new(self.machine, selector, progress.clone())?;
        let hunt = chase.hunt(LivelockSearch::DfsFifo, watch)?;
        self.post_bytes = self.post_bytes.max(chase.space.bytes() + hunt.bytes);
        match chase.lasso(&hunt, watch)? {
            None if self.plan.checks[check].kind == (CheckKind::MustProgress { strict: true }) => {
                chase.bad_end(&hunt, watch)
            }
            path => Ok(path),
        }
    }

    fn must_reduced(&mut self, check: usize, watch: &mut Watch<'_>) -> Result<bool, Stop> {
        watch.bytes_elsewhere = self.space.bytes() + self.exploration.parents.bytes();
        let progress = Progress::of_check(self.machine, check);
        let reduced = Selector::keeping_progress(self.plan.order, progress.clone());
        let mut path = self.way_round(check, reduced, &progress, watch)?;
        if path.is_none() {
            // The rules need not know this check's progress states, and then a
            // way round can be missing from the reduced space.
            let full = Selector::new(self.plan.order, Choice::Full);
            path = self.way_round(check, full, &progress, watch)?;
        }
        watch.bytes_elsewhere = 0;
        let Some(path) = path else { return Ok(false) };
        self.outcomes[check] = CheckOutcome::Violated;
        self.violation(check, AVOIDABLE, &path)?;
        Ok(self.has_enough())
    }

    /// Claims or withdraws what rests on always may-termination.
    fn termination(&mut self, good: &BitSet, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let Some(id) = good.absent(0..self.space.store().len()).next() else {
            self.amt = CheckOutcome::Holds;
            return Ok(());
        };
        self.amt = CheckOutcome::Violated;
        let path = self.path_astray(id, |id| !good.contains(id), watch)?;
        self.violations.push(shared::not_terminating(self.machine, &path)?);
        let why = "reduction preserves it only on always may-terminating models, and this one \
                   is not; let its processes stop where they may, or use --reduction full";
        for (outcome, check) in self.outcomes.iter_mut().zip(self.plan.checks) {
            let rests = matches!(check.kind, CheckKind::State | CheckKind::MayProgress { .. });
            if rests && *outcome == CheckOutcome::Holds {
                *outcome = CheckOutcome::Inconclusive(why.to_owned());
            }
        }
        Ok(())
    }
}

impl<S: StateSet> Run<'_, '_, S> {
    fn outcome(self) -> Result<Outcome, RunError> {
        let e = &self.exploration;
        let marks = e.parents.bytes() + e.arrivals.bytes() + e.witnesses.len() * size_of::<Id>();
        let bytes = self.space.bytes() + marks;
        let statistics = Statistics {
            n_states: e.n_states,
            n_edges: e.n_edges,
            depth: e.depth,
            n_terminal: e.n_terminal,
            bytes_per_state: (bytes + self.post_bytes) as f64 / e.n_states.max(1) as f64,
            peak_bytes: peak_memory().unwrap_or(0),
            ..Statistics::default()
        };
        let verdict = self.verdict();
        let result = |(check, outcome): (&Check, &CheckOutcome)| CheckResult {
            name: check.name.to_owned(),
            kind: check.kind.name(),
            outcome: outcome.clone(),
        };
        let mut checks: Vec<_> = self.plan.checks.iter().zip(&self.outcomes).map(result).collect();
        checks.push(shared::termination_result(self.amt.clone()));
        Ok(Outcome {
            model: "",
            params: Vec::new(),
            search: "bfs",
            reduction: self.plan.choice.name(),
            order: self.plan.order.name(),
            guarantee: self.guarantee(&verdict),
            verdict,
            checks,
            violations: self.violations,
            statistics,
            rules: (self.plan.choice == Choice::Stubborn).then(|| shared::rules(&self.space)),
        })
    }

    fn verdict(&self) -> Verdict {
        if self.outcomes.contains(&CheckOutcome::Violated) {
            return Verdict::Violated;
        }
        let why = self.outcomes.iter().find_map(|outcome| match outcome {
            CheckOutcome::Inconclusive(why) => Some(why.clone()),
            _ => None,
        });
        match why {
            Some(why) => Verdict::Inconclusive(why),
            None if self.outcomes.contains(&CheckOutcome::Holds) => Verdict::Holds,
            None => match &self.exploration.end {
                Err(Failure::Limit(limit)) => Verdict::Inconclusive(limit.to_string()),
                _ => Verdict::Inconclusive("there was nothing to check".to_owned()),
            },
        }
    }

    fn guarantee(&self, verdict: &Verdict) -> String {
        match (verdict, self.plan.choice) {
            (Verdict::Violated, _) => {
                "the trace was replayed through the model; it is real whatever the rules".to_owned()
            }
            (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
            (Verdict::Holds, Choice::Full) => {
                "every reachable state was visited and every enabled transition fired".to_owned()
            }
            (Verdict::Holds, Choice::Stubborn) if self.plan.needs_termination() => {
                "provided the rules are right (see `audit`): the model is always may-terminating, \
                 so stubborn sets preserve the checks that were on"
                    .to_owned()
            }
            (Verdict::Holds, Choice::Stubborn) => {
                "provided the rules are right (see `audit`): stubborn sets preserve all deadlocks; \
                 must progress was looked at with everything fired"
                    .to_owned()
            }
        }
    }
}
