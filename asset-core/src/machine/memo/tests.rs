//! Remembered firings against fresh ones, in states of one word and of several.

mod awake;
mod choices;
mod sets;
mod small;

use super::*;
use crate::machine::Wrong;
use crate::model::Obligations;
use crate::reduction::{Closure, Local};
use crate::state::StateVar;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Variables that hold `T`s: a list of twelve, and one by which transitions choose.
struct Space {
    shape: Shape,
    layout: Layout,
}

fn space<T: StateVar>(list: &'static Shape, hi: i128) -> Space {
    let fields: &'static [(&'static str, &'static Shape)] =
        Box::leak(Box::new([("list", list), ("mode", &T::SHAPE)]));
    let lists = Layout::array(T::LAYOUT.ranged(0, hi), 12);
    let layout = Layout::EMPTY.append(lists).append(T::LAYOUT.ranged(0, 2));
    Space { shape: Shape::Record(fields), layout: layout.finish(usize::MAX) }
}

/// The lanes of a packed state, and a state of such lanes.
fn unpacked(layout: &Layout, state: &[u64]) -> Vec<i128> {
    layout.lane_values(state).collect()
}

fn packed(layout: &Layout, lanes: &[i128]) -> Vec<u64> {
    let (mut state, mut at) = (vec![0; layout.words()], 0);
    for (lane, &value) in layout.lanes().iter().zip(lanes) {
        for bit in 0..lane.bits() {
            state[at / 64] |= ((value >> bit & 1) as u64) << (at % 64);
            at += 1;
        }
    }
    state
}

/// Transition `t` chooses by the mode: it moves one element into another, adds the
/// two, or is disabled; or it changes the mode, which is all that the last does.
fn fire(layout: &Layout, state: &[u64], t: usize, next: &mut [u64]) -> bool {
    let mut lanes = unpacked(layout, state);
    let hi = layout.lanes()[0].hi;
    match (t, lanes[12]) {
        (12, mode) => lanes[12] = (mode + 1) % 3,
        (_, 0) => lanes[t] = lanes[(t + 5) % 12],
        (_, 1) if lanes[t] != lanes[(t + 5) % 12] => {
            lanes[t] = (lanes[t] + lanes[(t + 5) % 12]) % (hi + 1);
        }
        _ => return false,
    }
    next.copy_from_slice(&packed(layout, &lanes));
    true
}

const RIGHT: Known = Known {
    choice: |_| Some(((1, None), 3)),
    touches: |t, mode, with_rules, tell| {
        tell((1, None));
        if t < 12 && with_rules {
            tell((0, Some((t + 7) % 12)));
        }
        if t < 12 && mode < 2 {
            tell((0, Some(t)));
            tell((0, Some((t + 5) % 12)));
        }
        true
    },
};

fn random(layout: &Layout, x: &mut u64) -> Vec<u64> {
    let mut next = |n: i128| {
        *x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i128::from(*x >> 33) % n
    };
    // Few values, so that combinations come again.
    let lanes: Vec<i128> =
        layout.lanes().iter().map(|lane| next(7.min(lane.hi + 1)) * (lane.hi / 7).max(1)).collect();
    packed(layout, &lanes.iter().zip(layout.lanes()).map(|(&v, l)| v.min(l.hi)).collect::<Vec<_>>())
}

fn expanded(
    remembered: &mut Remembered,
    layout: &Layout,
    state: &[u64],
    order: Order,
) -> Result<Successors, Box<ModelError>> {
    let mut out = Successors::default();
    let anew = &mut |state: &[u64], t: usize, next: &mut [u64]| Ok(fire(layout, state, t, next));
    match remembered.expand(state, order, anew, &mut out) {
        Ok(()) => Ok(out),
        Err(Stop::Unsteady(error)) => Err(error),
        Err(Stop::Failed) => panic!("no transition fails"),
    }
}

