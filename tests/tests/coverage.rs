//! What runs say they never saw, against a naive count of everything that there is.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::Explorer;
use asset_core::machine::{Instance, Machine, Packed};
use asset_core::model::Shown;
use asset_core::prelude::*;
use asset_core::verdict::{CheckOutcome, Outcome, Unseen};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Larger instances are left out: the naive count is slow.
const MAX_STATES: usize = 12_000;

/// Everything that there is in a full state space.
struct Everything {
    enabled: Vec<bool>,
    /// For each path, the values that it had, as they are printed.
    values: BTreeMap<String, BTreeSet<String>>,
    n_terminal: usize,
}

/// Fires everything, one transition at a time. `None` if there are too many states.
fn count(machine: &dyn Machine) -> Option<Everything> {
    let mut queue = machine.initial_states().unwrap();
    let mut known: HashSet<Packed> = queue.iter().cloned().collect();
    let n_transitions = machine.n_transitions();
    let (enabled, values) = (vec![false; n_transitions], BTreeMap::new());
    let mut all = Everything { enabled, values, n_terminal: 0 };
    while let Some(state) = queue.pop() {
        note(&machine.show(&state), String::new(), &mut all.values);
        let mut is_terminal = true;
        for t in 0..n_transitions {
            let Some(next) = machine.fire(&state, t).unwrap() else { continue };
            is_terminal = false;
            all.enabled[t] = true;
            if known.insert(next.clone()) {
                queue.push(next);
            }
        }
        all.n_terminal += usize::from(is_terminal);
        if known.len() > MAX_STATES {
            return None;
        }
    }
    Some(all)
}

/// Notes the values of all scalars.
fn note(shown: &Shown, path: String, values: &mut BTreeMap<String, BTreeSet<String>>) {
    match shown {
        Shown::Record(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                note(value, format!("{path}{dot}{name}"), values);
            }
        }
        Shown::List(list) => {
            for (i, value) in list.iter().enumerate() {
                note(value, format!("{path}[{i}]"), values);
            }
        }
        Shown::Bool(_) | Shown::Int(_) | Shown::Name(_) | Shown::Variant(..) => {
            values.entry(path).or_default().insert(shown.to_string());
        }
        // Nothing is told of collections.
        _ => {}
    }
}

/// The values that are meant by one text of a list.
fn expanded(text: &str) -> Vec<String> {
    match text.split_once("..=") {
        Some((first, last)) => {
            let [first, last] = [first, last].map(|end| end.parse::<i128>().unwrap());
            (first..=last).map(|value| value.to_string()).collect()
        }
        None => vec![text.to_owned()],
    }
}

fn range(first: i128, last: i128) -> String {
    if first == last { first.to_string() } else { format!("{first}..={last}") }
}

/// Compares values: each that the type has was taken or is listed as never taken, and not both.
fn compare_values(machine: &dyn Machine, unseen: &Unseen, all: &Everything, what: &str) {
    let listed = unseen.values.as_ref().unwrap_or_else(|| panic!("{what}: values are known"));
    let never: BTreeMap<_, _> = listed.iter().map(|held| (&*held.variable, held)).collect();
    assert_eq!(never.len(), listed.len(), "{what}: a variable is listed once");
    for (lane, path) in machine.layout().lanes().iter().zip(machine.lane_paths()) {
        // A collection is no scalar: nothing is claimed of it.
        let Some(taken) = all.values.get(&path) else {
            assert!(!never.contains_key(&*path), "{what}: {path}");
            continue;
        };
        let texts = never.get(&*path).map_or(&[][..], |held| &held.values);
        if lane.bits() > 12 {
            // What is below and above all that it had.
            let taken: Vec<i128> = taken.iter().map(|value| value.parse().unwrap()).collect();
            let ends = [*taken.iter().min().unwrap(), *taken.iter().max().unwrap()];
            let [below, above] = [(lane.lo, ends[0] - 1), (ends[1] + 1, lane.hi)];
            let ranges = [below, above].into_iter().filter(|(first, last)| first <= last);
            let expected: Vec<_> = ranges.map(|(first, last)| range(first, last)).collect();
            assert_eq!(texts, expected, "{what}: {path}");
            continue;
        }
        let never: Vec<_> = texts.iter().flat_map(|text| expanded(text)).collect();
        assert!(never.iter().all(|value| !taken.contains(value)), "{what}: {path}: {never:?}");
        let n_values = (lane.hi - lane.lo) as usize + 1;
        assert_eq!(taken.len() + never.len(), n_values, "{what}: {path}: {taken:?} {never:?}");
    }
}

