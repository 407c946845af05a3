//! What transitions, rules and checks are said to touch: everything else is changed to other
//! legal values, and they must do the same. And where too little is said, that is found out.

use asset_core::Family;
use asset_core::expand::{Batch, Choice, Order, Recipe};
use asset_core::machine::{Footprint, Machine, ModelError, Packed, Successors, Wrong};
use asset_core::model::{CheckKind, CheckSet, Obligations};
use asset_tests::disguised;
use asset_tests::random::{Random, loose};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// States of an instance that are looked at, and changes of each.
const N_STATES: usize = 16;
const N_CHANGES: usize = 2;

/// A walk through the state space, with other legal values for what is not touched.
struct Walk<'m> {
    machine: &'m dyn Machine,
    x: u64,
}

impl Walk<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.x =
            self.x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.x >> 33) % n
    }

    /// Some states, from all over what can be reached in a few hundred steps.
    fn states(&mut self) -> Vec<Packed> {
        let mut queue = self.machine.initial_states().expect("initial states");
        let mut seen: HashSet<Packed> = queue.iter().cloned().collect();
        let mut next = 0;
        while next < queue.len() && queue.len() < 20 * N_STATES {
            for t in 0..self.machine.n_transitions() {
                if let Ok(Some(state)) = self.machine.fire(&queue[next], t)
                    && self.below(3) > 0
                    && seen.insert(state.clone())
                {
                    queue.push(state);
                }
            }
            next += 1;
        }
        let step = queue.len().div_ceil(N_STATES).max(1);
        queue.into_iter().step_by(step).collect()
    }

    /// The state with other legal values of all lanes that have no bit in the mask.
    fn changed(&mut self, state: &[u64], mask: &[u64]) -> Packed {
        let lanes: Vec<(u32, u64)> = {
            let lanes = self.machine.layout().lanes().iter();
            lanes.map(|lane| (lane.bits(), (lane.hi - lane.lo + 1) as u64)).collect()
        };
        let (mut next, mut at) = (Packed::from(state), 0);
        for (n_bits, n_values) in lanes {
            let bits = at..at + n_bits;
            at += n_bits;
            if bits.clone().any(|bit| mask[bit as usize / 64] >> (bit % 64) & 1 != 0) {
                continue;
            }
            let value = self.below(n_values.max(1));
            for (i, bit) in bits.enumerate() {
                let (word, bit) = (bit as usize / 64, bit % 64);
                next[word] = next[word] & !(1 << bit) | (value >> i & 1) << bit;
            }
        }
        next
    }
}

/// All that a transition touches in a state, the variable by which it chooses included.
fn mask(footprint: &Footprint, state: &[u64]) -> Vec<u64> {
    let mut mask = footprint.touched_in(state).to_vec();
    mask[footprint.word as usize] |= footprint.mask << footprint.shift;
    mask
}

/// The bits that a transition changes, if it is enabled.
fn flips(machine: &dyn Machine, state: &[u64], t: usize) -> Result<Option<Vec<u64>>, ModelError> {
    let next = machine.fire(state, t)?;
    Ok(next.map(|next| state.iter().zip(&next).map(|(old, new)| old ^ new).collect()))
}

/// What a rule obliges.
fn obliged(machine: &dyn Machine, state: &[u64], t: usize) -> Result<Vec<usize>, ModelError> {
    let mut need = Obligations::new();
    machine.obligations(state, t, &mut need)?;
    Ok(need.take(machine.n_transitions()))
}

/// How many changes of what is not touched were tried, for firings, rules and checks.
fn try_all(machine: &dyn Machine, what: &str) -> [usize; 3] {
    let known = machine.footprints();
    let mut walk = Walk { machine, x: 1 };
    let mut n = [0; 3];
    let checks = machine.description().checks.iter().enumerate();
    let state_checks: Vec<usize> =
        checks.filter(|(_, check)| check.kind == CheckKind::State).map(|(i, _)| i).collect();
    for state in walk.states() {
        for t in 0..machine.n_transitions() {
            if let (Some(all), Ok(expected)) = (&known.firing, flips(machine, &state, t)) {
                for _ in 0..N_CHANGES {
                    let other = walk.changed(&state, &mask(&all[t], &state));
                    let (name, shown) = (machine.transition_name(t), machine.show(&other));
                    assert_eq!(
                        flips(machine, &other, t).as_ref(),
                        Ok(&expected),
                        "{what}: {name} in {shown}"
                    );
                    n[0] += usize::from(other != state);
                }
            }
            if let (Some(all), Ok(expected)) = (&known.rules, obliged(machine, &state, t)) {
                let other = walk.changed(&state, &mask(&all[t], &state));
                let name = machine.transition_name(t);
                assert_eq!(obliged(machine, &other, t), Ok(expected), "{what}: the rule of {name}");
                n[1] += usize::from(other != state);
            }
        }
        for &check in &state_checks {
            let Some(Some(mask)) = known.checks.get(check) else { continue };
            let ask = |state: &[u64]| {
                machine.state_fault(state, CheckSet(1 << check)).map(|f| f.is_some())
            };
            for _ in 0..N_CHANGES {
                let other = walk.changed(&state, mask);
                assert_eq!(ask(&other), ask(&state), "{what}: a check in {}", machine.show(&other));
                n[2] += usize::from(other != state);
            }
        }
    }
    n
}

