//! Breadth-first exploration with state and deadlock checks on the fly.
//!
//! States are numbered in the order of discovery, and that numbering is the
//! queue. What is counted, and when, is fixed to the edge: every successful
//! firing is an edge; a state is checked when it is new; a violation ends the
//! run at once, with the offending state and its edge counted.

use super::space::unfolded;
use super::{BatchVisitor, Expander, Failure, Found, Size, Snapshot, Watch};
use crate::expand::{Fold, StateChecks, StateFaults};
use crate::machine::{Machine, ModelError, Wrong};
use crate::model::{CheckSet, Fault};
use crate::store::{Arrivals, Id, Parents, StateSet};
use std::ops::ControlFlow;

/// What a breadth-first search checks and keeps.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The state checks to evaluate.
    pub state_checks: CheckSet,
    /// The deadlock checks to evaluate.
    pub deadlock_checks: CheckSet,
    /// End after so many faults; at least 1.
    pub max_faults: usize,
    /// Keep the transition by which each state was discovered, for traces
    /// where the set does not keep its states.
    pub keep_arrivals: bool,
}

/// Terminal states that are listed. Where there are more, they can be looked for.
pub const MAX_LISTED: usize = 1 << 14;

/// What a breadth-first search has found.
pub struct Exploration {
    /// The discovery tree.
    pub parents: Parents,
    /// The transitions by which states were discovered. Empty unless asked for.
    pub arrivals: Arrivals,
    /// Number of states found, the offending one included.
    pub n_states: u64,
    /// Number of edges.
    pub n_edges: u64,
    /// The largest distance from an initial state.
    pub depth: u64,
    /// Number of terminal states found, …
    pub n_terminal: u64,
    /// … and which these are, if they are few: the first [`MAX_LISTED`] of them.
    pub terminal: Vec<Id>,
    /// Faults in the order found, with their states.
    pub faults: Vec<(Id, Fault)>,
    /// Whether every state was expanded, and what ended the search if not.
    pub end: Result<(), Failure>,
}

/// Explores everything that the space's initial states can reach.
pub fn explore<S: StateSet>(
    space: &mut Expander<'_, S>,
    options: Options,
    watch: &mut Watch<'_>,
) -> Exploration {
    let mut marks = Marks {
        machine: space.machine(),
        checks: space.recipe().state_checks(options.state_checks),
        options,
        watch,
        level_end: 0,
        depth: 0,
        n_states: 0,
        parents: Parents::new(space.n_roots()),
        arrivals: Arrivals::new(space.machine().n_transitions(), space.n_roots()),
        n_terminal: 0,
        terminal: Vec::new(),
        checked: StateFaults::default(),
        faults: Vec::new(),
        failure: None,
    };
    let mut end = Ok(());
    while marks.n_states < space.n_roots() && marks.flow().is_continue() {
        let root = space.store().state(marks.n_states as Id);
        let fold = space.source().fold();
        let wrong = marks.check_states(fold, &root, &[0]);
        marks.note_state(0, unfolded(fold, &root, &mut Vec::new()), wrong);
    }
    if marks.flow().is_continue() {
        end = levels(space, &mut marks);
    }
    Exploration {
        n_states: marks.n_states as u64,
        n_edges: space.n_edges,
        depth: marks.depth,
        n_terminal: marks.n_terminal,
        terminal: marks.terminal,
        parents: marks.parents,
        arrivals: marks.arrivals,
        faults: marks.faults,
        end: marks.failure.map_or(end, Err),
    }
}

/// Expands level after level.
fn levels<S: StateSet>(
    space: &mut Expander<'_, S>,
    marks: &mut Marks<'_, '_, '_>,
) -> Result<(), Failure> {
    let mut start = 0;
    while start < marks.n_states {
        let end = marks.n_states;
        marks.level_end = end;
        let flow = space.expand_batches(start..end, marks);
        if marks.n_states > end {
            marks.depth += 1;
        }
        if flow?.is_break() {
            return Ok(());
        }
        start = end;
    }
    Ok(())
}

/// The marks of the search, and what it does with what it finds.
struct Marks<'m, 'w, 'o> {
    machine: &'m dyn Machine,
    checks: StateChecks<'m>,
    options: Options,
    watch: &'w mut Watch<'o>,
    level_end: usize,
    depth: u64,
    /// States found. Where the search ends amid a batch, the set of states has
    /// some more.
    n_states: usize,
    parents: Parents,
    arrivals: Arrivals,
    n_terminal: u64,
    terminal: Vec<Id>,
    /// What the checks say about the new states of the batch at hand.
    checked: StateFaults,
    faults: Vec<(Id, Fault)>,
    /// A check that went wrong, or a limit.
    failure: Option<Failure>,
}

