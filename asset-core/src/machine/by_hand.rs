//! Expansion for machines that are no compiled models: given are what firing a transition
//! does, and what its rule obliges, and the rest follows.
//!
//! Slower than compiled code, which is of no account for a table in a test or
//! for a machine that stands between another one and the engine.

use super::{Machine, ModelError, Opened, Successors};
use crate::model::{Obligations, Order};

/// [`Machine::expand`] in terms of [`Machine::fire`].
pub fn expand<M: Machine + ?Sized>(
    machine: &M,
    states: &[u64],
    order: Order,
    out: &mut Successors,
) -> Result<(), ModelError> {
    let (n, n_words) = (machine.facts().n_transitions, machine.facts().n_words);
    for state in states.chunks_exact(n_words) {
        for t in (0..n).map(|i| order.nth(i, n)) {
            match machine.fire(state, t) {
                Ok(next) => next.iter().for_each(|next| out.push(next, t)),
                Err(error) => {
                    out.drop_unfinished(n_words);
                    return Err(error);
                }
            }
        }
        out.end_state();
    }
    Ok(())
}

/// One state of such a machine.
pub struct ByHand<'h, M: ?Sized> {
    /// The machine.
    pub machine: &'h M,
    /// The packed state.
    pub state: &'h [u64],
}

impl<M: Machine + ?Sized> Opened for ByHand<'_, M> {
    fn oblige(&self, transition: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let (n, mut done) = (self.machine.facts().n_transitions, Ok(()));
        let asked = need.ask(n, |need| {
            done = self.machine.obligations(self.state, transition, need);
        });
        done?;
        asked.map_err(|number| ModelError::no_such_transition(self.state, transition, number, n))
    }

    fn fire(&self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let next = self.machine.fire(self.state, transition)?;
        next.iter().for_each(|next| out.push(next, transition));
        Ok(next.is_some())
    }
}
