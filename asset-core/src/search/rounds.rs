//! Breadth-first exploration by several threads, with the answer of one.
//!
//! The set of states is cut into parts by the upper bits of keys ([`Parted`]). A round takes
//! some ten thousand consecutive states of a level, in chunks, and has three steps, in each of
//! which a chunk or a part is one thread's alone:
//!
//! 1. **Expand**: the states of a chunk are fired. Their successors are told apart by the part
//!    to which each belongs, in the order of firing.
//! 2. **Insert**: a part takes what was sent to it, chunk after chunk. That is the order of
//!    discovery, so what is new, and who discovered it, does not depend on timing.
//! 3. **Finish**: a chunk is told which of its successors are new, checks them, and notes
//!    what a search by one thread notes, with numbers that count from the chunk's start.
//!
//! One thread then puts the notes of the chunks behind each other, which numbers the new
//! states. If something is to be said of a chunk (a fault, a model error, a limit), its notes
//! are made once more, by one thread, behind those of all chunks before it. So states, edges,
//! verdict, violation and trace are those of [`super::bfs`], whatever the number of threads.
//!
//! What threads remember of firings is their own. What a step reads was written in an earlier
//! one: locks are there for the compiler, and nobody waits for one.
//!
//! A round with one chunk needs no others, and no thread is started before a level is large.

mod chunk;

use super::bfs::{Exploration, Options};
use super::notes::Notes;
use super::team::{Member, Team};
use super::{Expander, Failure, Limit, Snapshot, Watch};
use crate::expand::{Source, StateChecks};
use crate::model::RuleStatistics;
use crate::store::{Answer, MAX_STATES, Part, Parted, StateSet};
use chunk::{Chunk, Common, End, Frontier};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Chunks of a round, for each thread. More than one, as they take different times.
const CHUNKS_EACH: usize = 6;
/// Parts of the set, for each thread.
const PARTS_EACH: usize = 4;
/// More parts would cost more than they give.
const MAX_PARTS: usize = 256;
/// A round that takes longer is followed by smaller ones, so that limits are kept in time.
const LONG_ROUND: Duration = Duration::from_millis(100);
/// The least states of a chunk then.
const LEAST_CHUNK: usize = 32;
/// States of a chunk.
const CHUNK: usize = 1024;
/// The threads are started for a level of so many chunks.
const LARGE_LEVEL: usize = 4;

/// How the work is shared out.
#[derive(Clone, Copy, Debug)]
pub struct Crew {
    /// The number of threads, at least 2.
    pub n_threads: usize,
    /// States of a chunk, at least 1.
    pub chunk: usize,
    /// The threads are started for a level of so many states.
    pub large: usize,
}

impl Crew {
    /// So many threads.
    pub fn new(n_threads: usize) -> Self {
        Crew { n_threads, chunk: CHUNK, large: LARGE_LEVEL * CHUNK }
    }

    /// In how many parts the set of states is to be cut.
    pub fn n_parts(self) -> usize {
        (PARTS_EACH * self.n_threads).next_power_of_two().min(MAX_PARTS)
    }
}

/// How the work was shared out in the end.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Threads that took part; 1 if no others were needed.
    pub n_threads: usize,
    /// Rounds in which they did.
    pub n_rounds: u64,
    /// States that the busiest thread has expanded.
    pub busiest: u64,
    /// What the rules did in threads other than the first one.
    pub rules: RuleStatistics,
}

/// What is to be done next.
#[derive(Clone, Copy)]
enum Step {
    Expand,
    Grow,
    Insert,
    Finish,
    Leave,
}

const STEPS: [Step; 5] = [Step::Expand, Step::Grow, Step::Insert, Step::Finish, Step::Leave];

/// A part of the set, and what it answered to each chunk of the round.
struct Slot {
    part: Part,
    answers: Vec<Answer>,
}

/// What the threads share.
struct Work<'m, const KEPT: bool> {
    common: Common<'m>,
    chunks: Vec<RwLock<Chunk<'m>>>,
    slots: Vec<RwLock<Slot>>,
    frontier: RwLock<Frontier>,
    /// Chunks of this round.
    n_chunks: AtomicUsize,
    /// The next chunk or part that nobody has taken in this step.
    next: AtomicUsize,
    step: AtomicUsize,
    team: Team,
    /// Bytes of what threads remember.
    bytes: AtomicUsize,
    /// What the others' rules did, and how many states each has expanded, when they leave.
    left: Mutex<Vec<(RuleStatistics, u64)>>,
}

