//! Asks everything twice and compares.

use super::{Batch, Source};
use crate::machine::{Machine, ModelError, Successors, Wrong};
use crate::model::{CheckSet, Obligations, Order, RuleStatistics};

/// Evaluates every firing and every rule twice. What the compiler cannot see,
/// a model that gives two answers for one question, becomes a model error; so
/// does a firing that changes the state and then says it was disabled.
pub struct Paranoid<'m> {
    machine: &'m dyn Machine,
    order: Order,
    source: Box<dyn Source + 'm>,
    /// The same, with nothing remembered.
    anew: Box<dyn Source + 'm>,
    again: Successors,
}

impl<'m> Paranoid<'m> {
    /// Of two sources of one machine's states, the second remembers nothing.
    pub fn new(
        machine: &'m dyn Machine,
        order: Order,
        source: Box<dyn Source + 'm>,
        anew: Box<dyn Source + 'm>,
    ) -> Self {
        Paranoid { machine, order, source, anew, again: Successors::default() }
    }

    /// Says what is wrong with the first transition, in the order of firing, that gives two
    /// answers, or with the checks.
    fn compare(&self, state: &[u64]) -> Result<(), ModelError> {
        let (machine, order, n) = (self.machine, self.order, self.machine.n_transitions());
        let unsteady = |transition, what| Err(unsteady(state, transition, what));
        for t in (0..n).map(|i| order.nth(i, n)) {
            let (first, second) = (machine.fire(state, t), machine.fire(state, t));
            if first != second {
                return unsteady(Some(t), "fired twice in one state, it did two things");
            }
            let mut is_changed = false;
            let asked = machine.open(state, &mut |s| is_changed = s.is_changed_though_disabled(t));
            asked.map_err(|error| ModelError { transition: Some(t), ..error })?;
            if is_changed {
                return unsteady(
                    Some(t),
                    "it returned false after changing the state; is `true` missing at the end?",
                );
            }
            if machine.description().has_rules {
                let mut need = [Obligations::new(), Obligations::new()];
                need.iter_mut().try_for_each(|need| machine.obligations(state, t, need))?;
                if need[0].list != need[1].list {
                    return unsteady(Some(t), "its rule gave two lists of obligations");
                }
            }
        }
        let fault = || machine.state_fault(state, CheckSet::ALL);
        if fault()? != fault()? {
            return unsteady(None, "a state check gave two answers for one state");
        }
        let progress = || machine.progress_state(state);
        if machine.description().progress_states && progress()? != progress()? {
            return unsteady(None, "a progress label gave two answers for one state");
        }
        Ok(())
    }
}

/// What gave two answers in a state.
#[cold]
fn unsteady(state: &[u64], transition: Option<usize>, what: &str) -> ModelError {
    ModelError { state: Some(state.into()), transition, wrong: Wrong::Unsteady(what.to_owned()) }
}

impl Source for Paranoid<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        let n_words = self.machine.n_words();
        for state in batch.states.chunks_exact(n_words) {
            self.compare(state)?;
            let before = out.len();
            self.again.clear();
            // Nothing is left out, so that what is asleep is looked up, and found to be known.
            self.anew.expand(Batch::awake(state), &mut self.again)?;
            self.source.expand(Batch::awake(state), out)?;
            let same = out.words()[before * n_words..] == *self.again.words()
                && out.transitions()[before..] == *self.again.transitions();
            if !same {
                out.drop_last_state(n_words);
                return Err(unsteady(state, None, "expanded twice, it had other successors"));
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.source.bytes()
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        self.source.rules()
    }

    fn n_visible(&self) -> u64 {
        self.source.n_visible()
    }
}
