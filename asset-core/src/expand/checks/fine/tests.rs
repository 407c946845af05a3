//! What is remembered of checks against every state checked for itself.

use super::*;
use crate::expand::checked::Sample;
use crate::machine::FieldLanes;
use crate::model::{Check, CheckKind, CheckSet, Place};
use crate::state::{Layout, Shape, StateVar};

/// Nothing yet of the state checks among those that are on.
fn new(
    (shape, layout): &(Shape, Layout),
    on: CheckSet,
    looks_at: fn(usize, &mut dyn FnMut(Place)) -> bool,
) -> Option<Fine> {
    let is_on = |&i: &usize| on.contains(i) && CHECKS[i].kind == CheckKind::State;
    let lanes = FieldLanes::new(shape, layout)?;
    let mask = |i: usize| lanes.mask_of(|tell| looks_at(i, tell));
    let masks: Option<Vec<Vec<u64>>> = (0..CHECKS.len()).filter(is_on).map(mask).collect();
    let masks = masks?;
    Fine::new(&masks.iter().map(Vec::as_slice).collect::<Vec<_>>(), layout.words())
}

/// Forty elements of `n` bits and two scalars of three and five: one word if `n` is 1.
fn space(n: u32) -> (Shape, Layout) {
    const FIELDS: &[(&str, &Shape)] =
        &[("low", &u8::SHAPE), ("list", &<[u8; 40]>::SHAPE), ("high", &u8::SHAPE)];
    let list = Layout::array(u8::LAYOUT.ranged(0, (1 << n) - 1), 40);
    let layout =
        Layout::EMPTY.append(u8::LAYOUT.ranged(0, 7)).append(list).append(u8::LAYOUT.ranged(0, 31));
    (Shape::Record(FIELDS), layout.finish(usize::MAX))
}

const CHECKS: &[Check] = &[
    Check { name: "ends", doc: "", kind: CheckKind::State },
    Check { name: "terminal", doc: "", kind: CheckKind::Deadlock },
    Check { name: "middle", doc: "", kind: CheckKind::State },
    Check { name: "all", doc: "", kind: CheckKind::State },
];
const ENDS: CheckSet = CheckSet(1);
const ENDS_AND_MIDDLE: CheckSet = CheckSet(0b111);

/// The first check looks at both scalars, the third at one more element.
fn looks_at(check: usize, tell: &mut dyn FnMut(Place)) -> bool {
    match check {
        0 => {
            tell((0, None));
            tell((2, None));
        }
        2 => tell((1, Some(20))),
        _ => return false,
    }
    true
}

/// A fault in one of 256 states or so, and in more if the check looks at `elsewhere`.
fn check(values: &[i128], on: CheckSet, elsewhere: Option<usize>) -> Option<Fault> {
    let (low, high) = (values[0], values[41]);
    let is_odd = elsewhere.is_some_and(|i| values[i] == 1);
    let fault = |check: usize| Fault { check, message: format!("{values:?}").into() };
    if on.contains(0) && ((low, high) == (5, 17) || is_odd && high < 16) {
        return Some(fault(0));
    }
    (on.contains(2) && values[21] == 1 && (low, high) == (2, 30)).then(|| fault(2))
}

fn random(layout: &Layout, x: &mut u64) -> Vec<u64> {
    let (mut state, n_bits) = (vec![0; layout.words()], layout.bits() as usize);
    for bit in 0..n_bits {
        *x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state[bit / 64] |= (*x >> 63) << (bit % 64);
    }
    state
}

/// What was found in batches of random states, remembered and not: the faults, and
/// how often the check ran. An error comes with the batch.
struct Found {
    faults: [Vec<(usize, Fault)>; 2],
    n_run: usize,
    error: Option<(usize, usize, Vec<u64>)>,
}

fn batches(n: u32, on: CheckSet, n_batches: usize, elsewhere: fn(usize) -> Option<usize>) -> Found {
    let space = space(n);
    let mut fine = new(&space, on, looks_at).expect("few bits");
    let (layout, mut sample) = (space.1, Sample::default());
    let (mut x, mut all, n_words) =
        (1, Found { faults: [vec![], vec![]], n_run: 0, error: None }, layout.words());
    for batch in 0..n_batches {
        let states: Vec<u64> = (0..20).flat_map(|_| random(&layout, &mut x)).collect();
        // Some of them are new.
        let positions: Vec<u32> =
            (0..20).filter(|i| !(i + batch as u32).is_multiple_of(3)).collect();
        let values = |state: &[u64]| layout.lane_values(state).collect::<Vec<_>>();
        let mut found = StateFaults::default();
        let done = fine.state_faults(
            &states,
            &positions,
            sample.takes(),
            &mut |state| {
                all.n_run += 1;
                Ok(check(&values(state), on, elsewhere(batch)))
            },
            &mut found,
        );
        if let Err(wrong) = done {
            assert!(matches!(*wrong, Wrong::Unsteady(_)));
            let at = positions[found.n_checked] as usize;
            all.error = Some((batch, found.n_checked, states[at * n_words..][..n_words].to_vec()));
            return all;
        }
        assert_eq!(found.n_checked, positions.len());
        all.faults[0].extend(found.faults);
        let each = positions.iter().enumerate().filter_map(|(turn, &i)| {
            let state = &states[i as usize * n_words..][..n_words];
            Some((turn, check(&values(state), on, elsewhere(batch))?))
        });
        all.faults[1].extend(each);
    }
    all
}

