//! The post-passes: what is asked of the whole space once it has been explored.

use super::Run;
use crate::expand::{Choice, Recipe};
use crate::explorer::livelock::{Chase, LivelockSearch};
use crate::explorer::shared::{self, Stop};
use crate::explorer::{RunError, model_error};
use crate::machine::{ModelError, Progress};
use crate::model::CheckKind;
use crate::search::confirm::{self, Finding};
use crate::search::{Good, Watch, must, reach, unfolded};
use crate::store::{Id, Kept};
use crate::trace::Path;
use crate::verdict::CheckOutcome;

const AVOIDABLE: &str = "from here on progress can be avoided for ever";

/// What is said of may progress that only the reduced space seems to lack.
const SUSPICION: &str = "progress is out of reach in the reduced space, but perhaps not in the \
    full one: the model is not always may-terminating; --reduction full decides";
/// States that may be fired in full to confirm a violation of may progress,
/// if the reduced space does not have more.
const CONFIRM_STATES: usize = 100_000;

impl<S: Kept> Run<'_, '_, S> {
    /// May progress, must progress and always may-termination, in this order;
    /// a violation ends them.
    ///
    /// From where termination can be reached is computed first: where that is
    /// everywhere, so is progress, of which terminal states are a case.
    pub(super) fn post_passes(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let (plan, n_states) = (self.plan, self.space.store().len());
        self.space.finish();
        let mut may_terminate = None;
        if self.rests_on_termination() {
            let mut good = self.terminal_states();
            self.close(&mut good, watch)?;
            if good.numbers().len() == n_states {
                self.amt = Some(CheckOutcome::Holds);
                self.settled.0 |= plan.set(CheckKind::is_asked_everywhere).0;
            }
            may_terminate = Some(good);
        }
        for check in plan.on(|k| matches!(k, CheckKind::MayProgress { .. })) {
            let strict = plan.checks[check].kind == CheckKind::MayProgress { strict: true };
            let mut good = match &may_terminate {
                _ if strict => Good::none_of(self.space.store()),
                Some(good) if good.numbers().len() == n_states => {
                    // That it holds does not depend on it, but what it is worth does, and a
                    // check that panics is an error.
                    self.ask_progress_states(check)?;
                    self.holds(check);
                    continue;
                }
                Some(good) => good.clone(),
                None => self.terminal_states(),
            };
            self.add_progress_states(check, &mut good)?;
            if good.numbers().len() < n_states {
                self.close(&mut good, watch)?;
            }
            if self.lost(check, &good, watch)? {
                return Ok(());
            }
            if self.outcomes[check] == CheckOutcome::Holds
                && (plan.choice() == Choice::Full || self.amt == Some(CheckOutcome::Holds))
            {
                self.holds(check);
            }
        }
        for check in plan.on(|k| matches!(k, CheckKind::MustProgress { .. })) {
            if self.must(check, watch)? {
                return Ok(());
            }
        }
        if let Some(good) = may_terminate {
            self.termination(&good, watch)?;
        }
        Ok(())
    }

    /// Whether something that is still to be claimed rests on always may-termination.
    fn rests_on_termination(&self) -> bool {
        let is_goal = |kind| kind == CheckKind::Reachable;
        let mut others =
            self.plan.on(|kind| matches!(kind, CheckKind::State | CheckKind::MayProgress { .. }));
        let mut goals = self.plan.on(is_goal).filter(|&goal| !self.settled.contains(goal));
        self.plan.needs_termination() && (others.next().is_some() || goals.next().is_some())
    }

    /// Settles that a progress check holds, and whether that says much. It has been asked which
    /// states are progress states.
    fn holds(&mut self, check: usize) {
        let outcome = match (self.without_progress.contains(&check), self.plan.choice()) {
            (true, Choice::Full) => CheckOutcome::Vacuous {
                is_certain: true,
                why: "no reachable state satisfies it; it holds only because every run may end"
                    .to_owned(),
            },
            (true, Choice::Stubborn) => CheckOutcome::Vacuous {
                is_certain: false,
                why: "no visited state satisfies it; --reduction full tells whether any does"
                    .to_owned(),
            },
            _ => CheckOutcome::Holds,
        };
        self.settle(check, outcome);
    }

    fn terminal_states(&self) -> Good {
        reach::terminal_states(self.space.store(), &self.exploration)
    }

    fn add_progress_states(&mut self, check: usize, good: &mut Good) -> Result<(), Stop> {
        let mut n_progress = 0;
        good.add_places(self.space.store(), |add| {
            n_progress = self.tell_progress_states(check, add)?;
            Ok::<(), Stop>(())
        })?;
        self.note_progress(check, n_progress);
        Ok(())
    }

