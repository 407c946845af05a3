//! PDFS_FIFO: DFS_FIFO by several threads.
//!
//! A. Laarman and D. Faragó, *Improved On-The-Fly Livelock Detection* (2013), Alg. 2. Threads
//! share `V`, the visited states, and `F`, those that are or were in a queue, as marks in one
//! set; each has a stack and a queue of its own, and steals from others when its queue is
//! empty. A state is visited when a thread *leaves* it: two threads may go through the same
//! states at the same time, and then what each of them closes is a cycle of its own stack.
//! To go apart, they take successors in different orders.
//!
//! In strict order, threads wait for each other at the end of each level of progress, so that
//! a cycle is found with the fewest progresses before it. Otherwise nobody waits.
//!
//! Where we differ:
//! - Edges and terminal states are counted by the thread that was the first to visit a
//!   state. So without a livelock the counts are those of one thread.
//! - A search begins with one thread, as in [`super::dfs_fifo`], and only if there are more
//!   than [`SMALL`] states it starts anew with all.
//! - What has been visited goes into the space where [`super::lasso`] looks for the way, when
//!   there is something to show or states will be asked for again.

use super::dfs_fifo;
use super::labels::{Ground, Hunt};
use super::team::{Member, Team};
use super::{Failure, Limit, Snapshot, Watch};
use crate::expand::{Batch, Source};
use crate::machine::{Machine, ModelError, Progress, Successors};
use crate::memory::next_random;
use crate::model::RuleStatistics;
use crate::store::{Access, BitSet, Id, SharedSet, StateSet};
use crossbeam_deque::{Steal, Stealer, Worker as Queue};
use hashbrown::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Up to so many states one thread is enough.
pub const SMALL: usize = 20_000;
/// States between two looks at what all threads have in common.
const COUNT: u64 = 32;
/// The first set has `1 << FIRST_BITS` slots.
const FIRST_BITS: u32 = 12;

/// `V` of the paper.
const VISITED: u8 = 1;
/// The states that are or were in `F`.
const QUEUED: u8 = 2;
/// Visited states without a successor.
const TERMINAL: u8 = 4;

/// How several threads search.
#[derive(Clone, Copy, Debug)]
pub struct Crew {
    /// The number of threads, at least 2.
    pub n_threads: usize,
    /// Whether all states with fewer progresses come first.
    pub is_strict: bool,
    /// Up to so many states one thread is enough.
    pub small: usize,
}

/// Searches a space of one-word states, which holds nothing but the initial ones. If
/// `keeps_states`, it holds all states in the end.
pub fn hunt<const W: usize>(
    ground: &mut Ground<'_, '_, '_, W>,
    progress: &Progress,
    keeps_states: bool,
    crew: Crew,
) -> Hunt {
    if let Some(hunt) = dfs_fifo::hunt_small(ground, crew.small) {
        return hunt;
    }
    let machine = ground.space.machine();
    let roots: Vec<u64> =
        (0..ground.space.n_roots() as Id).map(|id| ground.space.store().state(id)[0]).collect();
    let queues: Vec<Queue<u64>> = (0..crew.n_threads).map(|_| Queue::new_fifo()).collect();
    let work = Work {
        machine,
        progress,
        crew,
        set: SharedSet::new(FIRST_BITS),
        stealers: queues.iter().map(Queue::stealer).collect(),
        team: Team::default(),
        n_idle: AtomicUsize::new(0),
        n_queued: Default::default(),
        stops: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
        n_states: AtomicU64::new(0),
        n_edges: AtomicU64::new(0),
        bytes: AtomicUsize::new(0),
        end: Mutex::new(None),
        left: Mutex::new(Left::default()),
    };
    work.team.set_size(crew.n_threads);
    {
        let mut access = work.set.access();
        for &root in &roots {
            if access.mark(root, QUEUED) & QUEUED == 0 {
                queues[0].push(root);
            }
        }
    }
    let recipe = ground.space.recipe().clone();
    let sources: Vec<_> = queues.iter().map(|_| recipe.source()).collect();
    let watch = &mut *ground.watch;
    thread::scope(|scope| {
        let mut threads = queues.into_iter().zip(sources).enumerate();
        let first = threads.next();
        for (i, (queue, source)) in threads {
            let work = &work;
            let thread = thread::Builder::new().name(format!("explorer {i}"));
            let started = thread.spawn_scoped(scope, move || {
                Searcher::new(work, i, queue, source).run(&mut None);
            });
            // The others would wait for it.
            started.expect("the system starts a thread");
        }
        if let Some((i, (queue, source))) = first {
            Searcher::new(&work, i, queue, source).run(&mut Some(watch));
        }
    });
    conclude(ground, work, keeps_states)
}

