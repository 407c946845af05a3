//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::checker::Unpacking;
use super::expansion::expand_full;
use super::local::LocalState;
use super::memo::{Cache, Known, Masks, Remembered, RememberedRules, Stop};
use super::{Checker, Machine, ModelError, Packed, Successors, Wrong, says_yes};
use super::{door, firing, properties, states};
use crate::model::Order;
use crate::model::{
    Atom, CheckSet, Description, Fair, Fault, Formula, Model, NeverWithout, Obligations,
    Properties, Resolve, Shown, Space, Temporal,
};
use crate::reduction::{Choice, Closure, Local, Selector};
use crate::state::packing::Packing;
use crate::state::{Layout, StateVar, first_half};
use std::marker::PhantomData;
use std::ops::Range;

/// The [`Machine`] of one generated instance.
pub struct Compiled<M>(PhantomData<fn() -> M>);

impl<M: Model> Compiled<M> {
    pub(super) const WORDS: usize = Packing::<M::State>::WORDS;

    /// The machine; it holds no data.
    pub const fn new() -> Self {
        Compiled(PhantomData)
    }
}

impl<M: Model> Default for Compiled<M> {
    fn default() -> Self {
        Compiled::new()
    }
}

/// The successor of `state` that `fire` adds, if any.
fn one_successor(
    state: &[u64],
    transition: usize,
    fire: &mut dyn FnMut(&mut Successors) -> Result<bool, Box<ModelError>>,
) -> Result<Option<Packed>, ModelError> {
    let mut out = Successors::default();
    let is_enabled = door::fire(state, transition, || fire(&mut out))?;
    Ok(is_enabled.then(|| out.words().into()))
}

impl<M: Model> Compiled<M> {
    /// [`Machine::expand`], where a panic gets through.
    fn expand_batch(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let Selector { order, closure, memo, rules, .. } = selector;
        let (order, n_transitions) = (*order, M::Space::N_TRANSITIONS);
        let (shape, layout) = (&M::State::SHAPE, states::layout::<M::State>());
        let known = Known { choice: M::choice, touches: M::touches };
        match selector.choice {
            Choice::Full => match memo.ask(shape, layout, n_transitions, known) {
                Some(remembered) => self.expand_remembered(states, order, remembered, out),
                None => expand_full::<M::Space>(states, firing::several::<M>, order, out),
            },
            Choice::Stubborn => match rules.ask(shape, layout, n_transitions, known) {
                Some(remembered) => self.expand_by_rules(states, (order, closure), remembered, out),
                None => Self::expand_stubborn(states, (order, closure), out),
            },
        }
    }

    /// Expands in full, by what is remembered of firings.
    fn expand_remembered(
        &self,
        states: &[u64],
        order: Order,
        remembered: &mut Remembered,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        // A panic is a failure like any other: transitions are fired in another order than
        // that of look-ups, and one that comes earlier there may fail, too.
        // Several are fired in one state after the other, which is unpacked once.
        let (mut last, mut unpacked) = (Vec::new(), None);
        let fire = &mut |state: &[u64], transition: usize, next: &mut [u64]| {
            door::of_state(state, || {
                if last != state {
                    state.clone_into(&mut last);
                    unpacked = None;
                }
                let state = *unpacked.get_or_insert_with(|| states::unpack(state));
                LocalState::<M>::unpacked(&last, state).successor(transition, next)
            })?
        };
        let (is_due, n_before) = (remembered.counts().is_due(), out.n_expanded());
        if is_due {
            out.wake_all();
        }
        match remembered.expand(states, order, fire, out) {
            Ok(()) => {}
            Err(Stop::Unsteady(error)) => return Err(*error),
            Err(Stop::Failed) => {
                let others = &states[(out.n_expanded() - n_before) * Self::WORDS..];
                return expand_full::<M::Space>(others, firing::several::<M>, order, out);
            }
        }
        if is_due {
            return audit(states, Self::WORDS, out, &mut |anew| {
                door::expand(self, states, (order, Choice::Full), anew, &mut |anew| {
                    expand_full::<M::Space>(states, firing::several::<M>, order, anew)
                })
            });
        }
        Ok(())
    }

