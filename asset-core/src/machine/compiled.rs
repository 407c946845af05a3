//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::expansion::expand_full;
use super::firing;
use super::local::LocalState;
use super::states::{self, pack, unpack, wrong};
use super::{Machine, ModelError, Packed, Successors, Wrong, guarded};
use crate::model::{CheckSet, Description, Fault, Model, Obligations, Shown};
use crate::reduction::{Choice, Local, Selector};
use crate::state::Layout;
use crate::state::packing::{MAX_WORDS, Packing, fast};
use std::marker::PhantomData;

/// The [`Machine`] of one generated instance.
pub struct Compiled<M>(PhantomData<fn() -> M>);

impl<M: Model> Compiled<M> {
    const DESCRIPTION: Description = M::DESCRIPTION;
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

/// Adds an initial state, unless something is or was wrong.
fn add_initial(states: &mut Result<Vec<Packed>, ModelError>, packed: &[u64], wrong: Option<Wrong>) {
    match (states.as_mut(), wrong) {
        (Err(_), _) => {}
        (Ok(_), Some(wrong)) => *states = Err(ModelError::of_initial_states(wrong)),
        (Ok(states), None) => states.push(packed.into()),
    }
}

fn at_least_one(states: Result<Vec<Packed>, ModelError>) -> Result<Vec<Packed>, ModelError> {
    match states {
        Ok(states) if states.is_empty() => {
            Err(ModelError::of_initial_states(Wrong::NoInitialState))
        }
        states => states,
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
        &Self::DESCRIPTION
    }

    fn n_transitions(&self) -> usize {
        M::N_TRANSITIONS
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
        let mut states = Ok(Vec::new());
        M::initial_states(&mut |state| {
            let mut packed = [0; MAX_WORDS];
            let packed = &mut packed[..Self::WORDS];
            let wrong = (!pack(state, packed)).then(|| wrong(state));
            add_initial(&mut states, packed, wrong);
        });
        at_least_one(states)
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
                for state in states.chunks_exact(Self::WORDS) {
                    let local = LocalState::<M>::new(state);
                    selector.expand_stubborn(&local, M::N_TRANSITIONS, Self::WORDS, out)?;
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
        let mut next = unpack::<M::State>(state);
        if firing::one::<M>(&mut next, transition) {
            return false;
        }
        let mut packed = [0; MAX_WORDS];
        !pack(&next, &mut packed) || packed[..Self::WORDS] != *state
    }

    fn obligations(&self, state: &[u64], transition: usize, need: &mut Obligations) {
        LocalState::<M>::new(state).oblige(transition, need);
    }

    fn stubborn_set(&self, state: &[u64], selector: &mut Selector) -> Vec<usize> {
        selector.stubborn_set(&LocalState::<M>::new(state), M::N_TRANSITIONS)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        // Inlined here, as every new state is checked.
        M::state_fault(&Packing::<M::State>::unpack(state, fast()), on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        M::deadlock_fault(&unpack::<M::State>(state), on)
    }

    fn progress_states_of(&self, states: &[u64], check: usize, good: &mut dyn FnMut(usize)) {
        for (i, state) in states.chunks_exact(Self::WORDS).enumerate() {
            if M::is_progress(&unpack::<M::State>(state), check) {
                good(i);
            }
        }
    }

    fn progress_transition(&self, transition: usize) -> bool {
        M::progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> bool {
        M::progress_state(&unpack::<M::State>(state))
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> bool {
        M::progress_edge(&unpack::<M::State>(state), transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        M::transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        states::show::<M::State>(state)
    }

    fn display(&self, state: &[u64]) -> Option<String> {
        M::display(&unpack::<M::State>(state))
    }
}