#[test]
fn they_do_what_fresh_ones_do() {
    if FastBits::new().is_none() {
        return;
    }
    let spaces = [
        (space::<u8>(&<[u8; 12]>::SHAPE, 5), 1),
        (space::<u16>(&<[u16; 12]>::SHAPE, 999), 2),
        (space::<u32>(&<[u32; 12]>::SHAPE, (1 << 20) - 1), 4),
    ];
    for (Space { shape, layout }, n_words) in spaces {
        assert_eq!(layout.words(), n_words);
        let mut remembered = Remembered::new(&shape, &layout, 13, RIGHT).unwrap();
        let mut x = 1;
        for i in 0..20_000 {
            let state = random(&layout, &mut x);
            let order = if i < 10_000 { Order::Forward } else { Order::Backward };
            let out = expanded(&mut remembered, &layout, &state, order).unwrap();
            let mut expected = Successors::default();
            for j in 0..13 {
                let mut next = state.clone();
                if fire(&layout, &state, order.nth(j, 13), &mut next) {
                    expected.push(&next, order.nth(j, 13));
                }
            }
            assert_eq!(out.words(), expected.words());
            assert_eq!(out.transitions(), expected.transitions());
        }
        let Counts { n_asked, n_missed, .. } = remembered.counts;
        assert!(n_asked > 0 && n_missed < n_asked / 8, "{n_missed} of {n_asked}");
    }
}

/// A transition that touches these bits, without a choice.
fn plain(touched: Vec<u64>) -> Masks {
    Masks { word: 0, shift: 0, mask: 0, touched: vec![touched] }
}

fn remembered(masks: Vec<Masks>, n_words: usize) -> Option<Remembered> {
    let firings = firings(FastBits::new()?, masks, n_words)?;
    Some(Remembered { firings, counts: Counts::default() })
}

#[test]
fn more_outcomes_than_there_is_room_for_are_forgotten() {
    const N: usize = 12;
    const ALL: u64 = (1 << 14) - 1;
    let Some(mut remembered) = remembered(vec![plain(vec![ALL]); N], 1) else { return };
    // Every combination has an outcome of its own, of more words than slots can tell.
    let next = |state: u64, t: u64| state.wrapping_mul(5 + 8 * t).wrapping_add(t) & ALL;
    let fire = &mut |state: &[u64], t: usize, out: &mut [u64]| {
        out[0] = next(state[0], t as u64);
        Ok(!state[0].is_multiple_of(t as u64 + 2))
    };
    let mut most = 0;
    for i in 0..3 * (ALL + 1) / 16 {
        let states: Vec<u64> = (16 * i..16 * (i + 1)).map(|state| state & ALL).collect();
        let mut out = Successors::default();
        remembered.expand(&states, Order::Forward, fire, &mut out).unwrap();
        let expected = states.iter().flat_map(|&state| {
            let enabled = (0..N as u64).filter(move |t| !state.is_multiple_of(t + 2));
            enabled.map(move |t| next(state, t))
        });
        assert!(out.words().iter().copied().eq(expected));
        assert_eq!(out.n_expanded(), 16);
        most = most.max(remembered.bytes());
    }
    assert!(remembered.bytes() < most);
}

#[test]
fn any_number_of_transitions_and_words() {
    for (n_transitions, n_words) in [(64, 1), (65, 1), (200, 2), (130, 3), (64, 4), (150, 7)] {
        // Each changes two bits, which are in two words if there are several.
        let bit = |t: usize, k: usize| (t * 37 + k * 71) % (64 * n_words);
        let masks = (0..n_transitions).map(|t| {
            let mut touched = vec![0; n_words];
            (0..2).for_each(|k| touched[bit(t, k) / 64] |= 1 << (bit(t, k) % 64));
            plain(touched)
        });
        let Some(mut remembered) = remembered(masks.collect(), n_words) else { return };
        let get = |state: &[u64], i: usize| state[i / 64] >> (i % 64) & 1;
        let successor = |state: &[u64], t: usize| {
            let mut next = state.to_vec();
            (0..2).for_each(|k| next[bit(t, k) / 64] ^= 1 << (bit(t, k) % 64));
            (get(state, bit(t, 0)) >= get(state, bit(t, 1))).then_some(next)
        };
        let fire = &mut |state: &[u64], t: usize, out: &mut [u64]| {
            let next = successor(state, t);
            next.iter().for_each(|next| out.copy_from_slice(next));
            Ok(next.is_some())
        };
        let mut x = 1u64;
        for i in 0..200 {
            let order = if i < 100 { Order::Backward } else { Order::Forward };
            let states: Vec<u64> = (0..5 * n_words)
                .map(|_| {
                    x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    x ^ x >> 31
                })
                .collect();
            let (mut out, mut expected) = (Successors::default(), Successors::default());
            remembered.expand(&states, order, fire, &mut out).unwrap();
            for state in states.chunks_exact(n_words) {
                for t in (0..n_transitions).map(|i| order.nth(i, n_transitions)) {
                    successor(state, t).into_iter().for_each(|next| expected.push(&next, t));
                }
                expected.end_state();
            }
            assert_eq!(out.words(), expected.words());
            assert_eq!(out.transitions(), expected.transitions());
            assert_eq!(out.ends(), expected.ends());
        }
    }
}

