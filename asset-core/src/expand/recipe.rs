//! Which parts a source is made of: the only place that knows the combinations.

use super::checked::Checked;
use super::folded::Folded;
use super::full::Full;
use super::inferred::{ByInferred, Inferred};
use super::keep_progress::KeepProgress;
use super::stubborn::Stubborn;
use super::{Source, StateChecks};
use crate::machine::{Footprints, Machine, ModelError, Packed, Progress, Wrong};
use crate::model::{Atom, CheckSet, Order};
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

/// How to expand the states of a machine: shared by all workers, and only read.
///
/// From the inside out, a source is made of what fires (everything, or stubborn sets, or
/// either, depending on progress), of what folds states, and of what compares all of that with
/// the model's own code.
#[derive(Clone)]
pub struct Recipe<'m> {
    machine: &'m dyn Machine,
    order: Order,
    choice: Choice,
    /// Expand in full where this progress is in sight.
    keeps: Option<Arc<Progress>>,
    /// Rules that take the place of the machine's own.
    inferred: Option<Arc<Inferred>>,
    folds: bool,
    is_paranoid: bool,
    /// What the transitions and checks touch, as far as it is to be relied on.
    footprints: Arc<Footprints>,
}

impl<'m> Recipe<'m> {
    /// Fires in this order what is chosen; what is known of the machine's transitions is
    /// remembered.
    pub fn new(machine: &'m dyn Machine, order: Order, choice: Choice) -> Self {
        let footprints = Arc::new(machine.footprints());
        Recipe {
            machine,
            order,
            choice,
            keeps: None,
            inferred: None,
            folds: false,
            is_paranoid: false,
            footprints,
        }
    }

    /// The same machine, fired otherwise.
    pub fn with_choice(&self, choice: Choice) -> Self {
        Recipe { choice, keeps: None, ..self.clone() }
    }

    /// Fires stubborn sets where no progress is in sight, and everything elsewhere.
    pub fn keeping(&self, progress: Progress) -> Self {
        let keeps = Some(Arc::new(progress));
        Recipe { keeps, ..self.with_choice(Choice::Stubborn) }
    }

    /// Stubborn sets follow these rules, if there are any, in place of the machine's own, from
    /// which they were inferred.
    pub fn inferring(mut self, inferred: Option<Arc<Inferred>>) -> Self {
        self.inferred = inferred;
        self
    }

    /// Whether stubborn sets follow inferred rules.
    pub fn infers(&self) -> bool {
        self.inferred.is_some()
    }

    /// Tells states of several words by one.
    pub fn folded(mut self) -> Self {
        self.folds = self.machine.n_words() > 1;
        self
    }

    /// The same, but states are told by their packed words.
    pub fn unfolded(&self) -> Self {
        Recipe { folds: false, ..self.clone() }
    }

    /// If `yes`, everything is done twice and compared.
    pub fn paranoid(mut self, yes: bool) -> Self {
        self.is_paranoid = yes;
        self
    }

    /// The model.
    pub fn machine(&self) -> &'m dyn Machine {
        self.machine
    }

    /// The order of firing.
    pub fn order(&self) -> Order {
        self.order
    }

    /// What is fired.
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// Words of a state's key.
    pub fn n_words(&self) -> usize {
        if self.folds { 1 } else { self.machine.n_words() }
    }

    /// Whether transitions whose successors are certain to be known may be left out: where
    /// all enabled ones are fired, and there are bits for them.
    pub fn may_sleep(&self) -> bool {
        self.choice == Choice::Full && self.machine.n_transitions() <= u64::BITS as usize
    }

    /// The initial states.
    pub fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        let states = self.machine.initial_states()?;
        if self.is_paranoid && states != self.machine.initial_states()? {
            let wrong = Wrong::Unsteady("asked twice, it had other initial states".to_owned());
            return Err(ModelError::of_initial_states(wrong));
        }
        Ok(states)
    }

    /// Which of these atoms are true in a packed state, as [`Machine::letter`] says.
    #[inline]
    pub fn letter(&self, state: &[u64], atoms: &[Atom]) -> Result<u64, ModelError> {
        let letter = self.machine.letter(state, atoms)?;
        if self.is_paranoid && self.machine.letter(state, atoms)? != letter {
            let what = "asked twice, a proposition had another value".to_owned();
            return Err(ModelError::of_state(state, Wrong::Unsteady(what)));
        }
        Ok(letter)
    }

    /// A source, for one worker.
    pub fn source(&self) -> Box<dyn Source + 'm> {
        let anew = self.fires(&Footprints::default());
        let source = self.unchecked();
        Box::new(Checked::new(self.machine, self.order, self.is_paranoid, source, anew))
    }

    /// The same, with nobody to compare it.
    pub(crate) fn unchecked(&self) -> Box<dyn Source + 'm> {
        let (machine, order) = (self.machine, self.order);
        let source = self.fires(&self.footprints);
        if !self.folds {
            return source;
        }
        let fires_all = self.choice == Choice::Full;
        Box::new(Folded::new(machine, order, &self.footprints, fires_all, source))
    }

    /// What fires, by what is known.
    fn fires(&self, known: &Footprints) -> Box<dyn Source + 'm> {
        let (machine, order) = (self.machine, self.order);
        let stubborn = || -> Box<dyn Source + 'm> {
            match &self.inferred {
                Some(rules) => {
                    Box::new(ByInferred::new(machine, order, rules.clone(), self.is_paranoid))
                }
                None => Box::new(Stubborn::new(machine, order, known.rules.clone())),
            }
        };
        let full = || Full::new(machine, order, known.firing.clone());
        match (self.choice, &self.keeps) {
            (Choice::Full, _) => Box::new(full()),
            (Choice::Stubborn, None) => stubborn(),
            (Choice::Stubborn, Some(progress)) => {
                Box::new(KeepProgress::new(machine, progress.clone(), stubborn(), full()))
            }
        }
    }

    /// State checks for one worker.
    pub fn state_checks(&self, on: CheckSet) -> StateChecks<'m> {
        let known: &[_] = if self.is_paranoid { &[] } else { &self.footprints.checks };
        StateChecks::new(self.machine, on, known)
    }
}