    /// Asks whether a progress check has progress states.
    fn ask_progress_states(&mut self, check: usize) -> Result<(), Stop> {
        let n_progress = self.tell_progress_states(check, &mut |_| {})?;
        self.note_progress(check, n_progress);
        Ok(())
    }

    fn note_progress(&mut self, check: usize, n_progress: usize) {
        if n_progress == 0 {
            self.without_progress.push(check);
        }
    }

    /// Tells the places of the progress states of a check, and returns their number.
    fn tell_progress_states(&self, check: usize, tell: &mut dyn FnMut(Id)) -> Result<usize, Stop> {
        let (mut asked, mut n_progress) = (Ok(()), 0);
        let (fold, words) = (self.space.source().fold(), &mut Vec::new());
        self.space.store().batches(&mut |keys, place| {
            if asked.is_ok() {
                let tell = &mut |i| {
                    n_progress += 1;
                    tell(place(i));
                };
                let states = unfolded(fold, keys, words);
                asked = self.machine.progress_states_of(states, check, tell);
            }
        });
        match asked {
            Ok(()) => Ok(n_progress),
            Err(error) => Err(self.progress_error(check, &error).into()),
        }
    }

    /// What is wrong with the first state in which a progress check fails, as it did in
    /// `error`; batches may come in another order.
    fn progress_error(&self, check: usize, error: &ModelError) -> RunError {
        let store = self.space.store();
        let ask = |id: Id| {
            let asked = self.machine.progress_states_of(&self.space.state(id), check, &mut |_| {});
            asked.err().map(|error| (id, error))
        };
        match (0..store.len() as Id).find_map(ask) {
            Some((id, error)) => model_error(self.machine, &error, self.path_to(id).ok()),
            None => model_error(self.machine, error, None),
        }
    }

    fn close(&mut self, good: &mut Good, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let n_edges = self.space.n_edges;
        let closed =
            reach::close_backwards(&mut self.space, &self.exploration.parents, good, watch);
        self.space.n_edges = n_edges;
        self.post_bytes = self.post_bytes.max(2 * good.bytes());
        closed.map_err(|failure| Stop::from_failure(self.machine, failure))
    }

    /// The first state that is not good.
    fn first_absent(&self, good: &Good) -> Option<Id> {
        good.numbers().absent(0..self.space.store().len()).next()
    }

    /// Reports the first state from which `good` is out of reach, if any.
    fn lost(&mut self, check: usize, good: &Good, watch: &mut Watch<'_>) -> Result<bool, Stop> {
        let Some(id) = self.first_absent(good) else { return Ok(false) };
        let id = match self.plan.choice() {
            Choice::Full => Some(id),
            Choice::Stubborn => self.first_confirmed(check, good, watch)?,
        };
        let Some(id) = id else {
            self.settle(check, CheckOutcome::Inconclusive(SUSPICION.to_owned()));
            return Ok(false);
        };
        self.settle(check, CheckOutcome::Violated);
        let path = self.path_astray(id, |place| !good.has_place(place), watch)?;
        self.violation(check, "from here on progress is impossible", &path)?;
        Ok(self.has_enough())
    }

