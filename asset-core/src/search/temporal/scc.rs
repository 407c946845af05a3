//! Strong components on the fly, until one has a wanted cycle: the default search.
//!
//! J.-M. Couvreur, *On-the-fly Verification of Linear Temporal Logic* (1999), and H. Gabow,
//! *Path-based Depth-first Search for Strong and Biconnected Components* (2000). Each part
//! of the path that is known to be strongly connected has a root with the colours that were
//! seen inside. An edge back joins parts, and the search ends as soon as a part has all that
//! is wanted. Generalised acceptance and weak fairness need no copies.
//!
//! Where we differ: an edge to a node that was met before is dealt with when its source is
//! expanded, so that only edges to new nodes wait on the stack; nodes that are on no wanted
//! cycle by the automaton alone belong to no part; and a complete component that fails by
//! strong fairness alone is searched again without the states at which it fails (`strong`).

use super::graph::{Graph, GraphEdge, Hunted, Node, Wanted, look};
use super::strong;
use crate::search::{Failure, Watch};

/// The mark of a node whose component is done.
const DONE: u32 = u32::MAX;

/// Searches everything that the roots can reach, until a wanted cycle is found.
pub fn components(graph: &mut dyn Graph, wanted: &Wanted, watch: &mut Watch<'_>) -> Hunted {
    let mut search = Search::new(wanted);
    let end = search.run(graph, watch);
    Hunted {
        bytes: search.bytes(),
        found: search.found,
        visited: search.place,
        n_nodes: search.n_nodes,
        n_edges: search.n_edges,
        depth: search.depth,
        end,
    }
}

/// A node of the path.
struct Frame {
    node: Node,
    /// Where its waiting edges start.
    first: usize,
}

/// The first node of a strongly connected part of the path.
struct Root {
    /// Its place in `live`.
    at: u32,
    /// The colours of the edges inside.
    inside: u64,
    /// The colours of the edge by which the part was entered.
    arrival: u64,
}

struct Search<'w> {
    wanted: &'w Wanted,
    /// For each node 0, [`DONE`], or one more than its place in `live`.
    place: Vec<u32>,
    /// Nodes whose component is not complete.
    live: Vec<Node>,
    roots: Vec<Root>,
    path: Vec<Frame>,
    /// Edges to nodes that were new, those of the last node of the path last.
    waiting: Vec<Node>,
    waiting_colours: Vec<u64>,
    found: Option<Vec<Node>>,
    n_nodes: u64,
    n_edges: u64,
    depth: u64,
    most_stacked: usize,
}

impl<'w> Search<'w> {
    fn new(wanted: &'w Wanted) -> Self {
        Search {
            wanted,
            place: Vec::new(),
            live: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            waiting: Vec::new(),
            waiting_colours: Vec::new(),
            found: None,
            n_nodes: 0,
            n_edges: 0,
            depth: 0,
            most_stacked: 0,
        }
    }

    fn run(&mut self, graph: &mut dyn Graph, watch: &mut Watch<'_>) -> Result<(), Failure> {
        let mut edges = Vec::new();
        for root in graph.roots() {
            if self.place_of(root) == 0 {
                self.enter(graph, root, 0, &mut edges)?;
            }
            while let Some(&Frame { node, first }) = self.path.last() {
                if self.found.is_some() {
                    return Ok(());
                }
                if self.waiting.len() == first {
                    self.path.pop();
                    self.leave(graph, node)?;
                    continue;
                }
                let (Some(to), Some(colours)) = (self.waiting.pop(), self.waiting_colours.pop())
                else {
                    continue;
                };
                match self.place[to as usize] {
                    0 => {
                        self.enter(graph, to, colours, &mut edges)?;
                        let (depth, queue) = (self.path.len(), self.waiting.len());
                        look(graph, watch, depth, queue, self.bytes())?;
                    }
                    DONE => {}
                    place => self.join(place, colours),
                }
            }
        }
        Ok(())
    }

    fn place_of(&self, node: Node) -> u32 {
        self.place.get(node as usize).copied().unwrap_or(0)
    }

    fn enter(
        &mut self,
        graph: &mut dyn Graph,
        node: Node,
        arrival: u64,
        edges: &mut Vec<GraphEdge>,
    ) -> Result<(), Failure> {
        edges.clear();
        graph.edges(node, edges)?;
        let n = graph.n_numbers();
        if self.place.len() < n {
            // By a fifth, so that it is not copied for each new state.
            self.place.reserve_exact(n + n / 5 - self.place.len());
            self.place.resize(n, 0);
        }
        self.n_nodes += 1;
        self.n_edges += edges.len() as u64;
        let is_hopeless = graph.is_hopeless(node);
        if is_hopeless {
            self.place[node as usize] = DONE;
        } else {
            let at = self.live.len() as u32;
            self.live.push(node);
            self.roots.push(Root { at, inside: 0, arrival });
            self.place[node as usize] = at + 1;
        }
        let first = self.waiting.len();
        self.path.push(Frame { node, first });
        self.depth = self.depth.max(self.path.len() as u64);
        for edge in edges.iter() {
            match self.place[edge.to as usize] {
                0 => {
                    self.waiting.push(edge.to);
                    self.waiting_colours.push(edge.colours);
                }
                DONE => {}
                place if is_hopeless => debug_assert!(place == 0, "a component with two kinds"),
                place => self.join(place, edge.colours),
            }
        }
        self.waiting[first..].reverse();
        self.waiting_colours[first..].reverse();
        self.most_stacked = self.most_stacked.max(self.waiting.len());
        Ok(())
    }

    /// An edge with these colours leads from the end of the path to a node at this place: all
    /// parts from there on are one.
    fn join(&mut self, place: u32, colours: u64) {
        let mut inside = colours;
        while let Some(root) = self.roots.last_mut() {
            if root.at < place {
                root.inside |= inside;
                if self.wanted.is_met_by(root.inside) {
                    self.found = Some(self.live[root.at as usize..].to_vec());
                }
                return;
            }
            inside |= root.inside | root.arrival;
            self.roots.pop();
        }
    }

    /// The path goes back from a node. If it is the root of a part, that is a component.
    fn leave(&mut self, graph: &mut dyn Graph, node: Node) -> Result<(), Failure> {
        let place = self.place[node as usize];
        let Some(root) = self.roots.pop_if(|root| place != DONE && root.at + 1 == place) else {
            return Ok(());
        };
        let members = &self.live[root.at as usize..];
        if !self.wanted.pairs.is_empty() && root.inside & self.wanted.all == self.wanted.all {
            self.found = strong::refine(graph, members, self.wanted)?;
        }
        for &member in members {
            self.place[member as usize] = DONE;
        }
        self.live.truncate(root.at as usize);
        Ok(())
    }

    fn bytes(&self) -> usize {
        4 * (self.place.capacity() + self.live.capacity())
            + size_of::<Root>() * self.roots.capacity()
            + size_of::<Frame>() * self.path.capacity()
            + 12 * self.waiting.capacity()
    }
}
