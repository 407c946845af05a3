//! Stubborn sets that leave nothing out where progress is in sight, so that
//! the reduced state space has a non-progress cycle iff the full one has.
//!
//! A. Laarman and D. Faragó, *Improved On-The-Fly Livelock Detection* (2013),
//! Table 2. The condition on transitions, C2^T, is theirs: if something enabled
//! is left out, no progress transition is fired. The condition on states, C2^S,
//! asks there only that the current state is no progress state, which is not
//! enough: a step into a progress state that is never left again may go before
//! a cycle without progress and hide it. So the states fired into are asked
//! too, as in C2' of D. Faragó and P. Schmitt, *Improving Non-progress Cycle
//! Checks* (2009). Both conditions look at one state and its successors alone,
//! so the reduced space is a function of the state, whatever the search.
//!
//! What the rules must grant beyond D0 to D2, for progress states alone: in a
//! state without progress where something is left out, no transition that is
//! fired makes a progress state of one that is none, there or after any
//! transitions outside the set. Then moving it to the front of a run adds no
//! progress to the run. A label that is true where *some* process is at a place
//! of its own grants it by itself. A label that takes two processes at once
//! does not: the rules must know it, as they must know a state check.

use super::full::Full;
use super::{Batch, Source};
use crate::machine::{Machine, ModelError, Progress, Successors};
use crate::model::RuleStatistics;
use std::sync::Arc;

/// Stubborn sets where no progress is in sight, and everything elsewhere: C2^T and C2^S, as
/// far as there are labels.
pub struct KeepProgress<'m> {
    machine: &'m dyn Machine,
    progress: Arc<Progress>,
    stubborn: Box<dyn Source + 'm>,
    full: Full<'m>,
    n_visible: u64,
}

impl<'m> KeepProgress<'m> {
    /// Of two sources, the one where this progress is in sight, and the other elsewhere.
    pub fn new(
        machine: &'m dyn Machine,
        progress: Arc<Progress>,
        stubborn: Box<dyn Source + 'm>,
        full: Full<'m>,
    ) -> Self {
        KeepProgress { machine, progress, stubborn, full, n_visible: 0 }
    }

    /// Whether the state expanded last fires a progress transition or leads to a
    /// progress state.
    fn sees_progress(&self, out: &Successors) -> Result<bool, ModelError> {
        let n_words = self.machine.n_words();
        for k in out.of(out.n_expanded() - 1) {
            let state = &out.words()[k * n_words..(k + 1) * n_words];
            if self.progress.transition(out.transitions()[k] as usize)
                || self.progress.state(self.machine, state)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Source for KeepProgress<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        let n_words = self.machine.n_words();
        for state in batch.states.chunks_exact(n_words) {
            if !self.progress.state(self.machine, state)? {
                self.stubborn.expand(Batch::awake(state), out)?;
                let is_seen = self.sees_progress(out);
                if is_seen == Ok(false) {
                    continue;
                }
                out.drop_last_state(n_words);
                is_seen?;
            }
            self.n_visible += 1;
            self.full.expand(Batch::awake(state), out)?;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.stubborn.bytes() + self.full.bytes()
    }

    fn remembers(&self) -> bool {
        self.stubborn.remembers() || self.full.remembers()
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        self.stubborn.rules()
    }

    fn n_visible(&self) -> u64 {
        self.n_visible
    }
}
