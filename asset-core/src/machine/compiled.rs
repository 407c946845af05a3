//! The bridge from generated code to [`Machine`]: the only code of the engine
//! that is compiled for every instance, kept thin for that reason.

use super::expansion::expand_full;
use super::footprint::{FieldLanes, Known};
use super::local::LocalState;
use super::{
    Accesses, Facts, Footprint, Footprints, Machine, ModelError, Opened, Packed, Successors,
};
use super::{accesses, door, firing, properties, says_yes, states};
use crate::model::{
    Atom, CheckSet, Fair, Fault, Formula, Model, NeverWithout, Obligations, Order, Place,
    Properties, Resolve, Shown, Space, Temporal,
};
use crate::state::packing::{MAX_WORDS, Packing};
use crate::state::{StateVar, first_half};
use std::marker::PhantomData;

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

impl<M: Model> Machine for Compiled<M> {
    fn facts(&self) -> Facts<'_> {
        Facts {
            description: properties::description::<M::Properties>(),
            n_transitions: M::Space::N_TRANSITIONS,
            n_words: Self::WORDS,
            layout: states::layout::<M::State>(),
            shape: &M::State::SHAPE,
            packs_exactly: true,
        }
    }

    fn footprints(&self) -> Footprints {
        footprints(
            self.facts(),
            Known { choice: M::choice, touches: M::touches },
            M::Properties::looks_at,
        )
    }

    fn accesses(&self) -> Option<Accesses> {
        accesses::of::<M>(&M::State::SHAPE, states::layout::<M::State>())
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        door::initial_states(properties::initial_states::<M::Properties>)
    }

    fn expand(&self, states: &[u64], order: Order, out: &mut Successors) -> Result<(), ModelError> {
        door::expand(self, states, order, out, &mut |out| {
            expand_full::<M::Space>(states, firing::several::<M>, order, out)
        })
    }

    fn open(&self, state: &[u64], see: &mut dyn FnMut(&dyn Opened)) -> Result<(), ModelError> {
        door::of_state(state, || see(&LocalState::<M>::new(state)))
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        let mut next = [0; MAX_WORDS];
        let next = &mut next[..Self::WORDS];
        let is_enabled = door::fire(state, transition, || {
            LocalState::<M>::new(state).successor(transition, next)
        })?;
        Ok(is_enabled.then(|| (&*next).into()))
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

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        door::of_state(state, || properties::state_fault::<M::Properties>(state, on))
    }

    fn state_faults(
        &self,
        states: &[u64],
        positions: &[u32],
        on: CheckSet,
        see: &mut dyn FnMut(Option<Fault>),
    ) -> Result<(), ModelError> {
        door::one_by_one(states, Self::WORDS, positions, see, |see| {
            properties::state_faults::<M::Properties>(states, positions, on, see);
        })
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        door::of_state(state, || properties::deadlock_fault::<M::Properties>(state, on))
    }

    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        let ask = properties::progress_states::<M::Properties>;
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

    fn letter_bits(&self, atoms: &[Atom]) -> Option<Vec<u64>> {
        let (shape, layout) = (&M::State::SHAPE, states::layout::<M::State>());
        FieldLanes::new(shape, layout)?.mask_of(|tell| {
            atoms.iter().all(|atom| match atom {
                Atom::Proposition { index, arguments } => {
                    M::Properties::proposition_looks_at(*index, arguments, tell)
                }
                Atom::Check(check) => M::Properties::looks_at(*check, tell),
                Atom::Terminal => true,
            })
        })
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

/// [`Machine::footprints`] of a compiled model.
fn footprints(
    facts: Facts<'_>,
    known: Known,
    looks_at: fn(usize, &mut dyn FnMut(Place)) -> bool,
) -> Footprints {
    let Facts { shape, layout, n_transitions, .. } = facts;
    let lanes = FieldLanes::new(shape, layout);
    let of_all = |with_rules| Footprint::of_all(shape, layout, n_transitions, known, with_rules);
    let check = |check| lanes.as_ref()?.mask_of(|tell| looks_at(check, tell));
    Footprints {
        firing: of_all(false),
        rules: if facts.description.has_rules { of_all(true) } else { None },
        checks: (0..facts.description.checks.len()).map(check).collect(),
        first_half: Some(first_half(shape, layout)),
    }
}
