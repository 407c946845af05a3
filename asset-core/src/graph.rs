//! A state space as a graph, for pictures and for other tools.

use crate::expand::{Choice, Recipe};
use crate::explorer::{RunError, model_error};
use crate::search::{Edge, Failure, Limit, Size, Snapshot, Space, Visitor, Watch};
use crate::store::{Id, StateSet};
use crate::trace::{Path, changes, line, wrap};
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// A longer line is not put into a node: a hundred of them would be a picture of 30,000 pixels.
const MAX_LABEL: usize = 40;

/// Columns and lines of a label that is shorter than its state.
const LABEL_WIDTH: usize = 24;
const LABEL_LINES: usize = 4;

/// A state as a node.
#[derive(Debug, Default)]
struct State {
    /// The whole state on one line.
    line: String,
    /// What changed where it was found; nothing for an initial state.
    changes: String,
    /// Its distance from the initial states.
    depth: usize,
}

/// A state space: states as text, transitions by name.
pub struct StateGraph {
    graph: DiGraph<State, String>,
    n_roots: usize,
    is_reduced: bool,
}

impl StateGraph {
    /// Explores at most `max_states` states; more is an error that says so.
    pub fn explore(
        recipe: &Recipe<'_>,
        max_states: usize,
        watch: &mut Watch<'_>,
    ) -> Result<StateGraph, RunError> {
        let machine = recipe.machine();
        let is_reduced = recipe.choice() == Choice::Stubborn;
        let mut space = Space::<0>::new(recipe).map_err(|failure| match failure {
            Failure::Model(error, _) => model_error(machine, &error, None),
            Failure::Limit(limit) => RunError::Limit(limit),
        })?;
        let mut edges = Edges { list: Vec::new(), max_states, watch, limit: None };
        let mut next = 0;
        while next < space.store().len() {
            let n_states = space.store().len();
            match space.expand_range(next..n_states, &mut edges) {
                Ok(ControlFlow::Continue(())) => next = n_states,
                Err(Failure::Model(error, id)) => {
                    let path = id.map(|id| edges.path_to(&space, id));
                    return Err(model_error(machine, &error, path));
                }
                Err(Failure::Limit(limit)) => return Err(RunError::Limit(limit)),
                Ok(ControlFlow::Break(())) => {
                    return Err(edges.limit.map_or_else(|| too_large(max_states), RunError::Limit));
                }
            }
        }
        if space.store().len() > max_states {
            return Err(too_large(max_states));
        }
        let names: Vec<_> =
            (0..machine.n_transitions()).map(|t| machine.transition_name(t)).collect();
        let mut graph =
            DiGraph::<State, String>::with_capacity(space.store().len(), edges.list.len());
        // The edge by which each state was found comes first among those that lead to it.
        let mut found_from = vec![None; space.store().len()];
        for &(from, to, _) in &edges.list {
            if to as usize >= space.n_roots() {
                found_from[to as usize].get_or_insert(from);
            }
        }
        for (id, from) in found_from.into_iter().enumerate() {
            let state = space.store().get(id as u32);
            let shown = machine.show(state);
            let before = from.map(|from: Id| machine.show(space.store().get(from)));
            graph.add_node(State {
                line: line(machine, state).unwrap_or_else(|| shown.to_string()),
                changes: before.map_or_else(String::new, |before| changes(&before, &shown)),
                depth: from.map_or(0, |from| graph[NodeIndex::new(from as usize)].depth + 1),
            });
        }
        let named = |&(from, to, t): &(Id, Id, u32)| (from, to, names[t as usize].clone());
        graph.extend_with_edges(edges.list.iter().map(named));
        Ok(StateGraph { graph, n_roots: space.n_roots(), is_reduced })
    }

    /// Number of states and of edges.
    pub fn size(&self) -> (usize, usize) {
        (self.graph.node_count(), self.graph.edge_count())
    }

    /// The most states at one distance from the initial ones: as many are side by side in a
    /// picture.
    pub fn widest_rank(&self) -> usize {
        let mut widths = Vec::new();
        for state in self.graph.node_weights() {
            widths.resize(widths.len().max(state.depth + 1), 0);
            widths[state.depth] += 1;
        }
        widths.into_iter().max().unwrap_or(0)
    }

