//! The older nested search for non-progress cycles: a second depth-first search
//! from every state that the first one leaves.
//!
//! G. Holzmann, D. Peled and M. Yannakakis, *On Nested Depth First Search*
//! (1996), Figure 5, after Holzmann's *Design and Validation of Computer
//! Protocols*. The second search stays away from progress and looks for a cycle
//! on its own path. The search for accepting cycles of Figure 4 differs from it
//! in three places, which are `Figure`; [`super::never_claim`] fills them in
//! its way.
//!
//! Where we differ: progress is on edges too, so the second search takes no
//! edge with progress, which includes every edge into a progress state; and it
//! does not start again from a state that it has visited. The full space is
//! searched. Every state is expanded twice if there is no cycle, and nothing is
//! promised about the progress before the cycle.

use super::dfs::{self, Stack, Turn};
use super::labels::{Ground, Hunt, Labels};
use super::{Failure, Limit};
use crate::model::RuleStatistics;
use crate::store::{BitSet, Id, MAX_STATES, StateSet};
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// Searches everything that the initial states can reach, until a non-progress
/// cycle is found.
pub fn hunt<const W: usize>(ground: &mut Ground<'_, '_, '_, W>) -> Hunt {
    search::<Five, W>(ground)
}

/// What the two nested searches do not share. A node is a state, or a state
/// with something beside it.
pub(super) trait Figure {
    /// Nodes for each state.
    const NODES_PER_STATE: usize;
    /// The node of an initial state.
    fn root(id: Id) -> Id;
    /// The state of a node.
    fn state(node: Id) -> Id;
    /// Where the first search goes from `node` by an edge to the state `to`.
    fn successors(node: Id, to: Id, is_progress: bool) -> [Option<Id>; 2];
    /// Where the second search goes by an edge without progress.
    fn nested_successor(to: Id) -> Id;
    /// Whether the second search starts when `node` is left.
    fn is_seed(node: Id, labels: &Labels<'_>) -> bool;
    /// Whether the second search has closed a cycle by coming to `node`. The
    /// seed itself has just left the first path.
    fn closes(node: Id, seed: Id, first: &Stack, second: &Stack) -> bool;
}

/// Figure 5: nodes are states.
struct Five;

impl Figure for Five {
    const NODES_PER_STATE: usize = 1;

    fn root(id: Id) -> Id {
        id
    }

    fn state(node: Id) -> Id {
        node
    }

    #[inline(always)]
    fn successors(_: Id, to: Id, _: bool) -> [Option<Id>; 2] {
        [Some(to), None]
    }

    fn nested_successor(to: Id) -> Id {
        to
    }

    fn is_seed(node: Id, labels: &Labels<'_>) -> bool {
        !labels.is_progress_state(node)
    }

