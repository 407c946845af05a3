//! One instance of a model behind a vtable, so that the engine is compiled
//! once and not for every instance of every model.
//!
//! States are packed words here. A call expands many states at once: it costs
//! nanoseconds where a call per transition would not pay.

mod accesses;
mod by_hand;
mod compiled;
pub(crate) mod door;
mod error;
mod expansion;
mod facts;
mod failure;
mod family;
mod firing;
mod footprint;
mod local;
mod opened;
pub(crate) mod panics;
mod progress;
mod properties;
mod states;
mod successors;

pub use accesses::{Accesses, CaseAccesses, LaneBits, TransitionAccesses};
pub use compiled::Compiled;
pub use door::blame;
pub use error::{ModelError, Wrong};
pub use facts::Facts;
pub use failure::Failure;
pub use family::{Family, Instance, Param};
#[cfg(test)]
pub(crate) use footprint::FieldLanes;
pub use footprint::{Footprint, Footprints, Known};
pub use opened::Opened;
pub use progress::Progress;
pub use successors::Successors;
pub(crate) use successors::{Room, asleep_after};

use crate::model::{
    Atom, CheckKind, CheckSet, Description, Fair, Fault, Formula, NeverWithout, Obligations, Order,
    Resolve, Shown, Temporal,
};
use crate::state::Layout;
use by_hand::ByHand;

/// A packed state that stands alone.
pub type Packed = Box<[u64]>;

/// A compiled instance of a model, as the engine sees it.
///
/// Every `state` is the packed form of a state of this model, `n_words` words
/// long; other words make the call panic. Where the model's own code panics, that
/// is a [`ModelError`]: no panic of an author's function gets past a machine.
///
/// What has a body here is right for every machine, and slow. A machine that stands between
/// another one and the engine hands on what it does not change.
pub trait Machine: Send + Sync {
    /// What is known without asking about a state. Cheap.
    fn facts(&self) -> Facts<'_>;

    /// What is known of the variables that firings, rules and checks touch: worked out at each
    /// call. By default nothing is.
    fn footprints(&self) -> Footprints {
        Footprints::default()
    }

    /// What transitions read and write, and at what checks look, if all transitions are
    /// understood. A machine that told too little would give wrong verdicts, so by default
    /// nothing is known.
    fn accesses(&self) -> Option<Accesses> {
        None
    }

    /// The initial states, at least one, in order, perhaps with duplicates.
    fn initial_states(&self) -> Result<Vec<Packed>, ModelError>;

    /// Fires all transitions in each of `states`, several side by side, in this order.
    ///
    /// Appends to `out`, which holds everything up to the error if there is
    /// one: the states before the one that the error is about are complete.
    fn expand(&self, states: &[u64], order: Order, out: &mut Successors) -> Result<(), ModelError> {
        by_hand::expand(self, states, order, out)
    }

    /// Unpacks a state and shows it, to fire some of its transitions and to ask their rules.
    /// A panic behind what is shown is an error about the state.
    fn open(&self, state: &[u64], see: &mut dyn FnMut(&dyn Opened)) -> Result<(), ModelError> {
        see(&ByHand { machine: self, state });
        Ok(())
    }

    /// The state after one transition, or `None` if it is disabled.
    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError>;

    /// Adds what the rules oblige for one transition.
    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError>;

    /// The first state check of `on` that fails.
    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError>;

    /// Calls `see` with what [`Machine::state_fault`] finds in the states at these positions
    /// among `states`, one after the other. An error is about the state that is next.
    fn state_faults(
        &self,
        states: &[u64],
        positions: &[u32],
        on: CheckSet,
        see: &mut dyn FnMut(Option<Fault>),
    ) -> Result<(), ModelError> {
        let n_words = self.facts().n_words;
        for &i in positions {
            see(self.state_fault(&states[i as usize * n_words..][..n_words], on)?);
        }
        Ok(())
    }

    /// The first deadlock check of `on` that fails; for terminal states.
    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError>;