/// What the threads share.
struct Work<'w> {
    machine: &'w dyn Machine,
    progress: &'w Progress,
    crew: Crew,
    set: SharedSet,
    stealers: Vec<Stealer<u64>>,
    team: Team,
    /// Threads whose queue is empty. When it is all of them, no queue has anything, and none
    /// will have: only who is not idle adds to one.
    n_idle: AtomicUsize,
    /// States in the queues of the level that begins. Two take turns: who comes late reads one
    /// while others are about to add to the next.
    n_queued: [AtomicUsize; 2],
    /// The search has ended before its time.
    stops: AtomicBool,
    /// The same, as all threads see it at the end of a level.
    is_over: AtomicBool,
    n_states: AtomicU64,
    n_edges: AtomicU64,
    /// Bytes of stacks and queues.
    bytes: AtomicUsize,
    /// What ended it.
    end: Mutex<Option<End>>,
    left: Mutex<Left>,
}

/// What ends a search before its time.
enum End {
    /// A state on a cycle without progress.
    Cycle(u64),
    /// The model has failed in a state.
    Failed(ModelError, u64),
    /// A limit was reached.
    Limit(Limit),
}

/// What threads tell when they leave.
#[derive(Default)]
struct Left {
    /// States on stacks: expanded, and not yet visited.
    on_stacks: Vec<u64>,
    rules: RuleStatistics,
    n_visible: u64,
    n_expanded: u64,
    n_steals: u64,
    n_levels: u64,
    depth: u64,
    largest_stack: u64,
}

/// A state on the path.
struct Frame {
    state: u64,
    /// Where it stands in the stack.
    at: usize,
    n_edges: u64,
}

/// One thread.
struct Searcher<'w> {
    work: &'w Work<'w>,
    nth: usize,
    source: Box<dyn Source + 'w>,
    out: Successors,
    /// `F` of this thread.
    queue: Queue<u64>,
    /// What has one progress more, in strict order.
    next_level: Vec<u64>,
    /// States of the path and states that wait, the next one last.
    stack: Vec<u64>,
    path: Vec<Frame>,
    /// `S` of the paper.
    on_path: HashSet<u64>,
    random: u64,
    /// What was counted since the others were told.
    n_states: u64,
    n_edges: u64,
    own_bytes: usize,
    left: Left,
}

impl<'w> Searcher<'w> {
    fn new(
        work: &'w Work<'w>,
        nth: usize,
        queue: Queue<u64>,
        source: Box<dyn Source + 'w>,
    ) -> Self {
        Searcher {
            work,
            nth,
            source,
            out: Successors::default(),
            queue,
            next_level: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            on_path: HashSet::new(),
            random: nth as u64 + 1,
            n_states: 0,
            n_edges: 0,
            own_bytes: 0,
            left: Left::default(),
        }
    }

    /// `fifo` of the paper. The first thread looks at the limits.
    fn run(mut self, watch: &mut Option<&mut Watch<'_>>) {
        let work = self.work;
        let _member = Member(&work.team);
        loop {
            self.left.n_levels += 1;
            while let Some(start) = self.take(watch) {
                let mut access = work.set.access();
                self.depth_first(start, &mut access, watch);
            }
            self.tell_counts();
            if !work.crew.is_strict || !self.next_level() {
                break;
            }
        }
        self.leave();
    }

    /// A state from the queue, or from another thread's. `None` if all are empty or the search
    /// is to end.
    fn take(&mut self, watch: &mut Option<&mut Watch<'_>>) -> Option<u64> {
        let work = self.work;
        if work.stops.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(state) = self.queue.pop().or_else(|| self.steal()) {
            return Some(state);
        }
        work.n_idle.fetch_add(1, Ordering::SeqCst);
        loop {
            let all_idle = work.n_idle.load(Ordering::SeqCst) == work.crew.n_threads;
            if all_idle || work.stops.load(Ordering::Relaxed) {
                return None;
            }
            if work.stealers.iter().any(|stealer| !stealer.is_empty()) {
                work.n_idle.fetch_sub(1, Ordering::SeqCst);
                if let Some(state) = self.steal() {
                    return Some(state);
                }
                work.n_idle.fetch_add(1, Ordering::SeqCst);
            }
            self.look(watch, 0);
            thread::yield_now();
        }
    }

    /// A state from another thread's queue.
    fn steal(&mut self) -> Option<u64> {
        let n = self.work.stealers.len();
        let start = next_random(&mut self.random) as usize % n;
        for i in (0..n).map(|i| (start + i) % n).filter(|&i| i != self.nth) {
            loop {
                match self.work.stealers[i].steal_batch_and_pop(&self.queue) {
                    Steal::Success(state) => {
                        self.left.n_steals += 1;
                        return Some(state);
                    }
                    Steal::Empty => break,
                    Steal::Retry => {}
                }
            }
        }
        None
    }

