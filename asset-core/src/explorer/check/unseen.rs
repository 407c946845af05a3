//! What a complete run never saw, in the author's words.
//!
//! A reduced run claims only what is sound there: that a transition is never enabled, on models
//! that are always may-terminating (Valmari's Theorem 4). Which values there are depends on
//! the order of firing.

use super::Run;
use crate::expand::Choice;
use crate::machine::Machine;
use crate::model::{CheckKind, Shown};
use crate::search::seen::{NeverTaken, Values};
use crate::state::Lane;
use crate::store::StateSet;
use crate::verdict::{CheckOutcome, NeverHeld, Unseen, without_places};

impl<S: StateSet> Run<'_, '_, S> {
    /// What was never seen. `None` if not everything was explored.
    pub(super) fn unseen(&self) -> Option<Unseen> {
        if !self.exploration.is_complete {
            return None;
        }
        let (plan, machine) = (self.plan, self.machine);
        let is_full = plan.choice() == Choice::Full;
        let seen = &self.exploration.seen;
        let name_of = |check: usize| plan.checks[check].name;
        let fold = self.space.source().fold().filter(|_| is_full);
        let of_parts = fold.and_then(|fold| Values::of_parts(machine, fold));
        let values = seen.values.as_ref().or(of_parts.as_ref());
        let is_deadlock = |kind| kind == CheckKind::Deadlock;
        let untested = plan.on(is_deadlock).filter(|_| self.exploration.n_terminal == 0);
        Some(Unseen {
            transitions: (is_full || self.amt == Some(CheckOutcome::Holds))
                .then(|| seen.unfired().map(|t| machine.transition_name(t)).collect()),
            values: values.and_then(|values| never_held(machine, &values.never_taken())),
            progress: is_full
                .then(|| self.without_progress.iter().map(|&check| name_of(check)).collect()),
            checks: untested.map(name_of).collect(),
        })
    }
}

/// The values that scalars never held, by the paths of those that lack some. `None` if there
/// is no state to show them by. Nothing is told of what is no scalar to the author.
fn never_held(machine: &dyn Machine, lanes: &[NeverTaken]) -> Option<Vec<NeverHeld>> {
    let state = machine.initial_states().ok()?.into_iter().next()?;
    let (paths, shown) = (machine.lane_paths(), machine.show(&state));
    let names: Vec<String> = paths.iter().map(|path| without_places(path)).collect();
    let mut found = Vec::new();
    let mut at = 0;
    for ((lane, ranges), path) in machine.layout().lanes().iter().zip(lanes).zip(paths) {
        let place = at;
        at += lane.bits() as usize;
        if ranges.is_empty() {
            continue;
        }
        // Every value is shown by the same state, but for this scalar.
        let show = |value: u64| {
            let mut state = state.clone();
            for bit in 0..lane.bits() as usize {
                let (word, mask) = ((place + bit) / 64, 1 << ((place + bit) % 64));
                state[word] &= !mask;
                state[word] |= if value >> bit & 1 != 0 { mask } else { 0 };
            }
            at_path(&machine.show(&state), &path).map(ToString::to_string)
        };
        let values = match at_path(&shown, &path) {
            Some(Shown::Int(_)) => Some(ranges.iter().map(|range| numbers(lane, range)).collect()),
            Some(Shown::Bool(_) | Shown::Name(_) | Shown::Variant(..)) => {
                ranges.iter().flat_map(Clone::clone).map(show).collect()
            }
            _ => None,
        };
        let n_alike = names.iter().filter(|name| **name == without_places(&path)).count();
        found.extend(values.map(|values| NeverHeld { variable: path, values, n_alike }));
    }
    Some(found)
}

/// The integers that are so far above the least.
fn numbers(lane: &Lane, range: &std::ops::RangeInclusive<u64>) -> String {
    let [first, last] = [range.start(), range.end()].map(|&x| lane.lo + i128::from(x));
    if first == last { first.to_string() } else { format!("{first}..={last}") }
}

/// What stands in a state at the path of a lane, as in `slot[2].owner`.
fn at_path<'s>(mut shown: &'s Shown, path: &str) -> Option<&'s Shown> {
    let steps = path.split(['.', '[']).map(|step| step.trim_end_matches(']'));
    for step in steps.filter(|step| !step.is_empty()) {
        shown = match shown {
            Shown::Record(fields) => &fields.iter().find(|(name, _)| *name == step)?.1,
            Shown::List(list) => list.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(shown)
}
