//! Workers side by side: each has a source of its own, and all find the same.

use asset_core::expand::{Batch, Choice, Order, Recipe, Source};
use asset_core::machine::{Packed, Successors};
use std::collections::HashSet;
use std::thread;

/// States that a worker expands.
const N_STATES: usize = 3000;

/// What a worker has found: packed successors, with their transitions.
type Found = Vec<Vec<(Packed, u32)>>;

/// Expands states in batches of this size, by a source of the recipe's.
fn expanded(recipe: &Recipe<'_>, states: &[Packed], size: usize) -> Found {
    let mut source: Box<dyn Source + '_> = recipe.source();
    let n_words = recipe.n_words();
    let mut all = Vec::new();
    for batch in states.chunks(size) {
        let keys: Vec<u64> = batch.iter().flat_map(|state| source.key(state)).collect();
        let mut out = Successors::default();
        source.expand(Batch::awake(&keys), &mut out).expect("a model without errors");
        for i in 0..out.n_expanded() {
            let successor = |at: usize| {
                let key = &out.words()[at * n_words..][..n_words];
                let mut packed = Vec::new();
                match source.fold() {
                    Some(fold) => fold.unfold(key, &mut packed),
                    None => packed.extend_from_slice(key),
                }
                (packed.into(), out.transitions()[at])
            };
            all.push(out.of(i).map(successor).collect());
        }
    }
    all
}

/// Some states, in the order of discovery.
fn some_states(recipe: &Recipe<'_>) -> Vec<Packed> {
    let mut states = recipe.initial_states().expect("initial states");
    let mut seen: HashSet<Packed> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len() && states.len() < N_STATES {
        for (state, _) in expanded(recipe, &states[next..=next], 1).into_iter().flatten() {
            if seen.insert(state.clone()) {
                states.push(state);
            }
        }
        next += 1;
    }
    states
}

#[test]
fn two_workers_on_one_model() {
    let (mut n_folded, mut n_states) = (0, 0);
    for family in [
        models::peterson::model(),
        models::philosophers::model(),
        models::leader_election::model(),
        models::token_ring::model(),
    ] {
        let machine = family.instance(&[]).expect("the default instance").machine;
        let has_rules = machine.description().has_rules;
        for choice in [Choice::Full, Choice::Stubborn].into_iter().take(1 + usize::from(has_rules))
        {
            let recipe = Recipe::new(machine, Order::Backward, choice).folded();
            n_folded += usize::from(machine.n_words() > 1);
            let states = some_states(&recipe);
            let (recipe, states) = (&recipe, &states[..]);
            // One has learnt much before the other, and in another order.
            let [one, other] = thread::scope(|scope| {
                let one = scope.spawn(|| expanded(recipe, states, 32));
                let reversed: Vec<Packed> = states.iter().rev().cloned().collect();
                let other = scope.spawn(move || expanded(recipe, &reversed, 7));
                [one, other].map(|worker| worker.join().expect("no panic"))
            });
            assert!(one.iter().eq(other.iter().rev()), "{} {choice:?}", family.name);
            n_states += one.len();
        }
    }
    assert!(n_folded > 0 && n_states > 3000, "{n_folded} are folded, {n_states} states");
}
