//! What is asked about packed states: the only code that has the author's checks in
//! it. Compiled for the properties of a model, which several instances may share,
//! and in a module of its own, for the reason that [`firing`](super::firing) gives.

use super::{ModelError, Packed, Wrong, states};
use crate::model::{Atom, CheckSet, Description, Fault, Properties};
use crate::state::packing::{MAX_WORDS, Packing, fast};
use crate::state::slot::Parent;

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

/// Calls `see` with [`Properties::state_fault`] of the states at these positions. The last
/// state is kept: one that is not dense is read where it differs. The check looks at the
/// state where it was unpacked, as a copy would have to wait until that is written.
#[inline(never)]
pub fn state_faults<P: Properties>(
    states: &[u64],
    positions: &[u32],
    on: CheckSet,
    see: &mut dyn FnMut(Option<Fault>),
) {
    let (n_words, fast) = (Packing::<P::State>::WORDS, fast());
    let mut last = Parent::<P::State>::default();
    for &i in positions {
        see(P::state_fault(last.unpack(&states[i as usize * n_words..][..n_words], fast), on));
    }
}

/// Calls `good` with the positions of the progress states of a check, or of those by the
/// label.
#[inline(never)]
pub fn progress_states<P: Properties>(
    all: &[u64],
    check: Option<usize>,
    good: &mut dyn FnMut(usize),
) {
    for (i, state) in all.chunks_exact(Packing::<P::State>::WORDS).enumerate() {
        let state = states::unpack(state);
        let is_good = match check {
            Some(check) => P::is_progress(&state, check),
            None => P::progress_state(&state),
        };
        if is_good {
            good(i);
        }
    }
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