    fn closes(node: Id, _: Id, _: &Stack, second: &Stack) -> bool {
        second.is_on_path(node)
    }
}

/// Runs the nested search of a figure.
pub(super) fn search<F: Figure, const W: usize>(ground: &mut Ground<'_, '_, '_, W>) -> Hunt {
    let mut search = Search::<F>::default();
    let end = search.outer(ground);
    Hunt {
        on_cycle: search.on_cycle,
        n_states: search.visited.len() as u64,
        n_edges: search.n_edges,
        depth: search.stack.longest(),
        bytes: search.bytes(),
        more: vec![
            ("firings", ground.space.n_edges),
            ("nested depth", search.nested_stack.longest()),
            ("stack maximum", search.stack.largest() + search.nested_stack.largest()),
        ],
        n_terminal: search.terminal.len() as u64,
        n_threads: 1,
        rules: RuleStatistics::default(),
        n_visible: 0,
        expanded: search.expanded,
        terminal: search.terminal,
        end,
    }
}

struct Search<F> {
    /// The nodes with a 0 in the paper.
    visited: BitSet,
    stack: Stack,
    /// The nodes with a 1.
    nested: BitSet,
    nested_stack: Stack,
    expanded: BitSet,
    terminal: BitSet,
    on_cycle: Option<Id>,
    n_edges: u64,
    figure: PhantomData<F>,
}

impl<F> Default for Search<F> {
    fn default() -> Self {
        Search {
            visited: BitSet::default(),
            stack: Stack::new(),
            nested: BitSet::default(),
            nested_stack: Stack::new(),
            expanded: BitSet::default(),
            terminal: BitSet::default(),
            on_cycle: None,
            n_edges: 0,
            figure: PhantomData,
        }
    }
}

impl<F: Figure> Search<F> {
    /// `dfs` of the paper, from every initial state.
    fn outer<const W: usize>(&mut self, ground: &mut Ground<'_, '_, '_, W>) -> Result<(), Failure> {
        for root in 0..ground.space.n_roots() {
            self.stack.push(F::root(root as Id));
            while let Some(turn) = self.stack.next(|node| self.visited.insert(node)) {
                match turn {
                    Turn::Enter(node) => self.enter(ground, node)?,
                    Turn::Leave(node) if F::is_seed(node, ground.labels) => {
                        self.inner(ground, node)?;
                        if self.on_cycle.is_some() {
                            return Ok(());
                        }
                    }
                    Turn::Leave(_) => {}
                }
            }
        }
        Ok(())
    }

    fn enter<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        node: Id,
    ) -> Result<(), Failure> {
        self.expanded.insert(F::state(node));
        let n_firings = ground.space.n_edges;
        let flow = ground.labels.expand(ground.space, F::state(node), |edge, is_progress| {
            for next in F::successors(node, edge.to, is_progress).into_iter().flatten() {
                self.n_edges += 1;
                if !self.visited.contains(next) {
                    self.stack.push(next);
                }
            }
            ControlFlow::Continue(())
        })?;
        debug_assert!(flow.is_continue());
        if ground.space.n_edges == n_firings {
            self.terminal.insert(F::state(node));
        }
        self.look(ground)
    }

    /// `ndfs` of the paper.
    fn inner<const W: usize>(
        &mut self,
        ground: &mut Ground<'_, '_, '_, W>,
        seed: Id,
    ) -> Result<(), Failure> {
        self.nested_stack.push(seed);
        while let Some(turn) = self.nested_stack.next(|node| self.nested.insert(node)) {
            let Turn::Enter(node) = turn else { continue };
            // Through a state of the first path it may get ahead of that search.
            self.expanded.insert(F::state(node));
            let flow =
                ground.labels.expand(ground.space, F::state(node), |edge, is_progress| {
                    if is_progress {
                        return ControlFlow::Continue(());
                    }
                    let next = F::nested_successor(edge.to);
                    if F::closes(next, seed, &self.stack, &self.nested_stack) {
                        self.on_cycle = Some(edge.to);
                        return ControlFlow::Break(());
                    }
                    if !self.nested.contains(next) {
                        self.nested_stack.push(next);
                    }
                    ControlFlow::Continue(())
                })?;
            if flow.is_break() {
                return Ok(());
            }
            self.look(ground)?;
        }
        Ok(())
    }

    fn look<const W: usize>(&self, ground: &mut Ground<'_, '_, '_, W>) -> Result<(), Failure> {
        let n_ahead = ground.space.store().len() + ground.space.machine().n_transitions();
        if n_ahead > MAX_STATES / F::NODES_PER_STATE {
            return Err(Limit::StateNumbers.into());
        }
        let marks = self.bytes() - self.stack.bytes() + ground.labels.bytes();
        let snapshot = dfs::snapshot("looking for livelocks", ground.space, &self.stack, marks);
        Ok(ground.watch.check(&snapshot, ground.space.store().bytes_after_growth() + marks)?)
    }

    fn bytes(&self) -> usize {
        let sets = [&self.visited, &self.nested, &self.expanded, &self.terminal];
        let sets: usize = sets.iter().map(|set| set.bytes()).sum();
        sets + self.stack.bytes() + self.nested_stack.bytes()
    }
}
