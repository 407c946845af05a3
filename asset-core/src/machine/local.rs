//! A state in memory, of which some transitions are fired: the only code of an instance that has
//! the author's rules in it. A module of its own, for the reason that
//! [`firing`] gives.

use super::{Compiled, ModelError, Opened, Successors, firing, states};
use crate::model::{Model, Obligations, Space};

/// One state in memory, with its packed form.
pub struct LocalState<'l, M: Model> {
    packed: &'l [u64],
    state: M::State,
}

impl<'l, M: Model> LocalState<'l, M> {
    /// The state with this packed form.
    #[inline]
    pub fn new(packed: &'l [u64]) -> Self {
        LocalState { packed, state: states::unpack(packed) }
    }
}

impl<M: Model> Opened for LocalState<'_, M> {
    fn oblige(&self, transition: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let asked = need.ask(M::Space::N_TRANSITIONS, |need| {
            M::obligations(&self.state, transition, need);
        });
        asked.map_err(|named| {
            ModelError::no_such_transition(self.packed, transition, named, M::Space::N_TRANSITIONS)
        })
    }

    fn fire(&self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        out.reserve(1, Compiled::<M>::WORDS);
        let (words, number) = out.next(Compiled::<M>::WORDS);
        *number = transition as u32;
        let is_enabled = self.successor(transition, words)?;
        if is_enabled {
            out.keep_next(Compiled::<M>::WORDS);
        }
        Ok(is_enabled)
    }

    #[inline]
    fn successor(&self, transition: usize, words: &mut [u64]) -> Result<bool, Box<ModelError>> {
        let mut next = self.state;
        if !firing::one::<M>(&mut next, transition) {
            return Ok(false);
        }
        if states::pack(&next, words) {
            return Ok(true);
        }
        let wrong = states::wrong(&next);
        Err(Box::new(ModelError::new(self.packed, transition, wrong)))
    }

    fn is_changed_though_disabled(&self, transition: usize) -> bool {
        states::disabled_but_changed(self.packed, transition, firing::one::<M>)
    }
}
