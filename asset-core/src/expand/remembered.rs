//! Firings that are remembered, so that the model's code runs once for what it has
//! done before.
//!
//! Where it is known which variables a transition touches ([`Model::touches`]), what
//! firing it does is a function of their values alone. Those are few, however many
//! states there are: in 26 million states of Peterson-4, a process's step meets less
//! than a thousand combinations. A table maps them to what changed. It is a cache: a
//! later combination may take the slot of an earlier one. Packed states are read
//! and written, so that neither the state nor its successors are unpacked.
//!
//! Tables must be small, as the look-up of states throws them out of the processor's
//! caches. So there is one for each value of the variable by which a transition
//! chooses what to do ([`Model::choice`]): without that there were ten times as many
//! combinations in Peterson-4 (docs/decisions.md, "A table for each value").
//!
//! LTSmin caches *local transitions* in this way for languages in which variables
//! are declared for each transition (Blom, van de Pol, Weber 2010). Here they are
//! found in the author's code.
//!
//! Should that ever be wrong, it is found out: now and then states are expanded
//! anew, and compared (`expand/checked.rs`), and with `--paranoid` all of them.
//!
//! [`Model::touches`]: crate::model::Model::touches
//! [`Model::choice`]: crate::model::Model::choice

mod enabled;
mod grouped;
mod groups;
mod outcomes;
mod table;
mod tables;

pub use enabled::{Enabled, STRIDE};
pub use table::{Table, unsteady};
pub use tables::{Members, Tables};

use super::Batch;
use super::trial::Trial;
use crate::machine::{Footprint, ModelError, Opened, Successors};
use crate::memory::bits::FastBits;
use crate::model::Order;
use grouped::{Firings, firings};

/// Slots that all tables may have together, more or less.
pub const MAX_SLOTS: usize = 1 << 21;

/// Unpacks a state, and shows it, as [`Machine::open`](crate::machine::Machine::open) does.
pub type Open<'o> = dyn FnMut(&[u64], &mut dyn FnMut(&dyn Opened)) -> Result<(), ModelError> + 'o;

/// The remembered firings of all transitions.
#[derive(Debug)]
pub struct Remembered {
    firings: Box<dyn Firings>,
    /// Of firings.
    pub trial: Trial,
}

/// Why states were not expanded.
#[derive(Debug)]
pub enum Stop {
    /// The model failed. The states that are left must be expanded anew, as the order
    /// of look-ups is another one than that of transitions.
    Failed,
    /// A transition did what was not known.
    Unsteady(Box<ModelError>),
}

impl Remembered {
    /// Nothing yet of transitions that touch these bits, if there are any and that are not
    /// too many.
    pub fn new(touched: Vec<Footprint>, n_words: usize, order: Order) -> Option<Remembered> {
        if touched.is_empty() {
            return None;
        }
        let firings = firings(FastBits::new()?, touched, n_words, order)?;
        Some(Remembered { firings, trial: Trial::of_firings() })
    }

    /// Expands states in full. Appends to `out` as [`Source::expand`](super::Source::expand)
    /// does, up to where it had to stop.
    pub fn expand(
        &mut self,
        batch: Batch<'_>,
        open: &mut Open<'_>,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let n = self.firings.expand(batch, open, &mut self.trial.n_missed, out)?;
        self.trial.n_asked += n as u64;
        Ok(())
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.firings.bytes()
    }
}

#[cfg(test)]
pub(crate) mod tests;
