//! Limits of a run, and a window through which it can be watched.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When a run gives up. `None` is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The largest number of states.
    pub max_states: Option<u64>,
    /// The most memory, in bytes.
    pub max_memory: Option<usize>,
    /// The longest time.
    pub max_time: Option<Duration>,
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many states were found.
    States(u64),
    /// More than so many bytes would be needed.
    Memory(usize),
    /// So much time has passed.
    Time(Duration),
    /// State numbers have 32 bits, and they are used up.
    StateNumbers,
    /// The person at the keyboard, or the system, asked to stop.
    Interrupt,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::States(n) => write!(f, "the limit of {n} states was reached"),
            Limit::Memory(bytes) if *bytes < 1_000_000 => {
                write!(f, "the memory limit of {bytes} bytes was reached")
            }
            Limit::Memory(bytes) => {
                write!(f, "the memory limit of {} MB was reached", bytes / 1_000_000)
            }
            Limit::Time(time) => {
                write!(f, "the time limit of {} s was reached", time.as_secs_f64())
            }
            Limit::StateNumbers => f.write_str("there are more states than 32 bits can number"),
            Limit::Interrupt => f.write_str("it was interrupted"),
        }
    }
}

/// Counters of a run under way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snapshot {
    /// What is being done, in a word or two.
    pub phase: &'static str,
    /// States found.
    pub n_states: u64,
    /// Edges seen.
    pub n_edges: u64,
    /// States found and not yet expanded.
    pub queue: u64,
    /// The level or the length of the path.
    pub depth: u64,
    /// Bytes in use.
    pub bytes: usize,
}

/// Someone who looks at a run while it goes on.
pub trait Observer {
    /// Called a few hundred times a second.
    fn observe(&mut self, snapshot: &Snapshot);
}

/// Calls to [`Watch::check`] between two looks at the clock.
const CALLS_PER_LOOK: u32 = 32;

/// Keeps the limits of one run and shows it to an observer.
pub struct Watch<'o> {
    limits: Limits,
    start: Instant,
    stop: Option<&'o AtomicBool>,
    observer: Option<&'o mut dyn Observer>,
    calls: u32,
    /// Bytes that the run holds beside what its snapshots count.
    pub bytes_elsewhere: usize,
}

impl<'o> Watch<'o> {
    /// Starts the clock.
    pub fn new(
        limits: Limits,
        stop: Option<&'o AtomicBool>,
        observer: Option<&'o mut dyn Observer>,
    ) -> Self {
        let calls = CALLS_PER_LOOK - 1;
        Watch { limits, start: Instant::now(), stop, observer, calls, bytes_elsewhere: 0 }
    }

    /// A run that nobody watches and nothing limits.
    pub fn unlimited() -> Self {
        Watch::new(Limits::default(), None, None)
    }

    /// The largest number of states.
    pub fn max_states(&self) -> Option<u64> {
        self.limits.max_states
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// To be called after each batch of work. `bytes_ahead` is what the run
    /// may need before the next call.
    #[inline(always)]
    pub fn check(&mut self, snapshot: &Snapshot, bytes_ahead: usize) -> Result<(), Limit> {
        if self.limits.max_states.is_some_and(|max| snapshot.n_states > max) {
            return Err(Limit::States(self.limits.max_states.unwrap_or_default()));
        }
        self.check_all_but_states(snapshot, bytes_ahead)
    }

    /// The same, but for the number of states, where somebody else sees to that.
    #[inline(always)]
    pub fn check_all_but_states(
        &mut self,
        snapshot: &Snapshot,
        bytes_ahead: usize,
    ) -> Result<(), Limit> {
        if let Some(max) = self.limits.max_memory
            && snapshot.bytes.max(bytes_ahead) + self.bytes_elsewhere > max
        {
            return Err(Limit::Memory(max));
        }
        self.calls += 1;
        if self.calls < CALLS_PER_LOOK {
            return Ok(());
        }
        self.look(snapshot)
    }

    #[cold]
    fn look(&mut self, snapshot: &Snapshot) -> Result<(), Limit> {
        self.calls = 0;
        if let Some(observer) = &mut self.observer {
            observer.observe(snapshot);
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Limit::Interrupt);
        }
        match self.limits.max_time {
            Some(max) if self.start.elapsed() > max => Err(Limit::Time(max)),
            _ => Ok(()),
        }
    }
}
