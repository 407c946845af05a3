//! The graph of a model's states and an automaton: what the searches search.
//!
//! A node is a state and a state of the automaton, which reads the letter of a state when
//! that state is left. States are stored once, whatever the automaton. A terminal state
//! repeats for ever.

use super::graph::{Graph, GraphEdge, Node, STUTTER, States, Step};
use super::{Fairness, Wanted};
use crate::search::{Failure, Limit};
use asset_automata::Automaton;

/// Up to so many atoms, the edges for each letter are listed.
const MAX_LISTED_ATOMS: usize = 8;

/// An automaton made ready for reading letters.
#[derive(Clone, Debug)]
pub struct Table {
    automaton: Automaton,
    /// For each state and letter, where its edges stand in `listed`; empty if there are too
    /// many letters.
    starts: Vec<u32>,
    /// State and marks.
    listed: Vec<(u32, u64)>,
    /// For each state, whether it is on no cycle with all marks.
    is_hopeless: Vec<bool>,
}

impl Table {
    /// Makes an automaton ready.
    pub fn new(automaton: Automaton) -> Table {
        let is_hopeless = automaton.hopeless();
        let mut table = Table { automaton, starts: Vec::new(), listed: Vec::new(), is_hopeless };
        if table.automaton.n_atoms <= MAX_LISTED_ATOMS {
            table.starts.push(0);
            let n_letters = 1u64 << table.automaton.n_atoms;
            for state in 0..table.automaton.n_states() {
                for letter in 0..n_letters {
                    for edge in &table.automaton.edges[state] {
                        if table.automaton.bdds.holds(edge.label, letter) {
                            table.listed.push((edge.to, edge.marks));
                        }
                    }
                    table.starts.push(table.listed.len() as u32);
                }
            }
        }
        table
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Adds where the automaton may go from a state by a letter, with the marks.
    #[inline]
    fn read(&self, state: u32, letter: u64, out: &mut Vec<(u32, u64)>) {
        if self.starts.is_empty() {
            let edges = self.automaton.edges[state as usize].iter();
            let taken = edges.filter(|edge| self.automaton.bdds.holds(edge.label, letter));
            out.extend(taken.map(|edge| (edge.to, edge.marks)));
            return;
        }
        let mask = (1 << self.automaton.n_atoms) - 1;
        let at = ((state as usize) << self.automaton.n_atoms) + (letter & mask) as usize;
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        out.extend_from_slice(&self.listed[range]);
    }
}

/// A model's states and an automaton.
pub struct Product<'p> {
    states: &'p mut dyn States,
    table: &'p Table,
    fairness: &'p Fairness,
    /// The atom that is true where nothing is enabled, as a bit.
    terminal: u64,
    steps: Vec<Step>,
    moves: Vec<(u32, u64)>,
}

impl<'p> Product<'p> {
    /// The product. `terminal` is the bit of the atom that is true in terminal states, or 0.
    pub fn new(
        states: &'p mut dyn States,
        table: &'p Table,
        fairness: &'p Fairness,
        terminal: u64,
    ) -> Self {
        Product { states, table, fairness, terminal, steps: Vec::new(), moves: Vec::new() }
    }

    fn n_copies(&self) -> u32 {
        self.table.automaton.n_states() as u32
    }

    /// The state of a node, and the automaton's.
    pub fn split(&self, node: Node) -> (u32, u32) {
        (node / self.n_copies(), node % self.n_copies())
    }

    /// The cycles that are accepted and fair.
    pub fn wanted(&self) -> Wanted {
        let n_sets = self.table.automaton.n_sets;
        let mut wanted = self.fairness.wanted(n_sets);
        wanted.all |= self.table.automaton.all_marks();
        wanted
    }
}

impl Graph for Product<'_> {
    fn roots(&mut self) -> Vec<Node> {
        let (n_roots, n_copies) = (self.states.n_roots() as u32, self.n_copies());
        let initial = &self.table.automaton.initial;
        (0..n_roots).flat_map(|s| initial.iter().map(move |q| s * n_copies + q)).collect()
    }

    fn edges(&mut self, node: Node, out: &mut Vec<GraphEdge>) -> Result<(), Failure> {
        let n_copies = self.n_copies();
        let (state, at) = (node / n_copies, node % n_copies);
        let mut letter = self.states.letter(state);
        self.moves.clear();
        if self.terminal == 0 {
            self.table.read(at, letter, &mut self.moves);
            if self.moves.is_empty() {
                return Ok(());
            }
        }
        self.steps.clear();
        self.states.expand(state, &mut self.steps)?;
        if self.states.n_states() as u64 * u64::from(n_copies) >= u64::from(u32::MAX - 1) {
            return Err(Limit::StateNumbers.into());
        }
        if self.terminal != 0 {
            letter |= if self.steps.is_empty() { self.terminal } else { 0 };
            self.table.read(at, letter, &mut self.moves);
        }
        if self.steps.is_empty() {
            self.steps.push(Step { to: state, transition: STUTTER });
        }
        let n_sets = self.table.automaton.n_sets;
        let fair = self.fairness;
        let (mut common, is_fair) = (0, !fair.conditions.is_empty());
        if is_fair {
            let of = |step: &Step| fair.of_transition.get(step.transition as usize);
            let enabled = self.steps.iter().filter_map(of).fold(0, |all, &of| all | of);
            common = fair.of_state(enabled) << n_sets;
        }
        for step in &self.steps {
            let own = if is_fair { fair.of_firing(step.transition) << n_sets } else { 0 };
            for &(to, marks) in &self.moves {
                let colours = marks | common | own;
                let to = step.to * n_copies + to;
                out.push(GraphEdge { to, transition: step.transition, colours });
            }
        }
        Ok(())
    }

    #[inline]
    fn is_hopeless(&self, node: Node) -> bool {
        self.table.is_hopeless[(node % self.n_copies()) as usize]
    }

    fn n_numbers(&self) -> usize {
        self.states.n_states() * self.n_copies() as usize
    }

    fn size(&self) -> [usize; 4] {
        let [firings, bytes, after_growth] = self.states.size();
        [self.states.n_states(), firings, bytes, after_growth]
    }
}