    /// A state from which progress is out of reach also when everything is fired, among
    /// those from which `good` is in the reduced space: the first of them, or, where to find
    /// it would take too much, the first that is terminal, which needs no trial.
    fn first_confirmed(
        &mut self,
        check: usize,
        good: &Good,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Id>, Stop> {
        let tried = self.first_tried(check, good, watch);
        match tried {
            Ok(Some(_)) | Err(Stop::Error(_)) => tried,
            Ok(None) | Err(Stop::Limit(_)) => match self.first_bad_end(good) {
                Some(id) => Ok(Some(id)),
                None => tried,
            },
        }
    }

    /// The first terminal state that is not good. What is terminal in a reduced space is so
    /// in the full one.
    fn first_bad_end(&self, good: &Good) -> Option<Id> {
        let terminal = self.terminal_states();
        let mut suspects = good.numbers().absent(0..self.space.store().len());
        suspects.find(|&id| terminal.numbers().contains(id))
    }

    /// The first of those states that a trial confirms, one after the other. `None` if there
    /// is none, or if that would take too many states.
    fn first_tried(
        &mut self,
        check: usize,
        good: &Good,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Id>, Stop> {
        let n_states = self.space.store().len();
        let mut budget = CONFIRM_STATES.max(n_states);
        let full = self.space.recipe().unfolded().with_choice(Choice::Full);
        let may_progress = for_words!(full, confirm::may_progress);
        for id in good.numbers().absent(0..n_states) {
            let state = self.space.state(id);
            let tried = may_progress(&full, check, state, &mut budget, watch);
            match tried.map_err(|failure| Stop::from_failure(self.machine, failure))? {
                Finding::Lost => return Ok(Some(id)),
                Finding::NotLost => {}
                Finding::Unknown => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The path to the bad state `id` and on through states at bad places.
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
        if self.plan.choice() == Choice::Stubborn {
            return self.must_reduced(check, watch);
        }
        let n_states = self.space.store().len();
        let mut good = Good::none_of(self.space.store());
        self.add_progress_states(check, &mut good)?;
        let terminal_is_good =
            self.plan.checks[check].kind == CheckKind::MustProgress { strict: false };
        let n_edges = self.space.n_edges;
        let bad = must::avoiders(&mut self.space, good.numbers(), terminal_is_good, watch);
        self.space.n_edges = n_edges;
        let bad = bad.map_err(|failure| Stop::from_failure(self.machine, failure))?;
        self.post_bytes = self.post_bytes.max(4 * good.bytes());
        let Some(id) = (0..n_states as Id).find(|&id| bad.contains(id)) else {
            self.holds(check);
            return Ok(false);
        };
        self.settle(check, CheckOutcome::Violated);
        let path = self.path_astray(id, |id| bad.contains(id), watch)?;
        self.violation(check, AVOIDABLE, &path)?;
        Ok(self.has_enough())
    }

    /// Must progress with stubborn sets: the reduction of the exploration does
    /// not keep it, so DFS_FIFO looks for a cycle without a progress state in
    /// the space that is reduced where none is in sight. That keeps terminal
    /// states, too.
    fn must_reduced(&mut self, check: usize, watch: &mut Watch<'_>) -> Result<bool, Stop> {
        watch.bytes_elsewhere = self.space.bytes() + self.exploration.parents.bytes();
        let progress = Progress::of_check(self.machine, check);
        let reduced = self.space.recipe().keeping(progress.clone());
        let mut path = self.way_round(check, &reduced, &progress, watch)?;
        if path.is_none() {
            // The rules need not know this check's progress states, and then a
            // way round can be missing from the reduced space.
            let full = self.space.recipe().with_choice(Choice::Full);
            path = self.way_round(check, &full, &progress, watch)?;
        }
        watch.bytes_elsewhere = 0;
        let Some(path) = path else {
            self.ask_progress_states(check)?;
            self.holds(check);
            return Ok(false);
        };
        self.settle(check, CheckOutcome::Violated);
        self.violation(check, AVOIDABLE, &path)?;
        Ok(self.has_enough())
    }

    /// A run that avoids the progress states of a check for ever, if the
    /// recipe's space has one.
    fn way_round(
        &mut self,
        check: usize,
        recipe: &Recipe<'_>,
        progress: &Progress,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Path>, Stop> {
        let way_round = for_words!(recipe, way_round);
        let is_strict = self.plan.checks[check].kind == CheckKind::MustProgress { strict: true };
        let (path, bytes) = way_round(recipe, progress, is_strict, watch)?;
        self.post_bytes = self.post_bytes.max(bytes);
        Ok(path)
    }

    /// Withdraws what rests on always may-termination, if not all states are good.
    fn termination(&mut self, good: &Good, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let Some(id) = self.first_absent(good) else {
            return Ok(());
        };
        self.amt = Some(CheckOutcome::Violated);
        let path = self.path_astray(id, |place| !good.has_place(place), watch)?;
        self.violations.push(shared::not_terminating(self.machine, &path)?);
        // What is settled does not rest on it: must progress was looked at in full.
        self.withdraw(
            "reduction preserves it only on always may-terminating models, and this one \
             is not; let its processes stop where they may, or use --reduction full",
        );
        Ok(())
    }
}

/// See [`Run::way_round`]: the path, and how many bytes it took. If the check is strict, a run
/// that ends is one, too.
fn way_round<const W: usize>(
    recipe: &Recipe<'_>,
    progress: &Progress,
    is_strict: bool,
    watch: &mut Watch<'_>,
) -> Result<(Option<Path>, usize), Stop> {
    let mut chase = Chase::<W>::new(recipe, progress.clone())?;
    let hunt = chase.hunt(LivelockSearch::DfsFifo, watch)?;
    let bytes = chase.space.bytes() + hunt.bytes;
    let path = match chase.lasso(&hunt, watch)? {
        None if is_strict => chase.bad_end(&hunt, watch)?,
        path => path,
    };
    Ok((path, bytes))
}
