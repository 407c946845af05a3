//! The successors of a batch of states, in flat buffers that are used again.

/// Packed successors with the transitions that lead to them.
#[derive(Debug, Default)]
pub struct Successors {
    /// The packed states, side by side.
    pub words: Vec<u64>,
    /// The transition that leads to each of them.
    pub transitions: Vec<u32>,
    /// For each expanded state, where its successors end in `transitions`.
    pub ends: Vec<u32>,
}

impl Successors {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.transitions.clear();
        self.ends.clear();
    }

    /// The range of successors of the `i`-th expanded state.
    pub fn of(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        start..self.ends[i] as usize
    }

    /// Drops what was added since there were `n_words` words and
    /// `n_transitions` transitions.
    pub(crate) fn truncate(&mut self, n_words: usize, n_transitions: usize) {
        self.words.truncate(n_words);
        self.transitions.truncate(n_transitions);
    }

    /// Drops the state that was expanded last, with its successors.
    pub(crate) fn drop_last_state(&mut self, n_words: usize) {
        self.ends.pop();
        let kept = self.ends.last().map_or(0, |&end| end as usize);
        self.truncate(kept * n_words, kept);
    }

    /// Ends the successors of one expanded state.
    #[inline]
    pub(crate) fn end_state(&mut self) {
        self.ends.push(self.transitions.len() as u32);
    }
}
