//! Expansion in full: unpacking and packing around [`firing`]. It has none of the
//! author's code in it and is compiled again only if the state variables change.

use super::firing::{AT_A_TIME, Several};
use super::states;
use super::{ModelError, Successors};
use crate::model::Order;
use crate::model::Space;
use crate::state::packing::{Packing, fast};
use crate::state::slot::Parent;
use std::mem::MaybeUninit;

/// Expands states in full, with `several` to fire transitions: the hot path.
///
/// Instances with the same space share it. That they call their own `several`
/// through a pointer costs nothing: it is one call for eight transitions.
///
/// A few transitions at a time: several are fired, each in a copy of the state,
/// then what was enabled is packed. Packing reads eight bytes at once. Right
/// after the firing that wrote some of them, it would have to wait.
///
/// What else was tried stands in docs/decisions.md, "Firing".
#[inline(never)]
pub fn expand_full<S: Space>(
    states: &[u64],
    several: Several<S::State>,
    order: Order,
    out: &mut Successors,
) -> Result<(), ModelError> {
    let fast = fast();
    // A state that is not dense is unpacked while the one before it is expanded:
    // copies of it are made sixteen bytes at a time, and those must have been
    // written a while ago, too.
    let is_ahead = !Packing::<S::State>::DIRECT;
    let (mut one, mut other) = (Parent::<S::State>::default(), Parent::default());
    let (mut parent, mut next_parent) = (&mut one, &mut other);
    let n_words = Packing::<S::State>::WORDS;
    if is_ahead && let Some(first) = states.get(..n_words) {
        next_parent.unpack(first, fast);
        parent.resemble(next_parent);
    }
    let mut slots = [const { MaybeUninit::uninit() }; AT_A_TIME];
    let mut at = 0;
    while at < states.len() {
        let packed = &states[at..at + n_words];
        at += n_words;
        if is_ahead {
            std::mem::swap(&mut parent, &mut next_parent);
            if let Some(following) = states.get(at..at + n_words) {
                next_parent.unpack(following, fast);
            }
        } else {
            parent.unpack(packed, fast);
        }
        let (words, transitions) = out.room(S::N_TRANSITIONS, n_words);
        let mut n_packed = 0;
        let mut n_left = S::N_TRANSITIONS;
        let (mut first, step) = order.start_and_step(S::N_TRANSITIONS);
        while n_left > 0 {
            let n = n_left.min(AT_A_TIME);
            let mut enabled = several(parent, (first, step), n, &mut slots);
            while enabled != 0 {
                let slot = enabled.trailing_zeros() as usize % AT_A_TIME;
                enabled &= enabled - 1;
                // SAFETY: the slots of all that were fired have been filled.
                let next = unsafe { slots[slot].assume_init_ref() };
                let t = first.wrapping_add(step.wrapping_mul(slot));
                if !parent.pack(next, &mut words[n_packed * n_words..], fast) {
                    let wrong = states::wrong(next.state());
                    return Err(ModelError::new(packed, t, wrong));
                }
                transitions[n_packed] = t as u32;
                n_packed += 1;
            }
            n_left -= n;
            first = first.wrapping_add(step.wrapping_mul(n));
        }
        out.keep(n_packed, n_words);
        out.end_state();
    }
    Ok(())
}
