//! Nodes and coloured edges: all that the searches of this folder see.

use crate::search::{Failure, Snapshot, Watch};

/// The number of a node. Numbers need not be consecutive.
pub type Node = u32;

/// Stands for a transition where a terminal state repeats.
pub const STUTTER: u32 = u32::MAX;

/// An edge to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Where it leads.
    pub to: Node,
    /// The model's transition, or [`STUTTER`].
    pub transition: u32,
    /// What it has, one bit for each colour.
    pub colours: u64,
}

/// Nodes and coloured edges.
pub trait Graph {
    /// Where runs start.
    fn roots(&mut self) -> Vec<Node>;

    /// Adds the edges of a node, in the order of firing. The same node has the same edges
    /// whenever it is asked.
    fn edges(&mut self, node: Node, out: &mut Vec<GraphEdge>) -> Result<(), Failure>;

    /// Whether it is certain that the node is on no cycle that is wanted.
    fn is_hopeless(&self, node: Node) -> bool {
        let _ = node;
        false
    }

    /// All nodes that were mentioned so far are below this number.
    fn n_numbers(&self) -> usize;

    /// States of the model, firings, bytes, and bytes after the set of states has grown.
    fn size(&self) -> [usize; 4];
}

/// A firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the state it leads to.
    pub to: u32,
    /// What was fired.
    pub transition: u32,
}

/// The states of a model, by their numbers.
pub trait States {
    /// Number of initial states; they have the lowest numbers.
    fn n_roots(&self) -> usize;

    /// Number of states so far.
    fn n_states(&self) -> usize;

    /// Adds the firings of a state, in order.
    fn expand(&mut self, state: u32, out: &mut Vec<Step>) -> Result<(), Failure>;

    /// Which propositions are true in a state, one bit each.
    fn letter(&self, state: u32) -> u64;

    /// Firings, bytes, and bytes after the set of states has grown.
    fn size(&self) -> [usize; 3];
}

/// The cycles that a search looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Every one of these colours must be on the cycle.
    pub all: u64,
    /// If the first of these colours is on the cycle, so must be the second.
    pub pairs: Vec<(u64, u64)>,
}

impl Wanted {
    /// Whether a cycle with these colours is one.
    #[inline]
    pub fn is_met_by(&self, colours: u64) -> bool {
        colours & self.all == self.all
            && self
                .pairs
                .iter()
                .all(|&(if_this, then)| colours & if_this == 0 || colours & then != 0)
    }
}

/// What a search has found.
pub struct Hunted {
    /// The nodes of a strongly connected part of the graph with a wanted cycle through all of
    /// them, if there is one.
    pub found: Option<Vec<Node>>,
    /// The nodes that the search has visited: zero for others. May be too short.
    pub visited: Vec<u32>,
    /// Number of nodes visited.
    pub n_nodes: u64,
    /// Number of edges followed.
    pub n_edges: u64,
    /// The longest path of the search.
    pub depth: u64,
    /// The most bytes of its marks and stacks.
    pub bytes: usize,
    /// Whether it came to its end, and what ended it if not.
    pub end: Result<(), Failure>,
}

/// Keeps the limits of a search under way that has so many bytes of its own.
pub(super) fn look(
    graph: &dyn Graph,
    watch: &mut Watch<'_>,
    depth: usize,
    queue: usize,
    own: usize,
) -> Result<(), Failure> {
    let [n_states, n_edges, bytes, after_growth] = graph.size();
    let snapshot = Snapshot {
        phase: "looking for cycles",
        n_states: n_states as u64,
        n_edges: n_edges as u64,
        queue: queue as u64,
        depth: depth as u64,
        bytes: bytes + own,
    };
    Ok(watch.check(&snapshot, after_growth + own)?)
}
