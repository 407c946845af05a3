//! States drawn by random walks from the initial states.

use super::known::{Known, Number};
use crate::machine::{ModelError, Packed};
use crate::memory::next_random;
use hashbrown::HashSet;

/// A walk starts afresh at a terminal state, and once in so many steps.
const RESTART_EVERY: u64 = 500;
/// Steps without a state that is new before a walker gives up.
const MAX_IDLE_STEPS: usize = 20_000;

/// A walker, and which states it has shown.
pub struct Walk {
    random: u64,
    at: Option<Packed>,
    shown: HashSet<Packed>,
}

impl Walk {
    pub fn new(seed: u64) -> Self {
        Walk { random: seed, at: None, shown: HashSet::new() }
    }

    /// The next state on the way that was not shown before, or `None` if there
    /// seems to be no other.
    pub fn next_new(&mut self, known: &mut Known<'_>) -> Result<Option<Number>, ModelError> {
        for _ in 0..MAX_IDLE_STEPS {
            let s = self.step(known)?;
            self.at = Some(known.state(s).into());
            if self.shown.insert(known.state(s).into()) {
                return Ok(Some(s));
            }
        }
        Ok(None)
    }

    fn step(&mut self, known: &mut Known<'_>) -> Result<Number, ModelError> {
        let restarts = self.below(RESTART_EVERY) == 0;
        // Where the walk is may have been forgotten; then it starts afresh, too,
        // so that of every known state the way there is known.
        let at = self.at.take().filter(|_| !restarts).and_then(|state| known.find(&state));
        if let Some(s) = at {
            known.expand(s)?;
            let enabled: Vec<usize> = known.enabled(s).collect();
            if !enabled.is_empty() {
                let at = self.below(enabled.len() as u64) as usize;
                return Ok(known.next(s, enabled[at]));
            }
        }
        let initial = known.machine().initial_states()?;
        let at = self.below(initial.len() as u64) as usize;
        known.initial(&initial[at])
    }

    fn below(&mut self, n: u64) -> u64 {
        next_random(&mut self.random) % n
    }
}
