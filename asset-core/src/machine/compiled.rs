//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::{Machine, ModelError, Packed, Successors, Wrong, guarded};
use crate::model::{CheckSet, Description, Fault, Model, Obligations, Shown};
use crate::reduction::{Choice, Local, Order, Selector};
use crate::state::packing::{Packing, fast};
use crate::state::{Layout, StateVar};
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Successors that are fired before the first of them is packed.
const DELAY: usize = 8;

/// The [`Machine`] of one generated instance.
pub struct Compiled<M>(PhantomData<fn() -> M>);

impl<M: Model> Compiled<M> {
    const DESCRIPTION: Description = M::DESCRIPTION;
    const LAYOUT: Layout = <M::State as StateVar>::LAYOUT;

    /// The machine; it holds no data.
    pub const fn new() -> Self {
        Compiled(PhantomData)
    }

    /// For what is not on the hot path; compiled once per instance.
    #[inline(never)]
    fn unpack(state: &[u64]) -> M::State {
        Packing::<M::State>::unpack(state, fast())
    }

    /// Fires `t` in `state`; adds the successor to `out` if `t` is enabled.
    #[inline(never)]
    fn fire_into(
        state: &M::State,
        t: usize,
        fast: bool,
        out: &mut Successors,
    ) -> Result<bool, Box<Wrong>> {
        let mut next = *state;
        if !M::fire(&mut next, t) {
            return Ok(false);
        }
        Self::add(&next, t, fast, out)?;
        Ok(true)
    }

    /// Packs a successor into `out`.
    #[inline(always)]
    fn add(next: &M::State, t: usize, fast: bool, out: &mut Successors) -> Result<(), Box<Wrong>> {
        let (words, transition) = out.next(Packing::<M::State>::WORDS);
        *transition = t as u32;
        if Packing::pack(next, words, fast) {
            out.keep_next(Packing::<M::State>::WORDS);
            Ok(())
        } else {
            Err(Box::new(out_of_range(next)))
        }
    }

    /// Fires everything, and packs what was fired a few successors later.
    /// Packing reads eight bytes at once, of which the firing has just written
    /// some: right after it, that read would wait for the write to reach the
    /// cache. The delay makes Peterson-4's expansion a third faster.
    #[inline(always)]
    fn expand_full(
        state: &M::State,
        order: Order,
        fast: bool,
        out: &mut Successors,
    ) -> Result<(), (usize, Box<Wrong>)> {
        let mut fired = [const { MaybeUninit::<M::State>::uninit() }; DELAY];
        let mut numbers = [0; DELAY];
        let mut i = 0;
        while i < M::N_TRANSITIONS {
            let mut n_fired = 0;
            while i < M::N_TRANSITIONS && n_fired < DELAY {
                let t = order.nth(i, M::N_TRANSITIONS);
                i += 1;
                numbers[n_fired] = t;
                n_fired += usize::from(M::fire(fired[n_fired].write(*state), t));
            }
            Self::add_all(&fired[..n_fired], &numbers, fast, out)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn add_all(
        fired: &[MaybeUninit<M::State>],
        numbers: &[usize; DELAY],
        fast: bool,
        out: &mut Successors,
    ) -> Result<(), (usize, Box<Wrong>)> {
        for (next, &t) in fired.iter().zip(numbers) {
            // SAFETY: `expand_full` passes only successors that it has written.
            let next = unsafe { next.assume_init_ref() };
            Self::add(next, t, fast, out).map_err(|wrong| (t, wrong))?;
        }
        Ok(())
    }

    fn expand_stubborn(
        state: &M::State,
        selector: &mut Selector,
        fast: bool,
        out: &mut Successors,
    ) -> Result<(), (usize, Box<Wrong>)> {
        let n_before = out.len();
        let mut local = LocalState::<M> { state, fast, out, wrong: None };
        selector.closure.fire_stubborn_set(selector.order, M::N_TRANSITIONS, &mut local);
        if let Some(wrong) = local.wrong {
            return Err(wrong);
        }
        if selector.closure.is_sample() {
            let n_fired = out.len() - n_before;
            let is_enabled = |&t: &usize| M::fire(&mut { *state }, t);
            selector
                .closure
                .count_sample((0..M::N_TRANSITIONS).filter(is_enabled).count(), n_fired);
        }
        Ok(())
    }

    fn expand_one(
        packed: &[u64],
        selector: &mut Selector,
        fast: bool,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let state = Packing::<M::State>::unpack(packed, fast);
        let before = out.len();
        out.reserve(M::N_TRANSITIONS, Packing::<M::State>::WORDS);
        let done = match selector.choice {
            Choice::Full => Self::expand_full(&state, selector.order, fast, out),
            Choice::Stubborn => Self::expand_stubborn(&state, selector, fast, out),
        };
        if let Err((t, wrong)) = done {
            out.truncate(before, Packing::<M::State>::WORDS);
            return Err(ModelError {
                state: Some(packed.into()),
                transition: Some(t),
                wrong: *wrong,
            });
        }
        out.end_state();
        Ok(())
    }
}

/// One state, as the stubborn set of it is computed.
struct LocalState<'l, M: Model> {
    state: &'l M::State,
    fast: bool,
    out: &'l mut Successors,
    /// The transition that broke the model's contract, and how.
    wrong: Option<(usize, Box<Wrong>)>,
}

impl<M: Model> Local for LocalState<'_, M> {
    fn oblige(&self, transition: usize, need: &mut Obligations) {
        M::obligations(self.state, transition, need);
    }