    /// Goes on to the states with one progress more, when all threads have done this level.
    /// False if there are none, or the search is to end.
    fn next_level(&mut self) -> bool {
        let work = self.work;
        if !work.team.meet() {
            return false;
        }
        // Nobody is in a level now, and everybody has read what was queued for this one.
        let turn = self.left.n_levels as usize;
        if self.nth == 0 {
            work.n_idle.store(0, Ordering::SeqCst);
            work.is_over.store(work.stops.load(Ordering::Relaxed), Ordering::Relaxed);
            work.n_queued[(turn + 1) % 2].store(0, Ordering::Relaxed);
        }
        let n_queued = &work.n_queued[turn % 2];
        n_queued.fetch_add(self.next_level.len(), Ordering::Relaxed);
        self.next_level.drain(..).for_each(|state| self.queue.push(state));
        work.team.meet()
            && !work.is_over.load(Ordering::Relaxed)
            && n_queued.load(Ordering::Relaxed) > 0
    }

    /// `dfs` of the paper.
    fn depth_first(
        &mut self,
        start: u64,
        access: &mut Access<'_>,
        watch: &mut Option<&mut Watch<'_>>,
    ) {
        self.stack.push(start);
        while let Some(&state) = self.stack.last() {
            if self.path.last().is_some_and(|frame| frame.at + 1 == self.stack.len()) {
                self.visit(access);
                continue;
            }
            if access.marks(state) & VISITED != 0 || self.on_path.contains(&state) {
                self.stack.pop();
                continue;
            }
            if self.work.stops.load(Ordering::Relaxed) {
                return;
            }
            access.let_grow();
            let frame = Frame { state, at: self.stack.len() - 1, n_edges: 0 };
            self.path.push(frame);
            self.on_path.insert(state);
            self.left.n_expanded += 1;
            if let Err(end) = self.expand(state, access) {
                if matches!(end, End::Failed(..)) {
                    // It cannot be expanded again on the way to it.
                    self.path.pop();
                }
                return self.end(end);
            }
            self.left.depth = self.left.depth.max(self.path.len() as u64);
            self.left.largest_stack = self.left.largest_stack.max(self.stack.len() as u64);
            if self.left.n_expanded.is_multiple_of(COUNT) {
                self.tell_counts();
            }
            self.look(watch, self.path.len());
        }
    }

    /// Leaves the last state of the path, all of whose successors are visited or queued.
    fn visit(&mut self, access: &mut Access<'_>) {
        let Some(Frame { state, n_edges, .. }) = self.path.pop() else { return };
        self.stack.pop();
        self.on_path.remove(&state);
        let marks = if n_edges == 0 { VISITED | TERMINAL } else { VISITED };
        if access.mark(state, marks) & VISITED == 0 {
            self.n_states += 1;
            self.n_edges += n_edges;
        }
    }

    /// Sees the edges of the last state of the path.
    fn expand(&mut self, state: u64, access: &mut Access<'_>) -> Result<(), End> {
        let Work { machine, progress, crew, .. } = *self.work;
        self.out.clear();
        let done = self.source.expand(Batch::awake(&[state]), &mut self.out);
        done.map_err(|error| End::Failed(error, state))?;
        let fresh = self.stack.len();
        for (&to, &transition) in self.out.words().iter().zip(self.out.transitions()) {
            let mut is_progress = progress
                .firing(machine, &[state], transition as usize)
                .map_err(|error| End::Failed(error, state))?;
            if !is_progress && progress.on_states() {
                is_progress =
                    progress.state(machine, &[to]).map_err(|error| End::Failed(error, state))?;
            }
            if !is_progress && self.on_path.contains(&to) {
                return Err(End::Cycle(to));
            }
            if access.marks(to) & VISITED != 0 {
                continue;
            }
            if !is_progress {
                self.stack.push(to);
            } else if access.mark(to, QUEUED) & QUEUED == 0 {
                match crew.is_strict {
                    true => self.next_level.push(to),
                    false => self.queue.push(to),
                }
            }
        }
        if let Some(frame) = self.path.last_mut() {
            frame.n_edges = self.out.len() as u64;
        }
        let fresh = &mut self.stack[fresh..];
        fresh.reverse();
        if self.nth > 0 {
            for i in (1..fresh.len()).rev() {
                fresh.swap(i, next_random(&mut self.random) as usize % (i + 1));
            }
        }
        Ok(())
    }

    /// Ends the search, unless another thread has.
    #[cold]
    fn end(&self, end: End) {
        let mut first = self.work.end.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(end);
        self.work.stops.store(true, Ordering::Relaxed);
    }