/// What a thread has for itself.
struct Hand<'h, 'm> {
    source: &'h mut dyn Source,
    checks: &'h mut StateChecks<'m>,
    n_expanded: u64,
    /// Bytes that the source remembers, as the others were told.
    bytes: usize,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Explores everything that the space's initial states can reach, as [`super::bfs::explore`].
pub fn explore<const KEPT: bool>(
    space: &mut Expander<'_, Parted<KEPT>>,
    options: Options,
    crew: Crew,
    watch: &mut Watch<'_>,
) -> (Exploration, Balance) {
    let (machine, n_roots, recipe) = (space.machine(), space.n_roots(), space.recipe().clone());
    let mut checks = recipe.state_checks(options.state_checks);
    let mut notes = Notes::new(&recipe, options, n_roots);
    if notes.check_roots(space, &mut checks).is_break() {
        let rules = RuleStatistics::default();
        let balance = Balance { n_threads: 1, n_rounds: 0, busiest: 0, rules };
        return (notes.into_exploration(0, 0, Ok(())), balance);
    }
    let mut roots = Vec::new();
    space.store().append(0..n_roots, &mut roots);
    let (source, set) = space.hands();
    let may_sleep = !KEPT && recipe.may_sleep();
    let n_chunks = CHUNKS_EACH * crew.n_threads;
    let split = set.split();
    let slot = |part| {
        let answers = (0..n_chunks).map(|_| Answer::default()).collect();
        RwLock::new(Slot { part, answers })
    };
    let slots: Vec<_> = set.take_parts().into_iter().map(slot).collect();
    // Chunks are noted again where the search ends, or where a goal is reached.
    let one_fault =
        Options { max_faults: 1, max_states: usize::MAX, ends_with_goals: false, ..options };
    let chunk = || RwLock::new(Chunk::new(slots.len(), Notes::new(&recipe, one_fault, 0)));
    let work = Work::<KEPT> {
        common: Common { machine, order: recipe.order(), split, may_sleep },
        chunks: (0..n_chunks).map(|_| chunk()).collect(),
        slots,
        frontier: RwLock::new(Frontier::new(&roots, may_sleep)),
        n_chunks: AtomicUsize::new(0),
        next: AtomicUsize::new(0),
        step: AtomicUsize::new(0),
        team: Team::default(),
        bytes: AtomicUsize::new(0),
        left: Mutex::new(Vec::new()),
    };
    // Sources are made by one thread, and each goes to another.
    let sources = Mutex::new((1..crew.n_threads).map(|_| recipe.source()).collect::<Vec<_>>());
    let follow = || {
        let source = sources.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut source = source.expect("there is one for each thread");
        let mut checks = recipe.state_checks(options.state_checks);
        work.follow(Hand { source: &mut *source, checks: &mut checks, n_expanded: 0, bytes: 0 });
    };
    let done = thread::scope(|scope| {
        let start = || {
            let start = |i: &usize| {
                let thread = thread::Builder::new().name(format!("explorer {i}"));
                thread.spawn_scoped(scope, follow).is_ok()
            };
            1 + (1..crew.n_threads).take_while(start).count()
        };
        let captain = Captain {
            work: &work,
            set: &mut *set,
            hand: Hand { source, checks: &mut checks, n_expanded: 0, bytes: 0 },
            notes: &mut notes,
            watch,
            crew,
            start: &start,
            n_threads: 1,
            chunk: crew.chunk,
            level: 0..0,
            depth: 0,
            n_edges: 0,
            n_rounds: 0,
        };
        captain.explore()
    });
    let (mut busiest, mut rules) = (done.busiest, RuleStatistics::default());
    for (other, n_expanded) in work.left.into_inner().unwrap_or_else(PoisonError::into_inner) {
        rules.add(&other);
        busiest = busiest.max(n_expanded);
    }
    for chunk in work.chunks {
        notes.add_seen(&chunk.into_inner().unwrap_or_else(PoisonError::into_inner).notes);
    }
    let parts = work
        .slots
        .into_iter()
        .map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner).part);
    set.put_back(parts.collect());
    space.n_edges = done.n_edges;
    let balance = Balance { n_threads: done.n_threads, n_rounds: done.n_rounds, busiest, rules };
    (notes.into_exploration(done.n_edges, done.depth, done.end), balance)
}