#[test]
fn bundled_models_do_the_same_whatever_they_do_not_touch() {
    let (mut n, mut n_known) = ([0; 3], 0);
    for family in models::all() {
        let mut instances: Vec<_> = family.instances.iter().collect();
        // The first and the last, and some between.
        let step = instances.len().div_ceil(3);
        instances.rotate_right(1);
        for instance in instances.into_iter().step_by(step) {
            let what = format!("{} {:?}", family.name, instance.values);
            let tried = try_all(instance.machine, &what);
            n_known += usize::from(tried[0] > 0);
            n.iter_mut().zip(tried).for_each(|(all, tried)| *all += tried);
        }
    }
    assert!(n_known > 10 && n.iter().all(|&n| n > 300), "{n_known} models, {n:?}");
}

#[test]
fn too_small_a_list_is_seen() {
    let family: Family = disguised::transition();
    let machine = family.instances[0].machine;
    let try_all = AssertUnwindSafe(|| try_all(machine, "disguised"));
    let shown = catch_unwind(try_all);
    assert!(shown.is_err());
}

/// A state with its successors, and the transitions that lead there.
type Expanded = (Packed, Vec<(Packed, u32)>);

/// All successors of everything that can be reached, or what went wrong.
fn explored(recipe: &Recipe<'_>) -> Result<Vec<Expanded>, ModelError> {
    let (mut source, n_words) = (recipe.source(), recipe.n_words());
    let packed = |fold: Option<&asset_core::expand::Fold>, key: &[u64]| -> Packed {
        let mut words = Vec::new();
        match fold {
            Some(fold) => fold.unfold(key, &mut words),
            None => words.extend_from_slice(key),
        }
        words.into()
    };
    let mut queue: Vec<Packed> = Vec::new();
    let mut seen = HashSet::new();
    for state in recipe.initial_states()? {
        if seen.insert(state.clone()) {
            queue.push(state);
        }
    }
    let mut all = Vec::new();
    while all.len() < queue.len() {
        let batch: Vec<Packed> = queue[all.len()..].iter().take(32).cloned().collect();
        let keys: Vec<u64> = batch.iter().flat_map(|state| source.key(state)).collect();
        let mut out = Successors::default();
        source.expand(Batch::awake(&keys), &mut out)?;
        for (i, state) in batch.into_iter().enumerate() {
            let successor = |at: usize| {
                let key = &out.words()[at * n_words..][..n_words];
                (packed(source.fold(), key), out.transitions()[at])
            };
            let next: Vec<(Packed, u32)> = out.of(i).map(successor).collect();
            queue.extend(
                next.iter().map(|(state, _)| state).filter(|s| seen.insert((*s).clone())).cloned(),
            );
            all.push((state, next));
        }
    }
    Ok(all)
}

/// Whatever variable is left out of whatever list, the run ends with an error, or the list was
/// not too small for what can be reached.
#[test]
fn every_lie_is_found_out() {
    let (mut n_found_out, mut n_harmless) = (0, 0);
    for seed in 0..6 {
        let mut table = loose(&mut Random::new(9_000_000 + seed));
        table.n_words = 1 + seed as usize % 3;
        let right = table.clone().machine();
        let order = if seed % 2 == 0 { Order::Backward } else { Order::Forward };
        let truth = explored(&Recipe::new(&right, order, Choice::Full)).expect("no error");
        for t in 0..right.touched.len() {
            for byte in 0..8 * table.n_words {
                let (word, bits) = (byte / 8, 0xff << (8 * (byte % 8)));
                if right.touched[t][word] & bits == 0 {
                    continue;
                }
                let mut lying = table.clone().machine();
                lying.touched[t][word] &= !bits;
                for recipe in [
                    Recipe::new(&lying, order, Choice::Full),
                    Recipe::new(&lying, order, Choice::Full).folded(),
                    Recipe::new(&lying, order, Choice::Full).paranoid(true),
                ] {
                    // A wrong change may lead to a state that there is not, where the model fails.
                    let explored = AssertUnwindSafe(|| explored(&recipe));
                    let Ok(found) = catch_unwind(explored) else {
                        n_found_out += 1;
                        continue;
                    };
                    match found {
                        Err(ModelError { wrong: Wrong::Unsteady(_), .. }) => n_found_out += 1,
                        Err(other) => panic!("{other:?}"),
                        Ok(found) => {
                            assert!(
                                found == truth,
                                "seed {seed}: a wrong result, and nobody noticed"
                            );
                            n_harmless += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(n_found_out > 50, "{n_found_out} found out, {n_harmless} harmless");
}