#[test]
fn a_choice_of_one_value_takes_no_bits() {
    if FastBits::new().is_none() {
        return;
    }
    let fields: &'static [(&'static str, &'static Shape)] =
        &[("list", &<[u8; 8]>::SHAPE), ("mode", &u8::SHAPE)];
    let lists = Layout::array(u8::LAYOUT.ranged(0, 255), 8);
    let layout = Layout::EMPTY.append(lists).append(u8::LAYOUT.ranged(0, 0)).finish(usize::MAX);
    // Its bits, of which there are none, would begin in a second word.
    assert_eq!((layout.bits(), layout.words()), (64, 1));
    let known = Known {
        choice: |_| Some(((1, None), 1)),
        touches: |t, _, _, tell| (tell((0, Some(t))), true).1,
    };
    let mut remembered = Remembered::new(&Shape::Record(fields), &layout, 8, known).unwrap();
    let fire = &mut |state: &[u64], t: usize, next: &mut [u64]| {
        next[0] = state[0] ^ 1 << (8 * t);
        Ok(true)
    };
    let mut out = Successors::default();
    remembered.expand(&[u64::MAX, 5], Order::Forward, fire, &mut out).unwrap();
    let expected =
        [u64::MAX, 5].map(|state| [0, 1, 2, 3, 4, 5, 6, 7].map(|t| state ^ 1 << (8 * t)));
    assert_eq!(out.words(), expected.concat());
}

#[test]
fn tables_do_not_grow_for_ever() {
    if FastBits::new().is_none() {
        return;
    }
    let Space { shape, layout } = space::<u32>(&<[u32; 12]>::SHAPE, (1 << 20) - 1);
    let mut remembered = Remembered::new(&shape, &layout, 13, RIGHT).unwrap();
    let mut x = 1u64;
    for _ in 0..100_000 {
        let lanes = layout.lanes().iter().map(|lane| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(x >> 33) % (lane.hi + 1)
        });
        let state = packed(&layout, &lanes.collect::<Vec<_>>());
        expanded(&mut remembered, &layout, &state, Order::Forward).unwrap();
    }
    let most = 2 * MAX_SLOTS * 16;
    assert!((most / 64..most).contains(&remembered.bytes()), "{}", remembered.bytes());
}

#[test]
fn what_changes_but_is_not_told_is_an_error() {
    let Space { shape, layout } = space::<u8>(&<[u8; 12]>::SHAPE, 5);
    let known = Known { choice: |_| None, touches: |_, _, _, tell| (tell((0, Some(1))), true).1 };
    let Some(mut remembered) = Remembered::new(&shape, &layout, 13, known) else { return };
    let state = packed(&layout, &[0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0]);
    let error = expanded(&mut remembered, &layout, &state, Order::Forward).unwrap_err();
    assert_eq!((error.transition, matches!(error.wrong, Wrong::Unsteady(_))), (Some(0), true));
}

#[test]
fn what_cannot_be_known_is_not_remembered() {
    let Space { shape, layout } = space::<u8>(&<[u8; 12]>::SHAPE, 5);
    let is_off = |known: Known| Remembered::new(&shape, &layout, 13, known).is_none();
    let touches: fn(usize, usize, bool, &mut dyn FnMut(Place)) -> bool = |_, _, _, _| true;
    // No such element, no such field, no single scalar, everything, a panic.
    assert!(is_off(Known { touches: |_, _, _, tell| (tell((0, Some(12))), true).1, ..RIGHT }));
    assert!(is_off(Known { touches: |_, _, _, tell| (tell((2, None)), true).1, ..RIGHT }));
    assert!(is_off(Known { choice: |_| Some(((0, None), 6)), touches }));
    assert!(is_off(Known { touches: |t, _, _, _| t < 12, ..RIGHT }));
    assert!(is_off(Known { touches: |_, _, _, _| panic!("no such index"), ..RIGHT }));
}