    /// For Graphviz. Initial states are drawn bold, terminal ones double. Where the states are
    /// too long to stand in a node, that has a number and what changed there, and the
    /// state is its tooltip.
    pub fn to_dot(&self) -> String {
        let is_short = self.graph.node_weights().all(|s| s.line.chars().count() <= MAX_LABEL);
        let node = |_: &DiGraph<State, String>, (id, state): (NodeIndex, &State)| {
            let is_terminal = self.graph.neighbors(id).next().is_none();
            let border = if is_terminal { ", peripheries=2" } else { "" };
            let width = if id.index() < self.n_roots { ", penwidth=2" } else { "" };
            if is_short {
                return format!("label=\"{}\"{border}{width}", escaped(&state.line));
            }
            let label = short_label(id.index(), &state.changes);
            format!("label=\"{label}\", tooltip=\"{}\"{border}{width}", escaped(&state.line))
        };
        let edge = |_: &DiGraph<State, String>,
                    edge: petgraph::graph::EdgeReference<'_, String>| {
            format!("label=\"{}\"", escaped(edge.weight()))
        };
        let config = [Config::NodeNoLabel, Config::EdgeNoLabel];
        let dot = Dot::with_attr_getters(&self.graph, &config, &edge, &node);
        let style = "    node [shape=box, fontname=\"monospace\"]\n";
        let mut text = format!("{dot:?}");
        if let Some(at) = text.find('\n') {
            text.insert_str(at + 1, style);
        }
        text
    }

    /// In the Aldebaran format of CADP and mCRL2. Several initial states are
    /// joined under a new one with the label `init`.
    pub fn to_aut(&self) -> String {
        let (n_states, n_edges) = self.size();
        let joins = if self.n_roots > 1 { self.n_roots } else { 0 };
        let first = if joins > 0 { n_states } else { 0 };
        let mut text =
            format!("des ({first}, {}, {})\n", n_edges + joins, n_states + usize::from(joins > 0));
        for root in 0..joins {
            let _ = writeln!(text, "({first}, \"init\", {root})");
        }
        for edge in self.graph.raw_edges() {
            let (from, to) = (edge.source().index(), edge.target().index());
            let _ = writeln!(text, "({from}, \"{}\", {to})", escaped(&edge.weight));
        }
        text
    }

    /// Whether stubborn sets left something out.
    pub fn is_reduced(&self) -> bool {
        self.is_reduced
    }
}

fn too_large(max_states: usize) -> RunError {
    RunError::Usage(format!(
        "the graph has more than {max_states} states, too many to look at; \
         --max-nodes raises the limit"
    ))
}

/// Bytes that a state and an edge take in the graph and in its text, roughly.
const BYTES_PER_STATE: usize = 300;
const BYTES_PER_EDGE: usize = 150;

/// The edges found so far: from, to, transition.
struct Edges<'w, 'o> {
    list: Vec<(Id, Id, u32)>,
    max_states: usize,
    watch: &'w mut Watch<'o>,
    /// The limit that ended the exploration.
    limit: Option<Limit>,
}

impl Visitor for Edges<'_, '_> {
    fn edge(&mut self, edge: Edge<'_>) -> ControlFlow<()> {
        self.list.push((edge.from, edge.to, edge.transition));
        ControlFlow::Continue(())
    }

    fn pause(&mut self, size: Size) -> ControlFlow<()> {
        let bytes = size.n_states * BYTES_PER_STATE + self.list.len() * BYTES_PER_EDGE;
        let snapshot = Snapshot { bytes: size.bytes + bytes, ..Snapshot::default() };
        self.limit = self.watch.check(&snapshot, size.bytes_ahead + bytes).err();
        match self.limit.is_none() && size.n_states <= self.max_states {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

impl Edges<'_, '_> {
    /// The way to a state by the edges that were found first.
    fn path_to(&self, space: &Space<'_, 0>, mut id: Id) -> Path {
        let mut path = Path { states: vec![space.store().get(id).into()], ..Path::default() };
        while id as usize >= space.n_roots() {
            let Some(&(from, _, t)) = self.list.iter().find(|&&(_, to, _)| to == id) else { break };
            path.states.push(space.store().get(from).into());
            path.transitions.push(t as usize);
            id = from;
        }
        path.states.reverse();
        path.transitions.reverse();
        path
    }
}

/// A number, and what changed as far as there is room.
fn short_label(id: usize, changes: &str) -> String {
    let mut lines = vec![format!("#{id}")];
    if !changes.is_empty() {
        lines.extend(wrap(changes, LABEL_WIDTH));
    }
    if lines.len() > LABEL_LINES {
        lines.truncate(LABEL_LINES);
        lines[LABEL_LINES - 1] += " …";
    }
    let cut = |line: &String| match line.char_indices().nth(MAX_LABEL) {
        Some((at, _)) => format!("{}…", escaped(&line[..at])),
        None => escaped(line),
    };
    lines.iter().map(cut).collect::<Vec<_>>().join("\\n")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
