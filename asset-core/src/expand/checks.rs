//! State checks for one state after another, as a search finds them, by what has been found
//! to be fine.

mod fine;

use super::checked::Sample;
use super::folded::{Fold, numbers};
use crate::machine::{Machine, ModelError, Wrong};
use crate::model::{CheckSet, Fault};
use fine::Fine;

/// What is wrong with the states of a batch.
#[derive(Debug, Default)]
pub struct StateFaults {
    /// States that have been checked. If a check panics, the next one was its.
    pub n_checked: usize,
    /// For some of those, by their turn, what is wrong.
    pub faults: Vec<(usize, Fault)>,
}

impl StateFaults {
    /// The next state has been checked.
    #[inline(always)]
    pub(super) fn add(&mut self, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.faults.push((self.n_checked, fault));
        }
        self.n_checked += 1;
    }
}

/// Checks states, and remembers what is fine. Where it is known at what the checks look, a
/// folded state that is fine is not unfolded: its parts tell its combination.
pub struct StateChecks<'m> {
    machine: &'m dyn Machine,
    on: CheckSet,
    fine: Option<Fine>,
    sample: Sample,
    /// For either side, what its parts have of a combination.
    combinations: [Vec<u32>; 2],
    /// States that are unfolded, and 0, 1, 2, …
    words: Vec<u64>,
    positions: Vec<u32>,
}

impl<'m> StateChecks<'m> {
    /// Nothing is known yet of the checks in `on`, but at what each of the machine's checks
    /// looks.
    pub fn new(machine: &'m dyn Machine, on: CheckSet, looks_at: &[Option<Vec<u64>>]) -> Self {
        let checks = machine.description().checks;
        let is_on = |&check: &usize| on.contains(check) && checks[check].kind.is_asked_everywhere();
        let masks = (0..checks.len()).filter(is_on).map(|check| looks_at.get(check)?.as_deref());
        let masks: Option<Vec<&[u64]>> = masks.collect();
        let fine = masks.and_then(|masks| Fine::new(&masks, machine.n_words()));
        let (combinations, words, positions) = Default::default();
        StateChecks { machine, on, fine, sample: Sample::default(), combinations, words, positions }
    }

    /// Evaluates [`Machine::state_fault`] for the states at the given positions
    /// among those with these keys, which stand side by side, and adds what is wrong to
    /// `found`. An error is what is wrong with the checks, or a panic: the next state has
    /// shown it.
    pub fn check(
        &mut self,
        fold: Option<&Fold>,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let Some(fold) = fold else {
            let is_due = self.fine.as_mut().is_some_and(|_| self.sample.takes());
            return self.check_packed(states, positions, is_due, found);
        };
        let is_due = self.sample.takes();
        let n_fine = if is_due { 0 } else { self.n_fine(fold, states, positions) };
        found.n_checked += n_fine;
        let positions = &positions[n_fine..];
        if positions.is_empty() {
            return Ok(());
        }
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        positions.iter().for_each(|&i| fold.unfold(&[states[i as usize]], &mut words));
        let n_known = self.positions.len() as u32;
        let mut all = std::mem::take(&mut self.positions);
        all.extend(n_known..n_known.max(positions.len() as u32));
        let done = self.check_packed(&words, &all[..positions.len()], is_due, found);
        (self.words, self.positions) = (words, all);
        done
    }

    /// The same for packed states; each is checked if `all` are to be.
    #[inline(always)]
    fn check_packed(
        &mut self,
        states: &[u64],
        positions: &[u32],
        all: bool,
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let StateChecks { machine, on, fine, .. } = self;
        let wrong = |error: ModelError| Box::new(error.wrong);
        match fine {
            Some(fine) => {
                let check = &mut |state: &[u64]| machine.state_fault(state, *on).map_err(wrong);
                fine.state_faults(states, positions, all, check, found)
            }
            None => {
                let see = &mut |fault| found.add(fault);
                machine.state_faults(states, positions, *on, see).map_err(wrong)
            }
        }
    }

    /// How many of the folded states at these positions are known to be fine, up to the
    /// first that is not.
    fn n_fine(&mut self, fold: &Fold, states: &[u64], positions: &[u32]) -> usize {
        let Some(fine) = &self.fine else { return 0 };
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
            add_combinations(fold, fine, &mut self.combinations);
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let combinations: usize = self.combinations.iter().map(|c| 4 * c.capacity()).sum();
        self.fine.as_ref().map_or(0, Fine::bytes) + combinations
    }
}

/// Adds what is missing of the combinations of all parts.
#[cold]
fn add_combinations(fold: &Fold, fine: &Fine, combinations: &mut [Vec<u32>; 2]) {
    for (parts, known) in fold.sides.iter().zip(combinations) {
        let missing = known.len() as u32..parts.len() as u32;
        known.extend(missing.map(|number| fine.combination(parts.get(number)) as u32));
    }
}
