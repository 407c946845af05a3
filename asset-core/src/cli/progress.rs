//! The line on a terminal that shows a run under way.

use super::report::{count, megabytes};
use crate::search::{Observer, Snapshot};
use std::io::Write;
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(100);

/// Writes a line to standard error ten times a second, over the last one.
pub struct ProgressLine {
    start: Instant,
    phase: &'static str,
    last: Option<(Instant, u64)>,
    /// States found in a second; 0 in a phase that finds none.
    per_second: f64,
}

impl ProgressLine {
    pub fn new() -> Self {
        ProgressLine { start: Instant::now(), phase: "", last: None, per_second: 0.0 }
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
        let is_new_phase = std::mem::replace(&mut self.phase, s.phase) != s.phase;
        self.per_second = match self.last {
            Some(_) if is_new_phase => 0.0,
            Some(_) if self.per_second > 0.0 => 0.8 * self.per_second + 0.2 * recent,
            _ => recent,
        };
        self.last = Some((now, s.n_states));
        let mut line = format!("{}: {} states", s.phase, count(s.n_states));
        if self.per_second >= 1.0 {
            line += &format!(" ({}/s)", count(self.per_second as u64));
        }
        line += &format!(", {} edges, queue {}", count(s.n_edges), count(s.queue));
        if s.depth > 0 {
            line += &format!(", depth {}", count(s.depth));
        }
        line += &format!(", {}", megabytes(s.bytes));
        // Cut off at the edge of the terminal, not wrapped: only a single line
        // can be written over. The cursor waits at its start, so that the `^C`
        // of a terminal stays on it. A line that cannot be written is no loss.
        let whole = format!("\r\x1b[?7l{line}\x1b[K\x1b[?7h\r");
        let _ = std::io::stderr().write_all(whole.as_bytes());
    }
}
