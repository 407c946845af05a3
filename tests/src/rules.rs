//! A machine with the rules of somebody else.

use asset_core::machine::{Facts, Footprints, Machine, ModelError, Packed};
use asset_core::model::{CheckSet, Fault, Obligations, Shown};

/// Answers as the inner machine does, but for the rules.
pub struct OtherRules<F> {
    /// The model.
    pub inner: &'static dyn Machine,
    /// The rules, with the contract of [`Machine::obligations`].
    pub rules: F,
}

impl<F: Fn(&[u64], usize, &mut Obligations) + Send + Sync> Machine for OtherRules<F> {
    fn facts(&self) -> Facts<'_> {
        self.inner.facts()
    }

    fn footprints(&self) -> Footprints {
        Footprints { rules: None, ..self.inner.footprints() }
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

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        self.inner.initial_states()
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        self.inner.fire(state, transition)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.state_fault(state, on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.deadlock_fault(state, on)
    }

    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        self.inner.progress_states(states, check, good)
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        self.inner.progress_transition(transition)
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
