//! A short lasso: the shortest way to a component, and a short cycle inside of it.
//!
//! A search knows the nodes of a part of the graph with a wanted cycle. The way there is the
//! shortest among the nodes that the search has visited. The cycle goes, breadth-first, to
//! the nearest edge with a colour that is still missing, until none is, and back.

use super::graph::{Graph, GraphEdge, Hunted, Node, Wanted, look};
use crate::search::{Failure, Watch};
use std::collections::{HashMap, HashSet, VecDeque};

/// Stands for "nobody has come here".
const NOBODY: Node = Node::MAX;

/// A way from a root into a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The nodes in order.
    pub nodes: Vec<Node>,
    /// For each of them the edge to the next; the last one leads back to the cycle's start.
    pub edges: Vec<GraphEdge>,
    /// Where the cycle starts.
    pub start: usize,
}

impl Lasso {
    /// A lasso to what a search has found; `None` if it has found nothing, or if the graph
    /// does not do again what it did.
    pub fn shortest(
        graph: &mut dyn Graph,
        hunted: &Hunted,
        wanted: &Wanted,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Lasso>, Failure> {
        let Some(members) = &hunted.found else { return Ok(None) };
        let members: HashSet<Node> = members.iter().copied().collect();
        let Some(mut nodes) = stem(graph, hunted, &members, watch)? else { return Ok(None) };
        let start = nodes.len() - 1;
        let Some(cycle) = cycle(graph, nodes[start], &members, wanted)? else { return Ok(None) };
        let mut edges = Vec::new();
        for pair in nodes.windows(2) {
            let Some(edge) = edge_between(graph, pair[0], pair[1])? else { return Ok(None) };
            edges.push(edge);
        }
        for edge in cycle {
            edges.push(edge);
            nodes.push(edge.to);
        }
        nodes.pop();
        Ok(Some(Lasso { nodes, edges, start }))
    }
}

fn edge_between(graph: &mut dyn Graph, from: Node, to: Node) -> Result<Option<GraphEdge>, Failure> {
    let mut edges = Vec::new();
    graph.edges(from, &mut edges)?;
    Ok(edges.into_iter().find(|edge| edge.to == to))
}

/// The nodes of a shortest way from a root to one of `targets`, through visited nodes.
fn stem(
    graph: &mut dyn Graph,
    hunted: &Hunted,
    targets: &HashSet<Node>,
    watch: &mut Watch<'_>,
) -> Result<Option<Vec<Node>>, Failure> {
    let mut parent = vec![NOBODY; graph.n_numbers()];
    let (mut queue, mut edges) = (VecDeque::new(), Vec::new());
    for root in graph.roots() {
        if parent[root as usize] == NOBODY {
            parent[root as usize] = root;
            queue.push_back(root);
        }
    }
    while let Some(node) = queue.pop_front() {
        if targets.contains(&node) {
            let mut nodes = vec![node];
            while let Some(&last) = nodes.last() {
                let before = parent[last as usize];
                if before == last {
                    break;
                }
                nodes.push(before);
            }
            nodes.reverse();
            return Ok(Some(nodes));
        }
        edges.clear();
        graph.edges(node, &mut edges)?;
        for edge in &edges {
            let to = edge.to as usize;
            let is_visited = hunted.visited.get(to).is_some_and(|&mark| mark != 0);
            if is_visited && parent.get(to) == Some(&NOBODY) {
                parent[to] = node;
                queue.push_back(edge.to);
            }
        }
        look(graph, watch, 0, queue.len(), 4 * parent.len() + hunted.bytes)?;
    }
    Ok(None)
}

/// A wanted cycle from `start` through members only.
fn cycle(
    graph: &mut dyn Graph,
    start: Node,
    members: &HashSet<Node>,
    wanted: &Wanted,
) -> Result<Option<Vec<GraphEdge>>, Failure> {
    // What strong fairness asks for depends on what is enabled in the component. (A cycle
    // that avoids it is left alone: it would be found with the component without it.)
    let mut all = 0;
    let mut edges = Vec::new();
    let mut inside: HashMap<Node, Vec<GraphEdge>> = HashMap::new();
    for &node in members {
        edges.clear();
        graph.edges(node, &mut edges)?;
        edges.retain(|edge| members.contains(&edge.to));
        all = edges.iter().fold(all, |all, edge| all | edge.colours);
        inside.insert(node, edges.clone());
    }
    let fired = |&(enabled, fired): &(u64, u64)| if all & enabled != 0 { fired } else { 0 };
    let mut missing = wanted.pairs.iter().fold(wanted.all, |all, pair| all | fired(pair));
    let mut cycle: Vec<GraphEdge> = Vec::new();
    while missing != 0 {
        let from = cycle.last().map_or(start, |edge| edge.to);
        let Some(way) = way(&inside, from, |edge| edge.colours & missing != 0) else {
            return Ok(None);
        };
        cycle.extend(way);
        let seen = cycle.iter().fold(0, |all, edge| all | edge.colours);
        missing &= !seen;
    }
    let end = cycle.last().map_or(start, |edge| edge.to);
    if cycle.is_empty() || end != start {
        let Some(way) = way(&inside, end, |edge| edge.to == start) else { return Ok(None) };
        cycle.extend(way);
    }
    Ok(Some(cycle))
}

/// The edges of a shortest way from a node up to and with one that `ends`.
fn way(
    inside: &HashMap<Node, Vec<GraphEdge>>,
    from: Node,
    ends: impl Fn(&GraphEdge) -> bool,
) -> Option<Vec<GraphEdge>> {
    let mut arrival: HashMap<Node, (Node, GraphEdge)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for &edge in inside.get(&node)? {
            if ends(&edge) {
                let mut way = vec![edge];
                let mut at = node;
                while at != from {
                    let (before, edge) = arrival[&at];
                    way.push(edge);
                    at = before;
                }
                way.reverse();
                return Some(way);
            }
            if edge.to != from && !arrival.contains_key(&edge.to) {
                arrival.insert(edge.to, (node, edge));
                queue.push_back(edge.to);
            }
        }
    }
    None
}
