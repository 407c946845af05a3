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
//! combinations in Peterson-4, and it was hardly faster than firing anew.
//!
//! LTSmin caches *local transitions* in this way for languages in which variables
//! are declared for each transition (Blom, van de Pol, Weber 2010). Here they are
//! found in the author's code.
//!
//! Should that ever be wrong, it is found out: now and then states are expanded
//! anew, and compared (`Counts::is_due`), and with `--paranoid` all of them.
//!
//! [`Model::touches`]: crate::model::Model::touches
//! [`Model::choice`]: crate::model::Model::choice

mod enabled;
mod grouped;
mod groups;
mod masks;
mod outcomes;
mod rules;
mod sets;
mod table;
mod tables;

pub use enabled::{Enabled, STRIDE};
pub use masks::{FieldLanes, Masks};
pub use rules::RememberedRules;
pub use table::unsteady;

use super::{ModelError, Successors};
use crate::memory::bits::FastBits;
use crate::model::Order;
use crate::model::Place;
use crate::state::{Layout, Shape};
use grouped::{Firings, firings};

/// It must be worth it: of so many firings, …
const WINDOW: u64 = 1 << 20;
/// … at most one in so many may be met for the first time, or again after its slot
/// was taken.
const WORTH: u64 = 16;
/// The first batches are expanded anew as well, and then one in so many.
const AUDIT_EVERY: u32 = 64;
/// Slots that all tables may have together, more or less.
const MAX_SLOTS: usize = 1 << 21;

/// What is known of a model's transitions without firing them.
#[derive(Clone, Copy)]
pub struct Known {
    /// [`Model::choice`](crate::model::Model::choice).
    pub choice: fn(usize) -> Option<(Place, usize)>,
    /// [`Model::touches`](crate::model::Model::touches).
    pub touches: fn(usize, usize, bool, &mut dyn FnMut(Place)) -> bool,
}

/// Something that is remembered of one machine's transitions.
pub trait Cache: Sized {
    /// Nothing yet, if there can be something.
    fn new(shape: &Shape, layout: &Layout, n_transitions: usize, known: Known) -> Option<Self>;

    /// What is counted.
    fn counts(&mut self) -> &mut Counts;

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// How often something was asked for, to see whether it is worth it.
#[derive(Debug, Default)]
pub struct Counts {
    /// How often in this window, and how often it was not remembered.
    n_asked: u64,
    n_missed: u64,
    n_batches: u32,
}

impl Counts {
    /// Whether the next batch is one to be expanded anew, too.
    pub fn is_due(&mut self) -> bool {
        self.n_batches = self.n_batches.saturating_add(1);
        self.n_batches < AUDIT_EVERY || self.n_batches.is_multiple_of(AUDIT_EVERY)
    }
}

/// Fires a transition in a state and writes the successor. False if it is disabled.
pub type Fire<'f> = dyn FnMut(&[u64], usize, &mut [u64]) -> Result<bool, Box<ModelError>> + 'f;

/// What is remembered of one machine, if anything.
#[derive(Debug, Default)]
pub enum Memo<C = Remembered> {
    /// It has not been found out yet whether anything can be.
    #[default]
    Unasked,
    /// Nothing is.
    Off,
    /// Something of all transitions is.
    On(C),
}

impl<C: Cache> Memo<C> {
    /// Finds out whether anything can be remembered, if that is not known yet.
    #[inline(always)]
    pub fn ask(
        &mut self,
        shape: &Shape,
        layout: &Layout,
        n_transitions: usize,
        known: Known,
    ) -> Option<&mut C> {
        let is_settled = match self {
            Memo::Unasked => false,
            Memo::Off => return None,
            Memo::On(cache) => cache.counts().n_asked < WINDOW,
        };
        if !is_settled {
            self.decide(shape, layout, n_transitions, known);
        }
        match self {
            Memo::On(cache) => Some(cache),
            Memo::Unasked | Memo::Off => None,
        }
    }

    #[cold]
    fn decide(&mut self, shape: &Shape, layout: &Layout, n_transitions: usize, known: Known) {
        *self = match std::mem::replace(self, Memo::Off) {
            Memo::Unasked => {
                C::new(shape, layout, n_transitions, known).map_or(Memo::Off, Memo::On)
            }
            Memo::On(mut cache) => {
                let counts = cache.counts();
                let is_worth_it = counts.n_missed < counts.n_asked / WORTH;
                (counts.n_asked, counts.n_missed) = (0, 0);
                if is_worth_it { Memo::On(cache) } else { Memo::Off }
            }
            Memo::Off => Memo::Off,
        };
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        match self {
            Memo::On(cache) => cache.bytes(),
            Memo::Unasked | Memo::Off => 0,
        }
    }
}

/// The remembered firings of all transitions.
#[derive(Debug)]
pub struct Remembered {
    firings: Box<dyn Firings>,
    counts: Counts,
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

impl Cache for Remembered {
    fn new(shape: &Shape, layout: &Layout, n: usize, known: Known) -> Option<Remembered> {
        let masks = Masks::of_all(shape, layout, n, known, false)?;
        let firings = firings(FastBits::new()?, masks, layout.words())?;
        Some(Remembered { firings, counts: Counts::default() })
    }

    fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }

    fn bytes(&self) -> usize {
        self.firings.bytes()
    }
}

impl Remembered {
    /// Expands states in full. Appends to `out` as
    /// [`Machine::expand`](super::Machine::expand) does, up to where it had to stop.
    pub fn expand(
        &mut self,
        states: &[u64],
        order: Order,
        fire: &mut Fire<'_>,
        out: &mut Successors,
    ) -> Result<(), Stop> {
        let n = self.firings.expand(states, order, fire, &mut self.counts.n_missed, out)?;
        self.counts.n_asked += n as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
