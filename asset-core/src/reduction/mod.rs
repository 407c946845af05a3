//! Which of a state's transitions are fired: the part that slides between a
//! model and a search, and that no search knows about.
//!
//! Invariant: nothing here knows the store or the order of the search.

mod closure;
mod view;
mod visibility;

pub use crate::model::{Order, RuleStatistics};
pub use closure::Closure;
pub(crate) use view::{Local, View};

use crate::machine::{Machine, Memo, ModelError, Progress, RememberedRules, Successors};
use std::sync::Arc;

/// Which of the enabled transitions are fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// All of them.
    #[default]
    Full,
    /// Those in the state's strong stubborn set.
    Stubborn,
}

impl Choice {
    /// The choice in a word.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Full => "full",
            Choice::Stubborn => "stubborn",
        }
    }
}

/// How to expand the states of one machine, with the memory that takes.
#[derive(Debug, Default)]
pub struct Selector {
    /// The order of firing.
    pub order: Order,
    /// What is fired.
    pub choice: Choice,
    pub(crate) closure: Closure,
    /// What the machine whose states are expanded remembers of its firings, …
    pub(crate) memo: Memo,
    /// … and of its rules with them.
    pub(crate) rules: Memo<RememberedRules>,
    /// Expand in full where this progress is in sight.
    keeps: Option<Arc<Progress>>,
    n_visible: u64,
}

impl Selector {
    /// Expands in this way.
    pub fn new(order: Order, choice: Choice) -> Self {
        Selector { order, choice, ..Selector::default() }
    }

    /// Expands stubborn sets where no progress is in sight, and everything
    /// elsewhere.
    pub fn keeping_progress(order: Order, progress: Progress) -> Self {
        let keeps = Some(Arc::new(progress));
        Selector { keeps, ..Selector::new(order, Choice::Stubborn) }
    }

    /// Expands `states`, several side by side. Appends to `out` as
    /// [`Machine::expand`] does.
    #[inline(always)]
    pub fn expand(
        &mut self,
        machine: &dyn Machine,
        states: &[u64],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        match self.keeps.clone() {
            None => machine.expand(states, self, out),
            Some(progress) => visibility::expand(machine, states, &progress, self, out),
        }
    }

    /// The stubborn set of one state, disabled members included, sorted.
    pub(crate) fn stubborn_set(
        &mut self,
        local: &dyn Local,
        n_transitions: usize,
    ) -> Result<Vec<usize>, ModelError> {
        let out = &mut Successors::default();
        let fired = self.closure.fire_stubborn_set(self.order, n_transitions, local, out);
        fired.map_err(|error| *error)?;
        Ok(self.closure.members(n_transitions))
    }

    /// Number of states that were expanded in full because progress was in
    /// sight.
    pub fn n_visible(&self) -> u64 {
        self.n_visible
    }

    /// What the rules did so far.
    pub fn rule_statistics(&self) -> &RuleStatistics {
        self.closure.statistics()
    }
}