impl<const KEPT: bool> Work<'_, KEPT> {
    /// What a thread other than the first one does until it may leave.
    fn follow(&self, mut hand: Hand<'_, '_>) {
        let _member = Member(&self.team);
        while self.team.meet() {
            match STEPS[self.step.load(Ordering::Relaxed)] {
                Step::Leave => break,
                step => self.take(step, &mut hand),
            }
            if !self.team.meet() {
                return;
            }
        }
        let left = (hand.source.rules().cloned().unwrap_or_default(), hand.n_expanded);
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(left);
    }

    /// The next of `n` pieces of work, if there is one.
    fn claim(&self, n: usize) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < n)
    }

    /// Does what is to be done in a step, as long as there is some of it.
    fn take(&self, step: Step, hand: &mut Hand<'_, '_>) {
        let (common, n_chunks) = (self.common, self.n_chunks.load(Ordering::Relaxed));
        match step {
            Step::Expand => {
                let frontier = read(&self.frontier);
                while let Some(c) = self.claim(n_chunks) {
                    let mut chunk = write(&self.chunks[c]);
                    chunk.expand(common, hand.source, &frontier);
                    hand.n_expanded += chunk.ids.len() as u64;
                }
                let bytes = hand.source.bytes();
                let more = bytes.wrapping_sub(std::mem::replace(&mut hand.bytes, bytes));
                self.bytes.fetch_add(more, Ordering::Relaxed);
            }
            Step::Grow => {
                while let Some(p) = self.claim(self.slots.len()) {
                    write(&self.slots[p]).part.reserve_noting(self.n_routed(p));
                }
            }
            Step::Insert => {
                while let Some(p) = self.claim(self.slots.len()) {
                    let slot = &mut *write(&self.slots[p]);
                    if !KEPT {
                        slot.part.reserve(self.n_routed(p));
                    }
                    for (chunk, answer) in self.chunks[..n_chunks].iter().zip(&mut slot.answers) {
                        slot.part.insert(&read(chunk).routed[p].keys, KEPT, answer);
                    }
                }
            }
            Step::Finish => {
                while let Some(c) = self.claim(n_chunks) {
                    write(&self.chunks[c]).finish(common, c, &self.slots, hand.checks);
                }
            }
            Step::Leave => {}
        }
    }

    /// How many successors of this round go to a part.
    fn n_routed(&self, p: usize) -> usize {
        let n_chunks = self.n_chunks.load(Ordering::Relaxed);
        self.chunks[..n_chunks].iter().map(|chunk| read(chunk).routed[p].keys.len()).sum()
    }
}

/// The first thread: it says what is to be done, and puts together what came of it.
struct Captain<'c, 'm, 'o, const KEPT: bool> {
    work: &'c Work<'m, KEPT>,
    set: &'c mut Parted<KEPT>,
    hand: Hand<'c, 'm>,
    notes: &'c mut Notes<'m>,
    watch: &'c mut Watch<'o>,
    crew: Crew,
    /// Starts the other threads, and tells how many there are with this one.
    start: &'c dyn Fn() -> usize,
    n_threads: usize,
    /// States of a chunk now.
    chunk: usize,
    /// The states of the level that is being expanded.
    level: Range<usize>,
    depth: u64,
    n_edges: u64,
    n_rounds: u64,
}

/// What the first thread tells in the end.
struct Done {
    end: Result<(), Failure>,
    depth: u64,
    n_edges: u64,
    n_threads: usize,
    n_rounds: u64,
    busiest: u64,
}

