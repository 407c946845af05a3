//! The contract between a compiled model and the engine.
//!
//! `#[model]` generates one implementation of [`Model`] for each instance of a
//! parameterised model, and one [`Family`](crate::Family) that lists them.
//!
//! Invariant: nothing here knows about identifiers, storage or printing.

mod obligations;
mod order;
mod rule_statistics;
mod stated;
mod temporal;
mod transitions;

pub use obligations::{NoTransition, Obligations, TransitionNumber};
pub use order::Order;
pub use rule_statistics::RuleStatistics;
pub use stated::{MAX_PARAMETERS, StatedFormula, Step, Steps};
pub use temporal::{
    Atom, Fair, FairMark, Formula, NeverWithout, Proposition, PropositionParameter, Resolve,
    Temporal,
};
pub use transitions::{ParameterShape, TransitionEnum, TransitionShape, fairness, transition_name};

pub use crate::state::Shown;
pub(crate) use obligations::{ALL, END};

use crate::state::StateVar;
use std::borrow::Cow;

/// The states and the number of transitions of a model's instances: several of
/// them share it, with all that is compiled for it alone.
pub trait Space: Send + Sync + 'static {
    /// The state variables.
    type State: StateVar;

    /// Number of transitions.
    const N_TRANSITIONS: usize;
}

/// What is asked about states and transitions; again, instances may share it.
pub trait Properties: Send + Sync + 'static {
    /// The state variables.
    type State: StateVar;

    /// Names and kinds of the model's parts.
    const DESCRIPTION: Description;

    /// Calls `add` with the initial states, at least one, in order, perhaps
    /// with duplicates.
    fn initial_states(add: &mut dyn FnMut(&Self::State));

    /// A transition's name with its parameters, as in `Step(2)`.
    fn transition_name(transition: usize) -> String;

    /// The first state check of `on` that fails in `state`, or the first check of what is
    /// to be reachable that `state` satisfies.
    fn state_fault(state: &Self::State, on: CheckSet) -> Option<Fault> {
        let _ = (state, on);
        None
    }

    /// Calls `tell` with the state variables at which a check looks, given by its
    /// index in `DESCRIPTION.checks`. What it says is a function of those. False
    /// means that it may look at others. May panic; then nothing is known either.
    fn looks_at(check: usize, tell: &mut dyn FnMut(Place)) -> bool {
        let _ = (check, tell);
        false
    }

    /// The first deadlock check of `on` by which the model may not terminate in
    /// `state`. Called only in terminal states.
    fn deadlock_fault(state: &Self::State, on: CheckSet) -> Option<Fault> {
        let _ = (state, on);
        None
    }

    /// Whether `state` is a progress state of a may- or must-progress check,
    /// given by its index in `DESCRIPTION.checks`.
    fn is_progress(state: &Self::State, check: usize) -> bool {
        let _ = (state, check);
        false
    }

    /// What the model has for temporal properties.
    const TEMPORAL: Temporal = Temporal::NONE;

    /// Whether a proposition is true in `state`, given by its index in
    /// [`Temporal::propositions`], with values of its parameters.
    fn proposition(state: &Self::State, index: usize, arguments: &[i64]) -> bool {
        let _ = (state, index, arguments);
        false
    }

    /// Calls `tell` with the state variables at which a proposition with these arguments
    /// looks, as [`looks_at`](Self::looks_at) does for a check.
    fn proposition_looks_at(index: usize, arguments: &[i64], tell: &mut dyn FnMut(Place)) -> bool {
        let _ = (index, arguments, tell);
        false
    }

    /// The formula of an `ltl` check, given by its index in `DESCRIPTION.checks`.
    fn formula(check: usize, atom: &mut Resolve<'_>) -> Formula {
        let _ = (check, atom);
        None
    }

    /// The fairness condition of a transition, if it has one.
    fn fairness(transition: usize) -> Option<Fair> {
        let _ = transition;
        None
    }

    /// What a `never_without` check, given by its index, says of a transition.
    fn never_without(check: usize, transition: usize) -> NeverWithout {
        let _ = (check, transition);
        NeverWithout::default()
    }

    /// Whether firing `transition` is progress, wherever it is fired.
    fn progress_transition(transition: usize) -> bool {
        let _ = transition;
        false
    }

    /// Whether `state` is a progress state for livelock checks.
    fn progress_state(state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Whether firing `transition` in `state` is progress.
    fn progress_edge(state: &Self::State, transition: usize) -> bool {
        let _ = (state, transition);
        false
    }

    /// The state on one line, if the model says how to print it.
    fn display(state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }
}

/// One instance of a model, as the macro generates it.
///
/// All functions are pure, here and in [`Properties`]: the same arguments give
/// the same answer. Transitions are numbered `0 .. N_TRANSITIONS` and
/// deterministic.
pub trait Model: Send + Sync + 'static {
    /// The state variables.
    type State: StateVar;

    /// What it shares with instances that have the same states.
    type Space: Space<State = Self::State>;

    /// What it shares with instances that have the same checks as well.
    type Properties: Properties<State = Self::State>;

    /// Fires a transition. False means that it is disabled; what it has
    /// changed must then be discarded by the caller.
    fn fire(state: &mut Self::State, transition: usize) -> bool;

    /// A scalar by whose value before the firing `transition` chooses first what to
    /// do, if there is one, with the number of its values. May panic; then nothing
    /// is known of the transition.
    fn choice(transition: usize) -> Option<(Place, usize)> {
        let _ = transition;
        None
    }

    /// Calls `tell` with the state variables that firing `transition` touches, if the
    /// scalar that [`Model::choice`] tells is at its least value plus `value`.
    /// What a firing does is a function of those. With `with_rules`, what its rule
    /// obliges is one, too. False means that others may be touched. May panic; then
    /// nothing is known either.
    fn touches(
        transition: usize,
        value: usize,
        with_rules: bool,
        tell: &mut dyn FnMut(Place),
    ) -> bool {
        let _ = (transition, value, with_rules, tell);
        false
    }

    /// Calls `tell` with the state variables that firing `transition` may read, and those that
    /// it may write, where the scalar that it chooses by is at its least value plus `value`.
    /// Whether it is enabled, and what it writes, is a function of those that it may read;
    /// what it does not write keeps its value. False means that others may be touched. May
    /// panic; then nothing is known either.
    fn accesses(transition: usize, value: usize, tell: &mut dyn FnMut(Access, Place)) -> bool {
        let _ = (transition, value, tell);
        false
    }

    /// Tells which transitions must be in a stubborn set of `state` if
    /// `transition` is. Called only if the description says there are rules.
    fn obligations(state: &Self::State, transition: usize, need: &mut Obligations) {
        let _ = (state, transition, need);
    }
}

