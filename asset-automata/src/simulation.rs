//! States that simulate each other become one, and edges to states that do less go.
//!
//! Direct simulation, forward and backward: K. Etessami and G. Holzmann (2000), F. Somenzi
//! and R. Bloem (2000). A letter that one state can read must be matched by an edge of the
//! other that has all its marks and leads to a state that simulates its target.

use crate::automaton::{Automaton, Edge};
use crate::{Bdd, Bdds};

/// `simulates[p][q]`: whatever `q` does, `p` can do.
type Relation = Vec<Vec<bool>>;

/// The letters for which one of `edges` does what `edge` does, or more.
fn matched(bdds: &mut Bdds, edge: &Edge, edges: &[Edge], simulates: &Relation) -> Bdd {
    let mut matched = Bdd::FALSE;
    for other in edges {
        if edge.marks & !other.marks == 0 && simulates[other.to as usize][edge.to as usize] {
            matched = bdds.or(matched, other.label);
        }
    }
    matched
}

/// The largest relation that refines `simulates` and is a simulation.
fn largest(bdds: &mut Bdds, edges: &[Vec<Edge>], mut simulates: Relation) -> Relation {
    let n = edges.len();
    loop {
        let mut changed = false;
        for p in 0..n {
            for q in 0..n {
                if p == q || !simulates[p][q] {
                    continue;
                }
                let fails = edges[q].iter().any(|edge| {
                    let matched = matched(bdds, edge, &edges[p], &simulates);
                    bdds.minus(edge.label, matched) != Bdd::FALSE
                });
                if fails {
                    simulates[p][q] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return simulates;
        }
    }
}

/// Each state stands for all that simulate it and that it simulates: the first of them.
fn leaders(simulates: &Relation) -> Vec<u32> {
    let n = simulates.len();
    let leader = |q: usize| (0..n).find(|&p| simulates[p][q] && simulates[q][p]).unwrap_or(q);
    (0..n).map(|q| leader(q) as u32).collect()
}

/// Makes one of states that do the same from now on, and takes away edges beside better ones.
pub(crate) fn merge_forward(automaton: &mut Automaton) {
    let n = automaton.n_states();
    let Automaton { bdds, edges, initial, .. } = automaton;
    let simulates = largest(bdds, edges, vec![vec![true; n]; n]);
    let leader = leaders(&simulates);
    for edge in edges.iter_mut().flatten() {
        edge.to = leader[edge.to as usize];
    }
    for (state, edges) in edges.iter_mut().enumerate() {
        if leader[state] as usize != state {
            edges.clear();
        }
    }
    initial.iter_mut().for_each(|state| *state = leader[*state as usize]);
    initial.sort_unstable();
    initial.dedup();
    // An initial state that does less than another is not needed.
    let all = initial.clone();
    initial.retain(|&q| all.iter().all(|&p| p == q || !simulates[p as usize][q as usize]));
    for edges in edges {
        without_lesser(bdds, edges, &simulates);
    }
}

/// Takes from each edge the letters for which another does the same or more.
fn without_lesser(bdds: &mut Bdds, edges: &mut Vec<Edge>, simulates: &Relation) {
    for i in 0..edges.len() {
        let edge = edges[i];
        let mut label = edge.label;
        for (j, other) in edges.iter().enumerate() {
            let covers =
                edge.marks & !other.marks == 0 && simulates[other.to as usize][edge.to as usize];
            // Of two that do the same the first stays.
            let same = edge.marks == other.marks && simulates[edge.to as usize][other.to as usize];
            if i != j && covers && (!same || j < i) {
                label = bdds.minus(label, other.label);
            }
        }
        edges[i].label = label;
    }
    edges.retain(|edge| edge.label != Bdd::FALSE);
}

/// Makes one of states that can be reached in the same ways.
pub(crate) fn merge_backward(automaton: &mut Automaton) {
    let n = automaton.n_states();
    let mut reversed: Vec<Vec<Edge>> = vec![Vec::new(); n];
    for (from, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            reversed[edge.to as usize].push(Edge { to: from as u32, ..*edge });
        }
    }
    let is_initial = |q: usize| automaton.initial.contains(&(q as u32));
    let start = (0..n).map(|p| (0..n).map(|q| !is_initial(q) || is_initial(p)).collect()).collect();
    let simulates = largest(&mut automaton.bdds, &reversed, start);
    let leader = leaders(&simulates);
    for (state, &to) in leader.iter().enumerate() {
        let to = to as usize;
        if to != state {
            let moved = std::mem::take(&mut automaton.edges[state]);
            automaton.edges[to].extend(moved);
        }
    }
    for edge in automaton.edges.iter_mut().flatten() {
        edge.to = leader[edge.to as usize];
    }
    automaton.initial.iter_mut().for_each(|state| *state = leader[*state as usize]);
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
}
