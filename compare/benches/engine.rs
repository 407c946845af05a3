//! The steps of an exploration one by one: packing, hashing and look-up, the
//! stubborn closure, expansion. `cargo bench -p compare`; the figures are for
//! a batch of states or successors each, as `items/s` tells.

use asset_core::Family;
use asset_core::expand::{Batch, Choice, Order, Recipe, Source, stubborn_set};
use asset_core::machine::{Machine, Successors};
use asset_core::prelude::StateVar;
use asset_core::state::StateVar as State;
use asset_core::state::packing::{Packing, fast};
use asset_core::store::{Compact, NewStates, Ordered, StateSet, Store};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::collections::HashSet;

/// States in a batch.
const N: usize = 4096;
/// Members of a set in which states are looked up: 16 to 48 megabytes.
const N_MEMBERS: usize = 2_000_000;
/// States that are looked up: so many that caches do not hold what they touch.
const N_LOOK_UPS: usize = 1 << 18;

fn main() {
    divan::main();
}

/// Peterson-4's variables, for packing without a machine: 50 bits, one word.
#[derive(Clone, Copy, StateVar)]
#[repr(C)]
struct Narrow {
    #[range(0..=8)]
    at: [u8; 4],
    #[range(0..=3)]
    level: [u8; 4],
    #[range(0..=4)]
    other: [u8; 4],
    #[range(0..=3)]
    queue: [u8; 4],
    #[range(0..=3)]
    turn: [u8; 3],
}

/// Seven lists of seven bytes: 217 bits, four words.
#[derive(Clone, Copy, StateVar)]
#[repr(C)]
struct Wide {
    #[range(0..=7)]
    at: [u8; 7],
    #[range(0..=14)]
    inbox: [[u8; 7]; 7],
}

fn narrow(i: usize) -> Narrow {
    let small = |shift: usize, n: usize| ((i >> shift) % n) as u8;
    Narrow {
        at: [small(0, 9), small(2, 9), small(5, 9), 3],
        level: [small(1, 4), small(3, 4), 0, 2],
        other: [small(4, 5), 1, small(6, 5), 0],
        queue: [small(7, 4), 3, 1, small(8, 4)],
        turn: [small(9, 4), 0, small(10, 4)],
    }
}

fn wide(i: usize) -> Wide {
    let list = |k: usize| [((i >> k) % 15) as u8, (k % 15) as u8, 3, 0, 14, 7, (i % 15) as u8];
    Wide { at: [0, 1, 2, 3, 4, 5, (i % 8) as u8], inbox: [0, 1, 2, 3, 4, 5, 6].map(list) }
}

fn pack<S: State>(bencher: Bencher, make: fn(usize) -> S) {
    let states: Vec<S> = (0..N).map(make).collect();
    let mut words = vec![0; Packing::<S>::WORDS];
    let fast = fast();
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        for state in &states {
            assert!(Packing::pack(black_box(state), &mut words, fast));
            black_box(&words);
        }
    });
}

fn unpack<S: State>(bencher: Bencher, make: fn(usize) -> S) {
    let width = Packing::<S>::WORDS;
    let fast = fast();
    let mut words = vec![0; N * width];
    for (i, words) in words.chunks_exact_mut(width).enumerate() {
        assert!(Packing::pack(&make(i), words, fast));
    }
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        for words in words.chunks_exact(width) {
            black_box(Packing::<S>::unpack(black_box(words), fast));
        }
    });
}

#[divan::bench]
fn pack_1_word(bencher: Bencher) {
    pack(bencher, narrow);
}

#[divan::bench]
fn pack_4_words(bencher: Bencher) {
    pack(bencher, wide);
}

#[divan::bench]
fn unpack_1_word(bencher: Bencher) {
    unpack(bencher, narrow);
}

#[divan::bench]
fn unpack_4_words(bencher: Bencher) {
    unpack(bencher, wide);
}

/// Fifty bits that look like a state, and more words after them.
fn scrambled(i: u64, width: usize) -> Vec<u64> {
    let mix = |i: u64| (i ^ (i >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14;
    (0..width as u64).map(|w| mix(i + (w << 32))).collect()
}

/// A set with every even number's state, and a batch in which half are members.
fn filled<S: StateSet>(mut set: S) -> (S, Vec<u64>) {
    let width = set.n_words();
    for i in 0..N_MEMBERS as u64 {
        set.add(&scrambled(2 * i, width));
    }
    let stride = (N_MEMBERS / N_LOOK_UPS) as u64;
    let look_up = |i: u64| scrambled(2 * i * stride + i % 2, width);
    let batch = (0..N_LOOK_UPS as u64).flat_map(look_up).collect();
    (set, batch)
}

fn hash<S: StateSet>(bencher: Bencher, mut set: S) {
    let width = set.n_words();
    let batch: Vec<u64> = (0..N as u64).flat_map(|i| scrambled(i, width)).collect();
    let mut hashes = Vec::new();
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        hashes.clear();
        set.hash_all(black_box(&batch), &mut hashes);
        black_box(&hashes);
    });
}

