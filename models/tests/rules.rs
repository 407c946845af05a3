//! The rules of all models against the definitions of D0, D1 and D2, state by
//! state, with the whole of what the other transitions can reach.
//!
//! A. Valmari, *Stop It, and Be Stubborn!*, Section IV. The definitions speak
//! of sequences; they hold for all of them exactly if in every state that the
//! other transitions reach, each member that was disabled still is, and each
//! that was enabled still is and commutes with every other transition.

mod oracle;

use asset_core::machine::{Machine, Packed};
use asset_core::reduction::{Order, Selector};
use oracle::{StubbornSet, fire, ordered};
use std::collections::HashSet;

/// States from which the definitions are tested, in each instance.
const MAX_STATES: usize = 600;

/// Instances small enough to be tested in full, or nearly.
const INSTANCES: [(&str, &[&str]); 11] = [
    (
        "alternating_bit",
        &[
            "capacity=1;loss=unlimited;variant=correct",
            "capacity=2;loss=unlimited;variant=correct",
            "capacity=1;loss=limited;variant=correct",
            "capacity=2;loss=limited;variant=correct",
            "capacity=1;loss=unlimited;variant=takes-duplicates",
            "capacity=2;loss=limited;variant=takes-duplicates",
        ],
    ),
    ("chain", &["length=10;end=terminal", "length=10;end=livelock"]),
    ("injected", &["steps=3;livelock=none", "steps=3;livelock=shallow", "steps=3;livelock=deep"]),
    ("injected_states", &["steps=3;livelock=none", "steps=3;livelock=deep"]),
    (
        "leader_election",
        &[
            "n=3;variant=once",
            "n=4;variant=once",
            "n=3;variant=repeated",
            "n=4;variant=repeated",
            "n=2;variant=careless",
            "n=3;variant=careless",
        ],
    ),
    (
        "peterson",
        &[
            "n=2;variant=questionable",
            "n=2;variant=revealing",
            "n=2;variant=correct",
            "n=2;variant=mutex-violating",
            "n=3;variant=correct",
        ],
    ),
    ("peterson_enter", &["n=2", "n=3"]),
    ("philosophers", &["n=2;variant=deadlocking", "n=3;variant=deadlocking", "n=3;variant=fixed"]),
    (
        "sliding_window",
        &[
            "window=1;variant=livelocking",
            "window=2;variant=livelocking",
            "window=2;variant=repaired",
            "window=3;variant=repaired",
        ],
    ),
    ("token_ring", &["n=2", "n=3", "n=4"]),
    ("two_phase_commit", &["n=2;failures=none", "n=3;failures=none", "n=3;failures=manager"]),
];

#[test]
fn rules_of_all_models_are_valid() {
    for (model, instances) in INSTANCES {
        let family = models::all().into_iter().find(|family| family.name == model);
        let family = family.unwrap_or_else(|| panic!("no model {model}"));
        for params in instances {
            let machine = oracle::instance(&family, params).machine;
            for state in oracle::reachable(machine, MAX_STATES) {
                for order in [Order::Backward, Order::Forward] {
                    let set = oracle::stubborn_set(machine, &state, order);
                    let test = Test { machine, state: &state, set: &set };
                    if let Err(fault) = test.run() {
                        panic!("{model} {params}, {order:?} order: {fault}");
                    }
                }
            }
        }
    }
}

#[test]
fn engine_and_oracle_choose_the_same_sets() {
    for (model, instances) in INSTANCES {
        let family = models::all().into_iter().find(|family| family.name == model);
        let machine = oracle::instance(&family.expect("it exists"), instances[0]).machine;
        for order in [Order::Backward, Order::Forward] {
            let mut selector = Selector { order, ..Selector::default() };
            for state in oracle::reachable(machine, MAX_STATES) {
                let mut members = oracle::stubborn_set(machine, &state, order).members;
                members.sort_unstable();
                assert_eq!(members, machine.stubborn_set(&state, &mut selector), "{model}");
            }
        }
    }
}

/// The stubborn set of one state.
struct Test<'a> {
    machine: &'a dyn Machine,
    state: &'a [u64],
    set: &'a StubbornSet,
}

impl Test<'_> {
    fn run(&self) -> Result<(), String> {
        if self.machine.state_fault(self.state).is_some() {
            // A search ends here, so nothing can be lost.
            return Ok(());
        }
        let others: Vec<usize> = ordered(self.machine, Order::Forward)
            .into_iter()
            .filter(|t| !self.set.members.contains(t))
            .collect();
        if self.set.enabled.is_empty() {
            let enabled = others.iter().find(|&&t| fire(self.machine, self.state, t).is_some());
            return match enabled {
                None => Ok(()),
                Some(&t) => Err(format!("D0: {} is enabled {}", self.name(t), self.at_start())),
            };
        }
        let mut todo: Vec<Packed> = vec![self.state.into()];
        let mut seen: HashSet<Packed> = todo.iter().cloned().collect();
        while let Some(state) = todo.pop() {
            self.test_at(&state, &others)?;
            for next in others.iter().filter_map(|&u| fire(self.machine, &state, u)) {
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        Ok(())
    }

    /// Tests a state that the others have reached.
    fn test_at(&self, state: &[u64], others: &[usize]) -> Result<(), String> {
        for &t in &self.set.members {
            let was_enabled = self.set.enabled.contains(&t);
            match fire(self.machine, state, t) {
                None if was_enabled => {
                    return Err(format!("D2: {} {}", self.name(t), self.changes(state)));
                }
                Some(_) if !was_enabled => {
                    return Err(format!("D1: {} {}", self.name(t), self.changes(state)));
                }
                None => {}
                Some(after) => self.test_square(state, t, &after, others)?,
            }
        }
        Ok(())
    }

    fn test_square(
        &self,
        state: &[u64],
        t: usize,
        after: &[u64],
        others: &[usize],
    ) -> Result<(), String> {
        let is_bad = |state: &[u64]| self.machine.state_fault(state).is_some();
        if is_bad(state) && !is_bad(after) {
            let shown = self.machine.show(state);
            return Err(format!("visibility: {} leaves {shown}", self.name(t)));
        }
        for &u in others {
            let Some(other) = fire(self.machine, state, u) else {
                continue;
            };
            let one_way = fire(self.machine, after, u);
            if one_way.is_none() || one_way != fire(self.machine, &other, t) {
                let (t, u) = (self.name(t), self.name(u));
                let shown = self.machine.show(state);
                return Err(format!("D1: {t} and {u} at {shown} {}", self.at_start()));
            }
        }
        Ok(())
    }

    fn name(&self, t: usize) -> String {
        self.machine.transition_name(t)
    }

    fn at_start(&self) -> String {
        format!("in the stubborn set of {}", self.machine.show(self.state))
    }

    fn changes(&self, state: &[u64]) -> String {
        format!("is enabled or disabled at {}, {}", self.machine.show(state), self.at_start())
    }
}
