//! The expansion step that every search shares.

use super::Limit;
use crate::machine::{Machine, ModelError, Packed, Successors, Wrong};
use crate::reduction::Selector;
use crate::store::{Id, Store};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One successful firing.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'s> {
    /// The state that was expanded.
    pub from: Id,
    /// The words of that state.
    pub from_state: &'s [u64],
    /// What was fired.
    pub transition: u32,
    /// The state it led to.
    pub to: Id,
    /// Whether that state has just been found for the first time.
    pub is_new: bool,
    /// The words of the state it led to.
    pub state: &'s [u64],
}

/// What a search does with the edges of an expansion. `Break` ends the
/// expansion at once.
pub trait Visitor {
    /// One edge, in the order of firing.
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()>;

    /// A state whose edges have all been seen, with their number.
    fn expanded(&mut self, id: Id, state: &[u64], n_edges: usize) -> ControlFlow<()> {
        let _ = (id, state, n_edges);
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(Edge<'_>) -> ControlFlow<()>> Visitor for F {
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()> {
        self(edge)
    }
}

/// Why a search could not go on.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A limit was reached: the run is inconclusive.
    Limit(Limit),
    /// The model broke its contract in an expanded state.
    Model(Box<ModelError>),
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Self {
        Failure::Limit(limit)
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::Model(Box::new(error))
    }
}

/// A model, a way to expand its states, and the states found so far.
pub struct Space<'m, const W: usize> {
    machine: &'m dyn Machine,
    selector: Selector,
    store: Store<W>,
    out: Successors,
    hashes: Vec<u64>,
    gathered: Vec<u64>,
    n_roots: usize,
    /// Number of edges visited in expansions.
    pub n_edges: u64,
}

impl<'m, const W: usize> Space<'m, W> {
    /// A space that holds the initial states.
    pub fn new(machine: &'m dyn Machine, selector: Selector) -> Result<Self, Failure> {
        let initial = guarded(None, || machine.initial_states())??;
        Ok(Space::from_states(machine, selector, &initial))
    }

    /// A space that starts elsewhere, as if these were the initial states.
    pub fn from_states(machine: &'m dyn Machine, selector: Selector, states: &[Packed]) -> Self {
        let mut store = Store::new(machine.n_words());
        for state in states {
            store.insert(state, store.hash(state));
        }
        Space {
            machine,
            selector,
            n_roots: store.len(),
            store,
            out: Successors::default(),
            hashes: Vec::new(),
            gathered: Vec::new(),
            n_edges: 0,
        }
    }

    /// The model.
    pub fn machine(&self) -> &'m dyn Machine {
        self.machine
    }

    /// The states found so far.
    pub fn store(&self) -> &Store<W> {
        &self.store
    }

    /// How states are expanded.
    pub fn selector(&self) -> &Selector {
        &self.selector
    }

    /// Changes how states are expanded from now on.
    pub fn selector_mut(&mut self) -> &mut Selector {
        &mut self.selector
    }

    /// Number of initial states; they have the lowest numbers.
    pub fn n_roots(&self) -> usize {
        self.n_roots
    }

    /// Expands consecutive states: fires, packs, stores, reports. If the model
    /// fails, what came before has been reported.
    pub fn expand_range(
        &mut self,
        ids: std::ops::Range<usize>,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Failure> {
        let states = self.store.get_range(ids.clone());
        let done = generate(self.machine, states, &mut self.selector, &mut self.out);
        self.report(|i| (ids.start + i) as Id, done, visitor)
    }

    /// Expands any states, as [`Space::expand_range`].
    pub fn expand(
        &mut self,
        ids: &[Id],
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Failure> {
        self.gathered.clear();
        for &id in ids {
            self.gathered.extend_from_slice(self.store.get(id));
        }
        let done = generate(self.machine, &self.gathered, &mut self.selector, &mut self.out);
        self.report(|i| ids[i], done, visitor)
    }

    /// Stores the generated successors and shows them to the visitor.
    #[inline(always)]
    fn report(
        &mut self,
        id_of: impl Fn(usize) -> Id,
        done: Result<(), ModelError>,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Failure> {
        let n_words = self.store.n_words();
        if self.store.is_full(self.out.transitions.len()) {
            return Err(Limit::StateNumbers.into());
        }
        self.hashes.clear();
        for state in self.out.words.chunks_exact(n_words) {
            let hash = self.store.hash(state);
            self.store.prefetch(hash);
            self.hashes.push(hash);
        }
        for &hash in &self.hashes {
            self.store.prefetch_state(hash);
        }
        for i in 0..self.out.ends.len() {
            let from = id_of(i);
            let successors = self.out.of(i);
            let n_edges = successors.len();
            for k in successors {
                let state = &self.out.words[k * n_words..(k + 1) * n_words];
                let (to, is_new) = self.store.insert(state, self.hashes[k]);
                self.n_edges += 1;
                let transition = self.out.transitions[k];
                let from_state = self.store.get(from);
                let edge = Edge { from, from_state, transition, to, is_new, state };
                if visitor.edge(edge).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if visitor.expanded(from, self.store.get(from), n_edges).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        done?;
        Ok(ControlFlow::Continue(()))
    }

    /// Bytes of the store and of the buffers.
    pub fn bytes(&self) -> usize {
        let buffers = self.out.words.capacity() * 8 + self.hashes.capacity() * 8;
        self.store.bytes() + buffers + self.gathered.capacity() * 8
    }
}

/// Fills `out` with the successors of `states`; a panic in the model becomes an
/// error, and the states before the one that panicked are complete.
#[inline(always)]
fn generate(
    machine: &dyn Machine,
    states: &[u64],
    selector: &mut Selector,
    out: &mut Successors,
) -> Result<(), ModelError> {
    out.clear();
    let expand = AssertUnwindSafe(|| selector.expand(machine, states, out));
    catch_unwind(expand).unwrap_or_else(|payload| {
        let at = out.ends.len() * machine.n_words();
        let complete = out.ends.last().map_or(0, |&end| end as usize);
        out.truncate(complete * machine.n_words(), complete);
        let state = &states[at..at + machine.n_words()];
        Err(blame(machine, state, Wrong::from_panic(payload)))
    })
}

/// Finds the transition that panics in `state`, by firing one at a time.
#[cold]
fn blame(machine: &dyn Machine, state: &[u64], wrong: Wrong) -> ModelError {
    let panics = |&t: &usize| catch_unwind(AssertUnwindSafe(|| machine.fire(state, t))).is_err();
    let transition = (0..machine.n_transitions()).rev().find(panics);
    ModelError { state: Some(state.into()), transition, wrong }
}

/// Runs a part of the model on a state, or on none; a panic becomes an error.
#[inline(always)]
pub(crate) fn guarded<T>(state: Option<&[u64]>, part: impl FnOnce() -> T) -> Result<T, ModelError> {
    catch_unwind(AssertUnwindSafe(part)).map_err(|payload| ModelError {
        state: state.map(Into::into),
        transition: None,
        wrong: Wrong::from_panic(payload),
    })
}
