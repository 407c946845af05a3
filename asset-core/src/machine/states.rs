//! States in their packed form and in memory, away from the hot path: compiled for
//! a type of states, which several instances may share.

use super::Wrong;
use super::firing::One;
use crate::model::Shown;
use crate::state::packing::{MAX_WORDS, Packing, fast};
use crate::state::{Layout, Shape, StateVar, number};

/// As [`Packing::unpack`].
#[inline(never)]
pub fn unpack<S: StateVar>(packed: &[u64]) -> S {
    Packing::unpack(packed, fast())
}

/// As [`Packing::pack`].
#[inline(never)]
#[must_use]
pub fn pack<S: StateVar>(state: &S, packed: &mut [u64]) -> bool {
    Packing::pack(state, packed, fast())
}

/// [`StateVar::LAYOUT`] in memory.
#[inline(never)]
pub fn layout<S: StateVar>() -> &'static Layout {
    const { &S::LAYOUT }
}

/// The variables with their values.
#[inline(never)]
pub fn show<S: StateVar>(packed: &[u64]) -> Shown {
    S::SHAPE.show(&mut layout::<S>().lane_values(packed))
}

/// What is wrong with a state that does not pack.
#[cold]
#[inline(never)]
pub fn wrong<S: StateVar>(state: &S) -> Wrong {
    out_of_range(layout::<S>(), const { &S::SHAPE }, Packing::image(state).bytes())
}

/// Whether a transition says that it is disabled, but has changed the state.
#[inline(never)]
pub fn disabled_but_changed<S: StateVar>(packed: &[u64], transition: usize, one: One<S>) -> bool {
    let mut next = unpack(packed);
    if one(&mut next, transition) {
        return false;
    }
    let mut words = [0; MAX_WORDS];
    !pack(&next, &mut words) || words[..Packing::<S>::WORDS] != *packed
}

#[cold]
fn out_of_range(layout: &Layout, shape: &Shape, image: &[u8]) -> Wrong {
    let Some((position, value)) = layout.out_of_range(image) else {
        let what = "a variable is out of range, but which was not found";
        return Wrong::Unsteady(what.to_owned());
    };
    let lane = &layout.lanes()[position];
    match shape.collection(position, "") {
        Some((path, Some(capacity))) if number::is_too_many(value, lane.bytes) => {
            Wrong::TooMany { path, capacity }
        }
        Some((path, _)) => Wrong::IllegalElement { path },
        None => {
            let mut paths = Vec::new();
            shape.lane_paths("", &mut paths);
            let path = paths.swap_remove(position);
            Wrong::OutOfRange { path, value, lo: lane.lo, hi: lane.hi }
        }
    }
}
