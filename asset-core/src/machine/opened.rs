//! One state in memory: firing some of its transitions, and asking their rules.

use super::{ModelError, Successors};
use crate::model::Obligations;

/// A state in memory.
///
/// Behind a vtable, so that what chooses among transitions is compiled once and not for every
/// instance of every model; it calls once or twice per transition it reaches, which costs
/// a tenth of what the choice does.
pub trait Opened {
    /// Lists what `transition` obliges.
    fn oblige(&self, transition: usize, need: &mut Obligations) -> Result<(), Box<ModelError>>;

    /// Fires `transition` and adds the successor to `out`; false if it is
    /// disabled.
    fn fire(&self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>>;

    /// Fires `transition` and writes the successor; false if it is disabled.
    fn successor(&self, transition: usize, words: &mut [u64]) -> Result<bool, Box<ModelError>> {
        let mut out = Successors::default();
        let is_enabled = self.fire(transition, &mut out)?;
        if is_enabled {
            words.copy_from_slice(out.words());
        }
        Ok(is_enabled)
    }

    /// Whether a firing that returns false has changed the state before.
    fn is_changed_though_disabled(&self, transition: usize) -> bool {
        let _ = transition;
        false
    }
}
