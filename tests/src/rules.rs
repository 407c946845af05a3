//! A machine with the rules of somebody else.

use asset_core::machine::{Machine, ModelError, Packed, Successors, by_hand};
use asset_core::model::{CheckSet, Description, Fault, Obligations, Shown};
use asset_core::reduction::Selector;
use asset_core::state::Layout;

/// Answers as the inner machine does, but for the rules.
pub struct OtherRules<F> {
    /// If given, the stubborn set of every state, whatever the rules say.
    pub set: Option<Vec<usize>>,
    /// The model.
    pub inner: &'static dyn Machine,
    /// The rules, with the contract of [`Machine::obligations`].
    pub rules: F,
}

impl<F: Fn(&[u64], usize, &mut Obligations) + Send + Sync> Machine for OtherRules<F> {
    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        by_hand::expand(self, states, selector, out)
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        (self.rules)(state, transition, need);
        Ok(())
    }

    fn stubborn_set(
        &self,
        state: &[u64],
        selector: &mut Selector,
    ) -> Result<Vec<usize>, ModelError> {
        match &self.set {
            Some(set) => Ok(set.clone()),
            None => by_hand::stubborn_set(self, state, selector),
        }
    }

    fn description(&self) -> &Description {
        self.inner.description()
    }

    fn n_transitions(&self) -> usize {
        self.inner.n_transitions()
    }

    fn n_words(&self) -> usize {
        self.inner.n_words()
    }

    fn layout(&self) -> &Layout {
        self.inner.layout()
    }

    fn lane_paths(&self) -> Vec<String> {
        self.inner.lane_paths()
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        self.inner.initial_states()
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        self.inner.fire(state, transition)
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.inner.disabled_but_changed(state, transition)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.state_fault(state, on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.deadlock_fault(state, on)
    }

    fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        self.inner.progress_states_of(states, check, good)
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        self.inner.progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError> {
        self.inner.progress_state(state)
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.inner.progress_edge(state, transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        self.inner.transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        self.inner.show(state)
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        self.inner.display(state)
    }
}
