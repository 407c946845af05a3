//! Threads that take step after step together.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::{hint, thread};

/// Looks at what the others have done before a thread goes to sleep: some ten microseconds.
const LOOKS: usize = 4000;

/// Where threads wait for each other.
#[derive(Default)]
pub(super) struct Team {
    /// How many there are; 0 while that is not known.
    n: AtomicUsize,
    n_arrived: AtomicUsize,
    /// Counts the meetings.
    turn: AtomicU32,
    is_broken: AtomicBool,
    lock: Mutex<()>,
    wake: Condvar,
}

impl Team {
    /// There will be so many threads. Whoever says so must not have come to a meeting before.
    pub fn set_size(&self, n: usize) {
        self.n.store(n, Ordering::Release);
    }

    /// Waits until all threads have come. What any of them did before can be seen by all of
    /// them afterwards. False if one of them has panicked.
    #[must_use]
    pub fn meet(&self) -> bool {
        let turn = self.turn.load(Ordering::Acquire);
        if self.n_arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.n.load(Ordering::Acquire) {
            // Nobody comes to the next meeting before this one has ended.
            self.n_arrived.store(0, Ordering::Release);
            let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.turn.fetch_add(1, Ordering::Release);
            drop(guard);
            self.wake.notify_all();
            return true;
        }
        let is_over = || self.turn.load(Ordering::Acquire) != turn;
        for _ in 0..LOOKS {
            if is_over() {
                return true;
            }
            hint::spin_loop();
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_over() && !self.is_broken.load(Ordering::Acquire) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        is_over()
    }
}

/// One thread of a team. If it panics, the others are told, and wait for it no more.
pub(super) struct Member<'t>(pub &'t Team);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _guard = self.0.lock.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.is_broken.store(true, Ordering::Release);
            self.0.wake.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_ahead() {
        for n in [2, 5] {
            let (team, sum) = (Team::default(), AtomicUsize::new(0));
            let member = |is_first: bool| {
                if is_first {
                    team.set_size(n);
                }
                for i in 0..300 {
                    assert!(team.meet());
                    assert_eq!(sum.load(Ordering::Relaxed), i * n);
                    assert!(team.meet());
                    sum.fetch_add(1, Ordering::Relaxed);
                }
            };
            thread::scope(|scope| {
                (1..n).for_each(|_| drop(scope.spawn(|| member(false))));
                member(true);
            });
        }
    }

    #[test]
    fn nobody_waits_for_one_that_panicked() {
        let team = Team::default();
        team.set_size(3);
        let panicked = thread::scope(|scope| {
            let waiting = [(); 2].map(|()| scope.spawn(|| team.meet()));
            let panicking = scope.spawn(|| {
                let _member = Member(&team);
                panic!("the others go on");
            });
            assert!(waiting.into_iter().all(|thread| !thread.join().expect("no panic")));
            panicking.join().is_err()
        });
        assert!(panicked);
    }
}
