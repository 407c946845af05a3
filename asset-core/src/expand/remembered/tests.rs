//! Remembered firings against fresh ones, in states of one word and of several.

pub mod awake;
pub mod choices;
pub mod small;

use super::*;
use crate::machine::{Known, Wrong};
use crate::model::{Obligations, Place};
use crate::state::{Layout, Shape, StateVar};
use std::cell::RefCell;

/// Fires a transition in a state and writes the successor. False if it is disabled.
type Fire<'f> = dyn FnMut(&[u64], usize, &mut [u64]) -> Result<bool, Box<ModelError>> + 'f;

/// A state whose transitions are fired so.
struct Fired<'s, 'f> {
    state: &'s [u64],
    fire: RefCell<&'s mut Fire<'f>>,
}

impl Opened for Fired<'_, '_> {
    fn oblige(&self, _: usize, _: &mut Obligations) -> Result<(), Box<ModelError>> {
        unreachable!("there are no rules")
    }

    fn fire(&self, _: usize, _: &mut Successors) -> Result<bool, Box<ModelError>> {
        unreachable!("successors are written")
    }

    fn successor(&self, transition: usize, words: &mut [u64]) -> Result<bool, Box<ModelError>> {
        (self.fire.borrow_mut())(self.state, transition, words)
    }
}

/// Expands states whose transitions are fired so.
fn expand(
    remembered: &mut Remembered,
    batch: Batch<'_>,
    fire: &mut Fire<'_>,
    out: &mut Successors,
) -> Result<(), Stop> {
    let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| {
        see(&Fired { state, fire: RefCell::new(&mut *fire) });
        Ok(())
    };
    remembered.expand(batch, open, out)
}

/// Variables that hold `T`s: a list of twelve, and one by which transitions choose.
pub struct Space {
    pub shape: Shape,
    pub layout: Layout,
}

pub fn space<T: StateVar>(list: &'static Shape, hi: i128) -> Space {
    let fields: &'static [(&'static str, &'static Shape)] =
        Box::leak(Box::new([("list", list), ("mode", &T::SHAPE)]));
    let lists = Layout::array(T::LAYOUT.ranged(0, hi), 12);
    let layout = Layout::EMPTY.append(lists).append(T::LAYOUT.ranged(0, 2));
    Space { shape: Shape::Record(fields), layout: layout.finish(usize::MAX) }
}

