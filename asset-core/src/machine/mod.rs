//! One instance of a model behind a vtable, so that the engine is compiled
//! once and not for every instance of every model.
//!
//! States are packed words here. A call expands many states at once: it costs
//! nanoseconds where a call per transition would not pay.

pub mod by_hand;
mod checker;
mod compiled;
mod door;
mod error;
mod expansion;
mod failure;
mod family;
mod firing;
mod folding;
mod local;
mod memo;
mod pairs;
pub(crate) mod panics;
mod paranoid;
mod progress;
mod properties;
mod states;
mod successors;

use checker::Each;
pub use checker::{Checker, Fine, StateFaults};
pub use compiled::Compiled;
pub use error::{ModelError, Wrong};
pub use failure::Failure;
pub use family::{Family, Instance, Param};
pub use folding::Folding;
pub use memo::{Memo, RememberedRules};
pub use paranoid::Paranoid;
pub use progress::Progress;
pub use successors::Successors;

use crate::model::{
    Atom, CheckKind, CheckSet, Description, Fair, Fault, Formula, NeverWithout, Obligations,
    Resolve, Shown, Temporal,
};
use crate::reduction::Selector;
use crate::state::Layout;

/// A packed state that stands alone.
pub type Packed = Box<[u64]>;

/// A compiled instance of a model, as the engine sees it.
///
/// Every `state` is the packed form of a state of this model, `n_words` words
/// long; other words make the call panic. Where the model's own code panics, that
/// is a [`ModelError`]: no panic of an author's function gets past a machine.
pub trait Machine: Send + Sync {
    /// Names and kinds of the model's parts.
    fn description(&self) -> &Description;

    /// Number of transitions.
    fn n_transitions(&self) -> usize;

    /// Number of words of a packed state.
    fn n_words(&self) -> usize;

    /// The lanes of a state.
    fn layout(&self) -> &Layout;

    /// Whether packed states are never longer than the layout's bits. Then only
    /// those bits are stored; a machine that granted it wrongly would lose
    /// states, so by default all words are.
    fn packs_exactly(&self) -> bool {
        false
    }

    /// Marks about half of the bits of a state, such that those that change together
    /// are likely to be on the same side. Any mask is right; with a good one, a state
    /// of several words takes less memory. By default the first half of the words.
    fn first_half(&self) -> Vec<u64> {
        let n = self.n_words();
        (0..n).map(|i| if i < n / 2 { u64::MAX } else { 0 }).collect()
    }

    /// For each transition, all bits of a packed state that firing it may look at or
    /// change, if they are known. What it does is a function of those. A machine that told
    /// too few would give wrong verdicts, so by default none are.
    fn touched(&self) -> Option<Vec<Vec<u64>>> {
        None
    }

    /// Bytes that the machine has in use for what it knows of states.
    fn bytes(&self) -> usize {
        0
    }

    /// The path of every lane, in the order of the layout.
    fn lane_paths(&self) -> Vec<String>;

    /// The initial states, at least one, in order, perhaps with duplicates.
    fn initial_states(&self) -> Result<Vec<Packed>, ModelError>;

    /// Expands `states`, several side by side, in the way `selector` says.
    ///
    /// Appends to `out`, which holds everything up to the error if there is
    /// one: the states before the one that the error is about are complete.
    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError>;

    /// The state after one transition, or `None` if it is disabled.
    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError>;

    /// Whether a firing that returns false has changed the state before.
    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> Result<bool, ModelError>;

    /// Adds what the rules oblige for one transition.
    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError>;

    /// The stubborn set of a state, disabled members included, sorted.
    fn stubborn_set(
        &self,
        state: &[u64],
        selector: &mut Selector,
    ) -> Result<Vec<usize>, ModelError>;

    /// The first state check of `on` that fails.
    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError>;

    /// Finds what [`Machine::state_fault`] does with `on`, for one state after another.
    fn checker(&self, on: CheckSet) -> Box<dyn Checker + '_> {
        Box::new(Each(self, on))
    }

    /// The first deadlock check of `on` that fails; for terminal states.
    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError>;

    /// For each of several states side by side: whether it is a progress state
    /// of the check with this index. Calls `good` with the position of each
    /// that is, up to an error.
    fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
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

    /// Whether `state` is a progress state for livelock checks.
    fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError>;

    /// Whether firing `transition` in `state` is progress.
    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError>;

    /// A transition's name with its parameters.
    fn transition_name(&self, transition: usize) -> String;

    /// The variables of a state by name.
    fn show(&self, state: &[u64]) -> Shown;

    /// The state on one line, if the model says how to print it.
    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError>;
}

/// Whether a check that looks at one state says yes.
fn says_yes<M: Machine + ?Sized>(
    machine: &M,
    state: &[u64],
    check: usize,
) -> Result<bool, ModelError> {
    let only = CheckSet(1 << check);
    match machine.description().checks[check].kind {
        CheckKind::State => Ok(machine.state_fault(state, only)?.is_none()),
        _ => {
            let mut is_good = false;
            machine.progress_states_of(state, check, &mut |_| is_good = true)?;
            Ok(is_good)
        }
    }
}