fn compare(family: &Family, instance: &Instance) -> Option<(bool, bool)> {
    let machine = instance.machine;
    let all = count(machine)?;
    let what = format!("{} {:?}", family.name, instance.values);
    let run = |choice| {
        let mut explorer = Explorer::new(*family).reduction(choice).max_violations(1_000_000);
        for (param, value) in family.params.iter().zip(instance.values) {
            explorer = explorer.param(param.name, value);
        }
        explorer.run().unwrap()
    };
    let transitions: Vec<String> = (0..all.enabled.len())
        .filter(|&t| !all.enabled[t])
        .map(|t| machine.transition_name(t))
        .collect();
    let is_asked = |outcome: &Outcome| {
        let is_deadlock = |check: &&asset_core::verdict::CheckResult| check.kind == "deadlock";
        let names = outcome.checks.iter().filter(is_deadlock).map(|check| check.name.clone());
        if all.n_terminal > 0 { Vec::new() } else { names.collect::<Vec<_>>() }
    };
    let outcome = run(Choice::Full);
    let unseen = outcome.unseen.as_ref().unwrap_or_else(|| panic!("{what} was explored"));
    assert_eq!(unseen.transitions.as_ref(), Some(&transitions), "{what}");
    assert_eq!(unseen.checks, is_asked(&outcome), "{what}");
    compare_values(machine, unseen, &all, &what);
    if machine.description().has_rules {
        let outcome = run(Choice::Stubborn);
        let unseen = outcome.unseen.as_ref().unwrap_or_else(|| panic!("{what} was explored"));
        assert_eq!((&unseen.values, &unseen.progress), (&None, &None), "{what}");
        assert_eq!(unseen.checks, is_asked(&outcome), "{what}");
        let amt = &outcome.checks.last().unwrap().outcome;
        let expected = (*amt == CheckOutcome::Holds).then_some(&transitions);
        assert_eq!(unseen.transitions.as_ref(), expected, "{what}");
    }
    Some((machine.n_words() > 1, !transitions.is_empty()))
}

#[test]
fn coverage_of_all_bundled_models_agrees_with_a_naive_count() {
    let (mut n, mut n_long, mut n_never) = (0, 0, 0);
    for family in models::all() {
        let mut is_any = false;
        for instance in family.instances {
            if let Some((is_long, has_never)) = compare(&family, instance) {
                is_any = true;
                n += 1;
                n_long += usize::from(is_long);
                n_never += usize::from(has_never);
            }
        }
        assert!(is_any, "{} has a small instance", family.name);
    }
    assert!(n > 20 && n_long > 0 && n_never > 0, "{n}, {n_long} long, {n_never} with dead ones");
}

/// Counters that take some of their values, in one word or several.
#[model]
pub mod counters {
    #[param(5, 40)]
    pub const N: usize = 5;

    #[derive(StateVar)]
    pub enum Phase {
        Start,
        Middle,
        End,
        Never,
    }

    #[derive(StateVar)]
    pub struct Counter {
        #[range(-3..=20)]
        value: i8,
        phase: Phase,
        wide: u32,
    }

    #[state]
    pub struct State {
        turn: u8,
        counters: [Counter; N],
    }

    #[transitions]
    pub enum Transition {
        Up(#[range(0..N)] usize),
        Leap(#[range(0..N)] usize),
        Wrap,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Up(i) => {
                if s.turn as usize != i || s.counters[i].value >= 4 + (i % 3) as i8 {
                    return false;
                }
                s.counters[i].value += 1;
                s.counters[i].wide += 1000;
                s.counters[i].phase =
                    if s.counters[i].value > 2 { Phase::End } else { Phase::Middle };
                s.turn = if i + 1 == N { 0 } else { s.turn + 1 };
            }
            Transition::Leap(i) => {
                if s.counters[i].value < 15 {
                    return false;
                }
                s.counters[i].value = 0;
            }
            Transition::Wrap => {
                if s.turn as usize + 1 < N || N > 9 {
                    return false;
                }
                s.turn = 0;
            }
        }
        true
    }

    #[check(deadlock)]
    pub fn ends(_: &State) -> bool {
        true
    }
}

#[test]
fn ranges_enums_and_wide_counters_in_one_word_and_in_many() {
    for instance in counters::model().instances {
        compare(&counters::model(), instance).expect("few states");
    }
    let outcome = Explorer::new(counters::model()).param("n", 40).run().unwrap();
    let unseen = outcome.unseen.unwrap();
    let of = |path: &str| {
        let held = unseen.values.as_ref().unwrap().iter().find(|held| held.variable == path);
        held.map(|held| held.values.join(" ")).unwrap_or_default()
    };
    assert_eq!(of("counters[0].value"), "-3..=-1 5..=20");
    // Nobody gets a fifth turn, as the first one takes no more than four.
    assert_eq!(of("counters[1].value"), "-3..=-1 5..=20");
    assert_eq!(of("counters[39].phase"), "Never");
    assert_eq!(of("turn"), "40..=255");
    // Of a counter with four billion values, what is below and above all that it had.
    assert_eq!(of("counters[0].wide"), "4001..=4294967295");
    assert!(unseen.transitions.unwrap().contains(&"Wrap".to_owned()));
}

#[test]
fn a_run_that_does_not_see_everything_tells_nothing() {
    let outcome = Explorer::new(counters::model()).max_states(10).run().unwrap();
    assert_eq!(outcome.unseen, None);
}
