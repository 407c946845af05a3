//! Generalised Büchi automata with acceptance on the edges.

use crate::components::{components, is_accepting};
use crate::{Bdd, Bdds, Word};

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The letters for which it can be taken.
    pub label: Bdd,
    /// The acceptance sets that it is in, as bits.
    pub marks: u64,
    /// Where it leads.
    pub to: u32,
}

/// A generalised Büchi automaton. It accepts a word if some run over it takes edges of
/// every acceptance set infinitely often; with no sets, if there is a run.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The labels' functions.
    pub bdds: Bdds,
    /// Number of atoms that labels may speak of.
    pub n_atoms: usize,
    /// Number of acceptance sets, at most 64.
    pub n_sets: u32,
    /// The initial states, in order.
    pub initial: Vec<u32>,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
}

impl Automaton {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// A mark for each acceptance set.
    pub fn all_marks(&self) -> u64 {
        all_marks(self.n_sets)
    }

    /// Whether the automaton accepts a word, by definition: some component of the graph of
    /// places and states has edges of every set.
    pub fn accepts(&self, word: &Word) -> bool {
        let (n, n_states) = (word.len(), self.n_states());
        let mut graph: Vec<Vec<(usize, u64)>> = vec![Vec::new(); n * n_states];
        let mut is_reached = vec![false; n * n_states];
        let mut todo: Vec<usize> = self.initial.iter().map(|&q| q as usize).collect();
        todo.iter().for_each(|&node| is_reached[node] = true);
        while let Some(node) = todo.pop() {
            let (place, state) = (node / n_states, node % n_states);
            for edge in &self.edges[state] {
                if self.bdds.holds(edge.label, word.letters()[place]) {
                    let next = word.after(place) * n_states + edge.to as usize;
                    graph[node].push((next, edge.marks));
                    if !std::mem::replace(&mut is_reached[next], true) {
                        todo.push(next);
                    }
                }
            }
        }
        let component = components(&graph);
        (0..graph.len()).any(|node| {
            is_reached[node] && is_accepting(&graph, &component, component[node], self.all_marks())
        })
    }

    /// For each state, whether it is in no component with all marks: no accepting run passes
    /// it again and again.
    pub fn hopeless(&self) -> Vec<bool> {
        let edge = |edge: &Edge| (edge.to as usize, edge.marks);
        let graph: Vec<Vec<(usize, u64)>> =
            self.edges.iter().map(|edges| edges.iter().map(edge).collect()).collect();
        let component = components(&graph);
        let accepts =
            |state: usize| is_accepting(&graph, &component, component[state], self.all_marks());
        (0..graph.len()).map(|state| !accepts(state)).collect()
    }

    /// The automaton as text, a line for each edge.
    pub fn show(&self, name: &dyn Fn(usize) -> String) -> String {
        let mut text = format!("{} states, {} acceptance sets\n", self.n_states(), self.n_sets);
        for (from, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let sets: Vec<String> = (0..self.n_sets)
                    .filter(|set| edge.marks >> set & 1 != 0)
                    .map(|set| set.to_string())
                    .collect();
                let label = self.bdds.show(edge.label, name);
                let start = if self.initial.contains(&(from as u32)) { ">" } else { " " };
                text += &format!("{start}{from} -> {} [{label}] {{{}}}\n", edge.to, sets.join(" "));
            }
        }
        text
    }
}

/// So many marks.
pub(crate) fn all_marks(n_sets: u32) -> u64 {
    if n_sets == 0 { 0 } else { u64::MAX >> (64 - n_sets) }
}
