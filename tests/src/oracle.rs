//! The right answers, by programs that are too simple and too slow to be
//! wrong: the whole graph in a hash map, and fixed points by repetition.

use asset_core::expand::Order;
use asset_core::machine::{Machine, Packed};
use asset_core::model::CheckSet;
use std::collections::{HashMap, HashSet};

/// The full state space of a machine.
pub struct Graph {
    /// The states, in the order of a breadth-first search.
    pub states: Vec<Packed>,
    /// The number of each state.
    pub index: HashMap<Packed, usize>,
    /// For each state and each transition, where it leads if it is enabled.
    pub next: Vec<Vec<Option<usize>>>,
    /// The distance of each state from the initial states.
    pub depth: Vec<usize>,
    /// Number of initial states, which come first.
    pub n_initial: usize,
}

impl Graph {
    /// The full state space, or `None` if it has more than `max` states.
    pub fn explore(machine: &dyn Machine, max: usize) -> Option<Graph> {
        let mut graph = Graph {
            states: Vec::new(),
            index: HashMap::new(),
            next: Vec::new(),
            depth: Vec::new(),
            n_initial: 0,
        };
        for state in machine.initial_states().expect("initial states") {
            graph.number_of(state, 0);
        }
        graph.n_initial = graph.states.len();
        while graph.next.len() < graph.states.len() {
            if graph.states.len() > max {
                return None;
            }
            let from = graph.next.len();
            let row = (0..machine.n_transitions())
                .map(|t| {
                    let next = machine.fire(&graph.states[from], t).expect("no model error")?;
                    Some(graph.number_of(next, graph.depth[from] + 1))
                })
                .collect();
            graph.next.push(row);
        }
        Some(graph)
    }

    fn number_of(&mut self, state: Packed, depth: usize) -> usize {
        let n = self.states.len();
        let id = *self.index.entry(state.clone()).or_insert(n);
        if id == n {
            self.states.push(state);
            self.depth.push(depth);
        }
        id
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are no states, which never happens.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.next.iter().flatten().flatten().count()
    }

    /// Whether nothing is enabled.
    pub fn is_terminal(&self, s: usize) -> bool {
        self.next[s].iter().all(Option::is_none)
    }

    /// For each state, whether a member of `good` is reachable.
    pub fn can_reach(&self, good: &[bool]) -> Vec<bool> {
        let mut can = good.to_vec();
        loop {
            let before = can.clone();
            for s in 0..self.len() {
                can[s] = can[s] || self.next[s].iter().flatten().any(|&to| can[to]);
            }
            if can == before {
                return can;
            }
        }
    }

    /// For each state, whether a run from it can avoid `good` for ever.
    pub fn can_avoid(&self, good: &[bool], termination_is_good: bool) -> Vec<bool> {
        // At first everything that is not good; then what cannot go on drops
        // out, until nothing does.
        let mut can: Vec<bool> = good.iter().map(|good| !good).collect();
        loop {
            let before = can.clone();
            for s in 0..self.len() {
                let goes_on = match self.is_terminal(s) {
                    true => !termination_is_good,
                    false => self.next[s].iter().flatten().any(|&to| can[to]),
                };
                can[s] = can[s] && goes_on;
            }
            if can == before {
                return can;
            }
        }
    }

    /// For each state, whether it is a progress state of a check.
    pub fn progress(&self, machine: &dyn Machine, check: usize) -> Vec<bool> {
        let is_progress = |state: &Packed| {
            let mut found = false;
            machine.progress_states_of(state, check, &mut |_| found = true).unwrap();
            found
        };
        self.states.iter().map(is_progress).collect()
    }

    /// For each state, whether a state check fails in it.
    pub fn bad(&self, machine: &dyn Machine, check: usize) -> Vec<bool> {
        let on = CheckSet(1 << check);
        self.states.iter().map(|state| machine.state_fault(state, on).unwrap().is_some()).collect()
    }

    /// For each state, whether it is terminal and a deadlock check fails in it.
    pub fn illegal(&self, machine: &dyn Machine, check: usize) -> Vec<bool> {
        let on = CheckSet(1 << check);
        let is_illegal = |s: usize| {
            self.is_terminal(s) && machine.deadlock_fault(&self.states[s], on).unwrap().is_some()
        };
        (0..self.len()).map(is_illegal).collect()
    }

    /// For each state, whether a good state is out of reach.
    pub fn lost(&self, good: &[bool], termination_is_good: bool) -> Vec<bool> {
        let is_good = |s: usize| good[s] || termination_is_good && self.is_terminal(s);
        let good: Vec<bool> = (0..self.len()).map(is_good).collect();
        self.can_reach(&good).iter().map(|can| !can).collect()
    }

    /// Whether a terminal state is reachable from every state.
    pub fn always_may_terminate(&self) -> bool {
        self.lost(&vec![false; self.len()], true).iter().all(|lost| !lost)
    }

    /// The smallest distance of a state in a set.
    pub fn nearest(&self, set: &[bool]) -> Option<usize> {
        (0..self.len()).filter(|&s| set[s]).map(|s| self.depth[s]).min()
    }

    /// The states that a reduced search finds: from each state only the
    /// transitions of its set are fired.
    pub fn reduced(&self, set_of: impl Fn(usize) -> Vec<usize>) -> (HashSet<usize>, usize) {
        let mut found: HashSet<usize> = (0..self.n_initial).collect();
        let mut queue: Vec<usize> = found.iter().copied().collect();
        let mut n_edges = 0;
        while let Some(s) = queue.pop() {
            for to in set_of(s).into_iter().filter_map(|t| self.next[s][t]) {
                n_edges += 1;
                if found.insert(to) {
                    queue.push(to);
                }
            }
        }
        (found, n_edges)
    }
}

