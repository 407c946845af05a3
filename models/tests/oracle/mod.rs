//! A naive second opinion: the definitions written down, slow and with no code
//! of the engine's searches or of its reduction.

use asset_core::machine::{Machine, Packed};
use asset_core::model::{CheckKind, Family, Instance, Obligations};
use asset_core::reduction::Order;
use std::collections::HashMap;

/// What a run found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub n_states: usize,
    pub n_edges: usize,
    pub n_terminal: usize,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: &'static str,
    /// The name of the check that is violated.
    pub check: &'static str,
}

/// The instance that `params` names, as in `n=3;variant=correct`.
pub fn instance(family: &Family, params: &str) -> Instance {
    let pairs = params.split(';').filter(|pair| !pair.is_empty());
    let chosen: Vec<_> = pairs
        .map(|pair| pair.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    family.instance(&chosen).unwrap_or_else(|sentence| panic!("{sentence}"))
}

/// Fires one transition.
pub fn fire(machine: &dyn Machine, state: &[u64], t: usize) -> Option<Packed> {
    machine.fire(state, t).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The transitions in the order in which they are tried.
pub fn ordered(machine: &dyn Machine, order: Order) -> Vec<usize> {
    let n = machine.n_transitions();
    (0..n).map(|i| if order == Order::Forward { i } else { n - 1 - i }).collect()
}

/// A strong stubborn set, with the enabled members in the order of firing.
pub struct StubbornSet {
    pub members: Vec<usize>,
    pub enabled: Vec<usize>,
}

/// The first strong component, in order of completion, with something enabled.
/// Recursive, by the book: R. Tarjan, *Depth-First Search and Linear Graph
/// Algorithms* (1972).
pub fn stubborn_set(machine: &dyn Machine, state: &[u64], order: Order) -> StubbornSet {
    let n = machine.n_transitions();
    let mut tarjan = Tarjan {
        machine,
        state,
        number: vec![None; n],
        low: vec![0; n],
        open: Vec::new(),
        members: Vec::new(),
    };
    let enabled = ordered(machine, order)
        .into_iter()
        .find_map(|t| if tarjan.number[t].is_none() { tarjan.visit(t) } else { None });
    StubbornSet { members: tarjan.members, enabled: enabled.unwrap_or_default() }
}

struct Tarjan<'a> {
    machine: &'a dyn Machine,
    state: &'a [u64],
    number: Vec<Option<usize>>,
    low: Vec<usize>,
    open: Vec<usize>,
    members: Vec<usize>,
}

impl Tarjan<'_> {
    fn visit(&mut self, t: usize) -> Option<Vec<usize>> {
        let number = self.number.iter().flatten().count();
        self.number[t] = Some(number);
        self.low[t] = number;
        self.open.push(t);
        let mut need = Obligations::new();
        self.machine.obligations(self.state, t, &mut need);
        for u in need.take(self.machine.n_transitions()) {
            match self.number[u] {
                None => {
                    if let Some(found) = self.visit(u) {
                        return Some(found);
                    }
                    self.low[t] = self.low[t].min(self.low[u]);
                }
                Some(number) if self.open.contains(&u) => {
                    self.low[t] = self.low[t].min(number);
                }
                Some(_) => {}
            }
        }
        if self.low[t] < number {
            return None;
        }
        let first = self.open.iter().position(|&u| u == t).expect("it is open");
        let component = self.open.split_off(first);
        self.members.extend(&component);
        let is_enabled = |u: &usize| fire(self.machine, self.state, *u).is_some();
        let enabled: Vec<usize> = component.into_iter().filter(is_enabled).collect();
        (!enabled.is_empty()).then_some(enabled)
    }
}

/// The states that were found and where their edges lead.
pub struct Graph {
    pub states: Vec<Packed>,
    pub edges: Vec<Vec<usize>>,
}

/// Explores breadth-first, with all checks, and judges.
pub fn explore(machine: &dyn Machine, stubborn: bool, order: Order) -> Found {
    let mut graph = Graph { states: Vec::new(), edges: Vec::new() };
    let violated = search(machine, stubborn, order, &mut graph);
    let n_terminal = graph.edges.iter().filter(|edges| edges.is_empty()).count();
    let (verdict, check) = match violated {
        Some(check) => ("violated", check),
        None => judge(machine, stubborn, &graph),
    };
    Found {
        n_states: graph.states.len(),
        n_edges: graph.edges.iter().map(Vec::len).sum(),
        n_terminal,
        verdict,
        check,
    }
}