#[test]
fn faults_are_those_of_each_state() {
    if FastBits::new().is_none() {
        return;
    }
    for (n, n_words) in [(1, 1), (3, 2), (4, 3)] {
        assert_eq!(space(n).1.words(), n_words);
        for on in [ENDS, ENDS_AND_MIDDLE] {
            let Found { faults: [remembered, each], n_run, error } = batches(n, on, 3000, |_| None);
            assert_eq!(error, None);
            assert!(remembered == each, "{n} bits, {on:?}");
            // What it says comes from the state itself.
            assert!(each.len() > 40 && each.iter().any(|fault| fault.1 != each[0].1));
            assert!(n_run > 63 * 13 && n_run < 10_000 + each.len(), "{n_run} of 40,000");
        }
    }
}

#[test]
fn the_checks_that_are_on_decide_what_is_looked_at() {
    if FastBits::new().is_none() {
        return;
    }
    let n_bits = |n, on| {
        let fine = new(&space(n), on, looks_at)?;
        Some(fine.words.iter().map(|word| word.mask.count_ones()).sum::<u32>())
    };
    assert_eq!(n_bits(1, CheckSet(0)), Some(0));
    // The second is no state check.
    assert_eq!(n_bits(1, CheckSet(0b010)), Some(0));
    assert_eq!(n_bits(1, ENDS), Some(8));
    assert_eq!(n_bits(3, ENDS), Some(8));
    assert_eq!(n_bits(3, ENDS_AND_MIDDLE), Some(11));
    assert_eq!(n_bits(1, CheckSet::ALL), None, "the last may look at everything");
    let space = space(1);
    let list = |_, tell: &mut dyn FnMut(Place)| (tell((1, None)), true).1;
    assert!(new(&space, ENDS, list).is_none(), "forty bits are too many");
    let nowhere = |_, tell: &mut dyn FnMut(Place)| (tell((1, Some(40))), true).1;
    assert!(new(&space, ENDS, nowhere).is_none());
    assert!(new(&space, ENDS, |_, _| panic!("unknown")).is_none());
}

/// A check that looks at more than it should is found out, early, and late if it does
/// so only then.
#[test]
fn a_wrong_list_is_found_out() {
    if FastBits::new().is_none() {
        return;
    }
    for n in [1, 3] {
        let (batch, ..) = batches(n, ENDS, 63, |_| Some(7)).error.expect("an error at once");
        assert!(batch < 63);
        let late = |batch| (batch >= 1000).then_some(7);
        let (batch, turn, state) = batches(n, ENDS, 1600, late).error.expect("an error");
        // Batches are counted from 1.
        assert!(batch >= 1000 && (batch + 1).is_multiple_of(64), "{batch}");
        let values: Vec<i128> = space(n).1.lane_values(&state).collect();
        assert!(values[7] == 1 && values[41] < 16, "{turn} is to blame");
    }
}

#[test]
fn after_a_panic_the_next_state_is_to_blame() {
    if FastBits::new().is_none() {
        return;
    }
    let mut fine = new(&space(1), ENDS, looks_at).expect("few bits");
    let fails_at_3 = &mut |state: &[u64]| match state[0] {
        3 => Err(Box::new(Wrong::Panic(String::new()))),
        _ => Ok(None),
    };
    // States that differ in a variable at which is looked.
    let (states, mut found) = ([0, 1, 2, 3, 4, 5], StateFaults::default());
    for _ in 0..100 {
        let done = fine.state_faults(&states, &[0, 1, 2, 4], false, fails_at_3, &mut found);
        assert!(done.is_ok());
    }
    for all in [false, true] {
        found = StateFaults::default();
        let done = fine.state_faults(&states, &[4, 2, 0, 3, 1], all, fails_at_3, &mut found);
        assert!(done.is_err());
        assert_eq!(found.n_checked, 3);
    }
}