    /// Expands as stubborn sets say, by what is remembered of firings and rules.
    fn expand_by_rules(
        &self,
        states: &[u64],
        (order, closure): (Order, &mut Closure),
        remembered: &mut RememberedRules,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let unpack = &|state: &[u64], show: &mut dyn FnMut(&dyn Local)| {
            show(&LocalState::<M>::new(state));
        };
        let done = remembered.expand(states, Self::WORDS, (order, closure), unpack, out);
        done.map_err(|error| *error)?;
        if remembered.counts().is_due() {
            return audit(states, Self::WORDS, out, &mut |anew| {
                door::expand(self, states, (order, Choice::Stubborn), anew, &mut |anew| {
                    Self::expand_stubborn(states, (order, &mut Closure::default()), anew)
                })
            });
        }
        Ok(())
    }

    fn expand_stubborn(
        states: &[u64],
        (order, closure): (Order, &mut Closure),
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut at = 0;
        while at + Self::WORDS <= states.len() {
            let local = LocalState::<M>::new(&states[at..at + Self::WORDS]);
            closure.expand(order, M::Space::N_TRANSITIONS, &local, Self::WORDS, out)?;
            at += Self::WORDS;
        }
        Ok(())
    }
}

/// Complains if the last states in `out`, which were expanded from what is
/// remembered, have other successors than when they are expanded anew. What is
/// complete in `out` is right then.
#[cold]
#[inline(never)]
pub(super) fn audit(
    states: &[u64],
    n_words: usize,
    out: &mut Successors,
    expand: &mut dyn FnMut(&mut Successors) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let (mut anew, n) = (Successors::default(), states.len() / n_words);
    let done = expand(&mut anew);
    let first = out.n_expanded() - n;
    let is_same = |&i: &usize| {
        let (known, fresh) = (out.of(first + i), anew.of(i));
        let words = |range: &Range<usize>| range.start * n_words..range.end * n_words;
        out.words()[words(&known)] == anew.words()[words(&fresh)]
            && out.transitions()[known] == anew.transitions()[fresh]
    };
    let n_same = (0..anew.n_expanded()).take_while(is_same).count();
    if n_same == n {
        return Ok(());
    }
    (n_same..n).for_each(|_| out.drop_last_state(n_words));
    let what = "it does not do what it did where all that it touches had the same values";
    match done {
        Err(error) if n_same == anew.n_expanded() => Err(error),
        _ => {
            let state = &states[n_same * n_words..(n_same + 1) * n_words];
            Err(ModelError::of_state(state, Wrong::Unsteady(what.to_owned())))
        }
    }
}

impl<M: Model> Machine for Compiled<M> {
    fn description(&self) -> &Description {
        properties::description::<M::Properties>()
    }

    fn n_transitions(&self) -> usize {
        M::Space::N_TRANSITIONS
    }

    fn n_words(&self) -> usize {
        Self::WORDS
    }

    fn layout(&self) -> &Layout {
        states::layout::<M::State>()
    }

    fn packs_exactly(&self) -> bool {
        true
    }

    fn first_half(&self) -> Vec<u64> {
        first_half(&M::State::SHAPE, states::layout::<M::State>())
    }

    fn touched(&self) -> Option<Vec<Vec<u64>>> {
        let (shape, layout) = (&M::State::SHAPE, states::layout::<M::State>());
        let known = Known { choice: M::choice, touches: M::touches };
        let masks = Masks::of_all(shape, layout, M::Space::N_TRANSITIONS, known, false)?;
        Some(masks.iter().map(Masks::all).collect())
    }

