//! Transitions that do anything at all with what they touch, of which some choose, by
//! variables that others touch or choose by, too.

use super::super::{Batch, Order, Remembered, Successors};
use super::expand;
use crate::machine::Footprint;

/// How many bits a variable has, of which there are sixteen in a word.
const BITS: u64 = 4;

/// A number that looks as if it had nothing to do with these.
pub fn mixed(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(7, |all: u64, word| {
        let x = (all ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
    })
}

/// Random numbers below others.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = mixed([self.0]);
        (self.0 >> 20) % n
    }

    pub fn of<const N: usize>(&mut self, those: [u64; N]) -> u64 {
        those[self.below(N as u64) as usize]
    }
}

/// Transitions, and how many values each variable has.
struct Chance {
    masks: Vec<Footprint>,
    n_values: Vec<u64>,
    n_words: usize,
}

impl Chance {
    fn new(random: &mut Random) -> Chance {
        let n_words = 1 + random.below(6) as usize;
        let sizes = [1 + random.below(12), 60 + random.below(10), 120 + random.below(80)];
        let n_transitions = random.of(sizes);
        let n_values: Vec<u64> = (0..16 * n_words).map(|_| random.of([1, 2, 3, 5, 16])).collect();
        // Few variables, so that transitions touch the same.
        let near = 1 + random.below(12);
        let most = 1 + random.below(6);
        let masks = |t: u64| {
            let mut variable =
                || (random.below(near) + t % 3 * near / 2) * 7 % n_values.len() as u64;
            let bits = |variable: u64| (variable as usize / 16, variable % 16 * BITS);
            let choice = variable();
            let (word, shift) = bits(choice);
            let is_choosing = !t.is_multiple_of(4);
            let n = if is_choosing { n_values[choice as usize] } else { 1 };
            let touched = |_| {
                let mut touched = vec![0; n_words];
                for _ in 0..=mixed([choice, t]) % most {
                    let (word, shift) = bits(variable());
                    touched[word] |= 15 << shift;
                }
                // To choose by a variable need not be to touch it.
                if t.is_multiple_of(2) {
                    touched[word] |= 15 << shift;
                }
                touched
            };
            let touched = (0..n).map(touched).collect();
            match is_choosing {
                true => Footprint { word: word as u32, shift: shift as u32, mask: 15, touched },
                false => Footprint { word: 0, shift: 0, mask: 0, touched },
            }
        };
        Chance { masks: (0..n_transitions).map(masks).collect(), n_values, n_words }
    }

    fn state(&self, random: &mut Random) -> Vec<u64> {
        let mut state = vec![0; self.n_words];
        for (i, &n) in self.n_values.iter().enumerate() {
            state[i / 16] |= random.below(n) << (i as u64 % 16 * BITS);
        }
        state
    }

    /// A function of what the transition touches, and of the variable by which it
    /// chooses.
    fn successor(&self, state: &[u64], t: usize) -> Option<Vec<u64>> {
        let Footprint { word, shift, mask, .. } = self.masks[t];
        let touched = self.masks[t].touched_in(state);
        let seen = state.iter().zip(touched).map(|(state, touched)| state & touched);
        let value = state[word as usize] >> shift & mask;
        let hash = mixed([t as u64, value].into_iter().chain(seen));
        let change = |i: usize| mixed([hash, i as u64]) & touched[i];
        let next = state.iter().enumerate().map(|(i, state)| state ^ change(i));
        (hash % 5 > 1).then(|| next.collect())
    }
}

#[test]
fn whatever_transitions_touch_and_choose_by() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let chance = Chance::new(&mut random);
        let Chance { ref masks, n_words, .. } = chance;
        let (mut order, mut remembered) = (Order::default(), None);
        let fire = &mut |state: &[u64], t: usize, out: &mut [u64]| {
            let next = chance.successor(state, t);
            next.iter().for_each(|next| out.copy_from_slice(next));
            Ok(next.is_some())
        };
        for i in 0..60 {
            if i % 30 == 0 {
                order = if i == 0 { Order::Backward } else { Order::Forward };
                remembered = Remembered::new(masks.clone(), n_words, order);
            }
            let Some(remembered) = &mut remembered else { break };
            let states: Vec<u64> = (0..8).flat_map(|_| chance.state(&mut random)).collect();
            let (mut out, mut expected) = (Successors::default(), Successors::default());
            expand(remembered, Batch::awake(&states), fire, &mut out).unwrap();
            for state in states.chunks_exact(n_words) {
                for t in (0..masks.len()).map(|i| order.nth(i, masks.len())) {
                    let next = chance.successor(state, t);
                    next.into_iter().for_each(|next| expected.push(&next, t));
                }
                expected.end_state();
            }
            assert_eq!(out.transitions(), expected.transitions(), "{seed}");
            assert!(out.words() == expected.words(), "{seed}");
            assert_eq!(out.ends(), expected.ends(), "{seed}");
        }
    }
}
