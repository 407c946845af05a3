//! Is this edge progress? The one answer that all livelock searches share.

use super::{Edge, Failure, Space, Watch};
use crate::machine::{Machine, ModelError, Progress};
use crate::model::RuleStatistics;
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// The progress labels of a model, with a memory of one bit per state, so that
/// each state is asked once.
pub struct Labels<'m> {
    machine: &'m dyn Machine,
    progress: Progress,
    states: BitSet,
}

impl<'m> Labels<'m> {
    /// Labels for a space that holds nothing but its initial states. From then
    /// on every edge must be shown to them.
    pub fn new<const W: usize>(
        progress: Progress,
        space: &Space<'m, W>,
    ) -> Result<Self, ModelError> {
        let mut labels = Labels { machine: space.machine(), progress, states: BitSet::default() };
        for id in 0..space.store().len() {
            labels.meet(id as Id, &space.state(id as Id))?;
        }
        Ok(labels)
    }

    /// Remembers whether a new state is a progress state.
    #[inline(always)]
    fn meet(&mut self, id: Id, state: &[u64]) -> Result<(), ModelError> {
        if self.progress.on_states() && self.progress.state(self.machine, state)? {
            self.states.insert(id);
        }
        Ok(())
    }

    /// Whether an edge is progress: by its transition, or by where it leads.
    #[inline(always)]
    pub fn is_progress(&mut self, edge: &Edge<'_>) -> Result<bool, ModelError> {
        if edge.is_new {
            edge.packed(edge.state, |state| self.meet(edge.to, state))?;
        }
        let transition = edge.transition as usize;
        if self.progress.depends_on_state() {
            let firing = edge.packed(edge.from_state, |from| {
                self.progress.firing(self.machine, from, transition)
            })?;
            return Ok(firing || self.states.contains(edge.to));
        }
        Ok(self.progress.transition(transition) || self.states.contains(edge.to))
    }

    /// Whether a state that has been met is a progress state.
    pub fn is_progress_state(&self, id: Id) -> bool {
        self.states.contains(id)
    }

    /// Expands one state and shows each edge, with whether it is progress.
    #[inline(always)]
    pub fn expand<const W: usize>(
        &mut self,
        space: &mut Space<'m, W>,
        id: Id,
        mut see: impl FnMut(Edge<'_>, bool) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        let mut failure = None;
        let flow = space.expand_one(id, &mut |edge: Edge<'_>| match self.is_progress(&edge) {
            Ok(is_progress) => see(edge, is_progress),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        match failure {
            Some(error) => Err(Failure::model(error, Some(id))),
            None => Ok(flow),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.states.bytes()
    }
}

/// Where a search for livelocks takes place.
pub struct Ground<'g, 'm, 'o, const W: usize> {
    /// The states.
    pub space: &'g mut Space<'m, W>,
    /// What is progress.
    pub labels: &'g mut Labels<'m>,
    /// The limits.
    pub watch: &'g mut Watch<'o>,
}

impl<const W: usize> Ground<'_, '_, '_, W> {
    /// The number of a state that was found elsewhere.
    pub(super) fn add(&mut self, state: u64) -> Result<Id, Failure> {
        let (id, is_new) = self.space.add(&[state])?;
        if is_new {
            let met = self.labels.meet(id, &[state]);
            met.map_err(|error| Failure::model(error, Some(id)))?;
        }
        Ok(id)
    }
}

/// What a search for a non-progress cycle has found.
pub struct Hunt {
    /// A state on a non-progress cycle of expanded states, if one was found.
    pub on_cycle: Option<Id>,
    /// The states that were expanded.
    pub expanded: BitSet,
    /// Those of them without a successor. Both are empty if several threads searched, and
    /// there is nothing to show.
    pub terminal: BitSet,
    /// Number of states without a successor.
    pub n_terminal: u64,
    /// What the rules did where it was not the space that expanded, and how many states were
    /// expanded in full for progress there.
    pub rules: RuleStatistics,
    /// See there.
    pub n_visible: u64,
    /// Number of threads that searched.
    pub n_threads: usize,
    /// Number of states of the graph that was searched.
    pub n_states: u64,
    /// Number of its edges.
    pub n_edges: u64,
    /// The longest path of the search.
    pub depth: u64,
    /// Bytes of the marks, the stack and the queue at their largest.
    pub bytes: usize,
    /// What else was counted, by name.
    pub more: Vec<(&'static str, u64)>,
    /// Whether the search came to its end, and what ended it if not.
    pub end: Result<(), Failure>,
}
