//! Fires stubborn sets, by what is remembered of firings and rules as long as that is worth
//! it.

pub(super) mod closure;
mod rules;
mod sets;
pub(super) mod view;

use super::{Batch, Source};
use crate::machine::{Footprint, Machine, ModelError, Opened, Successors, Wrong, blame};
use crate::model::{Order, RuleStatistics};
use closure::Closure;
use rules::RememberedRules;

/// The transitions in each state's strong stubborn set.
pub struct Stubborn<'m> {
    machine: &'m dyn Machine,
    order: Order,
    closure: Closure,
    /// What is remembered, if that is worth it.
    remembered: Option<RememberedRules>,
}

impl<'m> Stubborn<'m> {
    /// Nothing is remembered yet of transitions that touch these bits, with their rules.
    pub fn new(machine: &'m dyn Machine, order: Order, touched: Option<Vec<Footprint>>) -> Self {
        let n_words = machine.n_words();
        let remembered = touched.and_then(|touched| RememberedRules::new(touched, n_words, order));
        Stubborn { machine, order, closure: Closure::default(), remembered }
    }

    fn expand_states(&mut self, states: &[u64], out: &mut Successors) -> Result<(), ModelError> {
        let Stubborn { machine, order, closure, .. } = self;
        let (machine, order) = (*machine, *order);
        self.remembered.take_if(|remembered| !remembered.trial.is_worth_it());
        let Some(remembered) = &mut self.remembered else {
            return expand_anew(machine, order, closure, states, out);
        };
        let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| machine.open(state, see);
        remembered.expand(states, closure, open, out).map_err(|error| *error)
    }

    /// A panic is charged to the first transition that panics so in that state.
    fn blame(&self, error: ModelError) -> ModelError {
        let wrong = error.wrong.clone();
        blame(self.machine, self.order, |other: &Wrong| *other == wrong, error)
    }
}

/// The stubborn set of one state, disabled members included, sorted.
pub fn stubborn_set(
    machine: &dyn Machine,
    order: Order,
    state: &[u64],
) -> Result<Vec<usize>, ModelError> {
    let mut source = Stubborn::new(machine, order, None);
    source.expand(Batch::awake(state), &mut Successors::default())?;
    Ok(source.closure.members(machine.n_transitions()))
}

/// Expands states as their stubborn sets say, by the model's own code.
fn expand_anew(
    machine: &dyn Machine,
    order: Order,
    closure: &mut Closure,
    states: &[u64],
    out: &mut Successors,
) -> Result<(), ModelError> {
    let (n, n_words) = (machine.n_transitions(), machine.n_words());
    for state in states.chunks_exact(n_words) {
        let mut done = Ok(());
        machine.open(state, &mut |local| done = closure.expand(order, n, local, n_words, out))?;
        done?;
    }
    Ok(())
}

impl Source for Stubborn<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        self.expand_states(batch.states, out).map_err(|error| {
            out.drop_unfinished(self.machine.n_words());
            self.blame(error)
        })
    }

    fn bytes(&self) -> usize {
        self.remembered.as_ref().map_or(0, RememberedRules::bytes)
    }

    fn remembers(&self) -> bool {
        self.remembered.is_some()
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        Some(self.closure.statistics())
    }
}

#[cfg(test)]
mod tests;
