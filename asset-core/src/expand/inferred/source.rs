//! Fires stubborn sets by rules that are inferred.

use super::Inferred;
use super::flat::{ByTables, Seen};
use crate::expand::stubborn::closure::Closure;
use crate::expand::{Batch, Source};
use crate::machine::{Machine, ModelError, Successors, Wrong};
use crate::model::{Order, RuleStatistics};
use std::sync::Arc;

/// In the first batches a state is fired anew and compared, and then in one of so many.
const COMPARE_EVERY: u32 = 64;

/// The transitions in each state's strong stubborn set, by inferred rules.
pub struct ByInferred<'m> {
    machine: &'m dyn Machine,
    order: Order,
    inferred: Arc<Inferred>,
    closure: Closure,
    seen: Seen,
    n_batches: u32,
    /// Whether all states are compared.
    is_paranoid: bool,
}

impl<'m> ByInferred<'m> {
    /// A source of the machine from which the rules were inferred. All states are compared
    /// with the model's own code if it `is_paranoid`, and otherwise some are.
    pub fn new(
        machine: &'m dyn Machine,
        order: Order,
        inferred: Arc<Inferred>,
        is_paranoid: bool,
    ) -> Self {
        let (closure, seen) = Default::default();
        ByInferred { machine, order, inferred, closure, seen, n_batches: 0, is_paranoid }
    }

    /// Complains if the tables say something else of a state than the machine does.
    fn compare(&self, state: &[u64]) -> Result<(), ModelError> {
        let difference = self.inferred.flat.first_difference(self.machine, state)?;
        let Some(t) = difference else { return Ok(()) };
        let what = "it does not do what it did where all that it reads had the same values";
        Err(ModelError::new(state, t, Wrong::Unsteady(what.to_owned())))
    }

    fn expand_one(&mut self, state: &[u64], out: &mut Successors) -> Result<(), ModelError> {
        let (n, n_words) = (self.machine.n_transitions(), self.machine.n_words());
        let flat = &self.inferred.flat;
        let view = &mut ByTables::new(flat, self.machine, state, &mut self.seen);
        let done = self.closure.expand_by(self.order, n, view, n_words, out);
        done.map_err(|error| *error)
    }
}

impl Inferred {
    /// The stubborn set of a state of the machine from which the rules were inferred, disabled
    /// members included, sorted.
    pub fn stubborn_set(
        self: &Arc<Self>,
        machine: &dyn Machine,
        order: Order,
        state: &[u64],
    ) -> Result<Vec<usize>, ModelError> {
        let mut source = ByInferred::new(machine, order, self.clone(), false);
        source.expand_one(state, &mut Successors::default())?;
        Ok(source.closure.members(machine.n_transitions()))
    }
}

impl Source for ByInferred<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        let n = self.n_batches;
        self.n_batches = n.saturating_add(1);
        let is_due = n < COMPARE_EVERY || n.is_multiple_of(COMPARE_EVERY);
        for (i, state) in batch.states.chunks_exact(self.machine.n_words()).enumerate() {
            if self.is_paranoid || is_due && i == 0 {
                self.compare(state)?;
            }
            self.expand_one(state, out)?;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        0
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        Some(self.closure.statistics())
    }
}
