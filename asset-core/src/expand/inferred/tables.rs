//! Everything that obligations are inferred from: what occurs, what each transition does in
//! each situation, and what that may do to checks.

use super::checks::Checks;
use super::firing::{Firing, unpack};
use super::tree::{Leaf, Node, tree};
use super::values::Values;
use super::{Effect, Partial, Value, Why};
use crate::machine::Machine;
use crate::model::CheckSet;
use std::ops::Range;

/// The most situations of all transitions together.
const MAX_LEAVES: usize = 1 << 13;
/// The most bits of a lane: one value is left for "not known".
const MAX_BITS: u32 = 31;
/// The largest value that may occur: they are places in tables.
const MAX_VALUE: Value = 1 << 12;
/// The most values of a lane by which it is told what may still come.
const MAX_KEYS: usize = 64;

/// The tables of one machine, for the checks that are on.
#[derive(Debug)]
pub struct Tables {
    /// First bit and number of bits of each lane.
    pub lanes: Vec<(u32, u32)>,
    /// What can occur.
    pub values: Values,
    /// What each transition does, by its situation.
    pub trees: Vec<Node>,
    /// The situations of all transitions.
    pub leaves: Vec<Leaf>,
    /// Those of each.
    pub of: Vec<Range<usize>>,
    /// For each situation, which checks may fail before and hold afterwards, …
    pub mends: Vec<u64>,
    /// … and which may hold before and fail afterwards.
    pub breaks: Vec<u64>,
    /// For each transition, the lane that says most about what it may still do.
    pub keys: Vec<Option<usize>>,
    /// For each of those lanes, the values that may come after each.
    pub later: Vec<Option<Box<[u64]>>>,
}

impl Tables {
    /// The tables of a machine, or why there are none.
    pub fn new(machine: &dyn Machine, on: CheckSet) -> Result<Tables, Why> {
        let accesses = machine.accesses().ok_or(Why::NotUnderstood)?;
        if accesses.lanes.iter().any(|lane| lane.n_bits > MAX_BITS) {
            return Err(Why::TooManyValues);
        }
        let initial = machine.initial_states().map_err(|_| Why::NoInitialState)?;
        let initial: Vec<Vec<Value>> = initial.iter().map(|s| unpack(&accesses, s)).collect();
        let base = initial.first().ok_or(Why::NoInitialState)?.clone();
        let mut firing = Firing::new(machine, &accesses, base);
        let (values, mut cases) = Values::close(&accesses, &initial, &mut firing)?;
        let mut tuples = values.groups.iter().flat_map(|group| &group.tuples);
        if tuples.any(|tuple| tuple.iter().any(|&value| value > MAX_VALUE)) {
            return Err(Why::TooManyValues);
        }
        let (mut leaves, mut trees, mut of) = (Vec::new(), Vec::new(), Vec::new());
        for (t, cases) in cases.iter_mut().enumerate() {
            let first = leaves.len();
            cases.iter_mut().for_each(super::case::Case::simplify);
            trees.push(tree(t, cases, &mut leaves));
            of.push(first..leaves.len());
            if leaves.len() > MAX_LEAVES {
                return Err(Why::TooManySituations);
            }
        }
        // Of the others, nothing is asked of stubborn sets.
        let checks = machine.description().checks.iter().enumerate();
        let state_checks =
            checks.filter(|(i, check)| check.kind.is_asked_everywhere() && on.contains(*i));
        let on = CheckSet(state_checks.fold(0, |set, (i, _)| set | 1 << i));
        let Checks { mends, breaks } = Checks::new(&accesses, on, &values, &leaves, &mut firing);
        let keys: Vec<_> = trees.iter().map(Node::first_lane).collect();
        let mut later = vec![None; accesses.lanes.len()];
        for &lane in keys.iter().flatten() {
            if later[lane].is_none() {
                later[lane] = later_values(lane, &values, &leaves);
            }
        }
        let lanes = accesses.lanes.iter().map(|lane| (lane.start, lane.n_bits)).collect();
        Ok(Tables { lanes, values, trees, leaves, of, mends, breaks, keys, later })
    }

    /// Nothing is known yet.
    pub fn partial(&self) -> Partial {
        Partial::new(self.lanes.len())
    }

    /// Whether a situation can occur together with what is known.
    pub fn can_meet(&self, known: &Partial, leaf: &Leaf, scratch: &mut Partial) -> bool {
        if !known.allows(&leaf.when) {
            return false;
        }
        scratch.copy(known);
        scratch.write_all(&leaf.when);
        self.values.can_occur(scratch)
    }

    /// For each value of the transition's key lane, whether one of these situations of it may
    /// occur now or later. `None` if that is not known; then they always may.
    pub fn alive(&self, transition: usize, leaves: &[usize]) -> Option<(usize, u64)> {
        let key = self.keys[transition]?;
        let later = self.later[key].as_ref()?;
        let mut harmful = 0u64;
        for &leaf in leaves {
            let value = self.leaves[leaf].when.iter().find(|pair| pair.0 == key)?.1;
            harmful |= 1 << value;
        }
        let alive = later.iter().enumerate().filter(|(_, later)| *later & harmful != 0);
        Some((key, alive.fold(0, |set, (value, _)| set | 1 << value)))
    }
}

/// For each value of a lane, those that it may have then or later, as bits.
fn later_values(lane: usize, values: &Values, leaves: &[Leaf]) -> Option<Box<[u64]>> {
    let all = values.of_lane(lane);
    let n = 1 + *all.last()? as usize;
    if n > MAX_KEYS {
        return None;
    }
    let mut later: Vec<u64> = (0..n).map(|value| 1 << value).collect();
    let step = |leaf: &Leaf| {
        let Effect::Enabled(writes) = &leaf.effect else { return None };
        let to = writes.iter().find(|write| write.0 == lane)?.1;
        Some((leaf.when.iter().find(|pair| pair.0 == lane).map(|pair| pair.1), to))
    };
    let steps: Vec<_> = leaves.iter().filter_map(step).collect();
    loop {
        let mut is_closed = true;
        for &(from, to) in &steps {
            let add = later[to as usize];
            for (value, later) in later.iter_mut().enumerate() {
                if from.is_none_or(|from| from as usize == value) && *later | add != *later {
                    *later |= add;
                    is_closed = false;
                }
            }
        }
        if is_closed {
            return Some(later.into());
        }
    }
}