#[divan::bench]
fn hash_store_1_word(bencher: Bencher) {
    hash(bencher, Store::<1>::new(1));
}

#[divan::bench]
fn hash_store_4_words(bencher: Bencher) {
    hash(bencher, Store::<4>::new(4));
}

#[divan::bench]
fn hash_compact(bencher: Bencher) {
    hash(bencher, Compact::new(50));
}

/// As the search does it: a batch is hashed and prefetched before it is looked
/// up. The non-members become members in the first pass; all passes after it
/// find everything.
fn look_up<S: StateSet>(bencher: Bencher, set: S) {
    let (mut set, batch) = filled(set);
    let width = set.n_words();
    let (mut hashes, mut new) = (Vec::new(), NewStates::default());
    bencher.counter(ItemsCount::new(N_LOOK_UPS)).bench_local(|| {
        for states in batch.chunks(128 * width) {
            set.reserve(128);
            hashes.clear();
            set.hash_all(states, &mut hashes);
            for &hash in &hashes {
                set.prefetch_state(hash);
            }
            new.clear(hashes.len());
            set.insert_all(states, &hashes, &[hashes.len() as u32], &mut new);
            black_box(new.positions());
        }
    });
}

#[divan::bench]
fn look_up_store_1_word(bencher: Bencher) {
    look_up(bencher, Store::<1>::new(1));
}

#[divan::bench]
fn look_up_store_4_words(bencher: Bencher) {
    look_up(bencher, Store::<4>::new(4));
}

#[divan::bench]
fn look_up_compact(bencher: Bencher) {
    look_up(bencher, Compact::new(50));
}

#[divan::bench]
fn look_up_ordered(bencher: Bencher) {
    look_up(bencher, Ordered::new(50));
}

#[divan::bench]
fn look_up_widening(bencher: Bencher) {
    look_up(bencher, Compact::widening());
}

fn machine(family: Family, chosen: &[(&str, &str)]) -> &'static dyn Machine {
    let chosen: Vec<_> =
        chosen.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    family.instance(&chosen).expect("it is compiled").machine
}

/// Peterson-4 *correct*.
fn peterson() -> &'static dyn Machine {
    machine(models::peterson::model(), &[("n", "4"), ("variant", "correct")])
}

/// States from all over the first two hundred thousand, by their keys of one word.
fn some_states(source: &mut dyn Source, initial: &[u64]) -> Vec<u64> {
    let mut seen: HashSet<u64> = HashSet::new();
    let mut queue: Vec<u64> = source.key(initial).to_vec();
    let mut next = 0;
    let mut successors = Successors::default();
    while queue.len() < 200_000 {
        successors.clear();
        source.expand(Batch::awake(&queue[next..=next]), &mut successors).expect("it can");
        queue.extend(successors.words().iter().filter(|&&state| seen.insert(state)));
        next += 1;
    }
    queue.into_iter().step_by(200_000 / N).take(N).collect()
}

fn expand(bencher: Bencher, recipe: &Recipe<'_>) {
    let mut source = recipe.source();
    let states = some_states(&mut *source, &recipe.initial_states().expect("it has one")[0]);
    let mut successors = Successors::default();
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        for batch in states.chunks(16) {
            successors.clear();
            source.expand(Batch::awake(batch), &mut successors).expect("it can");
            black_box(successors.words());
        }
    });
}

/// Leader election with seven processes: four words, folded to one.
#[divan::bench]
fn expand_folded(bencher: Bencher) {
    let chosen = [("n", "7"), ("variant", "careless")];
    let machine = machine(models::leader_election::model(), &chosen);
    expand(bencher, &Recipe::new(machine, Order::Backward, Choice::Full).folded());
}

#[divan::bench]
fn expand_full(bencher: Bencher) {
    expand(bencher, &Recipe::new(peterson(), Order::Backward, Choice::Full));
}

#[divan::bench]
fn expand_stubborn(bencher: Bencher) {
    expand(bencher, &Recipe::new(peterson(), Order::Backward, Choice::Stubborn));
}

/// The set alone: nothing is packed, but its members are listed.
#[divan::bench]
fn stubborn_closure(bencher: Bencher) {
    let machine = peterson();
    let recipe = Recipe::new(machine, Order::Backward, Choice::Full);
    let initial = recipe.initial_states().expect("it has one");
    let states = some_states(&mut *recipe.source(), &initial[0]);
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        for state in states.chunks_exact(1) {
            black_box(stubborn_set(machine, Order::Backward, state).unwrap());
        }
    });
}
