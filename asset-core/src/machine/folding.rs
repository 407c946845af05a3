//! A machine whose states have one word, made from one whose states have several.
//!
//! A state is cut into two *parts*. There are far fewer of either than of states (ten
//! philosophers have millions of states, and some thousands of halves of the table),
//! so every part is stored once, and numbered. A state is the pair of its parts'
//! numbers, its *root*, in one word. Nothing is lost: a root gives the state back. So
//! searches and sets of states have to do with one word only, however long states are.
//! (LTSmin's tree compression, with a tree of one level: Laarman, van de Pol, Weber 2011.
//! SPIN's collapse compression keeps numbers of processes and channels: Holzmann 1997.
//! There, states are folded when they are stored.)
//!
//! Here they stay folded. What most transitions do is a function of one part, so it is
//! remembered from part to part, and the author's code sees hardly any of the states
//! ([`Steps`]). Where that is not known, or not worth it, states are unfolded, expanded
//! by the machine beneath, and the successors are folded; a successor mostly differs from
//! its origin in one part, and only that is looked up.
//!
//! That transitions touch what they are said to is not just trusted, as elsewhere
//! (`machine/memo.rs`): now and then states are unfolded and fired anew by the model's
//! code as well, and compared. With `--paranoid`, what is touched is not told, and the
//! machine beneath expands all.
//!
//! What was tried and is no faster (leader election, 2026-11-18): to look up several states
//! before the first of them is fired; to fetch records a batch of states ahead; to cut parts
//! in two again and tell their records from halves, of which there are few (the machine
//! beneath remembers firings, too, and what a new part costs is to look up its successors).
//!
//! Where parts are as many as states, this takes a quarter more memory than to store
//! states as they are.

mod ahead;
mod fold;
mod names;
mod parts;
mod roots;
mod steps;

use super::compiled::audit;
use super::memo::{Counts, unsteady};
use super::{Checker, Fine, Machine, Memo, ModelError, Packed, StateFaults, Successors, Wrong};
use crate::model::{CheckSet, Description, Fault, Obligations, Shown};
use crate::reduction::{Choice, Selector};
use crate::state::Layout;
use fold::Fold;
use roots::numbers;
use std::sync::{Mutex, MutexGuard, PoisonError};
use steps::Steps;

/// The machine of roots. Only roots that it has given may be asked about.
pub struct Folding<'m> {
    machine: &'m dyn Machine,
    /// Behind a lock, as a machine can be asked by anybody: one for each batch of states.
    folded: Mutex<Folded>,
}

/// What is known of the states that have been folded.
struct Folded {
    fold: Fold,
    /// What is known of the transitions, if that is worth it.
    steps: Option<Steps>,
    /// States that are expanded by the machine beneath, their successors, and the roots of
    /// those.
    words: Vec<u64>,
    found: Successors,
    roots: Vec<u64>,
}

impl<'m> Folding<'m> {
    /// Folds the states of a machine.
    pub fn new(machine: &'m dyn Machine) -> Self {
        let fold = Fold::new(&machine.first_half());
        let touched = machine.touched();
        let steps = touched.and_then(|touched| Steps::new(touched, &fold, Default::default()));
        let (words, roots) = (Vec::new(), Vec::new());
        let folded = Folded { fold, steps, words, found: Successors::default(), roots };
        Folding { machine, folded: Mutex::new(folded) }
    }

    /// What is known. If there was a panic while the lock was held, that is as good as
    /// before: it is changed only with what has been found.
    fn folded(&self) -> MutexGuard<'_, Folded> {
        self.folded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words of the states with these roots, side by side.
    fn unfold(&self, roots: &[u64]) -> Vec<u64> {
        let (folded, mut words) = (self.folded(), Vec::new());
        roots.iter().for_each(|&root| folded.fold.unfold(root, &mut words));
        words
    }

    /// What the machine beneath answers to a question about one state, or some.
    fn folded_error<T>(&self, answer: Result<T, ModelError>) -> Result<T, ModelError> {
        answer.map_err(|error| self.folded().fold_error(error))
    }

    fn fold(&self, state: &[u64]) -> Packed {
        Box::new([self.folded().fold.fold(state)])
    }
}

impl Folded {
    /// What the machine beneath complains about.
    fn fold_error(&mut self, error: ModelError) -> ModelError {
        let state = error.state.map(|state| [self.fold.fold(&state)].into());
        ModelError { state, ..error }
    }

    /// Expands states in any way, by the machine beneath.
    fn expand_beneath(
        &mut self,
        machine: &dyn Machine,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.expand_and_fold(machine, states, selector, out, |fold, words, found, roots| {
            fold.fold_all(words, states, found, roots);
        })
    }