/// Which states and transitions are progress, for livelock checks.
pub struct Labels {
    /// For each state of the graph.
    pub states: Vec<bool>,
    /// For each transition.
    pub transitions: Vec<bool>,
}

impl Labels {
    /// The labels of a machine.
    pub fn of(graph: &Graph, machine: &dyn Machine) -> Labels {
        let n = machine.n_transitions();
        Labels {
            states: graph
                .states
                .iter()
                .map(|state| machine.progress_state(state).unwrap())
                .collect(),
            transitions: (0..n).map(|t| machine.progress_transition(t).unwrap()).collect(),
        }
    }

    /// The transitions to fire in a state with a stubborn set: all of them if
    /// progress is in sight (C2 of Laarman and Faragó, with C2' of Faragó and
    /// Schmitt).
    pub fn visible(&self, graph: &Graph, s: usize, set: Vec<usize>) -> Vec<usize> {
        let n = self.transitions.len();
        let is_progress =
            |&t: &usize| graph.next[s][t].is_some_and(|to| self.transitions[t] || self.states[to]);
        match self.states[s] || set.iter().any(is_progress) {
            true => (0..n).collect(),
            false => set,
        }
    }
}

impl Graph {
    /// Whether there is a cycle without progress if only the transitions of a
    /// set are fired in each state.
    pub fn has_livelock(&self, labels: &Labels, set_of: impl Fn(usize) -> Vec<usize>) -> bool {
        let (mut live, _) = self.reduced(&set_of);
        loop {
            let goes_on = |&s: &usize| {
                let silent = set_of(s).into_iter().filter(|&t| !labels.transitions[t]);
                let mut next = silent.filter_map(|t| self.next[s][t]);
                next.any(|to| !labels.states[to] && live.contains(&to))
            };
            let fewer: HashSet<usize> = live.iter().copied().filter(goes_on).collect();
            if fewer.len() == live.len() {
                return !live.is_empty();
            }
            live = fewer;
        }
    }
}

/// Whether a set of transitions satisfies D0, D1 and D2 in a state, word for
/// word, with "the check fails here" as one more transition outside the set.
///
/// The sequences of D1 and D2 are followed in two places at once: from the
/// state itself, and from the state after `t`. There are finitely many such
/// pairs, so all sequences of any length are covered.
pub fn is_stubborn(graph: &Graph, s0: usize, set: &[usize], bad: &[bool]) -> bool {
    let n = graph.next[s0].len();
    let d0 = graph.is_terminal(s0) || set.iter().any(|&t| graph.next[s0][t].is_some());
    d0 && set.iter().all(|&t| {
        let mut seen = HashSet::from([(s0, graph.next[s0][t])]);
        let mut queue: Vec<_> = seen.iter().copied().collect();
        while let Some((at, ahead)) = queue.pop() {
            let then = graph.next[at][t];
            // D2.
            if graph.next[s0][t].is_some() && then.is_none() {
                return false;
            }
            // D1.
            if then.is_some() && then != ahead {
                return false;
            }
            let others = (0..n).filter(|u| !set.contains(u));
            let mut pairs: Vec<_> = others
                .filter_map(|u| Some((graph.next[at][u]?, ahead.and_then(|s| graph.next[s][u]))))
                .collect();
            // A failure in the state itself has been found; it hides nothing.
            if bad[at] && !bad[s0] {
                pairs.push((at, ahead.filter(|&s| bad[s])));
            }
            for pair in pairs {
                if seen.insert(pair) {
                    queue.push(pair);
                }
            }
        }
        true
    })
}

/// The strong stubborn set of a state by the words of its definition: the
/// first strong component in order of completion that has an enabled member,
/// with what was completed before it. Members in the order of discovery.
pub fn first_component(
    order: Order,
    obliged: &[Vec<usize>],
    enabled: &[bool],
) -> (Vec<usize>, Vec<usize>) {
    struct Walk<'w> {
        obliged: &'w [Vec<usize>],
        enabled: &'w [bool],
        reaches: Vec<Vec<bool>>,
        discovered: Vec<usize>,
        completed: Vec<usize>,
        fired: Option<Vec<usize>>,
    }
    impl Walk<'_> {
        fn visit(&mut self, t: usize) {
            self.discovered.push(t);
            for &u in &self.obliged[t] {
                if self.fired.is_none() && !self.discovered.contains(&u) {
                    self.visit(u);
                }
            }
            if self.fired.is_some() {
                return;
            }
            let together = |&u: &usize| u == t || self.reaches[t][u] && self.reaches[u][t];
            let component: Vec<usize> = self.discovered.iter().copied().filter(together).collect();
            if component[0] != t {
                return;
            }
            self.completed.extend(&component);
            let live: Vec<usize> = component.into_iter().filter(|&u| self.enabled[u]).collect();
            if !live.is_empty() {
                self.fired = Some(live);
            }
        }
    }
    let n = obliged.len();
    let mut reaches = vec![vec![false; n]; n];
    for (t, list) in obliged.iter().enumerate() {
        list.iter().for_each(|&u| reaches[t][u] = true);
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    let (discovered, completed) = (Vec::new(), Vec::new());
    let mut walk = Walk { obliged, enabled, reaches, discovered, completed, fired: None };
    for i in 0..n {
        let root = order.nth(i, n);
        if walk.fired.is_none() && !walk.discovered.contains(&root) {
            walk.visit(root);
        }
    }
    walk.completed.sort_unstable();
    (walk.completed, walk.fired.unwrap_or_default())
}
