//! Expansion of one-word states that leaves out what is asleep: state by state against
//! transitions that are fired one by one.

use super::super::{Batch, Order, Remembered, Successors};
use super::choices::{Random, mixed};
use super::expand;
use super::small::Small;
use crate::machine::{ModelError, Wrong};
use crate::memory::bits::FastBits;
use std::sync::Arc;

/// What is wrong with a transition that fails.
pub fn failing() -> Wrong {
    Wrong::Unsteady("a transition that fails".to_owned())
}

/// How transitions are fired.
pub fn fire(
    small: &Small,
) -> impl FnMut(&[u64], usize, &mut [u64]) -> Result<bool, Box<ModelError>> + '_ {
    |state, t, next| {
        if small.fails(state[0], t) {
            return Err(Box::new(ModelError::new(state, t, failing())));
        }
        let successor = small.successor(state[0], t);
        successor.iter().for_each(|&successor| next[0] = successor);
        Ok(successor.is_some())
    }
}

/// What one after the other leads to, if both are enabled.
fn both(small: &Small, state: u64, first: usize, second: usize) -> Option<u64> {
    small.successor(small.successor(state, first)?, second)
}

/// Compares one batch; tells how many transitions were left out, and how many pairs commute.
fn compare_batch(
    small: &Small,
    remembered: &mut Remembered,
    order: Order,
    random: &mut Random,
) -> (usize, usize) {
    let n = small.n_transitions();
    let states: Vec<u64> = (0..8).map(|_| small.state(random)).collect();
    let mut out = Successors::default();
    let asleep: Vec<u64> = states
        .iter()
        .map(|_| match random.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => mixed([random.below(1 << 40)]),
            _ => mixed([random.below(1 << 40)]) | mixed([random.below(1 << 40)]),
        })
        .collect();
    let batch = Batch { states: &states, asleep: &asleep };
    expand(remembered, batch, &mut fire(small), &mut out).expect("nothing fails");
    assert_eq!(out.n_expanded(), states.len());
    let (mut n_left_out, mut n_commuting) = (0, 0);
    for (i, &state) in states.iter().enumerate() {
        let enabled = |rank: &usize| small.successor(state, order.nth(*rank, n)).is_some();
        let enabled = (0..n).filter(enabled).fold(0u64, |bits, rank| bits | 1 << rank);
        let asleep = asleep[i];
        assert_eq!(out.left_out()[i], enabled & asleep);
        n_left_out += (enabled & asleep).count_ones() as usize;
        let awake = (0..n).filter(|rank| (enabled & !asleep) >> rank & 1 != 0);
        let awake: Vec<usize> = awake.map(|rank| order.nth(rank, n)).collect();
        assert_eq!(out.of(i).len(), awake.len());
        for (at, &t) in out.of(i).zip(&awake) {
            assert_eq!(out.transitions()[at] as usize, t);
            assert_eq!(Some(out.words()[at]), small.successor(state, t));
            let sleeping = out.sleeping().expect("it was asked for")[at];
            let before = (1u64 << order.nth(t, n)) - 1;
            assert_eq!(sleeping & !(enabled & (asleep | before)), 0);
            for other in (0..n).filter(|rank| sleeping >> rank & 1 != 0) {
                let other = order.nth(other, n);
                let [one, two] = [both(small, state, t, other), both(small, state, other, t)];
                assert!(one.is_some() && one == two, "{t} and {other} in {state:x}");
                n_commuting += 1;
            }
        }
    }
    (n_left_out, n_commuting)
}

#[test]
fn what_is_asleep_is_left_out_and_what_is_said_to_commute_does() {
    if FastBits::new().is_none() {
        return;
    }
    let (mut n_left_out, mut n_commuting) = (0, 0);
    for seed in 0..300 {
        let small = Arc::new(Small::new(seed, u64::MAX));
        let mut random = Random(seed);
        let orders = [Order::Backward, Order::Forward];
        let mut both = orders.map(|order| {
            Remembered::new(small.touched(false), 1, order).expect("they touch little")
        });
        for i in 0..12 {
            let (order, remembered) = (orders[i / 3 % 2], &mut both[i / 3 % 2]);
            let (left_out, commuting) = compare_batch(&small, remembered, order, &mut random);
            n_left_out += left_out;
            n_commuting += commuting;
        }
    }
    assert!(n_left_out > 50_000 && n_commuting > 50_000, "{n_left_out}, {n_commuting}");
}
