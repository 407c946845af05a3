//! Nested depth-first search for accepting cycles, with weak fairness by copies: the second
//! opinion.
//!
//! G. Holzmann, D. Peled and M. Yannakakis, *On Nested Depth First Search* (1996), and
//! G. Holzmann, *The SPIN Model Checker* (2004), chapter 8. The second search starts from the
//! accepting nodes in post-order, and ends as soon as it meets a node of the first search's
//! path. With `k` weak conditions there are `k + 2` copies of a node (Choueka's flags): copy
//! 0 is left by an accepting edge, copy `i` where condition `i` is disabled or fired, and
//! copy `k + 1` accepts and goes on as copy 0. The copies of a node are bits of one entry in
//! each of the two sets of marks.
//!
//! Where we differ: acceptance is on edges, so two copies are there without fairness, too.

use super::graph::{Graph, GraphEdge, Hunted, Node, look};
use crate::search::{Failure, Watch};

/// Searches everything that the roots can reach, until an accepting cycle is found on which
/// each of the `n_weak` conditions is disabled or fired somewhere. Colour 0 is acceptance,
/// the next ones are those of the conditions.
pub fn nested(graph: &mut dyn Graph, n_weak: u32, watch: &mut Watch<'_>) -> Hunted {
    let mut search = Search {
        n_copies: u64::from(n_weak) + 2,
        first: Bits::default(),
        second: Bits::default(),
        on_path: Bits::default(),
        visited: Vec::new(),
        path: Vec::new(),
        waiting: Vec::new(),
        nested_path: Vec::new(),
        nested_waiting: Vec::new(),
        edges: Vec::new(),
        found: None,
        n_nodes: 0,
        n_edges: 0,
        depth: 0,
    };
    let end = search.run(graph, watch);
    Hunted {
        bytes: search.bytes(),
        found: search.found,
        visited: search.visited,
        n_nodes: search.n_nodes,
        n_edges: search.n_edges,
        depth: search.depth,
        end,
    }
}

/// A copy of a node: the node times the number of copies, plus the copy.
type Copy = u64;

/// A set of copies.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn contains(&self, copy: Copy) -> bool {
        self.0.get((copy / 64) as usize).is_some_and(|word| word >> (copy % 64) & 1 != 0)
    }

    /// True if it was not there.
    fn insert(&mut self, copy: Copy) -> bool {
        let at = (copy / 64) as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1 + at / 5, 0);
        }
        let is_new = self.0[at] >> (copy % 64) & 1 == 0;
        self.0[at] |= 1 << (copy % 64);
        is_new
    }

    fn remove(&mut self, copy: Copy) {
        self.0[(copy / 64) as usize] &= !(1 << (copy % 64));
    }
}

struct Search {
    n_copies: u64,
    first: Bits,
    second: Bits,
    /// The path of the first search.
    on_path: Bits,
    /// One for each node of which a copy was visited.
    visited: Vec<u32>,
    /// Copies, each with where its waiting successors start.
    path: Vec<(Copy, usize)>,
    waiting: Vec<Copy>,
    nested_path: Vec<(Copy, usize)>,
    nested_waiting: Vec<Copy>,
    edges: Vec<GraphEdge>,
    found: Option<Vec<Node>>,
    n_nodes: u64,
    n_edges: u64,
    depth: u64,
}

impl Search {
    fn run(&mut self, graph: &mut dyn Graph, watch: &mut Watch<'_>) -> Result<(), Failure> {
        for root in graph.roots() {
            let copy = u64::from(root) * self.n_copies;
            if self.first.contains(copy) {
                continue;
            }
            self.enter(graph, copy)?;
            while let Some(&(copy, start)) = self.path.last() {
                if self.waiting.len() > start {
                    let Some(next) = self.waiting.pop() else { continue };
                    if !self.first.contains(next) {
                        self.enter(graph, next)?;
                        self.look(graph, watch)?;
                    }
                    continue;
                }
                // The seed is still on the path: a way back to it closes the cycle.
                if copy % self.n_copies == self.n_copies - 1 {
                    self.nested(graph, copy, watch)?;
                    if self.found.is_some() {
                        return Ok(());
                    }
                }
                self.path.pop();
                self.on_path.remove(copy);
            }
        }
        Ok(())
    }

