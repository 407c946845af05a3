//! A state space as a graph, for pictures and for other tools.

use crate::explorer::{RunError, model_error};
use crate::machine::Machine;
use crate::reduction::Selector;
use crate::search::{Edge, Failure, Space};
use crate::store::StateSet;
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// A state space: states as text, transitions by name.
pub struct StateGraph {
    graph: DiGraph<String, String>,
    n_roots: usize,
    is_reduced: bool,
}

impl StateGraph {
    /// Explores at most `max_states` states; more is an error that says so.
    pub fn explore(
        machine: &dyn Machine,
        selector: Selector,
        max_states: usize,
    ) -> Result<StateGraph, RunError> {
        let is_reduced = selector.choice == crate::reduction::Choice::Stubborn;
        let fail = |failure| match failure {
            Failure::Model(error, _) => model_error(machine, &error, None),
            Failure::Limit(limit) => RunError::Usage(limit.to_string()),
        };
        let mut space = Space::<0>::new(machine, selector).map_err(fail)?;
        let names: Vec<_> =
            (0..machine.n_transitions()).map(|t| machine.transition_name(t)).collect();
        let mut edges = Vec::new();
        let mut next = 0;
        while next < space.store().len() {
            let n_states = space.store().len();
            if n_states > max_states {
                return Err(RunError::Usage(format!(
                    "the graph has more than {max_states} states, which nobody can look at; \
                     --max-nodes raises the limit"
                )));
            }
            let flow = space.expand_range(next..n_states, &mut |edge: Edge<'_>| {
                edges.push((edge.from, edge.to, names[edge.transition as usize].clone()));
                ControlFlow::Continue(())
            });
            debug_assert!(flow.map_err(fail)?.is_continue());
            next = n_states;
        }
        let mut graph = DiGraph::with_capacity(space.store().len(), edges.len());
        for id in 0..space.store().len() {
            let state = space.store().get(id as u32);
            graph.add_node(
                machine.display(state).unwrap_or_else(|| machine.show(state).to_string()),
            );
        }
        graph.extend_with_edges(edges);
        Ok(StateGraph { graph, n_roots: space.n_roots(), is_reduced })
    }

    /// Number of states and of edges.
    pub fn size(&self) -> (usize, usize) {
        (self.graph.node_count(), self.graph.edge_count())
    }

    /// For Graphviz. Initial states are drawn bold, terminal ones double.
    pub fn to_dot(&self) -> String {
        let node = |_: &DiGraph<String, String>, (id, label): (NodeIndex, &String)| {
            let is_terminal = self.graph.neighbors(id).next().is_none();
            let border = if is_terminal { ", peripheries=2" } else { "" };
            let width = if id.index() < self.n_roots { ", penwidth=2" } else { "" };
            format!("label=\"{}\"{border}{width}", escaped(label))
        };
        let edge = |_: &DiGraph<String, String>,
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

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
