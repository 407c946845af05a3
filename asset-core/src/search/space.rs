//! The expansion step that every search shares.

use super::sleep::{self, Sleep};
use super::visitor::{BatchVisitor, Edge, Found, Size, Visitor};
use super::{Failure, Limit};
use crate::expand::{Batch, Fold, Recipe, Source};
use crate::machine::{Machine, ModelError, Packed, Successors};
use crate::store::{Id, Kept, MAX_RANGE, NewStates, StateSet, Store};
use std::ops::ControlFlow;

/// States expanded at a time. Few, so that the fetches of one batch are under
/// way while the next is fired: a burst of a hundred would fill the
/// processor's fetch buffers and stand still (docs/decisions.md, "Batches").
pub(super) const BATCH: usize = 32;
const _: () = assert!(MAX_RANGE.is_multiple_of(BATCH));
/// Batches between fetching the words of states and reading them.
const READ_AFTER: usize = 2;
/// Batches between firing and fetching the states that will be compared.
const FETCH_AFTER: usize = 1;
/// Batches between firing and looking up.
const LOOK_UP_AFTER: usize = 2;
/// Batches under way at a time.
const STAGES: usize = LOOK_UP_AFTER + 1;
/// Batches between two pauses.
pub(super) const PAUSE_EVERY: usize = 16;

/// States to be expanded.
#[derive(Clone, Copy)]
enum Ids<'i> {
    From(usize),
    List(&'i [Id]),
}

impl Ids<'_> {
    #[inline(always)]
    fn nth(self, i: usize) -> Id {
        match self {
            Ids::From(first) => (first + i) as Id,
            Ids::List(ids) => ids[i],
        }
    }
}

/// A few states and their successors, on their way to the store.
#[derive(Default)]
struct UnderWay {
    /// The states that are expanded, side by side. A copy: the store changes
    /// while they are in use.
    states: Vec<u64>,
    /// What is asleep in them, if that is known.
    asleep: Vec<u64>,
    out: Successors,
    hashes: Vec<u64>,
    /// How often the store had grown when they were worked out.
    n_growths: u32,
    /// What ended the generation early.
    error: Option<ModelError>,
}

/// A space that keeps all its states, of `W` words each (0: any number).
pub type Space<'m, const W: usize> = Expander<'m, Store<W>>;

impl<'m, const W: usize> Space<'m, W> {
    /// A space that holds the initial states.
    pub fn new(recipe: &Recipe<'m>) -> Result<Self, Failure> {
        Expander::with_set(recipe, Store::new(recipe.n_words()))
    }
}

/// A model, a way to expand its states, and the states found so far.
pub struct Expander<'m, S> {
    recipe: Recipe<'m>,
    source: Box<dyn Source + 'm>,
    store: S,
    batches: [UnderWay; STAGES],
    new: NewStates,
    /// What is asleep in the states that a breadth-first search has yet to expand.
    sleep: Option<Sleep>,
    n_roots: usize,
    /// The largest number of states, in searches that see edge by edge.
    pub max_states: usize,
    /// Number of edges visited in expansions.
    pub n_edges: u64,
}

impl<'m, S: StateSet> Expander<'m, S> {
    /// A space that holds the initial states, in the given empty set.
    pub fn with_set(recipe: &Recipe<'m>, store: S) -> Result<Self, Failure> {
        Ok(Expander::from_states(recipe, &recipe.initial_states()?, store))
    }

    /// A space that starts elsewhere, as if these packed states were the initial ones.
    pub fn from_states(recipe: &Recipe<'m>, states: &[Packed], store: S) -> Self {
        Expander::with_source(recipe, recipe.source(), states, store)
    }

