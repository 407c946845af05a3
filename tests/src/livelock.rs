//! What is known of livelocks without the searches: by strong components, and
//! by distances that count progress alone.

use crate::oracle::Graph;
use asset_core::machine::{Machine, Packed};
use asset_core::trace::Path;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashSet, VecDeque};

/// Whether firing a transition between two states is progress, by the model's
/// own words.
pub fn is_progress(machine: &dyn Machine, from: &[u64], t: usize, to: &[u64]) -> bool {
    let d = machine.description();
    d.progress_transitions && machine.progress_transition(t).unwrap()
        || d.progress_states && machine.progress_state(to).unwrap()
        || d.progress_edges && machine.progress_edge(from, t).unwrap()
}

/// For each state, whether it lies on a cycle without progress: in the graph
/// without the edges that are progress, its strong component has an edge.
pub fn on_livelock(graph: &Graph, is_progress: impl Fn(usize, usize, usize) -> bool) -> Vec<bool> {
    let mut quiet = DiGraph::<(), ()>::new();
    (0..graph.len()).for_each(|_| {
        quiet.add_node(());
    });
    for (s, t, to) in edges(graph) {
        if !is_progress(s, t, to) {
            quiet.add_edge(NodeIndex::new(s), NodeIndex::new(to), ());
        }
    }
    let mut found = vec![false; graph.len()];
    for component in tarjan_scc(&quiet) {
        let is_cycle = component.len() > 1 || quiet.contains_edge(component[0], component[0]);
        component.iter().for_each(|s| found[s.index()] = is_cycle);
    }
    found
}

fn edges(graph: &Graph) -> impl Iterator<Item = (usize, usize, usize)> {
    let row = |s: usize| graph.next[s].iter().enumerate().map(move |(t, to)| (s, t, to));
    (0..graph.len()).flat_map(row).filter_map(|(s, t, to)| Some((s, t, (*to)?)))
}

/// The fewest progresses on a path to a state of `set`, by 0-1 breadth-first
/// search.
pub fn fewest_progresses(
    graph: &Graph,
    set: &[bool],
    is_progress: impl Fn(usize, usize, usize) -> bool,
) -> Option<usize> {
    let mut fewest = vec![usize::MAX; graph.len()];
    let mut queue: VecDeque<usize> = (0..graph.n_initial).collect();
    fewest[..graph.n_initial].fill(0);
    while let Some(s) = queue.pop_front() {
        for (t, to) in graph.next[s].iter().enumerate() {
            let Some(to) = *to else { continue };
            let cost = usize::from(is_progress(s, t, to));
            if fewest[s] + cost < fewest[to] {
                fewest[to] = fewest[s] + cost;
                if cost == 0 { queue.push_front(to) } else { queue.push_back(to) }
            }
        }
    }
    (0..graph.len()).filter(|&s| set[s]).map(|s| fewest[s]).min()
}

/// The progresses of a lasso before its cycle, after checking that the cycle
/// has none.
pub fn progresses(path: &Path, is_progress: impl Fn(&Packed, usize, &Packed) -> bool) -> usize {
    assert!(path.cycle().all(|(from, t, to)| !is_progress(from, t, to)), "progress in the cycle");
    let (_, start) = path.closing.expect("a cycle");
    let edges = (0..start).map(|i| path.edge(i));
    edges.filter(|&(from, t, to)| is_progress(from, t, to)).count()
}

/// Whether a set that leaves something out of a state without progress adds
/// none to any run by being fired first: no state that the transitions outside
/// the set can reach becomes a progress state by a transition of the set.
pub fn keeps_label(graph: &Graph, s0: usize, set: &[usize], good: &[bool]) -> bool {
    let enabled: Vec<usize> =
        set.iter().copied().filter(|&t| graph.next[s0][t].is_some()).collect();
    let leaves_out = enabled.len() < graph.next[s0].iter().flatten().count();
    let is_quiet = |s: usize, t: usize| good[s] || graph.next[s][t].is_none_or(|to| !good[to]);
    if !leaves_out || good[s0] || !enabled.iter().all(|&t| is_quiet(s0, t)) {
        // Everything is fired here.
        return true;
    }
    let mut seen = HashSet::from([s0]);
    let mut queue = vec![s0];
    while let Some(s) = queue.pop() {
        if !enabled.iter().all(|&t| is_quiet(s, t)) {
            return false;
        }
        let others = (0..graph.next[s].len()).filter(|u| !set.contains(u));
        for to in others.filter_map(|u| graph.next[s][u]) {
            if seen.insert(to) {
                queue.push(to);
            }
        }
    }
    true
}