    fn enter(&mut self, graph: &mut dyn Graph, copy: Copy) -> Result<(), Failure> {
        self.first.insert(copy);
        self.on_path.insert(copy);
        self.n_nodes += 1;
        let start = self.waiting.len();
        self.path.push((copy, start));
        self.depth = self.depth.max(self.path.len() as u64);
        let node = (copy / self.n_copies) as usize;
        if self.visited.len() <= node {
            self.visited.resize(node + 1 + node / 5, 0);
        }
        self.visited[node] = 1;
        self.successors(graph, copy)?;
        for edge in &self.edges {
            let next = self.next(copy, edge);
            if !self.first.contains(next) {
                self.waiting.push(next);
            }
        }
        self.waiting[start..].reverse();
        Ok(())
    }

    fn successors(&mut self, graph: &mut dyn Graph, copy: Copy) -> Result<(), Failure> {
        self.edges.clear();
        graph.edges((copy / self.n_copies) as Node, &mut self.edges)?;
        self.n_edges += self.edges.len() as u64;
        Ok(())
    }

    /// The copy to which an edge leads.
    fn next(&self, copy: Copy, edge: &GraphEdge) -> Copy {
        let last = self.n_copies - 1;
        let at = match copy % self.n_copies {
            at if at == last => 0,
            at => at,
        };
        // Colour 0 lets copy 0 be left, and colour `i`, of the i-th condition, copy `i`.
        let goes_on = edge.colours >> at & 1;
        u64::from(edge.to) * self.n_copies + at + goes_on
    }

    /// The second search. What was visited from an earlier seed leads to no cycle.
    fn nested(
        &mut self,
        graph: &mut dyn Graph,
        seed: Copy,
        watch: &mut Watch<'_>,
    ) -> Result<(), Failure> {
        self.second.insert(seed);
        self.nested_path.push((seed, 0));
        if self.expand_nested(graph, seed)? {
            return Ok(());
        }
        while let Some(&(_, start)) = self.nested_path.last() {
            if self.nested_waiting.len() == start {
                self.nested_path.pop();
                continue;
            }
            let Some(next) = self.nested_waiting.pop() else { continue };
            if self.second.insert(next) {
                let start = self.nested_waiting.len();
                self.nested_path.push((next, start));
                if self.expand_nested(graph, next)? {
                    return Ok(());
                }
                self.look(graph, watch)?;
            }
        }
        Ok(())
    }

    /// True if a node of the first path is among the successors: then the cycle is known.
    fn expand_nested(&mut self, graph: &mut dyn Graph, copy: Copy) -> Result<bool, Failure> {
        self.successors(graph, copy)?;
        let start = self.nested_waiting.len();
        for i in 0..self.edges.len() {
            let next = self.next(copy, &self.edges[i]);
            if self.on_path.contains(next) {
                self.close(next);
                return Ok(true);
            }
            if !self.second.contains(next) {
                self.nested_waiting.push(next);
            }
        }
        self.nested_waiting[start..].reverse();
        Ok(false)
    }

    /// The cycle: from `back`, which is on the first path, to its end, and on by the second.
    fn close(&mut self, back: Copy) {
        let at = self.path.iter().position(|&(copy, _)| copy == back).unwrap_or(0);
        let first = self.path[at..].iter();
        let cycle = first.chain(&self.nested_path).map(|&(copy, _)| (copy / self.n_copies) as Node);
        let mut nodes: Vec<Node> = cycle.collect();
        nodes.sort_unstable();
        nodes.dedup();
        self.found = Some(nodes);
    }

    fn look(&self, graph: &dyn Graph, watch: &mut Watch<'_>) -> Result<(), Failure> {
        look(graph, watch, self.path.len(), self.waiting.len(), self.bytes())
    }

    fn bytes(&self) -> usize {
        let bits = [&self.first, &self.second, &self.on_path].map(|bits| 8 * bits.0.capacity());
        let paths = 16 * (self.path.capacity() + self.nested_path.capacity());
        let waiting = 8 * (self.waiting.capacity() + self.nested_waiting.capacity());
        bits.iter().sum::<usize>() + paths + waiting + 4 * self.visited.capacity()
    }
}