    fn fire(&mut self, transition: usize) -> bool {
        self.out.reserve(1, Packing::<M::State>::WORDS);
        match Compiled::<M>::fire_into(self.state, transition, self.fast, self.out) {
            Ok(is_enabled) => is_enabled,
            Err(wrong) => {
                self.wrong.get_or_insert((transition, wrong));
                true
            }
        }
    }
}

impl<M: Model> Default for Compiled<M> {
    fn default() -> Self {
        Compiled::new()
    }
}

#[cold]
fn out_of_range<S: StateVar>(state: &S) -> Wrong {
    match Packing::out_of_range(state) {
        Some((path, value, lane)) => Wrong::OutOfRange { path, value, lo: lane.lo, hi: lane.hi },
        None => Wrong::Unsteady("a variable is out of range, but which was not found".to_owned()),
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
        Packing::<M::State>::WORDS
    }

    fn layout(&self) -> &Layout {
        &Self::LAYOUT
    }

    fn lane_paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        M::State::lane_paths("", &mut paths);
        paths
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        let pack = |state: &M::State| {
            let mut packed = vec![0; self.n_words()];
            if Packing::pack(state, &mut packed, fast()) {
                Ok(packed.into())
            } else {
                Err(ModelError { state: None, transition: None, wrong: out_of_range(state) })
            }
        };
        let states = M::initial_states();
        if states.is_empty() {
            return Err(ModelError { state: None, transition: None, wrong: Wrong::NoInitialState });
        }
        states.iter().map(pack).collect()
    }

    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let fast = fast();
        states
            .chunks_exact(Packing::<M::State>::WORDS)
            .try_for_each(|state| Self::expand_one(state, selector, fast, out))
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        let mut out = Successors::default();
        out.reserve(1, Packing::<M::State>::WORDS);
        let fire = || Self::fire_into(&Self::unpack(state), transition, fast(), &mut out);
        let wrong = match guarded(Some(state), fire) {
            Ok(Ok(enabled)) => return Ok(enabled.then(|| out.words().into())),
            Ok(Err(wrong)) => *wrong,
            Err(error) => error.wrong,
        };
        Err(ModelError { state: Some(state.into()), transition: Some(transition), wrong })
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> bool {
        let mut next = Self::unpack(state);
        if M::fire(&mut next, transition) {
            return false;
        }
        let mut packed = vec![0; self.n_words()];
        !Packing::pack(&next, &mut packed, fast()) || packed != state
    }

    fn obligations(&self, state: &[u64], transition: usize, need: &mut Obligations) {
        M::obligations(&Self::unpack(state), transition, need);
    }

    fn stubborn_set(&self, state: &[u64], selector: &mut Selector) -> Vec<usize> {
        let mut out = Successors::default();
        let state = Self::unpack(state);
        let mut local = LocalState::<M> { state: &state, fast: fast(), out: &mut out, wrong: None };
        selector.closure.fire_stubborn_set(selector.order, M::N_TRANSITIONS, &mut local);
        selector.closure.members(M::N_TRANSITIONS)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        M::state_fault(&Self::unpack(state), on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Option<Fault> {
        M::deadlock_fault(&Self::unpack(state), on)
    }

    fn progress_states_of(&self, states: &[u64], check: usize, good: &mut dyn FnMut(usize)) {
        for (i, state) in states.chunks_exact(Packing::<M::State>::WORDS).enumerate() {
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
        Self::unpack(state).show()
    }

    fn display(&self, state: &[u64]) -> Option<String> {
        M::display(&Self::unpack(state))
    }
}
