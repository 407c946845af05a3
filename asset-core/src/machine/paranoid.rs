//! A machine that asks another one everything twice and compares.

use super::{Machine, Memo, ModelError, Packed, Successors, Wrong};
use crate::model::Order;
use crate::model::{
    Atom, CheckSet, Description, Fair, Fault, Formula, NeverWithout, Obligations, Resolve, Shown,
    Temporal,
};
use crate::reduction::Selector;
use crate::state::Layout;

/// Evaluates every firing and every rule twice. What the compiler cannot see,
/// a model that gives two answers for one question, becomes a model error; so
/// does a firing that changes the state and then says it was disabled.
pub struct Paranoid<'m>(pub &'m dyn Machine);

impl Paranoid<'_> {
    /// Says what is wrong with the first transition, in the order of firing, that gives two
    /// answers, or with the checks.
    fn compare(&self, state: &[u64], order: Order) -> Result<(), ModelError> {
        let (machine, n) = (self.0, self.0.n_transitions());
        let unsteady = |transition, what| Err(unsteady(state, transition, what));
        for t in (0..n).map(|i| order.nth(i, n)) {
            let (first, second) = (machine.fire(state, t), machine.fire(state, t));
            if first != second {
                return unsteady(Some(t), "fired twice in one state, it did two things");
            }
            if machine.disabled_but_changed(state, t)? {
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

impl Machine for Paranoid<'_> {
    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut again = Successors::default();
        // So that what is asleep is looked up, and found to be known.
        out.wake_all();
        for state in states.chunks_exact(self.n_words()) {
            self.compare(state, selector.order)?;
            let before = out.len();
            again.clear();
            // Once anew and once, if that is done, by what is remembered.
            let memo = std::mem::replace(&mut selector.memo, Memo::Off);
            let rules = std::mem::replace(&mut selector.rules, Memo::Off);
            let anew = self.0.expand(state, selector, &mut again);
            (selector.memo, selector.rules) = (memo, rules);
            anew?;
            self.0.expand(state, selector, out)?;
            let same = out.words()[before * self.n_words()..] == *again.words()
                && out.transitions()[before..] == *again.transitions();
            if !same {
                out.drop_last_state(self.n_words());
                return Err(unsteady(state, None, "expanded twice, it had other successors"));
            }
        }
        Ok(())
    }

    fn description(&self) -> &Description {
        self.0.description()
    }

    fn n_transitions(&self) -> usize {
        self.0.n_transitions()
    }

    fn n_words(&self) -> usize {
        self.0.n_words()
    }

    fn layout(&self) -> &Layout {
        self.0.layout()
    }

    fn packs_exactly(&self) -> bool {
        self.0.packs_exactly()
    }

    fn first_half(&self) -> Vec<u64> {
        self.0.first_half()
    }

    fn lane_paths(&self) -> Vec<String> {
        self.0.lane_paths()
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        let states = self.0.initial_states()?;
        if states != self.0.initial_states()? {
            let wrong = Wrong::Unsteady("asked twice, it had other initial states".to_owned());
            return Err(ModelError { state: None, transition: None, wrong });
        }
        Ok(states)
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        self.0.fire(state, transition)
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.0.disabled_but_changed(state, transition)
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        self.0.obligations(state, transition, need)
    }

    fn stubborn_set(
        &self,
        state: &[u64],
        selector: &mut Selector,
    ) -> Result<Vec<usize>, ModelError> {
        self.0.stubborn_set(state, selector)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.0.state_fault(state, on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.0.deadlock_fault(state, on)
    }

    fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        self.0.progress_states_of(states, check, good)
    }

    fn temporal(&self) -> Temporal {
        self.0.temporal()
    }

    fn proposition(
        &self,
        state: &[u64],
        index: usize,
        arguments: &[i64],
    ) -> Result<bool, ModelError> {
        self.0.proposition(state, index, arguments)
    }

    fn letter(&self, state: &[u64], atoms: &[Atom]) -> Result<u64, ModelError> {
        let letter = self.0.letter(state, atoms)?;
        match self.0.letter(state, atoms)? {
            again if again == letter => Ok(letter),
            _ => Err(unsteady(state, None, "asked twice, a proposition had another value")),
        }
    }

    fn formula(&self, check: usize, atom: &mut Resolve<'_>) -> Result<Formula, ModelError> {
        self.0.formula(check, atom)
    }

    fn fairness(&self, transition: usize) -> Result<Option<Fair>, ModelError> {
        self.0.fairness(transition)
    }

    fn never_without(&self, check: usize, transition: usize) -> Result<NeverWithout, ModelError> {
        self.0.never_without(check, transition)
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        self.0.progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError> {
        self.0.progress_state(state)
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.0.progress_edge(state, transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        self.0.transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        self.0.show(state)
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        self.0.display(state)
    }
}
