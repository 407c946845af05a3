//! Remembered stubborn sets of one-word states against those of a plain closure: batch by
//! batch, with all that is counted.

use super::super::{Order, RememberedRules, Successors};
use super::choices::Random;
use super::small::Small;
use crate::machine::{ModelError, Wrong};
use crate::memory::bits::FastBits;
use crate::model::Obligations;
use crate::reduction::{Closure, Local};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A state in which transitions, or rules, may fail: some return an error, and some panic.
struct InMemory<'i> {
    small: &'i Small,
    state: u64,
}

impl Local for InMemory<'_> {
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

/// The successors of a batch, with their transitions and ends, and what went wrong.
type Expanded = (Vec<u64>, Vec<u32>, Vec<u32>, String);

fn expanded(expand: impl FnOnce(&mut Successors) -> Result<(), ModelError>) -> Expanded {
    let mut out = Successors::default();
    let wrong = match catch_unwind(AssertUnwindSafe(|| expand(&mut out))) {
        Ok(Ok(())) => String::new(),
        Ok(Err(error)) => format!("{error:?}"),
        Err(_) => "panic".to_owned(),
    };
    out.drop_unfinished(1);
    (out.words().to_vec(), out.transitions().to_vec(), out.ends().to_vec(), wrong)
}

/// A machine, a closure that remembers, and a plain one.
struct Compared {
    small: Arc<Small>,
    remembered: RememberedRules,
    by_memory: Closure,
    plain: Closure,
    n_failed: usize,
}

impl Compared {
    fn new(small: Small) -> Self {
        let small = Arc::new(small);
        let remembered = small.cache();
        let (by_memory, plain) = (Closure::default(), Closure::default());
        Compared { small, remembered, by_memory, plain, n_failed: 0 }
    }

    fn batch(&mut self, states: &[u64], order: Order) {
        let Compared { small, remembered, by_memory, plain, n_failed } = self;
        let small = &**small;
        let expected = expanded(|out| {
            states.iter().try_for_each(|&state| {
                let local = &InMemory { small, state };
                plain.expand(order, small.n_transitions(), local, 1, out)
            })
        });
        let unpack = &|state: &[u64], show: &mut dyn FnMut(&dyn Local)| {
            show(&InMemory { small, state: state[0] });
        };
        let found = expanded(|out| {
            let by = (order, &mut *by_memory);
            remembered.expand(states, 1, by, unpack, out).map_err(|error| *error)
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
        let mut compared = Compared::new(small);
        for i in 0..40 {
            let order = if i / 10 % 2 == 0 { Order::Backward } else { Order::Forward };
            let n = 1 + random.below(32);
            let states: Vec<u64> = (0..n).map(|_| compared.small.state(&mut random)).collect();
            compared.batch(&states, order);
        }
        n_fired += compared.plain.statistics().n_fired;
        n_failed += compared.n_failed;
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
        let (mut random, mut compared) = (Random(1), Compared::new(small));
        for _ in 0..n {
            let state = |_| compared.small.state(&mut random) & u64::MAX >> (64 - n_bits);
            let states: Vec<u64> = (0..32).map(state).collect();
            compared.batch(&states, Order::Backward);
        }
    }
}