    /// The same, where `fold_all` appends the roots of the successors of states with these
    /// words.
    #[inline(always)]
    fn expand_and_fold(
        &mut self,
        machine: &dyn Machine,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
        fold_all: impl FnOnce(&mut Fold, &[u64], &Successors, &mut Vec<u64>),
    ) -> Result<(), ModelError> {
        let Folded { fold, words, found, roots, .. } = self;
        words.clear();
        found.clear();
        roots.clear();
        states.iter().for_each(|&root| fold.unfold(root, words));
        let done = machine.expand(words, selector, found);
        // What came before an error is complete.
        fold_all(fold, words, found, roots);
        out.extend(roots, found);
        done.map_err(|error| self.fold_error(error))
    }

    /// Expands states in full, by what is known of their parts. Other states are expanded
    /// by the machine beneath, and learnt from. Nothing if that is not worth it.
    fn expand_by_steps(
        &mut self,
        machine: &dyn Machine,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Option<Result<(), ModelError>> {
        let steps = self.steps.as_mut().filter(|_| selector.choice == Choice::Full)?;
        if steps.order() != selector.order || !steps.is_worth_it() {
            let steps = self.steps.take().filter(|steps| steps.order() != selector.order);
            self.steps = steps.and_then(|steps| steps.anew(&self.fold, selector.order));
        }
        let (is_due, n_before) = (self.steps.as_mut()?.counts.is_due(), out.len());
        if is_due {
            out.wake_all();
        }
        self.steps.as_mut()?.begin(states);
        let mut next = 0;
        while next < states.len() {
            let steps = self.steps.as_mut().expect("nobody takes them away");
            next = steps.expand(states, next, &mut self.fold, out);
            if let Some(unknown) = states.get(next..next + 1) {
                if let Err(error) = self.learn(machine, unknown, selector, out) {
                    return Some(Err(error));
                }
                next += 1;
            }
        }
        if out.may_leave_out() && self.steps.as_ref().is_some_and(Steps::tells_commuting) {
            out.know_sleeping_from(n_before);
        }
        Some(if is_due { self.audit(machine, states, selector, out) } else { Ok(()) })
    }

    /// Complains if the last states in `out` have other successors than when the model
    /// fires them anew. What is remembered beneath is left out, as they come from that.
    #[cold]
    fn audit(
        &mut self,
        machine: &dyn Machine,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let memo = std::mem::replace(&mut selector.memo, Memo::Off);
        let first = match out.n_expanded() - states.len() {
            0 => 0,
            n => out.of(n - 1).end,
        };
        let expected = out.words()[first..].to_vec();
        let done = audit(states, 1, out, &mut |anew| {
            self.expand_and_fold(machine, states, selector, anew, |fold, _, found, roots| {
                fold.fold_as(&expected, found, roots);
            })
        });
        selector.memo = memo;
        done
    }

    /// Expands one state by the machine beneath, and learns from it.
    #[cold]
    #[inline(never)]
    fn learn(
        &mut self,
        machine: &dyn Machine,
        state: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.expand_beneath(machine, state, selector, out)?;
        let Folded { fold, steps: Some(steps), words, found, roots } = self else { return Ok(()) };
        if out.may_leave_out() && steps.tells_commuting() {
            out.put_to_sleep(|t| steps.bit(t), &steps.commuting);
        }
        steps.learn(fold, (words, state[0]), (found, roots)).map_err(|transition| {
            out.drop_last_state(1);
            *unsteady(state, transition)
        })
    }
}

impl Machine for Folding<'_> {
    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut folded = self.folded();
        match folded.expand_by_steps(self.machine, states, selector, out) {
            Some(done) => done,
            None => folded.expand_beneath(self.machine, states, selector, out),
        }
    }

    fn checker(&self, on: CheckSet) -> Box<dyn Checker + '_> {
        Box::new(FoldingChecker {
            folding: self,
            checker: self.machine.checker(on),
            counts: Counts::default(),
            combinations: Default::default(),
            words: Vec::new(),
            positions: Vec::new(),
        })
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        Ok(self.machine.initial_states()?.iter().map(|state| self.fold(state)).collect())
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        let next = self.folded_error(self.machine.fire(&self.unfold(state), transition))?;
        Ok(next.map(|next| self.fold(&next)))
    }

    fn bytes(&self) -> usize {
        let folded = self.folded();
        folded.fold.bytes() + folded.steps.as_ref().map_or(0, Steps::bytes)
    }

    fn n_words(&self) -> usize {
        1
    }

    fn description(&self) -> &Description {
        self.machine.description()
    }

    fn n_transitions(&self) -> usize {
        self.machine.n_transitions()
    }

    fn layout(&self) -> &Layout {
        self.machine.layout()
    }

    fn lane_paths(&self) -> Vec<String> {
        self.machine.lane_paths()
    }

    fn disabled_but_changed(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.folded_error(self.machine.disabled_but_changed(&self.unfold(state), transition))
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        self.folded_error(self.machine.obligations(&self.unfold(state), transition, need))
    }

    fn stubborn_set(
        &self,
        state: &[u64],
        selector: &mut Selector,
    ) -> Result<Vec<usize>, ModelError> {
        self.folded_error(self.machine.stubborn_set(&self.unfold(state), selector))
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.folded_error(self.machine.state_fault(&self.unfold(state), on))
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.folded_error(self.machine.deadlock_fault(&self.unfold(state), on))
    }

    fn progress_states_of(
        &self,
        states: &[u64],
        check: usize,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        self.folded_error(self.machine.progress_states_of(&self.unfold(states), check, good))
    }

    fn progress_transition(&self, transition: usize) -> Result<bool, ModelError> {
        self.machine.progress_transition(transition)
    }

    fn progress_state(&self, state: &[u64]) -> Result<bool, ModelError> {
        self.folded_error(self.machine.progress_state(&self.unfold(state)))
    }

    fn progress_edge(&self, state: &[u64], transition: usize) -> Result<bool, ModelError> {
        self.folded_error(self.machine.progress_edge(&self.unfold(state), transition))
    }

    fn transition_name(&self, transition: usize) -> String {
        self.machine.transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        self.machine.show(&self.unfold(state))
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        self.folded_error(self.machine.display(&self.unfold(state)))
    }
}

