//! Expansion for machines that are not compiled from a model: they say how to
//! fire one transition and what its rule obliges, and the rest follows.
//!
//! Slower than compiled code, which is of no account for a table in a test or
//! for a machine that stands between another one and the engine.

use super::{Machine, ModelError, Successors};
use crate::reduction::{Choice, Selector};

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
    let n = machine.n_transitions();
    let order = selector.order;
    let mut fire = |t: usize| {
        let next = machine.fire(state, t)?;
        if let Some(next) = &next {
            out.push(next, t);
        }
        Ok(next.is_some())
    };
    match selector.choice {
        Choice::Full => (0..n).try_for_each(|i| fire(order.nth(i, n)).map(|_| ())),
        Choice::Stubborn => {
            let oblige = |t: usize, need: &mut _| machine.obligations(state, t, need);
            selector.closure.first_enabled_component(order, n, oblige, fire).map(|_| ())
        }
    }
}

/// [`Machine::stubborn_set`] in terms of [`Machine::fire`] and
/// [`Machine::obligations`]. A firing that fails counts as disabled.
pub fn stubborn_set(machine: &dyn Machine, state: &[u64], selector: &mut Selector) -> Vec<usize> {
    let n = machine.n_transitions();
    let fire = |t| Ok::<_, std::convert::Infallible>(matches!(machine.fire(state, t), Ok(Some(_))));
    let oblige = |t: usize, need: &mut _| machine.obligations(state, t, need);
    let Ok(_) = selector.closure.first_enabled_component(selector.order, n, oblige, fire);
    selector.closure.members(n)
}