    fn lane_paths(&self) -> Vec<String> {
        states::lane_paths::<M::State>()
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        door::initial_states(properties::initial_states::<M::Properties>)
    }

    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let way = (selector.order, selector.choice);
        door::expand(self, states, way, out, &mut |out| self.expand_batch(states, selector, out))
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        one_successor(state, transition, &mut |out| {
            LocalState::<M>::new(state).fire(transition, out)
        })
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        door::fire(state, transition, || {
            Ok(states::disabled_but_changed(state, transition, firing::one::<M>))
        })
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        let ask = || LocalState::<M>::new(state).oblige(transition, need);
        door::of_state(state, ask)?.map_err(|error| *error)
    }

    fn stubborn_set(
        &self,
        state: &[u64],
        selector: &mut Selector,
    ) -> Result<Vec<usize>, ModelError> {
        let n_transitions = M::Space::N_TRANSITIONS;
        let ask = || selector.stubborn_set(&LocalState::<M>::new(state), n_transitions);
        door::of_state(state, ask)?
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        door::of_state(state, || properties::state_fault::<M::Properties>(state, on))
    }

    fn checker(&self, on: CheckSet) -> Box<dyn Checker + '_> {
        Box::new(Unpacking::<M::Properties>::new(on))
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        door::of_state(state, || properties::deadlock_fault::<M::Properties>(state, on))
    }

    fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        let ask = properties::progress_states_of::<M::Properties>;
        door::pick(states, Self::WORDS, good, |states, good| ask(states, check, good))
    }

    fn temporal(&self) -> Temporal {
        M::Properties::TEMPORAL
    }

    fn proposition(
        &self,
        state: &[u64],
        index: usize,
        arguments: &[i64],
    ) -> Result<bool, ModelError> {
        let arguments = arguments.to_vec();
        self.letter(state, &[Atom::Proposition { index, arguments }]).map(|letter| letter != 0)
    }

    fn letter(&self, state: &[u64], atoms: &[Atom]) -> Result<u64, ModelError> {
        let mut letter =
            door::of_state(state, || properties::letter::<M::Properties>(state, atoms))?;
        for (i, atom) in atoms.iter().enumerate() {
            if let Atom::Check(check) = atom {
                letter |= u64::from(says_yes(self, state, *check)?) << i;
            }
        }
        Ok(letter)
    }

    fn formula(&self, check: usize, atom: &mut Resolve<'_>) -> Result<Formula, ModelError> {
        door::of_no_state(|| M::Properties::formula(check, atom))
    }

    fn fairness(&self, transition: usize) -> Result<Option<Fair>, ModelError> {
        door::of_transition(transition, || M::Properties::fairness(transition))
    }

    fn never_without(&self, check: usize, transition: usize) -> Result<NeverWithout, ModelError> {
        door::of_transition(transition, || M::Properties::never_without(check, transition))
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        door::of_transition(transition, || M::Properties::progress_transition(transition))
    }

    fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError> {
        door::of_state(state, || properties::progress_state::<M::Properties>(state))
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        door::of_state(state, || properties::progress_edge::<M::Properties>(state, transition))
    }

    fn transition_name(&self, transition: usize) -> String {
        M::Properties::transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        states::show::<M::State>(state)
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        door::of_state(state, || properties::display::<M::Properties>(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State `i` leads to `10 * i`, anew as well unless `differs` says otherwise.
    fn audited(
        differs: fn(u64, &mut Successors) -> Result<(), ModelError>,
    ) -> (usize, Option<u64>) {
        let states = [1, 2, 3, 4];
        let (mut out, n_words) = (Successors::default(), 1);
        for state in [7, 1, 2, 3, 4] {
            out.push(&[10 * state], 0);
            out.end_state();
        }
        let done = audit(&states, n_words, &mut out, &mut |anew| {
            for state in states {
                differs(state, anew)?;
                anew.push(&[10 * state], 0);
                anew.end_state();
            }
            Ok(())
        });
        assert_eq!(out.words().len(), out.n_expanded());
        (out.n_expanded(), done.err().and_then(|error| Some(error.state?[0])))
    }

    #[test]
    fn an_audit_blames_the_state_that_differs() {
        assert_eq!(audited(|_, _| Ok(())), (5, None));
        assert_eq!(
            audited(|state, out| (
                if state == 3 {
                    out.push(&[9], 1)
                },
                Ok(())
            )
                .1),
            (3, Some(3))
        );
        fn fails(state: u64) -> Result<(), ModelError> {
            Err(ModelError::new(&[state], 0, Wrong::Unsteady(String::new())))
        }
        assert_eq!(audited(|state, _| if state < 2 { Ok(()) } else { fails(state) }), (2, Some(2)));
        assert_eq!(audited(|state, _| if state < 4 { Ok(()) } else { fails(state) }), (4, Some(4)));
    }
}
