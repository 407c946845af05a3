//! What is to be reached: for each such check, the first state that satisfies it.

use crate::expand::{Fold, Recipe, StateChecks, StateFaults};
use crate::machine::Wrong;
use crate::model::CheckSet;
use crate::store::Id;

/// The goals of a search, and which states reached them.
pub struct Goals<'m> {
    /// Those that have not been reached.
    open: Vec<Goal<'m>>,
    /// Those that have, each with its state, in the order found.
    pub reached: Vec<(usize, Id)>,
}

/// A check that no state has satisfied so far.
struct Goal<'m> {
    check: usize,
    /// To this one, to satisfy the check is a fault.
    checker: StateChecks<'m>,
    /// What it said of the states that were asked about last.
    answers: StateFaults,
    /// What was wrong with the check, in the state after those that it said something of.
    wrong: Option<Box<Wrong>>,
}

impl<'m> Goals<'m> {
    /// Nothing has been reached. Each goal has a checker of its own, as one that is asked
    /// for several tells only the first of those that a state satisfies.
    pub fn new(recipe: &Recipe<'m>, goals: CheckSet) -> Self {
        let checks = 0..recipe.machine().description().checks.len();
        let goal = |check: usize| Goal {
            check,
            checker: recipe.state_checks(CheckSet(1 << check)),
            answers: StateFaults::default(),
            wrong: None,
        };
        let open = checks.filter(|&check| goals.contains(check)).map(goal).collect();
        Goals { open, reached: Vec::new() }
    }

    /// Whether nothing is left to be reached.
    pub fn are_reached(&self) -> bool {
        self.open.is_empty()
    }

    /// Asks about the states with the keys at these positions, which are new. False if there is nothing to
    /// note of any of them.
    #[inline(always)]
    pub fn seek(&mut self, fold: Option<&Fold>, states: &[u64], positions: &[u32]) -> bool {
        !self.open.is_empty() && self.ask(fold, states, positions)
    }

    #[inline(never)]
    fn ask(&mut self, fold: Option<&Fold>, states: &[u64], positions: &[u32]) -> bool {
        let mut is_any = false;
        for goal in &mut self.open {
            goal.answers.n_checked = 0;
            goal.answers.faults.clear();
            goal.wrong = goal.checker.check(fold, states, positions, &mut goal.answers).err();
            is_any |= goal.wrong.is_some() || !goal.answers.faults.is_empty();
        }
        is_any
    }

    /// Notes the goals that the state satisfies whose turn it was to be asked about, and that
    /// has this number. What is wrong with a check there comes back.
    pub fn note(&mut self, turn: usize, id: Id) -> Option<Box<Wrong>> {
        let mut wrong = None;
        let reached = &mut self.reached;
        self.open.retain_mut(|goal| {
            let is_reached = goal.answers.faults.iter().any(|&(asked, _)| asked == turn);
            if is_reached {
                reached.push((goal.check, id));
            } else if goal.answers.n_checked == turn {
                wrong = wrong.take().or_else(|| goal.wrong.take());
            }
            !is_reached
        });
        wrong
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.open.iter().map(|goal| goal.checker.bytes()).sum()
    }
}
