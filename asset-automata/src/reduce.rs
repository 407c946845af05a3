//! Smaller automata that accept the same words.
//!
//! What no accepting run needs is taken away, acceptance sets that others imply are left
//! out, and states that simulate each other become one (`simulation.rs`), until nothing
//! changes.

use crate::automaton::{Automaton, Edge};
use crate::components::components;
use crate::simulation::{merge_backward, merge_forward};
use crate::{Bdd, Bdds};
use std::collections::BTreeMap;

/// Beyond so many states only what is useless is taken away: to compare all pairs would
/// take too long.
const MAX_COMPARED: usize = 300;

/// The automaton made smaller.
pub(crate) fn reduce(mut automaton: Automaton) -> Automaton {
    trim(&mut automaton);
    if automaton.n_states() > MAX_COMPARED {
        return automaton;
    }
    loop {
        let before = (automaton.n_states(), automaton.n_edges(), automaton.n_sets);
        simplify_acceptance(&mut automaton);
        merge_forward(&mut automaton);
        merge_passing(&mut automaton);
        trim(&mut automaton);
        simplify_acceptance(&mut automaton);
        merge_backward(&mut automaton);
        trim(&mut automaton);
        if before == (automaton.n_states(), automaton.n_edges(), automaton.n_sets) {
            return automaton;
        }
    }
}

fn graph(automaton: &Automaton) -> Vec<Vec<(usize, u64)>> {
    let of = |edges: &Vec<Edge>| edges.iter().map(|e| (e.to as usize, e.marks)).collect();
    automaton.edges.iter().map(of).collect()
}

/// The component of each state, and for each component whether it accepts and whether it
/// has a cycle.
fn judged(automaton: &Automaton) -> (Vec<usize>, Vec<bool>, Vec<bool>) {
    let component = components(&graph(automaton));
    let n = component.iter().max().map_or(0, |m| m + 1);
    let (mut found, mut has_cycle) = (vec![0; n], vec![false; n]);
    for (from, edges) in automaton.edges.iter().enumerate() {
        for edge in edges.iter().filter(|e| component[e.to as usize] == component[from]) {
            found[component[from]] |= edge.marks;
            has_cycle[component[from]] = true;
        }
    }
    let all = automaton.all_marks();
    let accepts = (0..n).map(|c| has_cycle[c] && found[c] & all == all).collect();
    (component, accepts, has_cycle)
}

/// Takes away edges without letters, states that cannot be reached or from which nothing is
/// accepted, and marks where they mean nothing. Puts parallel edges together.
pub(crate) fn trim(automaton: &mut Automaton) {
    let (component, accepts, _) = judged(automaton);
    let mut is_useful: Vec<bool> = component.iter().map(|&c| accepts[c]).collect();
    loop {
        let mut changed = false;
        for from in 0..automaton.edges.len() {
            let leads = |e: &Edge| e.label != Bdd::FALSE && is_useful[e.to as usize];
            if !is_useful[from] && automaton.edges[from].iter().any(leads) {
                (is_useful[from], changed) = (true, true);
            }
        }
        if !changed {
            break;
        }
    }
    for (from, edges) in automaton.edges.iter_mut().enumerate() {
        edges.retain(|e| e.label != Bdd::FALSE && is_useful[from] && is_useful[e.to as usize]);
        for edge in edges.iter_mut() {
            let inside = component[edge.to as usize] == component[from];
            if !inside || !accepts[component[from]] {
                edge.marks = 0;
            }
        }
    }
    join_parallel(automaton);
    renumber(automaton);
}

fn join_parallel(automaton: &mut Automaton) {
    let Automaton { bdds, edges, .. } = automaton;
    for edges in edges {
        let mut joined: BTreeMap<(u32, u64), Bdd> = BTreeMap::new();
        for edge in edges.drain(..) {
            let label = joined.entry((edge.to, edge.marks)).or_insert(Bdd::FALSE);
            *label = bdds.or(*label, edge.label);
        }
        without_weaker(bdds, &mut joined);
        edges.extend(joined.into_iter().map(|((to, marks), label)| Edge { label, marks, to }));
    }
}

/// An edge is not needed where another to the same state has all its marks and more.
fn without_weaker(bdds: &mut Bdds, edges: &mut BTreeMap<(u32, u64), Bdd>) {
    let all: Vec<((u32, u64), Bdd)> = edges.iter().map(|(&key, &label)| (key, label)).collect();
    for (key, label) in edges.iter_mut() {
        for (other, theirs) in &all {
            if other.0 == key.0 && other.1 != key.1 && key.1 & !other.1 == 0 {
                *label = bdds.minus(*label, *theirs);
            }
        }
    }
    edges.retain(|_, label| *label != Bdd::FALSE);
}

