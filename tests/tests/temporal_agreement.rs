//! Must progress, livelocks and formulas say the same where they mean the same, on every
//! bundled model with labels of many kinds.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::model::NeverWithout;
use asset_core::verdict::Verdict;
use asset_tests::asked::{Asked, MUST, MUST_STRICTLY, NEVER};
use asset_tests::oracle::Graph;
use asset_tests::table::family;

/// Larger instances are left out.
const MAX_STATES: usize = 4_000;

/// The smaller instances of the bundled models, with their parameters by name.
fn instances() -> Vec<(Family, Vec<(&'static str, &'static str)>)> {
    let mut found = Vec::new();
    let mut n_models = 0;
    for family in models::all() {
        let n_before = found.len();
        for instance in family.instances {
            if Graph::explore(instance.machine, MAX_STATES).is_some() {
                let names = family.params.iter().map(|param| param.name);
                found.push((family, names.zip(instance.values.iter().copied()).collect()));
            }
        }
        n_models += usize::from(found.len() > n_before);
    }
    assert_eq!(n_models, models::all().len(), "each model has a small instance");
    found
}

/// Some of the bits of all words, whatever they mean.
fn mixed(state: &[u64]) -> u64 {
    state.iter().fold(0, |mixed: u64, word| {
        (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    })
}

/// Labels of states: few, some, most, all.
const GOOD: [fn(&[u64]) -> bool; 4] = [
    |state| mixed(state).is_multiple_of(64),
    |state| mixed(state).is_multiple_of(8),
    |state| !mixed(state).is_multiple_of(8),
    |_| true,
];

fn livelock(family: Family) -> Verdict {
    let (search, reduction) = (LivelockSearch::DfsFifo, LivelockReduction::Full);
    Explorer::new(family).livelock(Livelock { search, reduction }).expect("an outcome").verdict
}

fn check(family: Family, name: &str) -> Verdict {
    let explorer = Explorer::new(family).reduction(Choice::Full).checks([name]);
    explorer.run().expect("an outcome").verdict
}

fn formula(family: Family, formula: &str) -> Verdict {
    let explorer = Explorer::new(family).checks(Vec::<String>::new()).ltl(formula);
    explorer.run().expect("an outcome").verdict
}

/// "Every cycle has a progress state, and so has every end", is a formula, since an end
/// repeats for ever; and where an end is progress it says that there is no livelock.
#[test]
fn must_progress_and_livelocks_of_states_are_formulas() {
    let mut n = [0; 2];
    for (model, params) in instances() {
        for (i, good) in GOOD.into_iter().enumerate() {
            let family = family(Asked::of(&model, &params, &[]).label(good));
            let told = format!("{} {params:?}, labels {i}", model.name);
            let verdict = check(family, MUST);
            assert_eq!(verdict, formula(family, "G F (must || terminal)"), "{told}");
            assert_eq!(verdict, livelock(family), "{told}");
            let strictly = check(family, MUST_STRICTLY);
            assert_eq!(strictly, formula(family, "G F must"), "{told}, strictly");
            n[usize::from(verdict == Verdict::Violated)] += 1;
        }
    }
    assert!(n.iter().all(|&n| n > 10), "{n:?}");
}

/// A livelock by labels of transitions is a cycle without any of them: some other transition
/// is fired again and again, and none of those.
#[test]
fn livelocks_of_transitions_are_cycles_without_a_remedy() {
    let mut n = [0; 2];
    for (model, params) in instances() {
        for (divisor, rest) in [(1, 0), (2, 0), (2, 1), (5, 1)] {
            let mut asked = Asked::of(&model, &params, &[]).label_remedies();
            let n_transitions = 128;
            let role = |t: usize| {
                let is_remedy = t % divisor == rest;
                NeverWithout { is_watched: !is_remedy, is_remedy }
            };
            asked.roles = (0..n_transitions).map(role).collect();
            let family = family(asked);
            assert!(family.instances[0].machine.n_transitions() <= n_transitions);
            let verdict = check(family, NEVER);
            let told = format!("{} {params:?}, {rest} of {divisor}", model.name);
            assert_eq!(verdict, livelock(family), "{told}");
            n[usize::from(verdict == Verdict::Violated)] += 1;
        }
    }
    assert!(n.iter().all(|&n| n > 10), "{n:?}");
}
