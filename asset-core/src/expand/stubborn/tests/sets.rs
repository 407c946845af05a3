//! Remembered stubborn sets of one-word states against those of a plain closure: batch by
//! batch, with all that is counted.

use super::expanded;
use crate::expand::remembered::tests::choices::Random;
use crate::expand::remembered::tests::small::Small;
use crate::expand::stubborn::closure::Closure;
use crate::expand::stubborn::rules::RememberedRules;
use crate::machine::{ModelError, Opened, Successors, Wrong, door};
use crate::memory::bits::FastBits;
use crate::model::{Obligations, Order};
use std::sync::Arc;

/// A state in which transitions, or rules, may fail: some return an error, and some panic.
struct InMemory<'i> {
    small: &'i Small,
    state: u64,
}

impl Opened for InMemory<'_> {
    fn oblige(&self, t: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let n = self.small.n_transitions();
        for other in self.small.obliged(self.state, t).expect("a rule that panics") {
            if other == n { need.all() } else { need.add(other) }
        }
        Ok(())
    }

    fn fire(&self, t: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        if self.small.fails(self.state, t) {
            assert!(t.is_multiple_of(2), "a transition that panics");
            let wrong = Wrong::Unsteady("a transition that fails".to_owned());
            return Err(Box::new(ModelError::new(&[self.state], t, wrong)));
        }
        let next = self.small.successor(self.state, t);
        next.iter().for_each(|&next| out.push(&[next], t));
        Ok(next.is_some())
    }
}

/// A machine, a closure that remembers, and a plain one.
struct Compared {
    small: Arc<Small>,
    order: Order,
    remembered: RememberedRules,
    by_memory: Closure,
    plain: Closure,
    n_failed: usize,
}

impl Compared {
    fn new(small: &Arc<Small>, order: Order) -> Self {
        let (small, touched) = (small.clone(), small.touched(true));
        let remembered = RememberedRules::new(touched, 1, order).expect("they touch little");
        let (by_memory, plain) = (Closure::default(), Closure::default());
        Compared { small, order, remembered, by_memory, plain, n_failed: 0 }
    }

    fn batch(&mut self, states: &[u64]) {
        let Compared { small, order, remembered, by_memory, plain, n_failed } = self;
        let (small, order) = (&**small, *order);
        let expected = expanded(1, |out| {
            states.iter().try_for_each(|&state| {
                let local = &InMemory { small, state };
                let n = small.n_transitions();
                door::of_state(&[state], || plain.expand(order, n, local, 1, out))
                    .and_then(|done| done)
            })
        });
        let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| {
            door::of_state(state, || see(&InMemory { small, state: state[0] }))
        };
        let found = expanded(1, |out| {
            remembered.expand(states, by_memory, open, out).map_err(|error| *error)
        });
        assert_eq!(found, expected);
        assert_eq!(format!("{:?}", by_memory.statistics()), format!("{:?}", plain.statistics()));
        *n_failed += usize::from(!expected.3.is_empty());
    }
}

#[test]
fn they_are_those_of_a_plain_closure() {
    if FastBits::new().is_none() {
        return;
    }
    let (mut n_fired, mut n_failed) = (0, 0);
    for seed in 0..300 {
        let mut random = Random(1000 + seed);
        let mut small = Small::new(seed, random.of([100, 2000, u64::MAX]));
        small.fails = random.of([0, 0, 50, 500]);
        small.rule_fails = random.of([0, 0, 50, 500]);
        let small = Arc::new(small);
        for order in [Order::Backward, Order::Forward] {
            let mut compared = Compared::new(&small, order);
            for _ in 0..20 {
                let n = 1 + random.below(32);
                let states: Vec<u64> = (0..n).map(|_| small.state(&mut random)).collect();
                compared.batch(&states);
            }
            n_fired += compared.plain.statistics().n_fired;
            n_failed += compared.n_failed;
        }
    }
    assert!(n_fired > 1000 && n_failed > 100, "{n_fired} fired, {n_failed} failed");
}

#[test]
fn classes_and_sets_of_any_number() {
    if FastBits::new().is_none() {
        return;
    }
    // Two transitions, whose lists have numbers that might tell what is enabled.
    let two = Small::touching(1, (0..2).map(|_| vec![0, 1]), false);
    // Sixteen groups, so that there are four bits for a class: that is not enough.
    let ring = Small::touching(2, (0..16).map(|i| vec![i, (i + 1) % 16]), false);
    // Eight groups, with more combinations of few classes than are remembered.
    let pairs = Small::touching(3, (0..16).map(|i| vec![i, i ^ 1]), true);
    for (small, n_bits, n) in [(two, 8, 100), (ring, 12, 500), (pairs, 64, 3000)] {
        let small = Arc::new(small);
        let (mut random, mut compared) = (Random(1), Compared::new(&small, Order::Backward));
        for _ in 0..n {
            let state = |_| small.state(&mut random) & u64::MAX >> (64 - n_bits);
            let states: Vec<u64> = (0..32).map(state).collect();
            compared.batch(&states);
        }
    }
}