/// Numbers the states that can be reached, in the order of a breadth-first search. There
/// is always one state.
fn renumber(automaton: &mut Automaton) {
    let mut number = vec![u32::MAX; automaton.edges.len()];
    let mut order: Vec<u32> = Vec::new();
    let mut initial = automaton.initial.clone();
    initial.dedup();
    let alive: Vec<u32> =
        initial.iter().copied().filter(|&q| !automaton.edges[q as usize].is_empty()).collect();
    let initial = if alive.is_empty() { vec![initial[0]] } else { alive };
    let meet = |state: u32, number: &mut Vec<u32>, order: &mut Vec<u32>| {
        if number[state as usize] == u32::MAX {
            number[state as usize] = order.len() as u32;
            order.push(state);
        }
    };
    initial.iter().for_each(|&state| meet(state, &mut number, &mut order));
    let mut at = 0;
    while at < order.len() {
        for edge in &automaton.edges[order[at] as usize] {
            meet(edge.to, &mut number, &mut order);
        }
        at += 1;
    }
    let renamed = |edges: &Vec<Edge>| {
        edges.iter().map(|e| Edge { to: number[e.to as usize], ..*e }).collect::<Vec<_>>()
    };
    automaton.edges = order.iter().map(|&old| renamed(&automaton.edges[old as usize])).collect();
    automaton.initial = initial.iter().map(|&state| number[state as usize]).collect();
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
}

/// Leaves out acceptance sets that another implies, or that every cycle meets.
fn simplify_acceptance(automaton: &mut Automaton) {
    let (component, accepts, has_cycle) = judged(automaton);
    let mut counting: Vec<u64> = Vec::new();
    for (from, edges) in automaton.edges.iter().enumerate() {
        let inside =
            |e: &&Edge| component[e.to as usize] == component[from] && accepts[component[from]];
        counting.extend(edges.iter().filter(inside).map(|e| e.marks));
    }
    let mut kept: Vec<u32> = (0..automaton.n_sets).collect();
    let has = |marks: u64, set: u32| marks >> set & 1 != 0;
    kept.retain(|&set| counting.iter().any(|&marks| !has(marks, set)));
    let mut at = 0;
    while at < kept.len() {
        let set = kept[at];
        let implied = kept.iter().any(|&other| {
            other != set && counting.iter().all(|&marks| !has(marks, other) || has(marks, set))
        });
        if implied {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
    let rejects = (0..accepts.len()).any(|c| has_cycle[c] && !accepts[c]);
    if kept.is_empty() && rejects {
        // A component that must not accept has no marks, but some set must be there.
        kept.push(0);
    }
    if kept.len() == automaton.n_sets as usize {
        return;
    }
    for edge in automaton.edges.iter_mut().flatten() {
        let marks = edge.marks;
        edge.marks = (0..).zip(&kept).fold(0, |new, (i, &set)| new | (marks >> set & 1) << i);
    }
    automaton.n_sets = kept.len() as u32;
}

/// A state that a run passes once at most becomes one with a state that has the same edges,
/// whatever their marks.
fn merge_passing(automaton: &mut Automaton) {
    let (component, _, has_cycle) = judged(automaton);
    let bare = |automaton: &mut Automaton, state: usize| {
        let mut labels: BTreeMap<u32, Bdd> = BTreeMap::new();
        for edge in automaton.edges[state].clone() {
            let label = labels.entry(edge.to).or_insert(Bdd::FALSE);
            *label = automaton.bdds.or(*label, edge.label);
        }
        labels
    };
    for state in 0..automaton.n_states() {
        if has_cycle[component[state]] {
            continue;
        }
        let own = bare(automaton, state);
        let same = |automaton: &mut Automaton, other: &usize| {
            *other != state && bare(automaton, *other) == own
        };
        let Some(other) = (0..automaton.n_states()).find(|other| same(automaton, other)) else {
            continue;
        };
        redirect(automaton, state as u32, other as u32);
        // What is a component may have changed.
        return;
    }
}

/// Lets everything that leads to `from` lead to `to`, and takes the edges of `from` away.
pub(crate) fn redirect(automaton: &mut Automaton, from: u32, to: u32) {
    for edge in automaton.edges.iter_mut().flatten().filter(|e| e.to == from) {
        edge.to = to;
    }
    for state in automaton.initial.iter_mut().filter(|state| **state == from) {
        *state = to;
    }
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    automaton.edges[from as usize].clear();
}
