//! A set of one-word states with marks, for several threads at the same time.
//!
//! To look up and to insert needs no lock ([`Slots`]). To grow, somebody must have the slots
//! alone: every thread holds them for reading while it works, and lets go of them for a moment,
//! between two states, when another one wants to make them larger.

use super::slots::Slots;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// New states that a thread counts for itself before it tells the others.
const COUNT: usize = 64;

/// The set.
pub struct SharedSet {
    slots: RwLock<Slots>,
    /// Whether somebody waits for the slots, to make them larger.
    wants_to_grow: AtomicBool,
    n_states: AtomicUsize,
    n_bytes: AtomicUsize,
}

impl SharedSet {
    /// An empty set with `1 << bits` slots; `bits` is not 0.
    pub fn new(bits: u32) -> Self {
        let slots = Slots::new(bits);
        let n_bytes = AtomicUsize::new(slots.bytes());
        let (slots, wants_to_grow) = (RwLock::new(slots), AtomicBool::new(false));
        SharedSet { slots, wants_to_grow, n_states: AtomicUsize::new(0), n_bytes }
    }

    /// Access for one thread. No other thread gets on that wants to grow until it is dropped,
    /// or [`Access::let_grow`] is called.
    pub fn access(&self) -> Access<'_> {
        Access { set: self, slots: Some(self.read()), n_new: 0 }
    }

    fn read(&self) -> RwLockReadGuard<'_, Slots> {
        self.slots.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the slots larger, unless that has been done since there were `n_slots`.
    #[cold]
    fn grow(&self, n_slots: usize) {
        self.wants_to_grow.store(true, Ordering::Relaxed);
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        if slots.len() == n_slots {
            let mut bits = slots.len().trailing_zeros();
            *slots = loop {
                bits += 1;
                if let Some(larger) = moved(&slots, bits) {
                    break larger;
                }
            };
            self.n_bytes.store(slots.bytes(), Ordering::Relaxed);
        }
        self.wants_to_grow.store(false, Ordering::Relaxed);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.n_bytes.load(Ordering::Relaxed)
    }

    /// Bytes in use while the set grows once more.
    pub fn bytes_after_growth(&self) -> usize {
        3 * self.bytes()
    }
}

/// The states of some slots in `1 << bits` slots, if all find one.
fn moved(slots: &Slots, bits: u32) -> Option<Slots> {
    let larger = Slots::new(bits);
    for (state, marks) in slots.marked() {
        let (slot, _) = larger.find_or_insert(state)?;
        larger.mark(slot, marks);
    }
    Some(larger)
}

/// Access of one thread to a set.
pub struct Access<'s> {
    set: &'s SharedSet,
    /// `None` only while another thread may grow.
    slots: Option<RwLockReadGuard<'s, Slots>>,
    n_new: usize,
}

impl Access<'_> {
    fn slots(&self) -> &Slots {
        self.slots.as_ref().expect("slots are given back at once")
    }

    /// The marks of a state; 0 if it is no member.
    pub fn marks(&self, state: u64) -> u8 {
        let slots = self.slots();
        slots.find(state).map_or(0, |slot| slots.marks(slot))
    }

    /// Sets marks of a state, which is a member from then on. Returns those that it had before.
    pub fn mark(&mut self, state: u64, marks: u8) -> u8 {
        loop {
            let slots = self.slots();
            if let Some((slot, is_new)) = slots.find_or_insert(state) {
                let before = slots.mark(slot, marks);
                self.n_new += usize::from(is_new);
                if self.n_new == COUNT {
                    self.count();
                }
                return before;
            }
            self.grow();
        }
    }

    /// All states with marks, as it was at some time for each.
    pub fn marked(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        self.slots().marked()
    }

    /// Lets others grow who wait for that.
    #[inline(always)]
    pub fn let_grow(&mut self) {
        if self.set.wants_to_grow.load(Ordering::Relaxed) {
            self.slots = None;
            std::thread::yield_now();
            self.slots = Some(self.set.read());
        }
    }

    #[cold]
    fn count(&mut self) {
        let n = self.set.n_states.fetch_add(self.n_new, Ordering::Relaxed) + self.n_new;
        self.n_new = 0;
        if n > self.slots().len() / 8 * 5 {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let n_slots = self.slots().len();
        self.slots = None;
        self.set.grow(n_slots);
        self.slots = Some(self.set.read());
    }
}

impl Drop for Access<'_> {
    fn drop(&mut self) {
        self.set.n_states.fetch_add(self.n_new, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::thread;

    /// Threads insert overlapping states into a set that has to grow again and again.
    #[test]
    fn it_is_a_plain_set_through_every_growth() {
        for (n_threads, first_bits) in [(1, 1), (2, 1), (4, 2), (8, 10)] {
            let set = SharedSet::new(first_bits);
            let state = |i: u64| match i % 5 {
                0 => u64::MAX - i / 5,
                1 => i,
                _ => (i % 3000).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            };
            let work = |thread: u64| {
                let (mut access, mut firsts) = (set.access(), Vec::new());
                for i in 0..40_000 {
                    let i = (i * 7919 + thread * 1237) % 40_000;
                    let mark = 1 << (i % 3);
                    if access.mark(state(i), mark) & mark == 0 {
                        firsts.push((state(i), mark));
                    }
                    assert_ne!(access.marks(state(i)) & mark, 0);
                    access.let_grow();
                }
                firsts
            };
            let mut firsts: Vec<(u64, u8)> = thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..n_threads).map(|i| scope.spawn(move || work(i))).collect();
                threads.into_iter().flat_map(|t| t.join().expect("no panic")).collect()
            });
            let mut expected = BTreeMap::new();
            for i in 0..40_000 {
                *expected.entry(state(i)).or_insert(0) |= 1 << (i % 3);
            }
            let found: BTreeMap<u64, u8> = set.access().marked().collect();
            assert_eq!(found, expected);
            assert_eq!(set.access().marks(12_345_678_901), 0);
            // Each mark was set by one thread.
            let n_marks: u32 = expected.values().map(|marks: &u8| marks.count_ones()).sum();
            assert_eq!(firsts.len(), n_marks as usize);
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), n_marks as usize);
        }
    }
}
