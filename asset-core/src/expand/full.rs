//! Fires everything, by what is remembered of firings as long as that is worth it.

use super::recheck::recheck;
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
        self.remembered.take_if(|remembered| !remembered.counts.is_worth_it());
        let Some(remembered) = &mut self.remembered else {
            return machine.expand(batch.states, order, out);
        };
        let (is_due, n_before) = (remembered.counts.is_due(), out.n_expanded());
        // What is compared is compared with all that is enabled.
        let awake = if is_due { Batch::awake(batch.states) } else { batch };
        let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| machine.open(state, see);
        match remembered.expand(awake, open, out) {
            Ok(()) => {}
            Err(Stop::Unsteady(error)) => return Err(*error),
            Err(Stop::Failed) => {
                let n_done = out.n_expanded() - n_before;
                return machine.expand(batch.skip(n_done, n_words).states, order, out);
            }
        }
        match is_due {
            true => recheck(batch.states, n_words, (out, n_words), &mut |anew| {
                machine.expand(batch.states, order, anew)
            }),
            false => Ok(()),
        }
    }

    fn bytes(&self) -> usize {
        self.remembered.as_ref().map_or(0, Remembered::bytes)
    }
}
