//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::checker::Unpacking;
use super::expansion::expand_full;
use super::local::LocalState;
use super::{Checker, Machine, ModelError, Packed, Successors, guarded};
use super::{firing, properties, states};
use crate::model::{CheckSet, Description, Fault, Model, Obligations, Properties, Shown, Space};
use crate::reduction::{Choice, Local, Selector};
use crate::state::Layout;
use crate::state::packing::Packing;
use std::marker::PhantomData;

/// The [`Machine`] of one generated instance.
pub struct Compiled<M>(PhantomData<fn() -> M>);

impl<M: Model> Compiled<M> {
    pub(super) const WORDS: usize = Packing::<M::State>::WORDS;

    /// The machine; it holds no data.
    pub const fn new() -> Self {
        Compiled(PhantomData)
    }
}

impl<M: Model> Default for Compiled<M> {
    fn default() -> Self {
        Compiled::new()
    }
}

/// The successor of `state` that `fire` adds, if any; a panic becomes an error
/// that names the transition.
fn one_successor(
    state: &[u64],
    transition: usize,
    fire: &mut dyn FnMut(&mut Successors) -> Result<bool, Box<ModelError>>,
) -> Result<Option<Packed>, ModelError> {
    let mut out = Successors::default();
    match guarded(Some(state), || fire(&mut out)) {
        Ok(Ok(is_enabled)) => Ok(is_enabled.then(|| out.words().into())),
        Ok(Err(error)) => Err(*error),
        Err(panic) => Err(ModelError::new(state, transition, panic.wrong)),
    }
}

impl<M: Model> Machine for Compiled<M> {
    fn description(&self) -> &Description {
        properties::description::<M::Properties>()
    }

    fn n_transitions(&self) -> usize {
        M::Space::N_TRANSITIONS
    }

    fn n_words(&self) -> usize {
        Self::WORDS
    }

    fn layout(&self) -> &Layout {
        states::layout::<M::State>()
    }

    fn packs_exactly(&self) -> bool {
        true
    }

    fn lane_paths(&self) -> Vec<String> {
        states::lane_paths::<M::State>()
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        properties::initial_states::<M::Properties>()
    }

    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        match selector.choice {
            Choice::Full => {
                let several = firing::several::<M>;
                expand_full::<M::Space>(states, several, selector.order, out)
            }
            Choice::Stubborn => {
                let mut at = 0;
                while at + Self::WORDS <= states.len() {
                    let local = LocalState::<M>::new(&states[at..at + Self::WORDS]);
                    let n_transitions = M::Space::N_TRANSITIONS;
                    selector.expand_stubborn(&local, n_transitions, Self::WORDS, out)?;
                    at += Self::WORDS;
                }
                Ok(())
            }
        }
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        one_successor(state, transition, &mut |out| {
            LocalState::<M>::new(state).fire(transition, out)
        })
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> bool {
        states::disabled_but_changed(state, transition, firing::one::<M>)
    }

    fn obligations(&self, state: &[u64], transition: usize, need: &mut Obligations) {
        LocalState::<M>::new(state).oblige(transition, need);
    }

    fn stubborn_set(&self, state: &[u64], selector: &mut Selector) -> Vec<usize> {
        selector.stubborn_set(&LocalState::<M>::new(state), M::Space::N_TRANSITIONS)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        properties::state_fault::<M::Properties>(state, on)
    }

    fn checker(&self) -> Box<dyn Checker + '_> {
        Box::new(Unpacking::<M::Properties>::default())
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        properties::deadlock_fault::<M::Properties>(state, on)
    }

    fn progress_states_of(&self, states: &[u64], check: usize, good: &mut dyn FnMut(usize)) {
        properties::progress_states_of::<M::Properties>(states, check, good);
    }

    fn progress_transition(&self, transition: usize) -> bool {
        M::Properties::progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> bool {
        properties::progress_state::<M::Properties>(state)
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> bool {
        properties::progress_edge::<M::Properties>(state, transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        M::Properties::transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        states::show::<M::State>(state)
    }

    fn display(&self, state: &[u64]) -> Option<String> {
        properties::display::<M::Properties>(state)
    }
}
