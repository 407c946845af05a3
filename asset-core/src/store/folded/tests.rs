//! Folded sets against one that keeps states as they are.

use super::*;
use crate::store::{Compact, Ordered, Store};
use std::collections::HashMap;

/// A state from a number: both parts depend on it, and come again.
fn state(i: u64, n_words: usize) -> Vec<u64> {
    let (a, b) = (i % 311, i / 311 % 333);
    let word = |w: u64| match w % 2 {
        0 => a.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(w as u32) & 0xffff_ffff | b << 40,
        _ => b.wrapping_mul(0xd6e8_feb8_6659_fd93) >> w,
    };
    (0..n_words as u64).map(word).collect()
}

/// The number of a state, and the successors: some change one part, some both, and
/// one is the state itself.
fn successors(i: u64) -> Vec<u64> {
    let (a, b) = (i % 311, i / 311 % 333);
    let n = if i.is_multiple_of(97) { 0 } else { 1 + i % 5 };
    let pairs = [((a * 7 + 1) % 311, b), (a, (b * 5 + a) % 333), (a, b), (b % 311, a), (a / 2, b)];
    pairs[..n as usize].iter().map(|(a, b)| a + 311 * b).collect()
}

fn explore<S: StateSet>(set: &mut S, n_words: usize, numbers: &HashMap<Vec<u64>, u64>) {
    for i in [1, 2, 1] {
        set.add(&state(i, n_words));
    }
    let (mut next, mut new) = (0, NewStates::default());
    while next < set.len() {
        let n = (set.len() - next).min(3);
        let (mut states, mut roots, mut found, mut ends) = (vec![], vec![], vec![], vec![]);
        for id in next..next + n {
            set.append(id..id + 1, &mut states, &mut roots);
        }
        for origin in states.chunks_exact(n_words) {
            found.extend(successors(numbers[origin]).iter().flat_map(|&i| state(i, n_words)));
            ends.push((found.len() / n_words) as u32);
        }
        let n_found = found.len() / n_words;
        let origins = Origins { states: &states, roots: &roots, ends: &ends };
        let mut hashes = Vec::new();
        set.hash_all(origins, &found, &mut hashes);
        let n_growths = set.n_growths();
        set.reserve(n_found);
        if set.n_growths() != n_growths {
            hashes.clear();
            set.hash_all(origins, &found, &mut hashes);
        }
        new.clear(n_found);
        set.insert_all(&found, &hashes, &ends, &mut new);
        for (state, &hash) in found.chunks_exact(n_words).zip(&hashes) {
            assert!(!set.insert(state, hash).1);
        }
        next += n;
        set.release(next / 8 * 8);
    }
}

/// A mask that cuts between the parts of the states, and one that does not.
fn masks(n_words: usize) -> [Vec<u64>; 2] {
    let first = |w: usize| if w.is_multiple_of(2) { 0xffff_ffff } else { 0 };
    [(0..n_words).map(first).collect(), (0..n_words).map(|w| 0x1_0f0f << w).collect()]
}

fn it_keeps_what_a_store_keeps<const W: usize>(n_words: usize) {
    let numbers: HashMap<_, _> = (0..311 * 333).map(|i| (state(i, n_words), i)).collect();
    let mut store = Store::<W>::with_links(n_words);
    explore(&mut store, n_words, &numbers);
    assert!(store.len() > 50_000, "{}", store.len());
    for mask in masks(n_words) {
        let mut compact = Folded::<Compact<_>, W>::new(&mask);
        explore(&mut compact, n_words, &numbers);
        assert_eq!(compact.len(), store.len());
        let mut set = Folded::<Ordered<_>, W>::new(&mask);
        explore(&mut set, n_words, &numbers);
        set.finish();
        assert_eq!(set.len(), store.len());
        let mut ids = HashMap::new();
        for id in 0..set.len() as Id {
            let state = store.get(id);
            assert_eq!(*set.state(id), *state);
            assert_eq!(set.find(state), Some(set.place(id)));
            assert_eq!(ids.insert(set.place(id), id), None);
        }
        for i in 0..set.len().div_ceil(64) {
            set.links_of_64(i, u64::MAX, |bit, place| {
                let leads_to = successors(numbers[store.get(64 * i as Id + bit)]);
                assert!(leads_to.contains(&numbers[store.get(ids[&place])]));
            });
        }
        let unknown = vec![u64::MAX; n_words];
        assert!(store.find(&unknown).is_none() && set.find(&unknown).is_none());
        let mut n = 0;
        set.batches(&mut |states, place| {
            for (i, state) in states.chunks_exact(n_words).enumerate() {
                assert_eq!(set.find(state), Some(place(i)));
                n += 1;
            }
        });
        assert_eq!(n, set.len());
    }
    // Cut well, parts are few.
    let mut set = Folded::<Compact<_>, W>::new(&masks(n_words)[0]);
    explore(&mut set, n_words, &numbers);
    assert!(set.parts.len() <= 311 + 333 && set.bytes() < store.bytes());
}

#[test]
fn every_width() {
    it_keeps_what_a_store_keeps::<2>(2);
    it_keeps_what_a_store_keeps::<3>(3);
    it_keeps_what_a_store_keeps::<4>(4);
    it_keeps_what_a_store_keeps::<0>(5);
}

#[test]
fn roots_give_their_numbers_back() {
    let mut x = 1u64;
    for i in 0..10_000u32 {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let pair = [(x >> 32) as u32 >> (i % 32), x as u32 >> (i / 32 % 32)];
        let folded = root(pair);
        assert_eq!(numbers(folded), pair);
        // Both numbers fit so many bits if and only if the root fits twice as many.
        for bits in (LOW_BITS..u32::BITS).step_by(STEP as usize) {
            assert_eq!(folded >> (2 * bits) == 0, pair.iter().all(|number| number >> bits == 0));
        }
        for part in [0, 1] {
            let mut other = pair;
            other[part] = (x >> 17) as u32 >> (i % 29);
            assert_eq!(with_number(folded, part, other[part]), root(other));
        }
    }
}

/// States whose first parts are all different: more of them than the first roots can
/// tell.
fn it_widens<S: Words>() -> Folded<S, 2> {
    let mut set = Folded::<S, 2>::new(&[u64::MAX, 0]);
    let n = (1 << LOW_BITS) + 100_000;
    let state = |i: u64| [i, i % 7];
    for i in 0..n {
        assert_eq!(set.add(&state(i)), (i as Id, true));
        if i % 1000 == 0 {
            assert!(!set.add(&state(i / 2)).1);
        }
    }
    assert!(set.bits > Widening::LEAST_BITS && set.len() as u64 == n);
    set
}

#[test]
fn a_set_of_many_parts_widens() {
    let mut compact = it_widens::<Compact<_>>();
    assert_eq!(*compact.state(5), [5, 5]);
    assert!(!compact.add(&[77, 0]).1 && compact.add(&[77, 1]).1);
    let mut set = it_widens::<Ordered<_>>();
    set.finish();
    for i in (0..set.len() as u64).step_by(7) {
        assert_eq!(*set.state(i as Id), [i, i % 7]);
        assert_eq!(set.find(&[i, i % 7]), Some(set.place(i as Id)));
        assert_eq!(set.find(&[i, i % 7 + 1]), None);
    }
}
