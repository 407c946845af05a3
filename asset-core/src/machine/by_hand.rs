//! Expansion for machines that are not compiled from a model: they say how to
//! fire one transition and what its rule obliges, and the rest follows.
//!
//! Slower than compiled code, which is of no account for a table in a test or
//! for a machine that stands between another one and the engine.

use super::{Machine, ModelError, Successors};
use crate::model::Obligations;
use crate::reduction::{Choice, Local, Selector};

/// [`Machine::expand`] in terms of [`Machine::fire`] and
/// [`Machine::obligations`].
pub fn expand(
    machine: &dyn Machine,
    states: &[u64],
    selector: &mut Selector,
    out: &mut Successors,
) -> Result<(), ModelError> {
    for state in states.chunks_exact(machine.n_words()) {
        let done = expand_one(machine, state, selector, out);
        if done.is_err() {
            out.drop_unfinished(machine.n_words());
            return done;
        }
        out.end_state();
    }
    Ok(())
}

fn expand_one(
    machine: &dyn Machine,
    state: &[u64],
    selector: &mut Selector,
    out: &mut Successors,
) -> Result<(), ModelError> {
    let (n, order) = (machine.n_transitions(), selector.order);
    let local = ByHand { machine, state };
    let done = match selector.choice {
        Choice::Full => (0..n).try_for_each(|i| local.fire(order.nth(i, n), out).map(|_| ())),
        Choice::Stubborn => selector.closure.fire_stubborn_set(order, n, &local, out),
    };
    done.map_err(|error| *error)
}

/// [`Machine::stubborn_set`] in terms of [`Machine::fire`] and
/// [`Machine::obligations`].
pub fn stubborn_set(
    machine: &dyn Machine,
    state: &[u64],
    selector: &mut Selector,
) -> Result<Vec<usize>, ModelError> {
    selector.stubborn_set(&ByHand { machine, state }, machine.n_transitions())
}

/// One state of such a machine.
struct ByHand<'h> {
    machine: &'h dyn Machine,
    state: &'h [u64],
}

impl Local for ByHand<'_> {
    fn oblige(&self, transition: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let (n, mut done) = (self.machine.n_transitions(), Ok(()));
        let asked = need.ask(n, |need| {
            done = self.machine.obligations(self.state, transition, need);
        });
        done?;
        asked.map_err(|number| ModelError::no_such_transition(self.state, transition, number, n))
    }

    fn fire(&self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let next = self.machine.fire(self.state, transition)?;
        if let Some(next) = &next {
            out.push(next, transition);
        }
        Ok(next.is_some())
    }
}
