//! The graph for "these transitions are not fired again and again unless one of those is".
//!
//! A. Valmari, *Stop It, and Be Stubborn!*, Theorem 6. A node is a state, with whether a
//! remedy may still come. On the far side no edge is a remedy, so a cycle there with a
//! watched transition is what must not be.

use super::graph::{Graph, GraphEdge, Node, STUTTER, States, Step};
use super::{Fairness, Wanted};
use crate::model::NeverWithout;
use crate::search::{Failure, Limit};

/// The colour of watched transitions.
const WATCHED: u64 = 1;

/// A model's states, each twice.
pub struct Without<'p> {
    states: &'p mut dyn States,
    /// What is said of each transition.
    roles: &'p [NeverWithout],
    fairness: &'p Fairness,
    steps: Vec<Step>,
    /// Whether a watched transition was ever fired.
    pub was_watched: bool,
}

impl<'p> Without<'p> {
    /// The graph.
    pub fn new(
        states: &'p mut dyn States,
        roles: &'p [NeverWithout],
        fairness: &'p Fairness,
    ) -> Self {
        Without { states, roles, fairness, steps: Vec::new(), was_watched: false }
    }

    /// The cycles that must not be.
    pub fn wanted(&self) -> Wanted {
        let mut wanted = self.fairness.wanted(1);
        wanted.all |= WATCHED;
        wanted
    }
}

impl Graph for Without<'_> {
    fn roots(&mut self) -> Vec<Node> {
        (0..self.states.n_roots() as u32).flat_map(|state| [2 * state, 2 * state + 1]).collect()
    }

    fn edges(&mut self, node: Node, out: &mut Vec<GraphEdge>) -> Result<(), Failure> {
        let (state, is_far) = (node / 2, node % 2 == 1);
        self.steps.clear();
        self.states.expand(state, &mut self.steps)?;
        if self.states.n_states() as u64 >= u64::from(u32::MAX / 2 - 1) {
            return Err(Limit::StateNumbers.into());
        }
        if self.steps.is_empty() {
            self.steps.push(Step { to: state, transition: STUTTER });
        }
        let of = |step: &Step| self.fairness.of_transition.get(step.transition as usize);
        let enabled = self.steps.iter().filter_map(of).fold(0, |all, &of| all | of);
        let common = self.fairness.of_state(enabled) << 1;
        for &Step { to, transition } in &self.steps {
            let role = self.roles.get(transition as usize).copied().unwrap_or_default();
            self.was_watched |= role.is_watched;
            let own = self.fairness.of_firing(transition) << 1;
            let colours = common | own;
            if !is_far {
                // No cycle here is one that must not be: a remedy may be on it.
                out.push(GraphEdge { to: 2 * to, transition, colours });
                out.push(GraphEdge { to: 2 * to + 1, transition, colours });
            } else if !role.is_remedy {
                let colours = colours | if role.is_watched { WATCHED } else { 0 };
                out.push(GraphEdge { to: 2 * to + 1, transition, colours });
            }
        }
        Ok(())
    }

    fn is_hopeless(&self, node: Node) -> bool {
        node.is_multiple_of(2)
    }

    fn n_numbers(&self) -> usize {
        2 * self.states.n_states()
    }

    fn size(&self) -> [usize; 4] {
        let [firings, bytes, after_growth] = self.states.size();
        [self.states.n_states(), firings, bytes, after_growth]
    }
}
