//! Fires everything, by what is remembered of firings as long as that is worth it.

use super::remembered::{Remembered, Stop};
use super::{Batch, Source};
use crate::machine::{Footprint, Machine, ModelError, Opened, Successors};
use crate::model::Order;

/// Every enabled transition.
pub struct Full<'m> {
    machine: &'m dyn Machine,
    order: Order,
    n_words: usize,
    /// What is remembered, if that is worth it.
    remembered: Option<Remembered>,
}

impl<'m> Full<'m> {
    /// Nothing is remembered yet of transitions that touch these bits.
    pub fn new(machine: &'m dyn Machine, order: Order, touched: Option<Vec<Footprint>>) -> Self {
        let n_words = machine.n_words();
        let remembered = touched.and_then(|touched| Remembered::new(touched, n_words, order));
        Full { machine, order, n_words, remembered }
    }
}

impl Source for Full<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        let Full { machine, order, n_words, .. } = *self;
        self.remembered.take_if(|remembered| !remembered.trial.is_worth_it());
        let Some(remembered) = &mut self.remembered else {
            return machine.expand(batch.states, order, out);
        };
        let n_before = out.n_expanded();
        let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| machine.open(state, see);
        match remembered.expand(batch, open, out) {
            Ok(()) => Ok(()),
            Err(Stop::Unsteady(error)) => Err(*error),
            Err(Stop::Failed) => {
                let n_done = out.n_expanded() - n_before;
                machine.expand(batch.skip(n_done, n_words).states, order, out)
            }
        }
    }

    fn bytes(&self) -> usize {
        self.remembered.as_ref().map_or(0, Remembered::bytes)
    }

    fn remembers(&self) -> bool {
        self.remembered.is_some()
    }
}
