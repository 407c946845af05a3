//! Expansion in full: unpacking and packing around [`firing`]. It has none of the
//! author's code in it and is compiled again only if the state variables change.

use super::firing::{self, AT_A_TIME};
use super::{Compiled, ModelError, Successors};
use crate::model::Model;
use crate::reduction::Order;
use crate::state::packing::fast;
use crate::state::slot::Parent;
use std::mem::MaybeUninit;

/// Expands states in full: the hot path.
///
/// A few transitions at a time: several are fired, each in a copy of the state,
/// then what was enabled is packed. Packing reads eight bytes at once. Right
/// after the firing that wrote some of them, it would have to wait.
///
/// Firing a transition in eight states before the next one, in the hope that
/// neighbours in the queue take the same branch, is no faster.
#[inline(never)]
pub fn expand_full<M: Model>(
    states: &[u64],
    order: Order,
    out: &mut Successors,
) -> Result<(), ModelError> {
    let fast = fast();
    // Each state is unpacked while the one before it is expanded: copies of it
    // are made sixteen bytes at a time, and those must have been written a while
    // ago, too.
    let (mut one, mut other) = (Parent::<M::State>::default(), Parent::default());
    let (mut parent, mut next_parent) = (&mut one, &mut other);
    if let Some(first) = states.get(..Compiled::<M>::WORDS) {
        next_parent.unpack(first, fast);
    }
    let mut slots = [const { MaybeUninit::uninit() }; AT_A_TIME];
    let mut at = 0;
    while at < states.len() {
        let packed = &states[at..at + Compiled::<M>::WORDS];
        at += Compiled::<M>::WORDS;
        std::mem::swap(&mut parent, &mut next_parent);
        if let Some(following) = states.get(at..at + Compiled::<M>::WORDS) {
            next_parent.unpack(following, fast);
        }
        let (words, transitions) = out.room(M::N_TRANSITIONS, Compiled::<M>::WORDS);
        let mut n_packed = 0;
        let mut n_left = M::N_TRANSITIONS;
        let (mut first, step) = order.start_and_step(M::N_TRANSITIONS);
        while n_left > 0 {
            let n = n_left.min(AT_A_TIME);
            let mut enabled = firing::several::<M>(parent, (first, step), n, &mut slots);
            while enabled != 0 {
                let slot = enabled.trailing_zeros() as usize % AT_A_TIME;
                enabled &= enabled - 1;
                // SAFETY: the slots of all that were fired have been filled.
                let next = unsafe { slots[slot].assume_init_ref() };
                let t = first.wrapping_add(step.wrapping_mul(slot));
                if !parent.pack(next, &mut words[n_packed * Compiled::<M>::WORDS..], fast) {
                    let wrong = Compiled::<M>::wrong(next.state());
                    return Err(ModelError::new(packed, t, wrong));
                }
                transitions[n_packed] = t as u32;
                n_packed += 1;
            }
            n_left -= n;
            first = first.wrapping_add(step.wrapping_mul(n));
        }
        out.keep(n_packed, Compiled::<M>::WORDS);
        out.end_state();
    }
    Ok(())
}