/// What is done with a state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It may be read.
    Read,
    /// It may be written.
    Write,
    /// It may be read and written.
    Both,
}

/// A state variable, by the position of its field, and of one of its elements if it
/// is an array; `None` is all of them.
pub type Place = (usize, Option<usize>);

/// A set of checks, by their index in [`Description::checks`]; at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckSet(pub u64);

impl CheckSet {
    /// All checks.
    pub const ALL: CheckSet = CheckSet(u64::MAX);

    /// Those of some checks whose kind is the given one.
    pub fn of_kind(checks: &[Check], kind: CheckKind) -> CheckSet {
        let is_of_kind = |&i: &usize| checks[i].kind == kind;
        CheckSet((0..checks.len()).filter(is_of_kind).fold(0, |set, i| set | 1 << i))
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those without one.
    pub const fn without(self, check: usize) -> CheckSet {
        CheckSet(self.0 & !(1 << check))
    }

    /// Whether the check with this index is a member.
    #[inline(always)]
    pub const fn contains(self, check: usize) -> bool {
        self.0 >> check & 1 != 0
    }
}

/// A check that fails: which one, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Index in [`Description::checks`].
    pub check: usize,
    /// The check's own words; empty if it only says no.
    pub message: Cow<'static, str>,
}

/// What is known of an instance without running it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The module's name.
    pub name: &'static str,
    /// The module's documentation.
    pub doc: &'static str,
    /// The checks, in the order of declaration.
    pub checks: &'static [Check],
    /// Whether there are stubborn set rules.
    pub has_rules: bool,
    /// Whether some transitions are marked as progress.
    pub progress_transitions: bool,
    /// Whether some states are marked as progress.
    pub progress_states: bool,
    /// Whether transitions are marked as progress depending on the state.
    pub progress_edges: bool,
    /// What the macro did not understand, so that less is remembered.
    pub not_understood: &'static [NotUnderstood],
}

/// A part of a model of which it is not known which variables it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUnderstood {
    /// The name of a transition's variant, of `fire_transition`, or of a check.
    pub name: &'static str,
    /// What is not known of it.
    pub aspect: Aspect,
    /// Why, in a clause.
    pub why: &'static str,
    /// The line of the author's file; 0 if that is not known.
    pub line: usize,
}

/// What can be not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// What firing touches.
    Firing,
    /// What the rules look at.
    Rules,
    /// What a state check looks at.
    Check,
}

impl Aspect {
    /// What follows.
    pub const fn consequence(self) -> &'static str {
        match self {
            Aspect::Firing => "firings are not remembered",
            Aspect::Rules => "what rules oblige is not remembered",
            Aspect::Check => "every state is checked anew",
        }
    }
}

/// A check function of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The function's name.
    pub name: &'static str,
    /// The first paragraph of the function's documentation.
    pub doc: &'static str,
    /// When it is evaluated and what it means.
    pub kind: CheckKind,
}

/// The kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// Holds in every reachable state.
    State,
    /// Holds in every reachable terminal state.
    Deadlock,
    /// Some reachable state satisfies it.
    Reachable,
    /// From every state a progress state is reachable. Terminal states count
    /// as progress unless `strict`.
    MayProgress {
        /// Termination is not progress.
        strict: bool,
    },
    /// Every cycle and every terminal state contains a progress state.
    /// Terminal states count as progress unless `strict`.
    MustProgress {
        /// Termination is not progress.
        strict: bool,
    },
    /// A formula of linear temporal logic holds of every fair run.
    Ltl,
    /// Some transitions are not fired again and again unless others are, too.
    NeverWithout,
}

impl CheckKind {
    /// Whether it speaks of infinite runs, and is decided by a search for cycles.
    pub const fn is_temporal(self) -> bool {
        matches!(self, CheckKind::Ltl | CheckKind::NeverWithout)
    }

    /// Whether it is asked of every state that is found.
    pub const fn is_asked_everywhere(self) -> bool {
        matches!(self, CheckKind::State | CheckKind::Reachable)
    }

    /// Whether it asks for progress.
    pub const fn is_progress(self) -> bool {
        matches!(self, CheckKind::MayProgress { .. } | CheckKind::MustProgress { .. })
    }

    /// The kind in words.
    pub const fn name(self) -> &'static str {
        match self {
            CheckKind::State => "state",
            CheckKind::Deadlock => "deadlock",
            CheckKind::Reachable => "reachable",
            CheckKind::MayProgress { strict: false } => "may progress",
            CheckKind::MayProgress { strict: true } => "may progress (strict)",
            CheckKind::MustProgress { strict: false } => "must progress",
            CheckKind::MustProgress { strict: true } => "must progress (strict)",
            CheckKind::Ltl => "ltl",
            CheckKind::NeverWithout => "never without",
        }
    }
}