impl Marks<'_, '_, '_> {
    /// Checks the states at these positions. The next one is to blame if something is
    /// wrong with the checks.
    #[inline(always)]
    fn check_states(
        &mut self,
        fold: Option<&Fold>,
        states: &[u64],
        positions: &[u32],
    ) -> Option<Box<Wrong>> {
        self.checked.n_checked = 0;
        self.checked.faults.clear();
        if self.options.state_checks == CheckSet::default() || positions.is_empty() {
            return None;
        }
        self.checks.check(fold, states, positions, &mut self.checked).err()
    }

    /// A new state, the one whose turn it was in `check_states` to be checked.
    #[cold]
    fn note_state(&mut self, turn: usize, state: &[u64], wrong: Option<Box<Wrong>>) {
        let id = self.n_states as Id;
        self.n_states += 1;
        let is_its = |&(checked, _): &(usize, Fault)| checked == turn;
        if let Some(at) = self.checked.faults.iter().position(is_its) {
            self.faults.push((id, self.checked.faults.swap_remove(at).1));
        }
        if let Some(wrong) = wrong.filter(|_| turn == self.checked.n_checked) {
            self.failure = Some(Failure::model(ModelError::of_state(state, *wrong), Some(id)));
        }
    }

    /// A state without successors.
    #[cold]
    fn note_terminal(&mut self, id: Id, state: &[u64]) {
        self.n_terminal += 1;
        if self.terminal.len() < MAX_LISTED {
            self.terminal.push(id);
        }
        let on = self.options.deadlock_checks;
        if on == CheckSet::default() {
            return;
        }
        match self.machine.deadlock_fault(state, on) {
            Ok(None) => {}
            Ok(Some(fault)) => self.faults.push((id, fault)),
            Err(error) => self.failure = Some(Failure::model(error, Some(id))),
        }
    }

    /// Goes through a batch in which there is something to note, in the order of
    /// firing, and stops at what ends the search.
    #[cold]
    #[inline(never)]
    fn one_by_one(
        &mut self,
        found: Found<'_>,
        mut wrong: Option<Box<Wrong>>,
    ) -> ControlFlow<usize> {
        let (out, n_words) = (found.successors, found.n_words);
        let packed = &mut Vec::new();
        let mut turn = 0;
        for (i, n_new) in found.n_new_of_each().enumerate() {
            for n in 1..=n_new {
                let at = found.new.positions()[turn] as usize;
                if self.options.keep_arrivals {
                    self.arrivals.push(out.transitions()[at]);
                }
                let wrong = if turn == self.checked.n_checked { wrong.take() } else { None };
                let key = &out.words()[at * n_words..][..n_words];
                self.note_state(turn, unfolded(found.fold, key, packed), wrong);
                turn += 1;
                if self.flow().is_break() {
                    self.parents.push(n);
                    return ControlFlow::Break(found.n_edges_to_successor(i, at));
                }
            }
            self.parents.push(n_new);
            let edges = out.of(i);
            if edges.is_empty() && out.left_out()[i] == 0 {
                let key = &found.states[i * n_words..][..n_words];
                self.note_terminal(found.first + i as Id, unfolded(found.fold, key, packed));
                if self.flow().is_break() {
                    return ControlFlow::Break(found.n_edges_to(i));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        self.parents.bytes() + self.arrivals.bytes() + self.checks.bytes()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.faults.len() >= self.options.max_faults || self.failure.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl BatchVisitor for Marks<'_, '_, '_> {
    #[inline(always)]
    fn found(&mut self, found: Found<'_>) -> ControlFlow<usize> {
        let (successors, new) = (found.successors, found.new.positions());
        let wrong = self.check_states(found.fold, successors.words(), new);
        if wrong.is_some() || !self.checked.faults.is_empty() || found.has_terminal() {
            return self.one_by_one(found, wrong);
        }
        if self.options.keep_arrivals {
            let transitions = successors.transitions();
            self.arrivals.extend(new.iter().map(|&i| transitions[i as usize]));
        }
        self.parents.extend(new.len(), found.n_new_of_each());
        self.n_states += new.len();
        ControlFlow::Continue(())
    }

    fn pause(&mut self, size: Size) -> ControlFlow<()> {
        let snapshot = Snapshot {
            phase: "exploring",
            n_states: size.n_states as u64,
            n_edges: size.n_edges,
            queue: (size.n_states - self.level_end + size.n_left) as u64,
            depth: self.depth,
            bytes: size.bytes + self.bytes(),
        };
        if let Err(limit) = self.watch.check(&snapshot, size.bytes_ahead + self.bytes()) {
            self.failure = Some(limit.into());
        }
        self.flow()
    }
}
