//! A path as the engine knows it: packed states and transition numbers.

use crate::machine::{Machine, Packed};
use crate::model::Order;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// States and the transitions between them, perhaps closing to a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The states, at least one.
    pub states: Vec<Packed>,
    /// The transitions between them, one fewer.
    pub transitions: Vec<usize>,
    /// The first state from which something good has become impossible.
    pub lost_at: Option<usize>,
    /// The transition from the last state to an earlier one, and which.
    pub closing: Option<(usize, usize)>,
}

impl Path {
    /// The path along the given states. Where several transitions lead from one
    /// to the next: the first in `order` that is `better`, or else the first.
    /// The error is a sentence.
    pub fn along(
        machine: &dyn Machine,
        states: Vec<Packed>,
        order: Order,
        better: impl Fn(&Packed, usize, &Packed) -> bool,
    ) -> Result<Path, String> {
        let mut transitions = Vec::with_capacity(states.len());
        for pair in states.windows(2) {
            let found = between(machine, &pair[0], &pair[1], order, &better);
            transitions.push(found.ok_or_else(|| {
                "no transition leads from one state of the counterexample to the next".to_owned()
            })?);
        }
        Ok(Path { states, transitions, lost_at: None, closing: None })
    }

    /// Closes the path to a cycle that starts at its state `start`, by a
    /// transition that is chosen as in [`Path::along`].
    pub fn close(
        &mut self,
        machine: &dyn Machine,
        start: usize,
        order: Order,
        better: impl Fn(&Packed, usize, &Packed) -> bool,
    ) -> Result<(), String> {
        let (from, to) = (&self.states[self.states.len() - 1], &self.states[start]);
        let t = between(machine, from, to, order, &better)
            .ok_or_else(|| "the cycle of the counterexample does not close".to_owned())?;
        self.closing = Some((t, start));
        Ok(())
    }

    /// Adds `state`, to which a transition leads from the last one. False if none does, and
    /// then nothing is added.
    pub fn step_to(&mut self, machine: &dyn Machine, state: &Packed) -> bool {
        let last = &self.states[self.states.len() - 1];
        let found = between(machine, last, state, Order::default(), |_, _, _| true);
        if let Some(t) = found {
            self.transitions.push(t);
            self.states.push(state.clone());
        }
        found.is_some()
    }

    /// The edges of the final cycle: from, transition, to.
    pub fn cycle(&self) -> impl Iterator<Item = (&Packed, usize, &Packed)> {
        let last = self.states.len() - 1;
        self.closing.into_iter().flat_map(move |(t, start)| {
            let inner = (start..last).map(|i| self.edge(i));
            inner.chain([(&self.states[last], t, &self.states[start])])
        })
    }

    /// The `i`-th edge before the path closes: from, transition, to.
    pub fn edge(&self, i: usize) -> (&Packed, usize, &Packed) {
        (&self.states[i], self.transitions[i], &self.states[i + 1])
    }

    /// The path that fires the given transitions from an initial state, given
    /// by its place among the distinct ones. The error is a sentence.
    pub fn follow(
        machine: &dyn Machine,
        root: usize,
        transitions: impl Iterator<Item = usize>,
    ) -> Result<Path, String> {
        let mut initial: Vec<Packed> = Vec::new();
        for state in machine.initial_states().map_err(|e| e.wrong.to_string())? {
            if !initial.contains(&state) {
                initial.push(state);
            }
        }
        let start = initial.into_iter().nth(root).ok_or("an initial state has gone")?;
        let mut path = Path { states: vec![start], ..Path::default() };
        for t in transitions {
            let fired = machine.fire(&path.states[path.states.len() - 1], t);
            let next = fired.map_err(|e| e.wrong.to_string())?;
            path.transitions.push(t);
            path.states.push(next.ok_or_else(|| format!("{} is disabled", name(machine, t)))?);
        }
        Ok(path)
    }

