//! What is asked about packed states: the only code that has the author's checks in
//! it. Compiled for the properties of a model, which several instances may share,
//! and in a module of its own, for the reason that [`firing`](super::firing) gives.

use super::{ModelError, Packed, Wrong, states};
use crate::model::{Atom, CheckSet, Description, Fault, Properties};
use crate::state::packing::{MAX_WORDS, Packing};

/// [`Properties::DESCRIPTION`] in memory.
#[inline(never)]
pub fn description<P: Properties>() -> &'static Description {
    const { &P::DESCRIPTION }
}

/// The packed initial states, or what is wrong with the first that does not pack.
#[inline(never)]
pub fn initial_states<P: Properties>() -> Result<Vec<Packed>, ModelError> {
    let mut all = Ok(Vec::new());
    P::initial_states(&mut |state| {
        let mut packed = [0; MAX_WORDS];
        let packed = &mut packed[..Packing::<P::State>::WORDS];
        let wrong = (!states::pack(state, packed)).then(|| states::wrong(state));
        add_initial(&mut all, packed, wrong);
    });
    at_least_one(all)
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

/// [`Properties::state_fault`].
#[inline(never)]
pub fn state_fault<P: Properties>(state: &[u64], on: CheckSet) -> Option<Fault> {
    P::state_fault(&states::unpack(state), on)
}

/// [`Properties::deadlock_fault`].
#[inline(never)]
pub fn deadlock_fault<P: Properties>(state: &[u64], on: CheckSet) -> Option<Fault> {
    P::deadlock_fault(&states::unpack(state), on)
}

/// Calls `good` with the positions of the progress states of a check.
#[inline(never)]
pub fn progress_states_of<P: Properties>(all: &[u64], check: usize, good: &mut dyn FnMut(usize)) {
    for (i, state) in all.chunks_exact(Packing::<P::State>::WORDS).enumerate() {
        if P::is_progress(&states::unpack(state), check) {
            good(i);
        }
    }
}

/// [`Properties::progress_state`].
#[inline(never)]
pub fn progress_state<P: Properties>(state: &[u64]) -> bool {
    P::progress_state(&states::unpack(state))
}

/// Which propositions are true, one bit each; other atoms are left false.
#[inline(never)]
pub fn letter<P: Properties>(state: &[u64], atoms: &[Atom]) -> u64 {
    let state = states::unpack(state);
    atoms.iter().enumerate().fold(0, |letter, (i, atom)| match atom {
        Atom::Proposition { index, arguments } => {
            letter | u64::from(P::proposition(&state, *index, arguments)) << i
        }
        _ => letter,
    })
}

/// [`Properties::progress_edge`].
#[inline(never)]
pub fn progress_edge<P: Properties>(state: &[u64], transition: usize) -> bool {
    P::progress_edge(&states::unpack(state), transition)
}

/// [`Properties::display`].
#[inline(never)]
pub fn display<P: Properties>(state: &[u64]) -> Option<String> {
    P::display(&states::unpack(state))
}