    /// The same with this source.
    pub(super) fn with_source(
        recipe: &Recipe<'m>,
        mut source: Box<dyn Source + 'm>,
        states: &[Packed],
        mut store: S,
    ) -> Self {
        for state in states {
            store.add(&source.key(state));
        }
        Expander {
            recipe: recipe.clone(),
            source,
            n_roots: store.len(),
            max_states: usize::MAX,
            store,
            batches: Default::default(),
            new: NewStates::default(),
            sleep: None,
            n_edges: 0,
        }
    }

    /// The model.
    pub fn machine(&self) -> &'m dyn Machine {
        self.recipe.machine()
    }

    /// The states found so far.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// No more states will be found. Places do not change from now on: there is room
    /// for all successors of a batch, though all are known.
    pub fn finish(&mut self)
    where
        S: Kept,
    {
        self.store.reserve(BATCH * self.machine().n_transitions());
        self.store.finish();
    }

    /// What expands states.
    pub fn source(&self) -> &(dyn Source + 'm) {
        &*self.source
    }

    /// How states are expanded.
    pub fn recipe(&self) -> &Recipe<'m> {
        &self.recipe
    }

    /// The packed state with this number.
    pub fn state(&self, id: Id) -> Packed {
        let key = self.store.state(id);
        unfolded(self.source.fold(), &key, &mut Vec::new()).into()
    }

    /// Where a packed state stands, if it is stored.
    pub fn find(&self, state: &[u64]) -> Option<Id>
    where
        S: Kept,
    {
        match self.source.fold() {
            None => self.store.find(state),
            Some(fold) => self.store.find(&[fold.find(state)?]),
        }
    }

    /// The number of a state that was found elsewhere, or its place, and whether it is new.
    pub(super) fn add(&mut self, state: &[u64]) -> Result<(Id, bool), Limit> {
        if self.store.is_full(1) {
            return Err(Limit::StateNumbers);
        }
        Ok(self.store.add(state))
    }

    /// How states are expanded, and the set of them, for a search that does both by itself.
    pub(super) fn hands(&mut self) -> (&mut (dyn Source + 'm), &mut S) {
        (&mut *self.source, &mut self.store)
    }

    /// Number of initial states; they have the lowest numbers.
    pub fn n_roots(&self) -> usize {
        self.n_roots
    }

    /// Expands consecutive states: fires, packs, stores, reports. If the model
    /// fails, what came before has been reported.
    pub fn expand_range<V: Visitor>(
        &mut self,
        ids: std::ops::Range<usize>,
        visitor: &mut V,
    ) -> Result<ControlFlow<()>, Failure> {
        self.pipeline(Ids::From(ids.start), ids.len(), visitor, Self::report_edges, V::pause)
    }

    /// Expands any states, as [`Space::expand_range`].
    pub fn expand<V: Visitor>(
        &mut self,
        ids: &[Id],
        visitor: &mut V,
    ) -> Result<ControlFlow<()>, Failure> {
        self.pipeline(Ids::List(ids), ids.len(), visitor, Self::report_edges, V::pause)
    }

    /// Expands the next states in the order of numbers, as a breadth-first search
    /// does from the first to the last, and reports whole batches.
    pub fn expand_batches<V: BatchVisitor>(
        &mut self,
        ids: std::ops::Range<usize>,
        visitor: &mut V,
    ) -> Result<ControlFlow<()>, Failure> {
        if ids.start == 0 && !S::KEEPS_STATES {
            self.sleep = self.recipe.may_sleep().then(|| Sleep::new(self.n_roots));
        }
        self.pipeline(Ids::From(ids.start), ids.len(), visitor, Self::report_batch, V::pause)
    }

    /// Expands one state, as [`Space::expand`]. With nothing to overlap it with,
    /// the stages follow each other at once; this is for depth-first searches.
    #[inline(always)]
    pub fn expand_one(
        &mut self,
        id: Id,
        visitor: &mut impl Visitor,
    ) -> Result<ControlFlow<()>, Failure> {
        self.generate(Ids::From(id as usize), 0..1, 0);
        for &hash in &self.batches[0].hashes {
            self.store.prefetch_state(hash);
        }
        self.report_edges(0, Ids::From(id as usize), 0, visitor)
    }

    #[inline(always)]
    fn pipeline<V>(
        &mut self,
        ids: Ids<'_>,
        n: usize,
        visitor: &mut V,
        report: impl Fn(&mut Self, usize, Ids<'_>, usize, &mut V) -> Result<ControlFlow<()>, Failure>,
        pause: impl Fn(&mut V, Size) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        // Batches begin at multiples of their size, as `get_range` wants it.
        let offset = match ids {
            Ids::From(first) => first % BATCH,
            Ids::List(_) => 0,
        };
        let part = |i: usize| {
            (i * BATCH).saturating_sub(offset)..n.min(((i + 1) * BATCH).saturating_sub(offset))
        };
        let n_batches = (n + offset).div_ceil(BATCH);
        for step in 0..n_batches + LOOK_UP_AFTER {
            if let Ids::List(list) = ids {
                let soon = &list[n.min((step + READ_AFTER) * BATCH)..];
                soon.iter().take(BATCH).for_each(|&id| self.store.prefetch_words(id));
            }
            if step < n_batches {
                self.generate(ids, part(step), step % STAGES);
            }
            if let Some(i) = step.checked_sub(FETCH_AFTER).filter(|&i| i < n_batches) {
                for &hash in &self.batches[i % STAGES].hashes {
                    self.store.prefetch_state(hash);
                }
            }
            let Some(i) = step.checked_sub(LOOK_UP_AFTER) else { continue };
            if report(self, i % STAGES, ids, part(i).start, visitor)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if i.is_multiple_of(PAUSE_EVERY) || i + 1 == n_batches {
                if let Ids::From(first) = ids {
                    self.store.release(first + part(i).end);
                    self.sleep.iter_mut().for_each(|sleep| sleep.release(first + part(i).end));
                }
                if pause(visitor, self.size(n - part(i).end)).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Stage one: fires a few states, hashes what comes out and fetches the
    /// lines of the table where it will be looked up.
    #[inline(always)]
    fn generate(&mut self, ids: Ids<'_>, part: std::ops::Range<usize>, slot: usize) {
        let UnderWay { states, asleep, out, error, .. } = &mut self.batches[slot];
        states.clear();
        asleep.clear();
        out.clear();
        match ids {
            Ids::From(first) => {
                let ids = first + part.start..first + part.end;
                if let Some(sleep) = &self.sleep {
                    sleep.append(ids.clone(), asleep);
                }
                self.store.append(ids, states);
            }
            Ids::List(list) => {
                for &id in &list[part] {
                    self.store.append(id as usize..id as usize + 1, states);
                }
            }
        }
        *error = self.source.expand(Batch { states, asleep }, out).err();
        self.hash(slot);
    }

    /// Hashes the successors of a batch, and fetches their lines.
    #[inline(always)]
    fn hash(&mut self, slot: usize) {
        let UnderWay { out, hashes, n_growths, .. } = &mut self.batches[slot];
        hashes.clear();
        self.store.hash_all(out.words(), hashes);
        *n_growths = self.store.n_growths();
    }

    /// Makes room for all successors of a batch, and sees that their hashes are
    /// good.
    #[inline(always)]
    fn reserve(&mut self, slot: usize) -> Result<(), Limit> {
        let n = self.batches[slot].out.len();
        if self.store.is_full(n) {
            return Err(Limit::StateNumbers);
        }
        self.store.reserve(n);
        if self.batches[slot].n_growths != self.store.n_growths() {
            self.hash(slot);
        }
        Ok(())
    }

    /// Stage three: stores the successors and shows them to the visitor one by one.
    #[inline(always)]
    fn report_edges<V: Visitor>(
        &mut self,
        slot: usize,
        ids: Ids<'_>,
        first: usize,
        visitor: &mut V,
    ) -> Result<ControlFlow<()>, Failure> {
        self.reserve(slot)?;
        let n_words = self.store.n_words();
        let UnderWay { states, out, hashes, error, .. } = &mut self.batches[slot];
        let fold = self.source.fold();
        for (i, from_state) in states.chunks_exact(n_words).enumerate().take(out.n_expanded()) {
            let from = ids.nth(first + i);
            let edges = out.of(i);
            for next in edges.clone() {
                let state = &out.words()[next * n_words..(next + 1) * n_words];
                let (to, is_new) = self.store.insert(state, hashes[next]);
                if is_new && self.store.len() > self.max_states {
                    return Err(Limit::States(self.max_states as u64).into());
                }
                self.n_edges += 1;
                let transition = out.transitions()[next];
                let edge = Edge { from, from_state, transition, to, is_new, state, fold };
                if visitor.edge(edge).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if visitor.expanded(from, from_state, edges.len()).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        match error.take() {
            Some(error) => Err(Failure::model(error, Some(ids.nth(first + out.n_expanded())))),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    /// Stage three of a breadth-first search: stores the successors, and shows
    /// them to the visitor all at once.
    #[inline(always)]
    fn report_batch<V: BatchVisitor>(
        &mut self,
        slot: usize,
        ids: Ids<'_>,
        first: usize,
        visitor: &mut V,
    ) -> Result<ControlFlow<()>, Failure> {
        self.reserve(slot)?;
        let UnderWay { states, asleep, out, hashes, error, .. } = &mut self.batches[slot];
        // What an expansion that did not end has left behind is not looked at.
        let n = out.ends().last().map_or(0, |&end| end as usize);
        let words = &out.words()[..n * self.store.n_words()];
        self.new.clear(n);
        self.store.insert_all(words, &hashes[..n], out.ends(), &mut self.new);
        let first_id = ids.nth(first);
        let (successors, new) = (&*out, &self.new);
        let (order, n_transitions) = (self.recipe.order(), self.recipe.machine().n_transitions());
        let fold = self.source.fold();
        let found = Found {
            first: first_id,
            states,
            n_words: self.store.n_words(),
            asleep,
            successors,
            new,
            order,
            n_transitions,
            fold,
        };
        if let ControlFlow::Break(n_seen) = visitor.found(found) {
            self.n_edges += n_seen as u64;
            return Ok(ControlFlow::Break(()));
        }
        self.n_edges += found.n_edges() as u64;
        if let Some(sleep) = &mut self.sleep {
            sleep.note(found);
            if successors.sleeping().is_none() {
                sleep::verify(found)?;
            }
        }
        match error.take() {
            Some(error) => Err(Failure::model(error, Some(first_id + out.n_expanded() as Id))),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn size(&self, n_left: usize) -> Size {
        Size {
            n_states: self.store.len(),
            n_edges: self.n_edges,
            n_left,
            bytes: self.bytes(),
            bytes_ahead: self.bytes() - self.store.bytes() + self.store.bytes_after_growth(),
        }
    }

    /// Bytes of the store and of the buffers.
    pub fn bytes(&self) -> usize {
        let words = |b: &UnderWay| b.hashes.capacity() + b.states.capacity() + b.asleep.capacity();
        let of = |b: &UnderWay| b.out.bytes() + 8 * words(b);
        let sleep = self.sleep.as_ref().map_or(0, Sleep::bytes);
        self.store.bytes()
            + self.new.bytes()
            + sleep
            + self.source.bytes()
            + self.batches.iter().map(of).sum::<usize>()
    }
}

/// The packed states with these keys, perhaps in the given room.
#[inline(always)]
pub fn unfolded<'s>(fold: Option<&Fold>, keys: &'s [u64], words: &'s mut Vec<u64>) -> &'s [u64] {
    match fold {
        None => keys,
        Some(fold) => {
            words.clear();
            fold.unfold(keys, words);
            words
        }
    }
}
