//! Firing the compiled model on values of a few lanes.

use super::{Effect, Value, Why};
use crate::machine::{Accesses, CaseAccesses, Machine, Packed};

/// The most firings for all tables of a model together: half a tenth of a second.
const MAX_FIRINGS: usize = 1 << 19;

/// Fires transitions of a machine.
pub struct Firing<'m> {
    machine: &'m dyn Machine,
    accesses: &'m Accesses,
    /// The values of the lanes that do not matter.
    base: Vec<Value>,
    n_left: usize,
}

impl<'m> Firing<'m> {
    /// Nothing has been fired yet. `base` is a state.
    pub fn new(machine: &'m dyn Machine, accesses: &'m Accesses, base: Vec<Value>) -> Self {
        Firing { machine, accesses, base, n_left: MAX_FIRINGS }
    }

    /// What a transition does where the lanes that it reads in this case have these values.
    pub fn effect(
        &mut self,
        transition: usize,
        case: &CaseAccesses,
        values: &[Value],
    ) -> Result<Effect, Why> {
        let mut one = self.base.clone();
        case.reads.iter().zip(values).for_each(|(&lane, &value)| one[lane] = value);
        // What is written but not read is fired with two values, to see whether it is.
        let unread = || case.writes.iter().filter(|lane| !case.reads.contains(lane));
        let mut other = one.clone();
        unread().for_each(|&lane| other[lane] = self.another_value(lane, one[lane]));
        let after_one = self.fire(transition, &one)?;
        let after_other =
            if other == one { after_one.clone() } else { self.fire(transition, &other)? };
        let (after_one, after_other) = match (after_one, after_other) {
            (Fired::Disabled, Fired::Disabled) => return Ok(Effect::Disabled),
            (Fired::Failed, Fired::Failed) => return Ok(Effect::Failed),
            (Fired::Enabled(one), Fired::Enabled(other)) => (one, other),
            _ => return Err(Why::Unsteady(transition)),
        };
        let mut writes = Vec::new();
        for lane in 0..one.len() {
            let (before, after) = ((one[lane], other[lane]), (after_one[lane], after_other[lane]));
            if !case.writes.contains(&lane) {
                if before != after {
                    return Err(Why::Unsteady(transition));
                }
            } else if after.0 == after.1 {
                writes.push((lane, after.0));
            } else if before != after {
                return Err(Why::Unsteady(transition));
            }
        }
        Ok(Effect::Enabled(writes.into()))
    }

    fn another_value(&self, lane: usize, value: Value) -> Value {
        let least_other = Value::from(value == 0);
        if u64::from(least_other) <= self.accesses.lanes[lane].largest {
            least_other
        } else {
            value
        }
    }

    fn fire(&mut self, transition: usize, values: &[Value]) -> Result<Fired, Why> {
        self.n_left = self.n_left.checked_sub(1).ok_or(Why::TooManyFirings)?;
        Ok(match self.machine.fire(&pack(self.machine, self.accesses, values), transition) {
            Err(_) => Fired::Failed,
            Ok(None) => Fired::Disabled,
            Ok(Some(next)) => Fired::Enabled(unpack(self.accesses, &next)),
        })
    }

    /// Whether a state check fails where lanes have these values; `None` if it panics.
    pub fn check(&mut self, check: usize, lanes: &[usize], values: &[Value]) -> Option<bool> {
        let mut state = self.base.clone();
        lanes.iter().zip(values).for_each(|(&lane, &value)| state[lane] = value);
        let on = crate::model::CheckSet(1 << check);
        let state = pack(self.machine, self.accesses, &state);
        Some(self.machine.state_fault(&state, on).ok()?.is_some())
    }
}

/// What firing did.
#[derive(Clone)]
enum Fired {
    Disabled,
    Failed,
    Enabled(Vec<Value>),
}

/// The packed state with these values.
pub fn pack(machine: &dyn Machine, accesses: &Accesses, values: &[Value]) -> Packed {
    let mut words = vec![0; machine.n_words()];
    for (lane, &value) in accesses.lanes.iter().zip(values) {
        put(&mut words, (lane.start, lane.n_bits), value);
    }
    words.into()
}

/// The values of a packed state.
pub fn unpack(accesses: &Accesses, state: &[u64]) -> Vec<Value> {
    accesses.lanes.iter().map(|lane| get(state, (lane.start, lane.n_bits))).collect()
}

/// A lane of at most 31 bits, given by its first bit and how many there are.
#[inline(always)]
pub fn get(state: &[u64], (start, n_bits): (u32, u32)) -> Value {
    if n_bits == 0 {
        return 0;
    }
    let (word, shift) = (start as usize / 64, start % 64);
    let mut bits = state[word] >> shift;
    if shift + n_bits > 64 {
        bits |= state[word + 1] << (64 - shift);
    }
    (bits & ((1 << n_bits) - 1)) as Value
}

/// Writes such a lane.
#[inline(always)]
pub fn put(state: &mut [u64], (start, n_bits): (u32, u32), value: Value) {
    if n_bits == 0 {
        return;
    }
    let (word, shift, mask) = (start as usize / 64, start % 64, (1u64 << n_bits) - 1);
    state[word] = state[word] & !(mask << shift) | u64::from(value) << shift;
    if shift + n_bits > 64 {
        let n_below = 64 - shift;
        state[word + 1] = state[word + 1] & !(mask >> n_below) | u64::from(value) >> n_below;
    }
}
