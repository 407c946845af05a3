//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::checker::Unpacking;
use super::expansion::expand_full;
use super::firing;
use super::local::LocalState;
use super::{Checker, Machine, ModelError, Packed, Successors, Wrong, guarded};
use crate::model::{CheckSet, Description, Fault, Model, Obligations, Shown};
use crate::reduction::{Choice, Local, Selector};
use crate::state::packing::{MAX_WORDS, Packing, fast};
use crate::state::{Layout, Shape, StateVar};
use std::marker::PhantomData;

/// The [`Machine`] of one generated instance.
pub struct Compiled<M>(PhantomData<fn() -> M>);

impl<M: Model> Compiled<M> {
    const DESCRIPTION: Description = M::DESCRIPTION;
    const LAYOUT: Layout = <M::State as StateVar>::LAYOUT;
    pub(super) const WORDS: usize = Packing::<M::State>::WORDS;

    /// The machine; it holds no data.
    pub const fn new() -> Self {
        Compiled(PhantomData)
    }

    // Two functions for everything but the hot path, each compiled once.

    #[inline(never)]
    pub(super) fn unpack(state: &[u64]) -> M::State {
        Packing::<M::State>::unpack(state, fast())
    }

    #[inline(never)]
    pub(super) fn pack(state: &M::State, packed: &mut [u64]) -> bool {
        Packing::pack(state, packed, fast())
    }

    /// What is wrong with a state that does not pack.
    #[cold]
    pub(super) fn wrong(state: &M::State) -> Wrong {
        out_of_range(&Self::LAYOUT, &M::State::SHAPE, Packing::image(state).bytes())
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

#[cold]
fn out_of_range(layout: &Layout, shape: &Shape, image: &[u8]) -> Wrong {
    let Some((position, value)) = layout.out_of_range(image) else {
        let what = "a variable is out of range, but which was not found";
        return Wrong::Unsteady(what.to_owned());
    };
    let mut paths = Vec::new();
    shape.lane_paths("", &mut paths);
    let lane = &layout.lanes()[position];
    Wrong::OutOfRange { path: paths.swap_remove(position), value, lo: lane.lo, hi: lane.hi }
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
        &Self::LAYOUT
    }

    fn packs_exactly(&self) -> bool {
        true
    }

    fn lane_paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        M::State::SHAPE.lane_paths("", &mut paths);
        paths
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        let mut states = Ok(Vec::new());
        M::initial_states(&mut |state| {
            let mut packed = [0; MAX_WORDS];
            let packed = &mut packed[..Self::WORDS];
            let wrong = (!Self::pack(state, packed)).then(|| Self::wrong(state));
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
            Choice::Full => expand_full::<M>(states, selector.order, out),
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
        let mut next = Self::unpack(state);
        if firing::one::<M>(&mut next, transition) {
            return false;
        }
        let mut packed = [0; MAX_WORDS];
        !Self::pack(&next, &mut packed) || packed[..Self::WORDS] != *state
    }

    fn obligations(&self, state: &[u64], transition: usize, need: &mut Obligations) {
        LocalState::<M>::new(state).oblige(transition, need);
    }

    fn stubborn_set(&self, state: &[u64], selector: &mut Selector) -> Vec<usize> {
        selector.stubborn_set(&LocalState::<M>::new(state), M::N_TRANSITIONS)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        M::state_fault(&Self::unpack(state), on)
    }

    fn checker(&self) -> Box<dyn Checker + '_> {
        Box::new(Unpacking::<M>::default())
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        M::deadlock_fault(&Self::unpack(state), on)
    }

    fn progress_states_of(&self, states: &[u64], check: usize, good: &mut dyn FnMut(usize)) {
        for (i, state) in states.chunks_exact(Self::WORDS).enumerate() {
            if M::is_progress(&Self::unpack(state), check) {
                good(i);
            }
        }
    }

    fn progress_transition(&self, transition: usize) -> bool {
        M::progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> bool {
        M::progress_state(&Self::unpack(state))
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> bool {
        M::progress_edge(&Self::unpack(state), transition)
    }

    fn transition_name(&self, transition: usize) -> String {
        M::transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        M::State::SHAPE.show(&mut Self::LAYOUT.lane_values(state))
    }

    fn display(&self, state: &[u64]) -> Option<String> {
        M::display(&Self::unpack(state))
    }
}
