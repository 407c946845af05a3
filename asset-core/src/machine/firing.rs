//! Firing: the only code of an instance that has the author's transitions in it.
//!
//! It stands in a module of its own, and is not inlined, because an incremental
//! compiler makes a unit of each module: when a transition is changed, this unit
//! alone is optimised again. That makes a rebuild of Peterson's model twice as
//! fast.

use crate::model::Model;
use crate::state::slot::{Parent, Slot};
use std::mem::MaybeUninit;

/// Transitions that are fired before the first successor is packed.
pub const AT_A_TIME: usize = 8;

/// Room for as many successors.
pub type Slots<S> = [MaybeUninit<Slot<S>>; AT_A_TIME];

/// [`one`] of some model with these states.
pub type One<S> = fn(&mut S, usize) -> bool;

/// [`several`] of some model with these states.
pub type Several<S> = fn(&Parent<S>, (usize, usize), usize, &mut Slots<S>) -> u32;

/// Fires one transition, as [`Model::fire`] does. Not for the hot path.
#[inline(never)]
pub fn one<M: Model>(state: &mut M::State, transition: usize) -> bool {
    M::fire(state, transition)
}

/// Fires `n` transitions in copies of a state, at most [`AT_A_TIME`]: `first`,
/// and what adding `step` modulo 2^64 leads to. All those slots are filled then.
/// Bit `i` of what is returned tells whether the one in slot `i` was enabled.
///
/// All copies are made first, so that a firing reads what was written a while
/// ago, and its slot does not depend on whether the one before it was enabled:
/// the processor can overlap them.
#[inline(never)]
pub fn several<M: Model>(
    parent: &Parent<M::State>,
    (first, step): (usize, usize),
    n: usize,
    slots: &mut Slots<M::State>,
) -> u32 {
    // Plain loops: in incremental builds, those over iterators are not always
    // inlined.
    let mut i = 0;
    while i < n {
        parent.copy(&mut slots[i]);
        i += 1;
    }
    let (mut enabled, mut transition) = (0, first);
    let mut i = 0;
    while i < n {
        // SAFETY: this slot has just been filled.
        let next = unsafe { slots[i].assume_init_mut() };
        enabled |= u32::from(M::fire(next.state_mut(), transition)) << i;
        transition = transition.wrapping_add(step);
        i += 1;
    }
    enabled
}