#[test]
fn it_is_given_up_where_little_is_met_again() {
    let Space { shape, layout } = space::<u8>(&<[u8; 12]>::SHAPE, 5);
    let mut memo: Memo = Memo::default();
    let Some(remembered) = memo.ask(&shape, &layout, 13, RIGHT) else { return };
    let set =
        |counts: &mut Counts, n_missed| (counts.n_asked, counts.n_missed) = (WINDOW, n_missed);
    set(&mut remembered.counts, WINDOW / WORTH - 1);
    let remembered = memo.ask(&shape, &layout, 13, RIGHT).expect("most were met before");
    assert_eq!((remembered.counts.n_asked, remembered.counts.n_missed), (0, 0));
    set(&mut remembered.counts, WINDOW / WORTH);
    assert!(memo.ask(&shape, &layout, 13, RIGHT).is_none());
    assert!(matches!(memo, Memo::Off));
}

/// A state of these variables. If it is one that fails, some transitions do where a
/// certain variable is high: some return an error, and some panic.
struct InMemory<'i> {
    layout: &'i Layout,
    state: &'i [u64],
    fails: bool,
}

impl Local for InMemory<'_> {
    /// A transition obliges some others, depending on a variable that it does not
    /// touch.
    fn oblige(&self, t: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let lanes = unpacked(self.layout, self.state);
        let looked_at = if t < 12 { lanes[(t + 7) % 12] } else { 0 };
        match (lanes[12], looked_at % 3) {
            (1, 0) => need.all(),
            (_, 1) => need.add((t + 1) % 13),
            (2, 2) => [(t + 4) % 13, (t + 2) % 13].into_iter().for_each(|t| need.add(t)),
            _ => {}
        }
        Ok(())
    }

    fn fire(&self, t: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let lanes = unpacked(self.layout, self.state);
        if self.fails && t < 12 && lanes[12] == 0 && lanes[(t + 5) % 12] > 3 {
            assert!(t.is_multiple_of(2), "a transition that panics");
            let wrong = Wrong::Unsteady("a transition that fails".to_owned());
            return Err(Box::new(ModelError::new(self.state, t, wrong)));
        }
        let mut next = self.state.to_vec();
        let is_enabled = fire(self.layout, self.state, t, &mut next);
        if is_enabled {
            out.push(&next, t);
        }
        Ok(is_enabled)
    }
}

/// The successors, or what went wrong.
type Expanded = Result<(Vec<u64>, Vec<u32>), String>;

fn outcome(expand: impl FnOnce(&mut Successors) -> Result<(), ModelError>) -> Expanded {
    let mut out = Successors::default();
    match catch_unwind(AssertUnwindSafe(|| expand(&mut out))) {
        Ok(Ok(())) => Ok((out.words().to_vec(), out.transitions().to_vec())),
        Ok(Err(error)) => Err(format!("{error:?}")),
        Err(_) => Err("panic".to_owned()),
    }
}

#[test]
fn rules_oblige_what_they_oblige_anew() {
    if FastBits::new().is_none() {
        return;
    }
    let spaces = [space::<u8>(&<[u8; 12]>::SHAPE, 5), space::<u16>(&<[u16; 12]>::SHAPE, 999)];
    for (Space { shape, layout }, fails) in spaces.iter().flat_map(|s| [(s, false), (s, true)]) {
        let n_words = layout.words();
        let mut remembered = RememberedRules::new(shape, layout, 13, RIGHT).unwrap();
        let (mut closure, mut x, mut n_failed) = (Closure::default(), 1, 0);
        for i in 0..10_000 {
            let state = &*random(layout, &mut x);
            let order = if i % 2 == 0 { Order::Forward } else { Order::Backward };
            let anew = outcome(|out| {
                let local = &InMemory { layout, state, fails };
                Closure::default().expand(order, 13, local, n_words, out)
            });
            let unpack = &|state: &[u64], show: &mut dyn FnMut(&dyn Local)| {
                show(&InMemory { layout, state, fails });
            };
            let known = outcome(|out| {
                let by = (order, &mut closure);
                remembered.expand(state, n_words, by, unpack, out).map_err(|error| *error)
            });
            n_failed += usize::from(anew.is_err());
            // A sample of what is enabled may fail in one of the two.
            assert!(known == anew || fails && i % 61 == 60, "{known:?} {anew:?}");
        }
        assert_eq!(n_failed > 0, fails);
        let Counts { n_asked, n_missed, .. } = *remembered.counts();
        assert!(n_missed > 0 && (fails || n_missed < n_asked / 4), "{n_missed} of {n_asked}");
    }
}