/// The lanes of a packed state, and a state of such lanes.
pub fn unpacked(layout: &Layout, state: &[u64]) -> Vec<i128> {
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
pub fn fire(layout: &Layout, state: &[u64], t: usize, next: &mut [u64]) -> bool {
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

pub const RIGHT: Known = Known {
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

pub fn random(layout: &Layout, x: &mut u64) -> Vec<u64> {
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
) -> Result<Successors, Box<ModelError>> {
    let mut out = Successors::default();
    let anew = &mut |state: &[u64], t: usize, next: &mut [u64]| Ok(fire(layout, state, t, next));
    match expand(remembered, Batch::awake(state), anew, &mut out) {
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
        for (order, mut x) in [(Order::Forward, 1), (Order::Backward, 2)] {
            let mut remembered = told(&shape, &layout, RIGHT, order).unwrap();
            for _ in 0..10_000 {
                let state = random(&layout, &mut x);
                let out = expanded(&mut remembered, &layout, &state).unwrap();
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
            let Trial { n_asked, n_missed, .. } = remembered.trial;
            assert!(n_asked > 0 && n_missed < n_asked / 8, "{n_missed} of {n_asked}");
        }
    }
}

/// Nothing yet of thirteen transitions of which this is known.
fn told(shape: &Shape, layout: &Layout, known: Known, order: Order) -> Option<Remembered> {
    let touched = Footprint::of_all(shape, layout, 13, known, false)?;
    Remembered::new(touched, layout.words(), order)
}

#[test]
fn more_outcomes_than_there_is_room_for_are_forgotten() {
    const N: usize = 12;
    const ALL: u64 = (1 << 14) - 1;
    let Some(mut remembered) =
        Remembered::new(vec![Footprint::plain(vec![ALL]); N], 1, Order::Forward)
    else {
        return;
    };
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
        expand(&mut remembered, Batch::awake(&states), fire, &mut out).unwrap();
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
            Footprint::plain(touched)
        });
        let masks: Vec<Footprint> = masks.collect();
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
        for order in [Order::Backward, Order::Forward] {
            let Some(mut remembered) = Remembered::new(masks.clone(), n_words, order) else {
                return;
            };
            for _ in 0..100 {
                let states: Vec<u64> = (0..5 * n_words)
                    .map(|_| {
                        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        x ^ x >> 31
                    })
                    .collect();
                let (mut out, mut expected) = (Successors::default(), Successors::default());
                expand(&mut remembered, Batch::awake(&states), fire, &mut out).unwrap();
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
    let touched = Footprint::of_all(&Shape::Record(fields), &layout, 8, known, false).unwrap();
    let mut remembered = Remembered::new(touched, layout.words(), Order::Forward).unwrap();
    let fire = &mut |state: &[u64], t: usize, next: &mut [u64]| {
        next[0] = state[0] ^ 1 << (8 * t);
        Ok(true)
    };
    let mut out = Successors::default();
    expand(&mut remembered, Batch::awake(&[u64::MAX, 5]), fire, &mut out).unwrap();
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
    let mut remembered = told(&shape, &layout, RIGHT, Order::Forward).unwrap();
    let mut x = 1u64;
    for _ in 0..100_000 {
        let lanes = layout.lanes().iter().map(|lane| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(x >> 33) % (lane.hi + 1)
        });
        let state = packed(&layout, &lanes.collect::<Vec<_>>());
        expanded(&mut remembered, &layout, &state).unwrap();
    }
    let most = 2 * MAX_SLOTS * 16;
    assert!((most / 64..most).contains(&remembered.bytes()), "{}", remembered.bytes());
}

#[test]
fn what_changes_but_is_not_told_is_an_error() {
    let Space { shape, layout } = space::<u8>(&<[u8; 12]>::SHAPE, 5);
    let known = Known { choice: |_| None, touches: |_, _, _, tell| (tell((0, Some(1))), true).1 };
    let Some(mut remembered) = told(&shape, &layout, known, Order::Forward) else { return };
    let state = packed(&layout, &[0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0]);
    let error = expanded(&mut remembered, &layout, &state).unwrap_err();
    assert_eq!((error.transition, matches!(error.wrong, Wrong::Unsteady(_))), (Some(0), true));
}

#[test]
fn what_cannot_be_known_is_not_remembered() {
    let Space { shape, layout } = space::<u8>(&<[u8; 12]>::SHAPE, 5);
    let is_off = |known: Known| told(&shape, &layout, known, Order::Forward).is_none();
    let touches: fn(usize, usize, bool, &mut dyn FnMut(Place)) -> bool = |_, _, _, _| true;
    // No such element, no such field, no single scalar, everything, a panic.
    assert!(is_off(Known { touches: |_, _, _, tell| (tell((0, Some(12))), true).1, ..RIGHT }));
    assert!(is_off(Known { touches: |_, _, _, tell| (tell((2, None)), true).1, ..RIGHT }));
    assert!(is_off(Known { choice: |_| Some(((0, None), 6)), touches }));
    assert!(is_off(Known { touches: |t, _, _, _| t < 12, ..RIGHT }));
    assert!(is_off(Known { touches: |_, _, _, _| panic!("no such index"), ..RIGHT }));
}

/// A machine of states of one word, of which only its facts are asked.
pub fn one_word() -> &'static dyn crate::machine::Machine {
    use crate::model::{Model, Properties, Space};

    struct Idle;

    impl Space for Idle {
        type State = u8;
        const N_TRANSITIONS: usize = 0;
    }

    impl Properties for Idle {
        type State = u8;
        const DESCRIPTION: crate::model::Description = crate::model::Description {
            name: "idle",
            doc: "",
            checks: &[],
            has_rules: false,
            progress_transitions: false,
            progress_states: false,
            progress_edges: false,
            not_understood: &[],
        };

        fn initial_states(_: &mut dyn FnMut(&u8)) {}

        fn transition_name(_: usize) -> String {
            String::new()
        }
    }

    impl Model for Idle {
        type State = u8;
        type Space = Idle;
        type Properties = Idle;

        fn fire(_: &mut u8, _: usize) -> bool {
            false
        }
    }

    const { &crate::machine::Compiled::<Idle>::new() }
}