    /// Tells the others what was counted.
    fn tell_counts(&mut self) {
        let work = self.work;
        work.n_states.fetch_add(std::mem::take(&mut self.n_states), Ordering::Relaxed);
        work.n_edges.fetch_add(std::mem::take(&mut self.n_edges), Ordering::Relaxed);
        let bytes = self.bytes();
        let more = bytes.wrapping_sub(std::mem::replace(&mut self.own_bytes, bytes));
        work.bytes.fetch_add(more, Ordering::Relaxed);
    }

    /// Bytes of this thread.
    fn bytes(&self) -> usize {
        8 * (self.stack.capacity() + self.next_level.capacity() + self.queue.len())
            + size_of::<Frame>() * self.path.capacity()
            + 9 * self.on_path.capacity()
            + self.source.bytes()
    }

    /// Keeps the limits, if that is this thread's task.
    fn look(&self, watch: &mut Option<&mut Watch<'_>>, depth: usize) {
        let (Some(watch), work) = (watch, self.work) else { return };
        let own = work.bytes.load(Ordering::Relaxed);
        let snapshot = Snapshot {
            phase: "looking for livelocks",
            n_states: work.n_states.load(Ordering::Relaxed),
            n_edges: work.n_edges.load(Ordering::Relaxed),
            queue: (self.queue.len() + self.next_level.len()) as u64,
            depth: depth as u64,
            bytes: work.set.bytes() + own,
        };
        if let Err(limit) = watch.check(&snapshot, work.set.bytes_after_growth() + own) {
            self.end(End::Limit(limit));
        }
    }

    /// Tells what is left to tell.
    fn leave(mut self) {
        self.tell_counts();
        let mut all = self.work.left.lock().unwrap_or_else(PoisonError::into_inner);
        all.on_stacks.extend(self.path.iter().map(|frame| frame.state));
        all.rules.add(&self.source.rules().cloned().unwrap_or_default());
        all.n_visible += self.source.n_visible();
        all.n_expanded += self.left.n_expanded;
        all.n_steals += self.left.n_steals;
        all.n_levels = all.n_levels.max(self.left.n_levels);
        all.depth = all.depth.max(self.left.depth);
        all.largest_stack += self.left.largest_stack;
    }
}

/// What the threads have found, with the states in the space if somebody will ask for them.
fn conclude<const W: usize>(
    ground: &mut Ground<'_, '_, '_, W>,
    work: Work<'_>,
    keeps_states: bool,
) -> Hunt {
    let Work { set, crew, n_states, n_edges, bytes, end, left, .. } = work;
    let end = end.into_inner().unwrap_or_else(PoisonError::into_inner);
    let left = left.into_inner().unwrap_or_else(PoisonError::into_inner);
    let n_states = n_states.into_inner();
    let mut more = vec![
        ("threads", crew.n_threads as u64),
        ("steals", left.n_steals),
        ("states expanded again", left.n_expanded.saturating_sub(n_states)),
        ("stack maximum of all threads", left.largest_stack),
    ];
    if crew.is_strict {
        more.insert(1, ("progress levels", left.n_levels));
    }
    let (mut expanded, mut terminal) = (BitSet::default(), BitSet::default());
    let (access, mut n_terminal) = (set.access(), 0);
    let asks = matches!(end, Some(End::Cycle(_) | End::Failed(..)));
    let mut failure = None;
    for (state, marks) in access.marked() {
        n_terminal += u64::from(marks & TERMINAL != 0);
        if marks & VISITED == 0 || !(keeps_states || asks) || failure.is_some() {
            continue;
        }
        match ground.add(state) {
            Ok(id) => {
                expanded.insert(id);
                if marks & TERMINAL != 0 {
                    terminal.insert(id);
                }
            }
            Err(error) => failure = Some(error),
        }
    }
    for &state in left.on_stacks.iter().filter(|_| asks) {
        match ground.add(state) {
            Ok(id) => drop(expanded.insert(id)),
            Err(error) => failure = Some(error),
        }
    }
    let mut place = |state: u64| ground.add(state).ok();
    let (on_cycle, end) = match (end, failure) {
        (_, Some(failure)) => (None, Err(failure)),
        (None, None) => (None, Ok(())),
        (Some(End::Cycle(state)), None) => (place(state), Ok(())),
        (Some(End::Failed(error, state)), None) => (None, Err(Failure::model(error, place(state)))),
        (Some(End::Limit(limit)), None) => (None, Err(limit.into())),
    };
    Hunt {
        on_cycle,
        n_terminal,
        rules: left.rules,
        n_visible: left.n_visible,
        n_states: if asks { expanded.len() as u64 } else { n_states },
        n_edges: n_edges.into_inner(),
        n_threads: crew.n_threads,
        depth: left.depth,
        bytes: set.bytes() + bytes.into_inner(),
        more,
        expanded,
        terminal,
        end,
    }
}