    /// Calls `good` with the position of each progress state among several states side by
    /// side, up to an error: of the check with this index, or by the label for livelock
    /// checks.
    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError>;

    /// What the model has for temporal properties.
    fn temporal(&self) -> Temporal {
        Temporal::NONE
    }

    /// Whether a proposition is true in `state`.
    fn proposition(
        &self,
        state: &[u64],
        index: usize,
        arguments: &[i64],
    ) -> Result<bool, ModelError> {
        let _ = (state, index, arguments);
        Ok(false)
    }

    /// Which of these atoms are true in `state`, one bit each. [`Atom::Terminal`] is left
    /// false: whoever expands the state knows better.
    fn letter(&self, state: &[u64], atoms: &[Atom]) -> Result<u64, ModelError> {
        let mut letter = 0;
        for (i, atom) in atoms.iter().enumerate() {
            let is_true = match atom {
                Atom::Proposition { index, arguments } => {
                    self.proposition(state, *index, arguments)?
                }
                Atom::Check(check) => says_yes(self, state, *check)?,
                Atom::Terminal => false,
            };
            letter |= u64::from(is_true) << i;
        }
        Ok(letter)
    }

    /// The bits of a packed state on which [`letter`](Self::letter) depends for these atoms;
    /// `None` if that is unknown. Must not leave out a bit.
    fn letter_bits(&self, atoms: &[Atom]) -> Option<Vec<u64>> {
        let _ = atoms;
        None
    }

    /// The formula of an `ltl` check; `None` if the check is none.
    fn formula(&self, check: usize, atom: &mut Resolve<'_>) -> Result<Formula, ModelError> {
        let _ = (check, atom);
        Ok(None)
    }

    /// The fairness condition of a transition, if it has one.
    fn fairness(&self, transition: usize) -> Result<Option<Fair>, ModelError> {
        let _ = transition;
        Ok(None)
    }

    /// What a `never_without` check says of a transition.
    fn never_without(&self, check: usize, transition: usize) -> Result<NeverWithout, ModelError> {
        let _ = (check, transition);
        Ok(NeverWithout::default())
    }

    /// Whether firing `transition` is progress, wherever it is fired.
    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError>;

    /// Whether firing `transition` in `state` is progress.
    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError>;

    /// A transition's name with its parameters.
    fn transition_name(&self, transition: usize) -> String;

    /// The variables of a state by name.
    fn show(&self, state: &[u64]) -> Shown;

    /// The state on one line, if the model says how to print it.
    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError>;
}

impl<'m> dyn Machine + 'm {
    /// Names and kinds of the model's parts.
    pub fn description(&self) -> &Description {
        self.facts().description
    }

    /// Number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.facts().n_transitions
    }

    /// Number of words of a packed state.
    pub fn n_words(&self) -> usize {
        self.facts().n_words
    }

    /// The lanes of a state.
    pub fn layout(&self) -> &Layout {
        self.facts().layout
    }

    /// The path of every lane, in the order of the layout.
    pub fn lane_paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.facts().shape.lane_paths("", &mut paths);
        paths
    }

    /// As [`Machine::progress_states`], of a check.
    pub fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        self.progress_states(states, Some(check), good)
    }

    /// Whether `state` is a progress state for livelock checks.
    pub fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError> {
        let mut is_good = false;
        self.progress_states(state, None, &mut |_| is_good = true)?;
        Ok(is_good)
    }
}

/// Whether a check that looks at one state says yes.
fn says_yes<M: Machine + ?Sized>(
    machine: &M,
    state: &[u64],
    check: usize,
) -> Result<bool, ModelError> {
    let only = CheckSet(1 << check);
    match machine.facts().description.checks[check].kind {
        CheckKind::State => Ok(machine.state_fault(state, only)?.is_none()),
        _ => {
            let mut is_good = false;
            machine.progress_states(state, Some(check), &mut |_| is_good = true)?;
            Ok(is_good)
        }
    }
}
