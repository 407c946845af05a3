//! Values of some lanes, where those of the others are not known.

use super::Value;

/// Stands for a value that is not known.
const UNKNOWN: Value = Value::MAX;

/// Some lanes with their values.
#[derive(Clone, Debug)]
pub struct Partial {
    values: Vec<Value>,
    lanes: Vec<usize>,
}

impl Partial {
    /// Nothing is known of so many lanes.
    pub fn new(n_lanes: usize) -> Self {
        Partial { values: vec![UNKNOWN; n_lanes], lanes: Vec::new() }
    }

    /// These lanes have these values, and nothing else is known.
    pub fn set_to(&mut self, lanes: &[usize], values: &[Value]) {
        self.lanes.drain(..).for_each(|lane| self.values[lane] = UNKNOWN);
        lanes.iter().zip(values).for_each(|(&lane, &value)| self.write(lane, value));
    }

    /// The same as of another.
    pub fn copy(&mut self, other: &Partial) {
        self.lanes.drain(..).for_each(|lane| self.values[lane] = UNKNOWN);
        other.lanes.iter().for_each(|&lane| self.write(lane, other.values[lane]));
    }

    /// The lanes of which the value is known.
    pub fn lanes(&self) -> &[usize] {
        &self.lanes
    }

    /// The first lane that is known and for which this holds.
    pub fn first_of(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        self.lanes.iter().copied().find(|&lane| holds(lane))
    }

    /// A lane's value, if it is known.
    pub fn get(&self, lane: usize) -> Option<Value> {
        Some(self.values[lane]).filter(|&value| value != UNKNOWN)
    }

    /// A lane gets a value.
    pub fn write(&mut self, lane: usize, value: Value) {
        if self.values[lane] == UNKNOWN {
            self.lanes.push(lane);
        }
        self.values[lane] = value;
    }

    /// Lanes get values.
    pub fn write_all(&mut self, pairs: &[(usize, Value)]) {
        pairs.iter().for_each(|&(lane, value)| self.write(lane, value));
    }

    /// Lanes are found to have these values. False if one is known to have another.
    #[must_use]
    pub fn learn(&mut self, pairs: &[(usize, Value)]) -> bool {
        pairs.iter().all(|&(lane, value)| {
            let is_possible = self.get(lane).is_none_or(|known| known == value);
            self.write(lane, value);
            is_possible
        })
    }

    /// Whether lanes may have these values.
    pub fn allows(&self, pairs: &[(usize, Value)]) -> bool {
        pairs.iter().all(|&(lane, value)| self.get(lane).is_none_or(|known| known == value))
    }
}
