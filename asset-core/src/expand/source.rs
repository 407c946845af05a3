//! What turns states into their successors.

use super::folded::Fold;
use crate::machine::{ModelError, Packed, Successors};
use crate::model::RuleStatistics;

/// Turns states into their successors, a batch at a time.
///
/// Each worker has a source of its own, which owns what that worker remembers. Nothing is
/// locked, and nothing is shared but the machine.
///
/// A source tells states by *keys*: their packed words, or, where they are folded, one word
/// for each.
pub trait Source: Send {
    /// Expands the states of a batch in order and appends to `out`. On an error, the states
    /// before the one that it is about are complete in `out`, and there is nothing of others.
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError>;

    /// Bytes that are remembered.
    fn bytes(&self) -> usize;

    /// Whether something is remembered, so that the model's own code may do something else.
    fn remembers(&self) -> bool {
        false
    }

    /// What keys stand for, if they are not the packed states.
    fn fold(&self) -> Option<&Fold> {
        None
    }

    /// The key of a packed state.
    fn key(&mut self, state: &[u64]) -> Packed {
        state.into()
    }

    /// What stubborn set rules did so far, if they were asked.
    fn rules(&self) -> Option<&RuleStatistics> {
        None
    }

    /// Number of states that were expanded in full because progress was in sight.
    fn n_visible(&self) -> u64 {
        0
    }
}

/// States to expand, by their keys, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The keys.
    pub states: &'b [u64],
    /// For each state, the transitions that are *asleep*, as bits in the order of firing:
    /// what those of them that are enabled lead to is known, and they may be left out. Or
    /// nothing, and then all are fired.
    pub asleep: &'b [u64],
}

impl<'b> Batch<'b> {
    /// States in which nothing is asleep.
    pub fn awake(states: &'b [u64]) -> Self {
        Batch { states, asleep: &[] }
    }

    /// The states, but for the first `n`, of so many words each.
    #[inline(always)]
    pub fn skip(self, n: usize, n_words: usize) -> Self {
        Batch { states: &self.states[n * n_words..], asleep: self.asleep.get(n..).unwrap_or(&[]) }
    }

    /// Whether transitions may be left out, and it is asked what sleeps in successors.
    #[inline(always)]
    pub fn may_leave_out(&self) -> bool {
        !self.asleep.is_empty()
    }
}
