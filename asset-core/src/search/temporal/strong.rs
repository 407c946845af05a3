//! Strong fairness: a component that fails is searched again without what fails.
//!
//! Emptiness of Streett automata (E. Emerson and C.-L. Lei, *Modalities for Model Checking*,
//! 1987). If a component has a condition that is enabled somewhere and never fired, no fair
//! run that stays in it passes the states where it is enabled again and again: they are taken
//! away, and what is left falls into components.

use super::graph::{Graph, GraphEdge, Node, Wanted};
use crate::search::Failure;
use std::collections::HashMap;

/// The nodes of a part of a component with a wanted cycle through all of them, if there is
/// one. The members are strongly connected.
pub(super) fn refine(
    graph: &mut dyn Graph,
    members: &[Node],
    wanted: &Wanted,
) -> Result<Option<Vec<Node>>, Failure> {
    let number: HashMap<Node, usize> = members.iter().enumerate().map(|(i, &n)| (n, i)).collect();
    let mut inside: Vec<Vec<(usize, u64)>> = Vec::with_capacity(members.len());
    let mut edges: Vec<GraphEdge> = Vec::new();
    for &node in members {
        edges.clear();
        graph.edges(node, &mut edges)?;
        let known = edges.iter().filter_map(|e| Some((*number.get(&e.to)?, e.colours)));
        inside.push(known.collect());
    }
    let mut todo: Vec<Vec<usize>> = vec![(0..members.len()).collect()];
    // The part that each node belongs to; those that were taken away belong to none.
    let mut part = vec![0usize; members.len()];
    let mut n_parts = 1;
    while let Some(nodes) = todo.pop() {
        for component in split(&inside, &nodes, &mut part, &mut n_parts) {
            let own = part[component[0]];
            let stays = |&&(to, _): &&(usize, u64)| part[to] == own;
            let edges = component.iter().flat_map(|&node| inside[node].iter().filter(stays));
            let (mut colours, mut has_cycle) = (0, false);
            for &(_, of_edge) in edges {
                (colours, has_cycle) = (colours | of_edge, true);
            }
            if !has_cycle || colours & wanted.all != wanted.all {
                continue;
            }
            if wanted.is_met_by(colours) {
                return Ok(Some(component.iter().map(|&node| members[node]).collect()));
            }
            let fails =
                |&&(enabled, fired): &&(u64, u64)| colours & enabled != 0 && colours & fired == 0;
            let failing = wanted.pairs.iter().filter(fails).fold(0, |all, &(e, _)| all | e);
            let is_fine = |&node: &usize| inside[node].iter().all(|&(_, of)| of & failing == 0);
            let (left, gone): (Vec<usize>, Vec<usize>) = component.iter().partition(|n| is_fine(n));
            gone.into_iter().for_each(|node| part[node] = usize::MAX);
            todo.push(left);
        }
    }
    Ok(None)
}

/// The strong components of a part, each of which becomes a part of its own. Tarjan (1972),
/// without recursion.
fn split(
    inside: &[Vec<(usize, u64)>],
    nodes: &[usize],
    part: &mut [usize],
    n_parts: &mut usize,
) -> Vec<Vec<usize>> {
    let own = nodes.first().map(|&node| part[node]);
    let mut found = Vec::new();
    // One more than the turn of each node, and the least turn that it reaches.
    let mut turn: HashMap<usize, (usize, usize)> = HashMap::new();
    let (mut live, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for &root in nodes {
        if turn.contains_key(&root) {
            continue;
        }
        let next = turn.len();
        turn.insert(root, (next, next));
        live.push(root);
        path.push((root, 0));
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            if let Some(&(to, _)) = inside[node].get(*at) {
                *at += 1;
                if Some(part[to]) != own {
                    continue;
                }
                let next = turn.len();
                match turn.get(&to) {
                    Some(&(of_to, _)) => {
                        turn.entry(node).and_modify(|(_, low)| *low = (*low).min(of_to));
                    }
                    None => {
                        turn.insert(to, (next, next));
                        live.push(to);
                        path.push((to, 0));
                    }
                }
                continue;
            }
            path.pop();
            let (own_turn, low) = turn[&node];
            if let Some(&(parent, _)) = path.last() {
                turn.entry(parent).and_modify(|(_, of)| *of = (*of).min(low));
            }
            if low == own_turn {
                let from = live.iter().rposition(|&member| member == node).unwrap_or(0);
                let component = live.split_off(from);
                component.iter().for_each(|&member| part[member] = *n_parts);
                *n_parts += 1;
                found.push(component);
            }
        }
    }
    found
}
