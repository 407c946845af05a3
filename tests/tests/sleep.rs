//! Successors that are known without being looked up: a breadth-first search finds the same
//! states by the same edges, and counts the same, as a plain one that leaves nothing out.

use asset_core::expand::{Choice, Order, Recipe};
use asset_core::machine::{Machine, Packed};
use asset_core::model::{CheckKind, CheckSet};
use asset_core::search::bfs::{self, Exploration, Options};
use asset_core::search::{Expander, Failure, Watch};
use asset_core::state::packing::fast;
use asset_core::store::{Compact, StateSet};
use asset_tests::disguised;
use asset_tests::random::{Random, loose};
use asset_tests::table::Predicate;
use std::collections::HashMap;

/// What a search has found.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    n_states: usize,
    n_edges: usize,
    n_terminal: usize,
    depth: usize,
    /// For each state that is not initial, its parent and the transition.
    tree: Vec<(usize, usize)>,
    /// The states in which a check failed.
    faults: Vec<usize>,
}

/// A plain search that ends at the first fault. `None` if there are too many states.
fn plain(machine: &dyn Machine, order: Order, on: CheckSet, max: usize) -> Option<Counts> {
    let mut states: Vec<(Packed, usize)> = Vec::new();
    let (mut known, mut counts) = (HashMap::new(), Counts::default());
    let mut add = |state: Packed, depth: usize, states: &mut Vec<(Packed, usize)>| {
        let is_new = known.insert(state.clone(), ()).is_none();
        if is_new {
            states.push((state, depth));
        }
        is_new
    };
    for state in machine.initial_states().expect("initial states") {
        add(state, 0, &mut states);
    }
    for (i, (state, _)) in states.iter().enumerate() {
        counts.n_states += 1;
        if machine.state_fault(state, on).unwrap().is_some() {
            counts.faults.push(i);
            return Some(counts);
        }
    }
    let (mut from, n) = (0, machine.n_transitions());
    while from < states.len() {
        let (state, depth) = states[from].clone();
        let mut is_terminal = true;
        for t in (0..n).map(|i| order.nth(i, n)) {
            let Some(next) = machine.fire(&state, t).expect("no error") else { continue };
            is_terminal = false;
            counts.n_edges += 1;
            if !add(next.clone(), depth + 1, &mut states) {
                continue;
            }
            counts.tree.push((from, t));
            counts.n_states += 1;
            counts.depth = depth + 1;
            if machine.state_fault(&next, on).unwrap().is_some() {
                counts.faults.push(states.len() - 1);
                return Some(counts);
            }
            if states.len() > max {
                return None;
            }
        }
        counts.n_terminal += usize::from(is_terminal);
        from += 1;
    }
    Some(counts)
}

/// The search that leaves out what is asleep.
fn explore<S: StateSet>(machine: &dyn Machine, set: S, order: Order, on: CheckSet) -> Exploration {
    let recipe = Recipe::new(machine, order, Choice::Full).folded();
    let mut space = Expander::with_set(&recipe, set).expect("initial states");
    let deadlock_checks = CheckSet::default();
    let options = Options {
        state_checks: on,
        deadlock_checks,
        max_faults: 1,
        goals: CheckSet::default(),
        ends_with_goals: false,
        values: false,
        max_states: usize::MAX,
        keep_arrivals: true,
    };
    bfs::explore(&mut space, options, &mut Watch::unlimited())
}

fn counts(found: &Exploration) -> Counts {
    let parents: HashMap<_, _> = found.parents.walk_back().collect();
    let n_roots = found.n_states as usize - parents.len();
    let arrival = |id: usize| (parents[&(id as u32)] as usize, found.arrivals.get(id as u32));
    Counts {
        n_states: found.n_states as usize,
        n_edges: found.n_edges as usize,
        n_terminal: found.n_terminal as usize,
        depth: found.depth as usize,
        tree: (n_roots..found.n_states as usize).map(arrival).collect(),
        faults: found.faults.iter().map(|&(id, _)| id as usize).collect(),
    }
}

/// Compares both searches; tells how many states there are, and whether a check failed.
fn compare(machine: &dyn Machine, order: Order, on: CheckSet, what: &str) -> Option<(usize, bool)> {
    let expected = plain(machine, order, on, 30_000)?;
    let found = match machine.n_words() {
        1 => explore(machine, Compact::new(64), order, on),
        _ => explore(machine, Compact::widening(), order, on),
    };
    assert!(found.end.is_ok(), "{what}: {:?}", found.end);
    let found = counts(&found);
    let short = |c: &Counts| (c.n_states, c.n_edges, c.n_terminal, c.depth, c.faults.clone());
    assert_eq!(short(&found), short(&expected), "{what}");
    assert!(found.tree == expected.tree, "{what}");
    Some((expected.n_states, !expected.faults.is_empty()))
}

#[test]
fn bundled_models() {
    let (mut n, mut n_violated) = (0, 0);
    for family in models::all() {
        for instance in family.instances {
            let checks = instance.machine.description().checks;
            let states = (0..checks.len()).filter(|&i| checks[i].kind == CheckKind::State);
            for (on, order) in states
                .map(|i| 1 << i)
                .chain([0])
                .zip([Order::Backward, Order::Forward].iter().cycle())
            {
                let what = format!("{} {:?} {on:b} {order:?}", family.name, instance.values);
                let compared = compare(instance.machine, *order, CheckSet(on), &what);
                n += usize::from(compared.is_some_and(|(n_states, _)| n_states > 300));
                n_violated += usize::from(compared.is_some_and(|(_, is_violated)| is_violated));
            }
        }
    }
    assert!(n > 30 && n_violated > 5, "{n} compared, {n_violated} violated");
}

/// Folded, and told what they touch.
#[test]
fn random_models() {
    let (mut n_large, mut n_violated) = (0, 0);
    for seed in 0..300 {
        let mut table = loose(&mut Random::new(8_000_000 + seed));
        table.n_words = 2 + seed as usize % 4;
        // Values 0, 1, 0, 1: no initial state has them.
        table.bad = Predicate((0..4).map(|variable| (variable, 1 + variable as u8 % 2)).collect());
        let order = if seed % 3 == 0 { Order::Forward } else { Order::Backward };
        for on in [CheckSet(0), CheckSet::ALL] {
            let what = format!("seed {seed}");
            let compared = compare(&table.clone().machine(), order, on, &what);
            n_large += usize::from(compared.is_some_and(|(n_states, _)| n_states > 1000));
            n_violated += usize::from(compared.is_some_and(|(_, is_violated)| is_violated));
        }
    }
    assert!(n_large > 30 && n_violated > 20, "{n_large} large, {n_violated} violated");
}

#[test]
fn a_wrong_list_is_found_out() {
    let machine = disguised::transition().instances[0].machine;
    let found = explore(machine, Compact::new(64), Order::Backward, CheckSet(0));
    if fast() {
        assert!(matches!(found.end, Err(Failure::Model(..))), "{:?}", found.end);
    } else {
        // Nothing is remembered.
        assert_eq!(Some(counts(&found)), plain(machine, Order::Backward, CheckSet(0), 100_000));
    }
}
