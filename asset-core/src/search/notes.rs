//! What a breadth-first search notes of the states that it finds, whoever expands them: the
//! discovery tree, terminal states, and what the checks say.

use super::bfs::{Exploration, MAX_LISTED, Options};
use super::goals::Goals;
use super::seen::Seen;
use super::space::unfolded;
use super::{Expander, Failure, Found, Limit};
use crate::expand::{Fold, Recipe, StateChecks, StateFaults};
use crate::machine::{Machine, ModelError, Wrong};
use crate::model::{CheckSet, Fault};
use crate::store::{Arrivals, Id, Parents, StateSet};
use std::ops::ControlFlow;

/// The notes of a search, or of a part of it.
pub(super) struct Notes<'m> {
    machine: &'m dyn Machine,
    options: Options,
    /// States found. Where the search ends amid a batch, the set of states has
    /// some more.
    pub n_states: usize,
    parents: Parents,
    arrivals: Arrivals,
    n_terminal: u64,
    terminal: Vec<Id>,
    /// What the checks say about the new states of the batch at hand.
    checked: StateFaults,
    faults: Vec<(Id, Fault)>,
    goals: Goals<'m>,
    seen: Seen,
    /// A check that went wrong, or a limit.
    pub failure: Option<Failure>,
}

impl<'m> Notes<'m> {
    /// Nothing yet. The first `n_roots` states have no parent.
    pub fn new(recipe: &Recipe<'m>, options: Options, n_roots: usize) -> Self {
        let machine = recipe.machine();
        Notes {
            machine,
            options,
            n_states: 0,
            parents: Parents::new(n_roots),
            arrivals: Arrivals::new(machine.n_transitions(), n_roots),
            n_terminal: 0,
            terminal: Vec::new(),
            checked: StateFaults::default(),
            faults: Vec::new(),
            goals: Goals::new(recipe, options.goals),
            seen: Seen::new(machine, options.values),
            failure: None,
        }
    }

    /// Checks the initial states.
    pub fn check_roots<S: StateSet>(
        &mut self,
        space: &Expander<'_, S>,
        checks: &mut StateChecks<'_>,
    ) -> ControlFlow<()> {
        let fold = space.source().fold();
        while self.n_states < space.n_roots() && self.has_room() && self.flow().is_continue() {
            let root = space.store().state(self.n_states as Id);
            let wrong = self.check_states(fold, &root, &[0], checks);
            self.goals.seek(fold, &root, &[0]);
            self.seen.note(&[], &root, &[0]);
            self.note_state(0, unfolded(fold, &root, &mut Vec::new()), wrong);
        }
        self.flow()
    }

    /// A batch, in the order of firing. `Break` ends the search, with the number of edges in
    /// the batch up to the one that ended it.
    #[inline(always)]
    pub fn found(&mut self, found: Found<'_>, checks: &mut StateChecks<'_>) -> ControlFlow<usize> {
        let (successors, new) = (found.successors, found.new.positions());
        let wrong = self.check_states(found.fold, successors.words(), new, checks);
        self.seen.note(successors.transitions(), successors.words(), new);
        let is_goal = self.goals.seek(found.fold, successors.words(), new);
        let is_too_many = new.len() > self.options.max_states - self.n_states;
        if wrong.is_some()
            || is_goal
            || is_too_many
            || !self.checked.faults.is_empty()
            || found.has_terminal()
        {
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

    /// Checks the states at these positions. The next one is to blame if something is
    /// wrong with the checks.
    #[inline(always)]
    fn check_states(
        &mut self,
        fold: Option<&Fold>,
        states: &[u64],
        positions: &[u32],
        checks: &mut StateChecks<'_>,
    ) -> Option<Box<Wrong>> {
        self.checked.n_checked = 0;
        self.checked.faults.clear();
        if self.options.state_checks == CheckSet::default() || positions.is_empty() {
            return None;
        }
        checks.check(fold, states, positions, &mut self.checked).err()
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
        if let Some(wrong) = self.goals.note(turn, id) {
            self.failure = Some(Failure::model(ModelError::of_state(state, *wrong), Some(id)));
        }
    }

    /// Whether one state more may be found. If not, that is what ends the search.
    fn has_room(&mut self) -> bool {
        let max = self.options.max_states;
        if self.n_states == max {
            self.failure = Some(Limit::States(max as u64).into());
        }
        self.n_states < max
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
                if !self.has_room() {
                    self.parents.push(n - 1);
                    return ControlFlow::Break(found.n_edges_to_successor(i, at) - 1);
                }
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

    /// Whether the search goes on.
    pub fn flow(&self) -> ControlFlow<()> {
        let is_over = self.faults.len() >= self.options.max_faults
            || self.failure.is_some()
            || self.options.ends_with_goals && self.goals.are_reached();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether there is a fault or a failure, or a goal was reached.
    pub fn has_fault(&self) -> bool {
        !self.faults.is_empty() || self.failure.is_some() || !self.goals.reached.is_empty()
    }

    /// Adds what others have seen, of a search that is over.
    pub fn add_seen(&mut self, other: &Notes<'_>) {
        self.seen.add(&other.seen);
    }

    /// The notes of the next expanded states, among which there is neither fault nor failure.
    pub fn append(&mut self, next: &Notes<'_>) {
        self.n_states += next.n_states;
        self.parents.append(&next.parents);
        self.arrivals.append(&next.arrivals);
        self.n_terminal += next.n_terminal;
        let room = MAX_LISTED - self.terminal.len();
        self.terminal.extend(next.terminal.iter().take(room));
    }

    /// Forgets everything, to note the next states that are expanded.
    pub fn clear(&mut self) {
        self.parents.clear();
        self.arrivals.clear();
        self.terminal.clear();
        self.faults.clear();
        // What was reached stays so: that is noted once more, behind all that comes before.
        self.goals.reached.clear();
        (self.n_states, self.n_terminal, self.failure) = (0, 0, None);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.parents.bytes() + self.arrivals.bytes() + self.goals.bytes() + self.seen.bytes()
    }

    /// What has been found.
    pub fn into_exploration(
        self,
        n_edges: u64,
        depth: u64,
        end: Result<(), Failure>,
    ) -> Exploration {
        Exploration {
            is_complete: end.is_ok() && self.flow().is_continue(),
            reached: self.goals.reached,
            seen: self.seen,
            n_states: self.n_states as u64,
            n_edges,
            depth,
            n_terminal: self.n_terminal,
            terminal: self.terminal,
            parents: self.parents,
            arrivals: self.arrivals,
            faults: self.faults,
            end: self.failure.map_or(end, Err),
        }
    }
}
