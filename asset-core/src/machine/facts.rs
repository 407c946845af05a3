//! What is known of a machine without asking about a state.

use crate::model::Description;
use crate::state::{Layout, Shape};

/// What every part of the engine may know of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'m> {
    /// Names and kinds of the model's parts.
    pub description: &'m Description,
    /// Number of transitions.
    pub n_transitions: usize,
    /// Number of words of a packed state.
    pub n_words: usize,
    /// The lanes of a state.
    pub layout: &'m Layout,
    /// The variables of a state.
    pub shape: &'m Shape,
    /// Whether packed states are never longer than the layout's bits. Then only
    /// those bits are stored; a machine that granted it wrongly would lose
    /// states. If not, all words are.
    pub packs_exactly: bool,
}

impl Facts<'_> {
    /// Bits of a packed state that must be stored.
    pub fn n_bits(&self) -> u32 {
        if self.packs_exactly { self.layout.bits() } else { self.n_words as u32 * u64::BITS }
    }
}
