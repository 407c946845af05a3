use super::*;
use crate::store::Store;
use std::collections::HashMap;

fn successors(state: u64, bits: u32) -> Vec<u64> {
    let spread = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
    let n = if state.is_multiple_of(8) { 0 } else { 2 + state % 3 };
    (0..n).map(|i| spread((state ^ i << 7).wrapping_mul(i + 3) % 100_003)).collect()
}

/// Explores all that 1 leads to, some states at a time, as a search by rounds does.
fn explore(set: &mut Parted<true>, bits: u32, round: usize) {
    set.add(&[1]);
    let mut next = 0;
    while next < set.len() {
        let end = set.len().min(next + round);
        let mut words = Vec::new();
        set.append(next..end, &mut words);
        let mut ends = Vec::new();
        let mut found = Vec::new();
        for state in words {
            found.extend(successors(state, bits));
            ends.push(found.len() as u32);
        }
        let split = set.split();
        let mut parts = set.take_parts();
        let mut routed = vec![(Vec::new(), Vec::new()); parts.len()];
        for (at, &state) in found.iter().enumerate() {
            let (part, key) = split.route(state);
            assert_eq!(split.state(part, key), state);
            routed[part].0.push(key);
            routed[part].1.push(at);
        }
        if parts.iter().zip(&routed).any(|(part, (keys, _))| part.must_grow(keys.len())) {
            for (part, (keys, _)) in parts.iter_mut().zip(&routed) {
                part.reserve_noting(keys.len());
            }
            set.follow(&mut parts.iter_mut().collect::<Vec<_>>());
        }
        let (mut is_new, mut places) = (vec![false; found.len()], vec![0; found.len()]);
        let (mut answer, mut n_new) = (Answer::default(), 0);
        for (i, (keys, at)) in routed.iter().enumerate() {
            parts[i].insert(keys, true, &mut answer);
            answer.new.iter().for_each(|&n| is_new[at[n as usize]] = true);
            n_new += answer.new.len();
            for (&at, &place) in at.iter().zip(&answer.places) {
                places[at] = split.place(i, place);
            }
        }
        let mut new = NewStates::default();
        new.clear(found.len());
        new.tell_while(&is_new, |&is_new| Some(is_new));
        let mut ledger = set.ledger().empty_like();
        ledger.note(&places, &ends, &new);
        set.append_ledger(n_new, Some(&ledger));
        set.put_back(parts);
        next = end;
    }
}

#[test]
fn it_keeps_what_a_store_keeps() {
    for (bits, n_parts, round) in [(20, 2, 1), (41, 8, 1000), (50, 64, 37), (64, 4, 100_000)] {
        let (mut set, mut store) = (Parted::<true>::new(bits, n_parts), Store::<1>::with_links(1));
        explore(&mut set, bits, round);
        store.add(&[1]);
        let (mut next, mut new) = (0, NewStates::default());
        while next < store.len() {
            let (mut hashes, successors) = (Vec::new(), successors(store.get(next as Id)[0], bits));
            store.hash_all(&successors, &mut hashes);
            new.clear(successors.len());
            store.insert_all(&successors, &hashes, &[successors.len() as u32], &mut new);
            next += 1;
        }
        assert!(set.len() == store.len() && set.len() > 10_000, "{bits}: {}", set.len());
        set.reserve(200_000);
        let mut ids = HashMap::new();
        for id in 0..set.len() as Id {
            let state = store.get(id);
            assert_eq!(*set.state(id), *state);
            assert_eq!(set.find(state), Some(set.place(id)));
            assert!((set.place(id) as usize) < set.n_places());
            assert_eq!(ids.insert(set.place(id), id), None);
            assert_eq!(set.has_link(id), store.has_link(id));
        }
        let other = [(1 << (bits - 1)) + 12_345];
        assert_eq!(set.find(&other).is_some(), store.find(&other).is_some());
        for i in 0..set.len().div_ceil(64) {
            set.links_of_64(i, u64::MAX, |bit, place| {
                let from = store.get(64 * i as Id + bit)[0];
                assert!(successors(from, bits).contains(&store.get(ids[&place])[0]));
            });
        }
        let mut n = 0;
        set.batches(&mut |states, place| {
            n += states.len();
            for (i, &state) in states.iter().enumerate() {
                assert_eq!(set.find(&[state]), Some(place(i)));
            }
        });
        assert_eq!(n, set.len());
    }
}
