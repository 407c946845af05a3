//! The slots of shared sets in all interleavings of a few threads.
#![cfg(loom)]

#[path = "../../src/store/slots.rs"]
mod slots;

#[cfg(test)]
mod tests {
    use super::slots::Slots;
    use loom::sync::Arc;
    use loom::thread;

    /// Threads insert these states, each in its order, and mark them. Each state must get one
    /// slot, and one thread must be told that it is new, and that its mark is.
    fn insert(states: &'static [&'static [u64]]) {
        loom::model(move || {
            let slots = Arc::new(Slots::new(2));
            let work = |slots: &Slots, states: &[u64]| -> Vec<(u64, usize, bool, bool)> {
                let one = |&state: &u64| {
                    let (slot, is_new) = slots.find_or_insert(state).expect("there is room");
                    assert_eq!(slots.find(state), Some(slot));
                    (state, slot, is_new, slots.mark(slot, 1) & 1 == 0)
                };
                states.iter().map(one).collect()
            };
            let threads: Vec<_> = states[1..]
                .iter()
                .map(|states| {
                    let slots = Arc::clone(&slots);
                    thread::spawn(move || work(&slots, states))
                })
                .collect();
            let mut done = work(&slots, states[0]);
            done.extend(threads.into_iter().flat_map(|thread| thread.join().unwrap()));
            for &(state, slot, ..) in &done {
                let same = || done.iter().filter(|other| other.0 == state);
                assert!(same().all(|other| other.1 == slot), "one slot for a state");
                assert!(done.iter().all(|other| other.0 == state || other.1 != slot));
                assert_eq!(same().filter(|other| other.2).count(), usize::from(state != u64::MAX));
                assert_eq!(same().filter(|other| other.3).count(), 1);
            }
        });
    }

    #[test]
    fn two_threads_the_same_state() {
        insert(&[&[5], &[5]]);
    }

    #[test]
    fn two_threads_in_opposite_orders() {
        insert(&[&[5, 9], &[9, 5]]);
    }

    #[test]
    fn two_threads_fill_all_slots() {
        insert(&[&[1, 2, 3], &[4, 2]]);
    }

    #[test]
    fn three_threads() {
        insert(&[&[1], &[2], &[1]]);
    }

    #[test]
    fn the_state_without_a_slot() {
        insert(&[&[u64::MAX], &[u64::MAX, 0]]);
    }
}
