//! The one door to the author's code: what panics behind it comes back as a [`ModelError`]
//! that names the state, or the transition, that was asked about.
//!
//! Nothing above this layer catches a panic, and nobody guesses whose it was: an expansion
//! tells whose turn it was, and what else is asked of many states is asked again, one by one.

use super::{Machine, ModelError, Packed, Successors, Wrong};
use crate::model::Order;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Asks for something that may be unknown: `None` if the author's code panics.
pub fn attempt<T>(part: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(part)).ok()
}

/// Runs a part of the author's code; a panic is what is wrong with it.
#[inline(always)]
pub fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, Wrong> {
    catch_unwind(AssertUnwindSafe(part)).map_err(Wrong::from_panic)
}

/// Asks for the initial states.
pub fn initial_states(
    ask: fn() -> Result<Vec<Packed>, ModelError>,
) -> Result<Vec<Packed>, ModelError> {
    guarded(ask).map_err(ModelError::of_initial_states).and_then(|states| states)
}

/// Asks something about one state.
#[inline(always)]
pub fn of_state<T>(state: &[u64], ask: impl FnOnce() -> T) -> Result<T, ModelError> {
    guarded(ask).map_err(|wrong| ModelError::of_state(state, wrong))
}

/// Asks something about a transition in whatever state.
pub fn of_transition<T>(transition: usize, ask: impl FnOnce() -> T) -> Result<T, ModelError> {
    guarded(ask).map_err(|wrong| ModelError { state: None, transition: Some(transition), wrong })
}

/// Asks something that is about no state and no transition.
pub fn of_no_state<T>(ask: impl FnOnce() -> T) -> Result<T, ModelError> {
    guarded(ask).map_err(|wrong| ModelError { state: None, transition: None, wrong })
}

/// Fires a transition in a state.
pub fn fire<T>(
    state: &[u64],
    transition: usize,
    fire: impl FnOnce() -> Result<T, Box<ModelError>>,
) -> Result<T, ModelError> {
    match guarded(fire) {
        Ok(fired) => fired.map_err(|error| *error),
        Err(wrong) => Err(ModelError::new(state, transition, wrong)),
    }
}

/// Tells which of the states of `n_words` words, side by side, `ask` picks. A panic is
/// charged to the first of them that panics alone.
pub fn pick(
    states: &[u64],
    n_words: usize,
    picked: &mut dyn FnMut(usize),
    ask: impl Fn(&[u64], &mut dyn FnMut(usize)),
) -> Result<(), ModelError> {
    let Err(wrong) = guarded(|| ask(states, picked)) else { return Ok(()) };
    let alone = |state: &[u64]| of_state(state, || ask(state, &mut |_| {})).err();
    let unsteady = || {
        let state = states.get(..n_words).map(Packed::from);
        let what = format!("asked again, it did not fail, but the first time {wrong}");
        let wrong = Wrong::Unsteady(what);
        ModelError { state, transition: None, wrong }
    };
    Err(states.chunks_exact(n_words).find_map(alone).unwrap_or_else(unsteady))
}

/// Asks something about states at these positions among `states`, one after the other: `ask`
/// tells each answer. A panic is about the state that is next.
pub fn one_by_one<T>(
    states: &[u64],
    n_words: usize,
    positions: &[u32],
    tell: &mut dyn FnMut(T),
    ask: impl FnOnce(&mut dyn FnMut(T)),
) -> Result<(), ModelError> {
    let mut n = 0;
    let asked = guarded(|| ask(&mut |answer| (tell(answer), n += 1).0));
    asked.map_err(|wrong| {
        let at = positions.get(n).map_or(0, |&i| i as usize);
        ModelError::of_state(&states[at * n_words..][..n_words], wrong)
    })
}

/// Expands `states` of `machine` by `expand`, with the contract of [`Machine::expand`]. A panic
/// is charged to the state whose turn it was, and to the first transition that fails there.
pub fn expand(
    machine: &dyn Machine,
    states: &[u64],
    order: Order,
    out: &mut Successors,
    expand: &mut dyn FnMut(&mut Successors) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let (n_before, n_words) = (out.n_expanded(), machine.n_words());
    let payload = match catch_unwind(AssertUnwindSafe(|| expand(out))) {
        Ok(done) => return done,
        Err(payload) => payload,
    };
    let turn = out.n_expanded() - n_before;
    let Some(state) = states.chunks_exact(n_words).nth(turn) else {
        // All have been expanded: it is no code of the author's.
        resume_unwind(payload);
    };
    out.drop_unfinished(n_words);
    let error = ModelError::of_state(state, Wrong::from_panic(payload));
    Err(blame(machine, order, |_| true, error))
}

/// What is wrong with the first transition that fails in the state in which a panic happened,
/// if it fails so, by firing one at a time in order: several may have been fired before the
/// successor of the first was looked at. If none does, it was a rule, and the state is to
/// blame.
#[cold]
pub fn blame(
    machine: &dyn Machine,
    order: Order,
    fails_so: impl Fn(&Wrong) -> bool,
    error: ModelError,
) -> ModelError {
    let (Wrong::Panic(_), Some(state), None) = (&error.wrong, &error.state, error.transition)
    else {
        return error;
    };
    let n = machine.n_transitions();
    let fails = |t: usize| machine.fire(state, t).err().filter(|error| fails_so(&error.wrong));
    (0..n).map(|i| order.nth(i, n)).find_map(fails).unwrap_or(error)
}