    /// The path that fires the given transitions from `start`, up to the first that cannot
    /// be fired.
    pub fn as_far_as_enabled(machine: &dyn Machine, start: Packed, transitions: &[usize]) -> Path {
        let mut path = Path { states: vec![start], ..Path::default() };
        for &t in transitions {
            let Ok(Some(next)) = machine.fire(&path.states[path.transitions.len()], t) else {
                break;
            };
            path.transitions.push(t);
            path.states.push(next);
        }
        path
    }

    /// Fires every transition again. The error is a sentence that says where
    /// the model does something else than the path.
    pub fn replay(&self, machine: &dyn Machine) -> Result<(), String> {
        let initial = machine.initial_states().map_err(|e| e.wrong.to_string())?;
        if !initial.contains(&self.states[0]) {
            return Err("its first state is not an initial state".to_owned());
        }
        let fire = |i: usize, t: usize, to: &Packed| match machine.fire(&self.states[i], t) {
            Ok(Some(next)) if next == *to => Ok(()),
            Ok(Some(_)) => Err(format!("step {}: {} leads elsewhere", i + 1, name(machine, t))),
            Ok(None) => Err(format!("step {}: {} is disabled", i + 1, name(machine, t))),
            Err(error) => Err(format!("step {}: {}", i + 1, error.wrong)),
        };
        for (i, &t) in self.transitions.iter().enumerate() {
            fire(i, t, &self.states[i + 1])?;
        }
        match self.closing {
            Some((t, start)) => fire(self.states.len() - 1, t, &self.states[start]),
            None => Ok(()),
        }
    }

    /// Goes on from the last state, in each state with the lowest-numbered
    /// transition to a state in `allowed`, until a state repeats or nothing is
    /// left to do. Marks the cycle. `has_enough` is asked before every step with
    /// the number of states so far; if it says so, the path stays open there.
    pub fn walk_on(
        &mut self,
        machine: &dyn Machine,
        allowed: impl Fn(&Packed) -> bool,
        mut has_enough: impl FnMut(usize) -> bool,
    ) {
        let hasher = DefaultHashBuilder::default();
        // The places of the states of this walk: it can be as long as the
        // state space, so looking for a repetition must not take longer.
        let mut places: HashTable<usize> = HashTable::new();
        let hash_of = |state: &Packed| hasher.hash_one(state);
        let mut last = self.states.len() - 1;
        places.insert_unique(hash_of(&self.states[last]), last, |&i| hash_of(&self.states[i]));
        while !has_enough(self.states.len()) {
            let state = &self.states[last];
            let next = (0..machine.n_transitions()).find_map(|t| match machine.fire(state, t) {
                Ok(Some(next)) if allowed(&next) => Some((t, next)),
                _ => None,
            });
            let Some((t, next)) = next else { return };
            let hash = hash_of(&next);
            if let Some(&start) = places.find(hash, |&i| self.states[i] == next) {
                self.closing = Some((t, start));
                return;
            }
            self.transitions.push(t);
            self.states.push(next);
            last += 1;
            places.insert_unique(hash, last, |&i| hash_of(&self.states[i]));
        }
    }
}

/// A transition from one state to another: the first in `order` that is
/// `better`, or else the first.
fn between(
    machine: &dyn Machine,
    from: &Packed,
    to: &Packed,
    order: Order,
    better: impl Fn(&Packed, usize, &Packed) -> bool,
) -> Option<usize> {
    let n = machine.n_transitions();
    let leads = |&t: &usize| matches!(machine.fire(from, t), Ok(Some(next)) if next == *to);
    let mut found = (0..n).map(|i| order.nth(i, n)).filter(leads).peekable();
    let first = found.peek().copied();
    found.find(|&t| better(from, t, to)).or(first)
}

fn name(machine: &dyn Machine, t: usize) -> String {
    machine.transition_name(t)
}
