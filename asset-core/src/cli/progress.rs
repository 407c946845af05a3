//! The line on a terminal that shows a run under way.

use super::report::{count, megabytes};
use crate::search::{Observer, Snapshot};
use std::io::Write;
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(100);

/// Writes a line to standard error ten times a second, over the last one.
pub struct ProgressLine {
    start: Instant,
    last: Option<(Instant, u64)>,
    per_second: f64,
}

impl ProgressLine {
    pub fn new() -> Self {
        ProgressLine { start: Instant::now(), last: None, per_second: 0.0 }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.last.is_some() {
            // A progress line that cannot be written is no loss.
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Observer for ProgressLine {
    fn observe(&mut self, s: &Snapshot) {
        let now = Instant::now();
        let (then, before) = self.last.unwrap_or((self.start, 0));
        let passed = now - then;
        if passed < EVERY {
            return;
        }
        let recent = (s.n_states.saturating_sub(before)) as f64 / passed.as_secs_f64();
        self.per_second =
            if self.per_second == 0.0 { recent } else { 0.8 * self.per_second + 0.2 * recent };
        self.last = Some((now, s.n_states));
        let line = format!(
            "{}: {} states ({}/s), {} edges, queue {}, depth {}, {}",
            s.phase,
            count(s.n_states),
            count(self.per_second as u64),
            count(s.n_edges),
            count(s.queue),
            count(s.depth),
            megabytes(s.bytes),
        );
        // A progress line that cannot be written is no loss.
        let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
        let _ = std::io::stderr().flush();
    }
}
