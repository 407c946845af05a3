//! Some consecutive states of a round, on their way from one step to the next.

use super::Slot;
use crate::expand::{self, Source, StateChecks};
use crate::machine::{Machine, ModelError, Successors};
use crate::model::Order;
use crate::search::notes::Notes;
use crate::search::sleep;
use crate::search::space::{BATCH, PAUSE_EVERY};
use crate::search::{Failure, Found, Limit};
use crate::store::{Id, Ledger, NewStates, Split, Window};
use std::ops::{ControlFlow, Range};
use std::sync::{PoisonError, RwLock};

/// States that wait to be expanded, in the order of discovery.
pub(super) struct Frontier {
    states: Window,
    /// What is asleep in each, if anything may be.
    asleep: Option<Window>,
}

impl Frontier {
    /// With the initial states.
    pub fn new(roots: &[u64], may_sleep: bool) -> Self {
        let mut frontier =
            Frontier { states: Window::default(), asleep: may_sleep.then(Window::default) };
        frontier.extend(roots, &vec![0; roots.len()]);
        frontier
    }

    /// Appends states, with what is asleep in each.
    pub fn extend(&mut self, states: &[u64], asleep: &[u64]) {
        self.states.extend(states.iter().copied());
        self.asleep.iter_mut().for_each(|window| window.extend(asleep.iter().copied()));
    }

    /// States below this number will not be asked for any more.
    pub fn release(&mut self, before: usize) {
        self.states.release(before);
        self.asleep.iter_mut().for_each(|window| window.release(before));
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.asleep.as_ref().map_or(0, Window::bytes)
    }
}

/// What the states of a round have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<'m> {
    pub machine: &'m dyn Machine,
    pub order: Order,
    pub split: Split,
    pub may_sleep: bool,
}

/// A few states with their successors.
#[derive(Default)]
struct Batch {
    first: Id,
    states: Vec<u64>,
    /// What is asleep in them, if anything may be.
    asleep: Vec<u64>,
    out: Successors,
    new: NewStates,
    error: Option<ModelError>,
    /// Where its successors start among those of the chunk.
    start: usize,
}

impl Batch {
    fn found(&self, common: Common<'_>) -> Found<'_> {
        Found {
            first: self.first,
            states: &self.states,
            n_words: 1,
            asleep: &self.asleep,
            successors: &self.out,
            new: &self.new,
            order: common.order,
            n_transitions: common.machine.n_transitions(),
            fold: None,
        }
    }

    /// Number of successors of states whose expansion has ended.
    fn n_complete(&self) -> usize {
        self.out.ends().last().map_or(0, |&end| end as usize)
    }

    fn bytes(&self) -> usize {
        self.out.bytes() + self.new.bytes() + 8 * (self.states.capacity() + self.asleep.capacity())
    }
}

/// Successors that go to the same part of the set.
#[derive(Default)]
pub(super) struct Routed {
    pub keys: Vec<u64>,
    /// Which successor of the chunk each of them is.
    at: Vec<u32>,
}

/// When a search ends within a chunk, beside faults and failures.
#[derive(Clone)]
pub(super) struct End {
    pub level: Range<usize>,
    pub max_states: Option<u64>,
}

/// Some states of a round, and what becomes of them.
pub(super) struct Chunk<'m> {
    pub ids: Range<usize>,
    batches: Vec<Batch>,
    n_batches: usize,
    pub routed: Vec<Routed>,
    is_new: Vec<u64>,
    places: Vec<Id>,
    /// The states that are new, and what is asleep there.
    pub states: Vec<u64>,
    pub asleep: Vec<u64>,
    /// An empty one before the chunk is finished, if the set keeps one.
    pub ledger: Option<Ledger>,
    pub notes: Notes<'m>,
    pub n_edges: u64,
    /// Whether the notes are complete: there is neither a fault nor a failure.
    pub is_plain: bool,
}

impl<'m> Chunk<'m> {
    /// Nothing to do yet.
    pub fn new(n_parts: usize, notes: Notes<'m>) -> Self {
        Chunk {
            ids: 0..0,
            batches: Vec::new(),
            n_batches: 0,
            routed: (0..n_parts).map(|_| Routed::default()).collect(),
            is_new: Vec::new(),
            places: Vec::new(),
            states: Vec::new(),
            asleep: Vec::new(),
            ledger: None,
            notes,
            n_edges: 0,
            is_plain: true,
        }
    }

    /// Expands the states, up to one where the model fails, and tells their successors apart
    /// by where they are looked up.
    pub fn expand(&mut self, common: Common<'m>, source: &mut dyn Source, frontier: &Frontier) {
        for routed in &mut self.routed {
            routed.keys.clear();
            routed.at.clear();
        }
        let (mut id, mut start) = (self.ids.start, 0);
        self.n_batches = 0;
        while id < self.ids.end {
            if self.n_batches == self.batches.len() {
                self.batches.push(Batch::default());
            }
            let batch = &mut self.batches[self.n_batches];
            self.n_batches += 1;
            let ids = id..self.ids.end.min((id / BATCH + 1) * BATCH);
            id = ids.end;
            (batch.first, batch.start) = (ids.start as Id, start);
            batch.states.clear();
            batch.states.extend_from_slice(frontier.states.get(ids.clone()));
            batch.out.clear();
            batch.asleep.clear();
            if let Some(asleep) = &frontier.asleep {
                batch.asleep.extend_from_slice(asleep.get(ids));
            }
            let given = expand::Batch { states: &batch.states, asleep: &batch.asleep };
            batch.error = source.expand(given, &mut batch.out).err();
            let n = batch.n_complete();
            for (at, &state) in (start as u32..).zip(&batch.out.words()[..n]) {
                let (part, key) = common.split.route(state);
                self.routed[part].keys.push(key);
                self.routed[part].at.push(at);
            }
            start += n;
            if batch.error.is_some() {
                return;
            }
        }
    }