impl<const KEPT: bool> Captain<'_, '_, '_, KEPT> {
    /// Expands level after level, and sends the others away.
    fn explore(mut self) -> Done {
        let _member = Member(&self.work.team);
        let end = self.levels();
        if self.n_threads > 1 {
            self.work.step.store(Step::Leave as usize, Ordering::Relaxed);
            assert!(self.work.team.meet(), "a thread has panicked");
        }
        let Captain { depth, n_edges, n_threads, n_rounds, .. } = self;
        Done { end, depth, n_edges, n_threads, n_rounds, busiest: self.hand.n_expanded }
    }

    fn levels(&mut self) -> Result<(), Failure> {
        while self.level.end < self.notes.n_states {
            self.level = self.level.end..self.notes.n_states;
            let flow = self.one_level();
            if self.notes.n_states > self.level.end {
                self.depth += 1;
            }
            if flow?.is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn one_level(&mut self) -> Result<ControlFlow<()>, Failure> {
        if self.n_threads == 1 && self.level.len() >= self.crew.large {
            self.n_threads = (self.start)();
            self.work.team.set_size(self.n_threads);
        }
        let mut next = self.level.start;
        while next < self.level.end {
            let start = Instant::now();
            next = self.share_out(next);
            self.insert_all()?;
            if self.put_together()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            write(&self.work.frontier).release(next);
            self.chunk = match start.elapsed() {
                long if long > LONG_ROUND => (self.chunk / 4).max(LEAST_CHUNK),
                short if short < LONG_ROUND / 4 => 2 * self.chunk,
                _ => self.chunk,
            }
            .min(self.crew.chunk);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Has all threads do this, or this one alone if there is little to do.
    fn all_take(&mut self, step: Step) {
        let work = self.work;
        work.next.store(0, Ordering::Relaxed);
        if self.n_threads == 1 || work.n_chunks.load(Ordering::Relaxed) == 1 {
            return work.take(step, &mut self.hand);
        }
        work.step.store(step as usize, Ordering::Relaxed);
        assert!(work.team.meet(), "a thread has panicked");
        work.take(step, &mut self.hand);
        assert!(work.team.meet(), "a thread has panicked");
    }

    /// Makes chunks of the states from `next` on. Returns the first state that is left.
    fn share_out(&mut self, mut next: usize) -> usize {
        let mut n_chunks = 0;
        for chunk in &self.work.chunks {
            if next < self.level.end {
                let end = self.level.end.min((next / self.chunk + 1) * self.chunk);
                write(chunk).ids = next..end;
                next = end;
                n_chunks += 1;
            }
        }
        self.work.n_chunks.store(n_chunks, Ordering::Relaxed);
        self.n_rounds += u64::from(self.n_threads > 1 && n_chunks > 1);
        next
    }

    /// Expands the states of the round, and inserts and checks their successors.
    fn insert_all(&mut self) -> Result<(), Failure> {
        let work = self.work;
        self.all_take(Step::Expand);
        let n_routed: Vec<usize> = (0..work.slots.len()).map(|p| work.n_routed(p)).collect();
        let room = |(slot, &n): (&RwLock<Slot>, &usize)| {
            let slot = read(slot);
            let is_full = KEPT && Parted::<KEPT>::is_part_full(work.common.split, &slot.part, n);
            (is_full, slot.part.must_grow(n))
        };
        let room: Vec<(bool, bool)> = work.slots.iter().zip(&n_routed).map(room).collect();
        let n_states = self.notes.n_states + n_routed.iter().sum::<usize>();
        if n_states > MAX_STATES || room.iter().any(|&(is_full, _)| is_full) {
            return Err(Limit::StateNumbers.into());
        }
        if KEPT && room.iter().any(|&(_, must_grow)| must_grow) {
            self.all_take(Step::Grow);
            let mut slots: Vec<_> = work.slots.iter().map(write).collect();
            let mut parts: Vec<_> = slots.iter_mut().map(|slot| &mut slot.part).collect();
            self.set.follow(&mut parts);
        }
        if KEPT {
            for chunk in &work.chunks[..work.n_chunks.load(Ordering::Relaxed)] {
                write(chunk).ledger = Some(self.set.ledger().empty_like());
            }
        }
        self.all_take(Step::Insert);
        self.all_take(Step::Finish);
        Ok(())
    }

    /// Puts the notes of the chunks behind each other, up to where the search ends.
    fn put_together(&mut self) -> Result<ControlFlow<()>, Failure> {
        let work = self.work;
        let (bytes, bytes_ahead) = self.bytes();
        let end = End { level: self.level.clone(), max_states: self.watch.max_states() };
        for chunk in &work.chunks[..work.n_chunks.load(Ordering::Relaxed)] {
            let chunk = read(chunk);
            write(&work.frontier).extend(&chunk.states, &chunk.asleep);
            self.set.append_ledger(chunk.states.len(), chunk.ledger.as_ref());
            let n_states = self.notes.n_states + chunk.notes.n_states;
            if chunk.is_plain && end.max_states.is_none_or(|max| n_states as u64 <= max) {
                self.notes.append(&chunk.notes);
                self.n_edges += chunk.n_edges;
            } else {
                let (notes, n_edges) = (&mut *self.notes, &mut self.n_edges);
                let checks = &mut *self.hand.checks;
                if chunk.note_again(work.common, checks, &end, notes, n_edges)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            let snapshot = Snapshot {
                phase: "exploring",
                n_states: self.notes.n_states as u64,
                n_edges: self.n_edges,
                queue: (self.notes.n_states - chunk.ids.end) as u64,
                depth: self.depth,
                bytes,
            };
            if let Err(limit) = self.watch.check_all_but_states(&snapshot, bytes_ahead) {
                self.notes.failure = Some(limit.into());
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Bytes in use, and those that may be in use after the next round.
    fn bytes(&self) -> (usize, usize) {
        let work = self.work;
        let own = self.set.ledger_bytes()
            + read(&work.frontier).bytes()
            + self.notes.bytes()
            + work.bytes.load(Ordering::Relaxed)
            + self.hand.checks.bytes()
            + work.chunks.iter().map(|chunk| read(chunk).bytes()).sum::<usize>();
        let (mut bytes, mut ahead) = (own, own);
        for slot in &work.slots {
            let slot = read(slot);
            bytes += slot.part.bytes();
            ahead += slot.part.bytes_after_growth(KEPT);
        }
        (bytes, ahead)
    }
}
