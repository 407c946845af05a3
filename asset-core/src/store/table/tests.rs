//! Tests of the table of keys: every place through every change of its shape.

use super::*;
use crate::store::shape::{Keys, Permutation};
use std::collections::HashMap;

#[test]
fn places_are_right_through_every_growth() {
    for key_bits in [40, 44, 50, 64] {
        let mut table = KeyTable::new(key_bits);
        let (mut places, mut new, mut found) = (HashMap::new(), NewStates::default(), Vec::new());
        let mut x = 1u64;
        for i in 0..300_000 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
            let key = if i % 5 == 0 { i } else { x >> (64 - key_bits) };
            let known = places.get(&key).copied();
            let ticket = table.ticket(key);
            assert_eq!(table.find(ticket), known);
            if i % 2 == 0 {
                new.clear(1);
                table.add_all(&[ticket], &mut new);
                assert_eq!(new.positions().is_empty(), known.is_some());
                assert!(table.find(ticket).is_some());
            }
            let is_known = known.is_some() || i % 2 == 0;
            if i % 3 == 0 {
                new.clear(1);
                found.clear();
                table.find_or_add_all(&[ticket], &mut found, &mut new);
                assert_eq!(new.positions().is_empty(), is_known);
                assert_eq!(table.find(ticket), Some(found[0] as usize));
            }
            let (place, is_new) = table.find_or_add(ticket);
            assert_eq!(is_new, !is_known && i % 3 != 0);
            assert_eq!(table.key_at(place), key);
            assert!(place < table.n_places());
            places.insert(key, place);
            if places.len() >= table.capacity() {
                let mut moved = HashMap::new();
                table.grow(|old, new| assert!(moved.insert(old, new).is_none()));
                assert_eq!(moved.len(), places.len());
                places.values_mut().for_each(|place| *place = moved[place]);
            }
        }
        let mut n = 0;
        table.for_each(|place, key| {
            n += 1;
            assert_eq!(places[&key], place);
        });
        assert_eq!(n, places.len());
    }
}

#[test]
fn keys_become_longer_in_place() {
    for n_keys in [100, 3000, 40_000, 700_000] {
        let mut table = KeyTable::new(40);
        let (mut places, mut x, mut bits) = (HashMap::new(), 1u64, 40);
        for i in 0..4 {
            while places.len() < n_keys * (i + 1) / 4 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
                if places.len() >= table.capacity() {
                    let mut moved = HashMap::new();
                    table.grow(|old, new| assert!(moved.insert(old, new).is_none()));
                    places.values_mut().for_each(|place| *place = moved[place]);
                }
                let key = x >> (64 - bits);
                let (place, is_new) = table.find_or_add(table.ticket(key));
                assert_eq!(places.insert(key, place), (!is_new).then_some(place));
            }
            let more = [4, 8, 12, 0][i];
            let mut moved = HashMap::new();
            if more > 0 {
                table.widen(more, |old, new| assert!(moved.insert(old, new).is_none()));
                places = places.iter().map(|(key, place)| (key << more, moved[place])).collect();
                bits += more;
            }
            assert!(places.len() <= table.capacity());
            for (&key, &place) in &places {
                assert_eq!(table.find(table.ticket(key)), Some(place));
                assert_eq!(table.key_at(place), key);
            }
        }
        assert_eq!(bits, 64);
    }
}

/// Where keys become longer and lines are as many as before, every key stays about where
/// it was: those that are away from home do not all come last, when it is crowded.
#[test]
fn a_full_table_becomes_wider() {
    let (mut table, mut x, mut n) = (KeyTable::new(40), 1u64, 0);
    while n < 200_000 || n + 1 < table.capacity() {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
        if n >= table.capacity() {
            table.grow(|_, _| {});
        }
        n += usize::from(table.find_or_add(table.ticket(x >> 24)).1);
    }
    let (n_lines, n_stashed) = (table.shape.n_lines(), table.stash.len());
    table.widen(1, |_, _| {});
    assert_eq!(table.shape.n_lines(), n_lines);
    assert!(n_stashed > 20 && table.stash.len() < n_stashed / 2, "{n_stashed}");
    let mut n_shown = 0;
    table.for_each(|_, _| n_shown += 1);
    assert_eq!(n_shown, n);
}

#[test]
fn a_stash_takes_what_no_line_can() {
    let mut table = KeyTable::new(50);
    let shape = table.shape;
    let keys: Vec<u64> = (0..100).map(|r| shape.least_key(3) + r).collect();
    let adds = |table: &mut KeyTable, key: u64| table.find_or_add(table.ticket(key)).1;
    assert!(keys.iter().all(|&key| adds(&mut table, key)));
    assert!(!table.stash.is_empty());
    assert!(keys.iter().all(|&key| !adds(&mut table, key)));
    let found = |key: u64| table.key_at(table.find(table.ticket(key)).unwrap());
    assert!(keys.iter().all(|&key| found(key) == key));
    table.grow(|_, _| {});
    assert!(keys.iter().all(|&key| !adds(&mut table, key)));
}

/// Few values in each of several fields, as states have them, wherever the
/// fields are.
#[test]
fn keys_of_states_spread() {
    for bits in [40, 50, 64] {
        for (n_fields, n_values) in [(2, 256), (3, 64), (6, 8), (16, 2)] {
            for stride in [2, 3, 5, 7, 8, 11, 16, 20, 25, 28, 32] {
                let at = |field: u32| field * stride % (bits - 9);
                let permutation = Permutation::new(bits);
                let mut table = KeyTable::new(bits);
                let mut n = 0;
                for i in 0..1u64 << 16 {
                    let mut rest = i;
                    let mut state = 0u64;
                    for field in 0..n_fields {
                        state = state.wrapping_add((rest % n_values) << at(field));
                        rest /= n_values;
                    }
                    let state = state & (u64::MAX >> (64 - bits));
                    let ticket = table.ticket(permutation.key(state));
                    n += usize::from(table.find_or_add(ticket).1);
                    if n >= table.capacity() {
                        table.grow(|_, _| {});
                    }
                }
                let n_stashed = table.stash.len();
                assert!(
                    n_stashed <= 16 + n / 1000,
                    "{bits} bits, {n_fields} fields {stride} apart: {n_stashed} of {n}"
                );
            }
        }
    }
}