/// Fills `graph` up to the first state or deadlock check that fails.
fn search(
    machine: &dyn Machine,
    stubborn: bool,
    order: Order,
    graph: &mut Graph,
) -> Option<&'static str> {
    let checks = machine.description().checks;
    let mut ids: HashMap<Packed, usize> = HashMap::new();
    for state in machine.initial_states().expect("initial states are in range") {
        if ids.insert(state.clone(), graph.states.len()).is_none() {
            graph.states.push(state);
        }
    }
    if let Some(fault) = graph.states.iter().find_map(|state| machine.state_fault(state)) {
        return Some(checks[fault.check].name);
    }
    let mut i = 0;
    while i < graph.states.len() {
        let state = graph.states[i].clone();
        graph.edges.push(Vec::new());
        let chosen = if stubborn {
            stubborn_set(machine, &state, order).enabled
        } else {
            ordered(machine, order)
        };
        for next in chosen.into_iter().filter_map(|t| fire(machine, &state, t)) {
            let new_id = graph.states.len();
            let id = *ids.entry(next.clone()).or_insert(new_id);
            graph.edges[i].push(id);
            if id == new_id {
                graph.states.push(next.clone());
                if let Some(fault) = machine.state_fault(&next) {
                    return Some(checks[fault.check].name);
                }
            }
        }
        if graph.edges[i].is_empty()
            && let Some(fault) = machine.deadlock_fault(&state)
        {
            return Some(checks[fault.check].name);
        }
        i += 1;
    }
    None
}

/// May progress, then always may-terminating.
fn judge(machine: &dyn Machine, stubborn: bool, graph: &Graph) -> (&'static str, &'static str) {
    let is_terminal = |id: usize| graph.edges[id].is_empty();
    for (index, check) in machine.description().checks.iter().enumerate() {
        let CheckKind::MayProgress { strict } = check.kind else {
            assert!(!matches!(check.kind, CheckKind::MustProgress { .. }), "not in the oracle");
            continue;
        };
        let is_good = |id: usize| {
            let mut good = !strict && is_terminal(id);
            machine.progress_states_of(&graph.states[id], index, &mut |_| good = true);
            good
        };
        if !all_reach(graph, is_good) {
            return ("violated", check.name);
        }
    }
    let needs_termination =
        machine.description().checks.iter().any(|check| check.kind != CheckKind::Deadlock);
    if stubborn && needs_termination && !all_reach(graph, is_terminal) {
        return ("inconclusive", "");
    }
    ("holds", "")
}

/// Whether a good state can be reached from every state.
fn all_reach(graph: &Graph, is_good: impl Fn(usize) -> bool) -> bool {
    let mut reversed = vec![Vec::new(); graph.states.len()];
    for (from, edges) in graph.edges.iter().enumerate() {
        edges.iter().for_each(|&to| reversed[to].push(from));
    }
    let mut reaches: Vec<bool> = (0..graph.states.len()).map(is_good).collect();
    let mut todo: Vec<usize> = (0..reaches.len()).filter(|&id| reaches[id]).collect();
    while let Some(id) = todo.pop() {
        for &from in &reversed[id] {
            if !reaches[from] {
                reaches[from] = true;
                todo.push(from);
            }
        }
    }
    reaches.into_iter().all(|reaches| reaches)
}

/// All reachable states, whatever the checks say, up to about `limit` of them.
pub fn reachable(machine: &dyn Machine, limit: usize) -> Vec<Packed> {
    let mut states = machine.initial_states().expect("initial states are in range");
    let mut seen: std::collections::HashSet<Packed> = states.iter().cloned().collect();
    let mut i = 0;
    while i < states.len() && states.len() < limit {
        for t in 0..machine.n_transitions() {
            if let Some(next) = fire(machine, &states[i], t)
                && seen.insert(next.clone())
            {
                states.push(next);
            }
        }
        i += 1;
    }
    states
}