/// Checks folded states. Where it is known at what the checks look, a state that is fine
/// is not unfolded: its parts tell its combination.
struct FoldingChecker<'f> {
    folding: &'f Folding<'f>,
    checker: Box<dyn Checker + 'f>,
    counts: Counts,
    /// For either side, what its parts have of a combination.
    combinations: [Vec<u32>; 2],
    /// States that are unfolded, and 0, 1, 2, …
    words: Vec<u64>,
    positions: Vec<u32>,
}

impl FoldingChecker<'_> {
    /// How many of the states at these positions are known to be fine, up to the first
    /// that is not.
    fn n_fine(&mut self, states: &[u64], positions: &[u32]) -> usize {
        let Some(fine) = self.checker.fine() else { return 0 };
        let mut n_fine = 0;
        loop {
            let [first, second] = self.combinations.each_ref().map(|known| &**known);
            let mut is_missing = false;
            let is_fine = |&&i: &&u32| {
                let parts = numbers(states[i as usize]).map(|number| number as usize);
                let (Some(first), Some(second)) = (first.get(parts[0]), second.get(parts[1]))
                else {
                    is_missing = true;
                    return false;
                };
                fine.is_fine(u64::from(first | second))
            };
            n_fine += positions[n_fine..].iter().take_while(is_fine).count();
            if !is_missing {
                return n_fine;
            }
            self.folding.add_combinations(fine, &mut self.combinations);
        }
    }
}

impl Folding<'_> {
    /// Adds what is missing of the combinations of all parts.
    #[cold]
    fn add_combinations(&self, fine: &Fine, combinations: &mut [Vec<u32>; 2]) {
        let folded = self.folded();
        for (parts, known) in folded.fold.sides.iter().zip(combinations) {
            let missing = known.len() as u32..parts.len() as u32;
            known.extend(missing.map(|number| fine.combination(parts.get(number)) as u32));
        }
    }
}

impl Checker for FoldingChecker<'_> {
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let is_due = self.counts.is_due();
        let n_fine = if is_due { 0 } else { self.n_fine(states, positions) };
        found.n_checked += n_fine;
        let positions = &positions[n_fine..];
        if positions.is_empty() {
            return Ok(());
        }
        self.words.clear();
        let folded = self.folding.folded();
        positions.iter().for_each(|&i| folded.fold.unfold(states[i as usize], &mut self.words));
        drop(folded);
        let n_known = self.positions.len() as u32;
        self.positions.extend(n_known..n_known.max(positions.len() as u32));
        let positions = &self.positions[..positions.len()];
        match is_due {
            true => self.checker.state_faults_anew(&self.words, positions, found),
            false => self.checker.state_faults(&self.words, positions, found),
        }
    }

    fn bytes(&self) -> usize {
        self.checker.bytes() + self.combinations.iter().map(|c| 4 * c.capacity()).sum::<usize>()
    }
}