    /// Number of successors that are looked up.
    fn n_successors(&self) -> usize {
        self.batches[..self.n_batches].last().map_or(0, |b| b.start + b.n_complete())
    }

    /// Takes what has been found out about the successors, this chunk's being the `nth`
    /// answers, and notes what is new.
    pub fn finish(
        &mut self,
        common: Common<'m>,
        nth: usize,
        slots: &[RwLock<Slot>],
        checks: &mut StateChecks<'_>,
    ) {
        let n = self.n_successors();
        self.is_new.clear();
        self.is_new.resize(n / 64 + 1, 0);
        self.places.clear();
        self.places.resize(if self.ledger.is_some() { n } else { 0 }, 0);
        for (part, (slot, routed)) in slots.iter().zip(&self.routed).enumerate() {
            let slot = slot.read().unwrap_or_else(PoisonError::into_inner);
            let answer = &slot.answers[nth];
            for &i in &answer.new {
                let at = routed.at[i as usize];
                self.is_new[at as usize / 64] |= 1 << (at % 64);
            }
            for (&at, &place) in routed.at.iter().zip(&answer.places) {
                self.places[at as usize] = common.split.place(part, place);
            }
        }
        self.states.clear();
        self.asleep.clear();
        for batch in &mut self.batches[..self.n_batches] {
            let n = batch.n_complete();
            batch.new.clear(n);
            let is_new = &self.is_new;
            batch.new.tell_while(batch.start..batch.start + n, |at| {
                Some(is_new[at / 64] >> (at % 64) & 1 != 0)
            });
            let new = batch.new.positions().iter().map(|&i| i as usize);
            let words = batch.out.words();
            self.states.extend(new.clone().map(|i| words[i]));
            if common.may_sleep {
                match batch.out.sleeping() {
                    Some(sleeping) => self.asleep.extend(new.map(|i| sleeping[i])),
                    None => self.asleep.extend(new.map(|_| 0)),
                }
            }
            if let Some(ledger) = &mut self.ledger {
                let places = &self.places[batch.start..batch.start + n];
                ledger.note(places, batch.out.ends(), &batch.new);
            }
        }
        self.notes.clear();
        self.n_edges = 0;
        let batches = &self.batches[..self.n_batches];
        let end = End { level: 0..0, max_states: None };
        let flow = note(batches, common, checks, &end, &mut self.notes, &mut self.n_edges);
        self.is_plain = matches!(flow, Ok(ControlFlow::Continue(()))) && !self.notes.has_fault();
    }

    /// Notes the states once more, with those of all chunks before them, up to where the search
    /// ends.
    pub fn note_again(
        &self,
        common: Common<'m>,
        checks: &mut StateChecks<'_>,
        end: &End,
        notes: &mut Notes<'m>,
        n_edges: &mut u64,
    ) -> Result<ControlFlow<()>, Failure> {
        note(&self.batches[..self.n_batches], common, checks, end, notes, n_edges)
    }

    /// Bytes of the buffers.
    pub fn bytes(&self) -> usize {
        let routed = |r: &Routed| 8 * r.keys.capacity() + 4 * r.at.capacity();
        self.batches.iter().map(Batch::bytes).sum::<usize>()
            + self.routed.iter().map(routed).sum::<usize>()
            + 8 * (self.states.capacity() + self.asleep.capacity() + self.is_new.capacity())
            + 4 * self.places.capacity()
            + self.notes.bytes()
    }
}

/// Notes batches one after the other, as a search by one thread does. `Break` or a failure ends
/// the search.
fn note<'m>(
    batches: &[Batch],
    common: Common<'m>,
    checks: &mut StateChecks<'_>,
    end: &End,
    notes: &mut Notes<'m>,
    n_edges: &mut u64,
) -> Result<ControlFlow<()>, Failure> {
    for batch in batches {
        let found = batch.found(common);
        if let ControlFlow::Break(n_seen) = notes.found(found, checks) {
            *n_edges += n_seen as u64;
            return Ok(ControlFlow::Break(()));
        }
        *n_edges += found.n_edges() as u64;
        if common.may_sleep && batch.out.sleeping().is_none() {
            sleep::verify(found)?;
        }
        if let Some(error) = &batch.error {
            let id = batch.first + batch.out.n_expanded() as Id;
            return Err(Failure::model(error.clone(), Some(id)));
        }
        let Some(max) = end.max_states else { continue };
        // Where a search by one thread looks at its limits.
        let nth = batch.first as usize / BATCH - end.level.start / BATCH;
        let next = batch.first as usize + batch.states.len();
        let is_whole = next.is_multiple_of(BATCH);
        let pauses = is_whole && nth.is_multiple_of(PAUSE_EVERY) || next == end.level.end;
        if pauses && notes.n_states as u64 > max {
            notes.failure = Some(Limit::States(max).into());
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}
