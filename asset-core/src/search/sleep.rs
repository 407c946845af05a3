//! Sleep sets of a breadth-first search: successors that are known without being looked up.
//!
//! Let firing `u` in `p` discover `s`, and let `t` be enabled in `p` and commute with `u`
//! there: fired in either order, both are enabled, and lead to the same state `r`. So `t`
//! leads from `s` to `r`, and `u` to the same `r` from the state `q` to which `t` leads from
//! `p`. If `q` was found before `s`, it is expanded before `s`, and `r` is known when it is
//! the turn of `s`. Then `t` is *asleep* in `s`: it is an edge that is counted, but its
//! successor need be neither hashed nor looked up. And `q` was found before `s` if `t` is
//! fired before `u`, or if `t` was asleep in `p` already.
//!
//! (That `q` was not new when `p` was expanded is not enough: another transition may have led
//! to it, from `p`, and after `u`. `tests/tests/sleep.rs` has found that.)
//!
//! A machine may also tell a `t` that is disabled in `p` and stays so after `u`, as they touch
//! nothing in common. That it is asleep in `s` means nothing then, as it is disabled there.
//!
//! That `u` may itself be asleep in `q` does no harm: then `r` was known even earlier. So
//! all states are found, each by the same edge and in the same order as without this, and
//! all edges are counted: nothing is reduced but the work. In Peterson-4 five edges
//! of eight are asleep, and of the others two of three lead to new states.
//!
//! Godefroid (1990) has sleep sets for depth-first searches, where they stay with the states
//! that are stored, and states may have to be visited again. In breadth-first order a state
//! is visited once, and what sleeps in it is forgotten when it has been expanded.
//!
//! It is for full expansion only: with stubborn sets `u` need not be fired in `q`. And for
//! sets that do not ask where known successors are. Those that do, for post-passes, link a
//! state to one of them (docs/decisions.md, "Sleep where states are linked").
//!
//! The machine tells what sleeps in successors, from what it remembers of firings. Now and
//! then it leaves nothing out of a batch, as it compares that with the model's own code, and
//! then what was asleep is looked up and must be known.

use super::Failure;
use super::space::unfolded;
use super::visitor::Found;
use crate::machine::{ModelError, Wrong};
use crate::store::{Id, Window};
use std::ops::Range;

/// Which transitions are asleep in the states that are still to be expanded, as bits in
/// the order of firing.
pub(super) struct Sleep(Window);

impl Sleep {
    /// Nothing sleeps in the initial states.
    pub fn new(n_roots: usize) -> Self {
        let mut asleep = Window::default();
        (0..n_roots).for_each(|_| asleep.push(0));
        Sleep(asleep)
    }

    /// Appends what is asleep in a few consecutive states, as
    /// [`StateSet::append`](crate::store::StateSet::append) does.
    #[inline(always)]
    pub fn append(&self, ids: Range<usize>, asleep: &mut Vec<u64>) {
        asleep.extend_from_slice(self.0.get(ids));
    }

    /// Puts transitions to sleep in the new states of a batch.
    #[inline(always)]
    pub fn note(&mut self, found: Found<'_>) {
        let new = found.new.positions().iter();
        match found.successors.sleeping() {
            Some(sleeping) => self.0.extend(new.map(|&at| sleeping[at as usize])),
            None => self.0.extend(new.map(|_| 0)),
        }
    }

    /// What is asleep below this number will not be asked for any more.
    pub fn release(&mut self, before: usize) {
        self.0.release(before);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Complains if one of the transitions that are asleep has led to a new state: then those
/// that were left out may have led to states that are not known.
#[cold]
#[inline(never)]
pub(super) fn verify(found: Found<'_>) -> Result<(), Failure> {
    let (out, new) = (found.successors, found.new.positions());
    let n_words = found.n_words;
    let mut i = 0;
    for at in new.iter().map(|&at| at as usize) {
        while out.of(i).end <= at {
            i += 1;
        }
        if found.asleep[i] & found.bit(at) != 0 {
            let what = "it leads to a state that should have been found before, as what it \
                        touches was not changed by the transition before it";
            let state = &found.states[i * n_words..(i + 1) * n_words];
            return Err(Failure::model(
                ModelError {
                    state: Some(unfolded(found.fold, state, &mut Vec::new()).into()),
                    transition: Some(out.transitions()[at] as usize),
                    wrong: Wrong::Unsteady(what.to_owned()),
                },
                Some(found.first + i as Id),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Successors;
    use crate::model::Order;
    use crate::store::NewStates;

    /// Of two states with three successors each, by transitions 2, 1 and 0, of which 2 is
    /// asleep in the second, those at these positions are new.
    fn found(new_at: &[usize], test: impl FnOnce(Found<'_>)) {
        let (mut out, mut new) = (Successors::default(), NewStates::default());
        for word in 0..6 {
            out.push(&[10 + word], 2 - word as usize % 3);
            if word % 3 == 2 {
                out.end_state();
                // All commute with all others.
                let asleep = [0, 1][word as usize / 3];
                out.put_to_sleep(asleep, |t| 1 << (2 - t), &[0b011, 0b101, 0b110]);
            }
        }
        out.know_sleeping_from(0);
        new.clear(6);
        new.tell_while(0..6, |i| Some(new_at.contains(&i)));
        let (order, n_transitions) = (Order::Backward, 3);
        test(Found {
            first: 7,
            states: &[1, 2],
            n_words: 1,
            asleep: &[0, 1],
            successors: &out,
            new: &new,
            order,
            n_transitions,
            fold: None,
        });
    }

    #[test]
    fn what_was_fired_before_and_what_was_asleep_sleeps() {
        found(&[1, 2, 4, 5], |found| {
            let mut sleep = Sleep::new(2);
            sleep.note(found);
            assert_eq!(sleep.0.get(0..6), [0, 0, 0b001, 0b011, 0b001, 0b011]);
        });
        found(&[0, 3], |found| {
            let mut sleep = Sleep::new(2);
            sleep.note(found);
            assert_eq!(sleep.0.get(2..4), [0, 0]);
        });
    }

    #[test]
    fn what_sleeps_must_be_known() {
        found(&[0, 1, 2, 4, 5], |found| assert!(verify(found).is_ok()));
        found(&[0, 3], |found| match verify(found) {
            Err(Failure::Model(error, id)) => {
                assert_eq!((error.state.as_deref(), id), (Some(&[2][..]), Some(8)));
                assert_eq!(error.transition, Some(2));
            }
            other => panic!("{other:?}"),
        });
    }
}
