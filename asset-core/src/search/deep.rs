//! Depth-first search with checks on the fly, to a bound if there is one, and for ever
//! shorter counterexamples.
//!
//! G. Holzmann, *The SPIN Model Checker* (2004), Figures 8.2 and 8.4. With a bound, the depth
//! of each state is kept, and a state that is found again at a smaller depth is expanded
//! again: without that, what lies behind it could be missed though it is near enough. So all
//! that is within the bound is found, and if the bound is lowered to one less than each
//! counterexample found, the last one is a shortest.

use super::{Edge, Failure, Snapshot, Space, Watch};
use crate::model::{CheckSet, Fault};
use crate::store::{Id, StateSet};
use std::ops::ControlFlow;

/// What a depth-first search checks, and how deep it goes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The state checks to evaluate.
    pub state_checks: CheckSet,
    /// The deadlock checks to evaluate.
    pub deadlock_checks: CheckSet,
    /// The most steps of a run; `None` is no bound.
    pub max_depth: Option<u32>,
    /// Look for a shorter counterexample after each one found.
    pub shorten: bool,
}

/// What a depth-first search has found.
pub struct Descent {
    /// The shortest counterexample found: its states, the transitions between them, and what
    /// fails in the last state.
    pub found: Option<(Vec<Id>, Vec<usize>, Fault)>,
    /// Counterexamples found, each shorter than the one before.
    pub n_found: u64,
    /// States visited.
    pub n_states: u64,
    /// Expansions, those of states expanded again included.
    pub n_expanded: u64,
    /// The longest path.
    pub depth: u64,
    /// Number of terminal states that were expanded.
    pub n_terminal: u64,
    /// Whether a state was left out since it is too deep.
    pub is_cut: bool,
    /// Whether it came to its end, and what ended it if not.
    pub end: Result<(), Failure>,
    /// The path at that time, if the model has failed.
    pub path: (Vec<Id>, Vec<usize>),
}

/// Searches everything that the initial states can reach within the bound.
pub fn explore<const W: usize>(
    space: &mut Space<'_, W>,
    options: Options,
    watch: &mut Watch<'_>,
) -> Descent {
    let mut search = Search {
        options,
        bound: options.max_depth.unwrap_or(u32::MAX),
        depths: Vec::new(),
        path: Vec::new(),
        arrivals: Vec::new(),
        waiting: Vec::new(),
        found: None,
        n_found: 0,
        n_expanded: 0,
        depth: 0,
        n_terminal: 0,
    };
    let end = search.run(space, watch);
    // At the bound states are expanded, too: what is stored and not visited is too deep.
    let n_states = search.depths.iter().filter(|&&depth| depth != NEVER).count();
    Descent {
        found: search.found,
        n_found: search.n_found,
        n_states: n_states as u64,
        n_expanded: search.n_expanded,
        depth: search.depth,
        n_terminal: search.n_terminal,
        is_cut: n_states < space.store().len(),
        path: (search.path.iter().map(|&(id, _)| id).collect(), search.arrivals),
        end,
    }
}

/// The depth of a state that was not visited.
const NEVER: u32 = u32::MAX;

struct Search {
    options: Options,
    /// States deeper than this are not visited; lowered by each counterexample.
    bound: u32,
    /// For each state the smallest depth at which it was visited, or [`NEVER`].
    depths: Vec<u32>,
    /// States, each with where its waiting successors start.
    path: Vec<(Id, usize)>,
    /// The transitions along the path.
    arrivals: Vec<usize>,
    /// Successors and transitions.
    waiting: Vec<(Id, u32)>,
    found: Option<(Vec<Id>, Vec<usize>, Fault)>,
    n_found: u64,
    n_expanded: u64,
    depth: u64,
    n_terminal: u64,
}

impl Search {
    fn run<const W: usize>(
        &mut self,
        space: &mut Space<'_, W>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Failure> {
        for root in 0..space.n_roots() as Id {
            if self.is_worth(root) {
                self.enter(space, root)?;
            }
            while let Some(&(_, first)) = self.path.last() {
                if self.is_over() {
                    return Ok(());
                }
                if self.waiting.len() == first {
                    self.path.pop();
                    self.arrivals.pop();
                    continue;
                }
                let Some((to, transition)) = self.waiting.pop() else { continue };
                if self.is_worth(to) {
                    self.arrivals.push(transition as usize);
                    self.enter(space, to)?;
                    self.look(space, watch)?;
                }
            }
            if self.is_over() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether nothing more is looked for.
    fn is_over(&self) -> bool {
        self.found.as_ref().is_some_and(|(states, ..)| !self.options.shorten || states.len() == 1)
    }

    /// Whether a successor of the last state is to be visited.
    fn is_worth(&self, id: Id) -> bool {
        let depth = self.path.len() as u32;
        let before = self.depths.get(id as usize).copied().unwrap_or(NEVER);
        let is_bounded = self.options.max_depth.is_some() || self.options.shorten;
        depth <= self.bound && (before == NEVER || is_bounded && depth < before)
    }

    /// Visits a state at the end of the path, by the last of `arrivals`.
    fn enter<const W: usize>(&mut self, space: &mut Space<'_, W>, id: Id) -> Result<(), Failure> {
        let depth = self.path.len() as u32;
        self.path.push((id, self.waiting.len()));
        self.depth = self.depth.max(depth.into());
        if self.depths.len() <= id as usize {
            let n = space.store().len();
            self.depths.resize(n + n / 5, NEVER);
        }
        let is_first = std::mem::replace(&mut self.depths[id as usize], depth) == NEVER;
        let machine = space.machine();
        if self.options.state_checks != CheckSet::default() {
            let state = space.store().get(id);
            match machine.state_fault(state, self.options.state_checks) {
                Ok(None) => {}
                Ok(Some(fault)) => {
                    self.note(fault);
                    return Ok(());
                }
                Err(error) => return Err(Failure::model(error, Some(id))),
            }
        }
        self.n_expanded += 1;
        let waiting = &mut self.waiting;
        let first = waiting.len();
        let _ = space.expand_one(id, &mut |edge: Edge<'_>| {
            waiting.push((edge.to, edge.transition));
            ControlFlow::Continue(())
        })?;
        if self.waiting.len() > first {
            match depth < self.bound {
                true => self.waiting[first..].reverse(),
                false => self.waiting.truncate(first),
            }
            return Ok(());
        }
        self.n_terminal += u64::from(is_first);
        match machine.deadlock_fault(space.store().get(id), self.options.deadlock_checks) {
            Ok(None) => {}
            Ok(Some(fault)) => self.note(fault),
            Err(error) => return Err(Failure::model(error, Some(id))),
        }
        Ok(())
    }

    /// A check fails at the end of the path.
    fn note(&mut self, fault: Fault) {
        let states: Vec<Id> = self.path.iter().map(|&(id, _)| id).collect();
        // One step less from now on.
        self.bound = (states.len() as u32).saturating_sub(2);
        self.found = Some((states, self.arrivals.clone(), fault));
        self.n_found += 1;
    }

    fn look<const W: usize>(
        &self,
        space: &Space<'_, W>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Failure> {
        let own = 4 * self.depths.capacity()
            + 16 * self.path.capacity()
            + 8 * (self.arrivals.capacity() + self.waiting.capacity());
        let snapshot = Snapshot {
            phase: "searching in depth",
            n_states: space.store().len() as u64,
            n_edges: space.n_edges,
            queue: self.waiting.len() as u64,
            depth: self.path.len() as u64,
            bytes: space.bytes() + own,
        };
        Ok(watch.check(&snapshot, space.store().bytes_after_growth() + own)?)
    }
}
