//! What one transition does, for one value of the lane by which it chooses: fired once for
//! each combination of what it reads that can occur.

use super::firing::Firing;
use super::values::Values;
use super::{Effect, Value, Why};
use crate::machine::CaseAccesses;
use hashbrown::HashMap;

/// Places, and values that are written there.
type Writes = Box<[(usize, Value)]>;

/// A transition, for one value of the lane by which it chooses.
#[derive(Debug)]
pub struct Case {
    transition: usize,
    accesses: CaseAccesses,
    /// The lane by which it chooses, with the value.
    choice: Option<(usize, Value)>,
    parts: Vec<Part>,
    /// The values of the lanes that it reads, and what it does then.
    pub rows: Vec<(Box<[Value]>, Effect)>,
}

/// What a case reads and writes of one group.
#[derive(Debug)]
struct Part {
    group: usize,
    /// Of each lane that is read: its place in the group, and among what the case reads.
    reads: Vec<(usize, usize)>,
    /// Combinations of what is read, in the order in which they were found, …
    seen: Vec<Box<[Value]>>,
    numbers: HashMap<Box<[Value]>, usize>,
    /// … with all tuples of the group that have them, …
    tuples: Vec<Vec<usize>>,
    /// … and what may be written there: places in the group, and values.
    writes: Vec<Vec<Writes>>,
    n_tuples: usize,
    /// Combinations that have been fired with all of the other parts.
    n_fired: usize,
}

impl Case {
    /// Nothing has been fired yet.
    pub fn new(
        transition: usize,
        choice: Option<(usize, Value)>,
        accesses: &CaseAccesses,
        values: &Values,
    ) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut part_of = |lane: usize| {
            let (group, place) = values.place[lane];
            let known = parts.iter().position(|part| part.group == group);
            let i = known.unwrap_or_else(|| {
                parts.push(Part {
                    group,
                    reads: Vec::new(),
                    seen: Vec::new(),
                    numbers: HashMap::new(),
                    tuples: Vec::new(),
                    writes: Vec::new(),
                    n_tuples: 0,
                    n_fired: 0,
                });
                parts.len() - 1
            });
            (i, place)
        };
        let read: Vec<_> = accesses.reads.iter().map(|&lane| part_of(lane)).collect();
        accesses.writes.iter().for_each(|&lane| _ = part_of(lane));
        for (i, (part, place)) in read.into_iter().enumerate() {
            parts[part].reads.push((place, i));
        }
        Case { transition, accesses: accesses.clone(), choice, parts, rows: Vec::new() }
    }

    /// The lane by which the transition chooses, with the value.
    pub fn choice(&self) -> Option<(usize, Value)> {
        self.choice
    }

    /// The lanes that it reads.
    pub fn lanes(&self) -> &[usize] {
        &self.accesses.reads
    }

    /// Takes in what has been found since the last call. True if it finds more.
    pub fn advance(&mut self, values: &mut Values, firing: &mut Firing<'_>) -> Result<bool, Why> {
        let mut finds = false;
        for part in &mut self.parts {
            finds |= part.take_in(values, self.choice);
        }
        let n_seen: Vec<usize> = self.parts.iter().map(|part| part.seen.len()).collect();
        // Of combinations that have something new, `k` is the first part that does.
        for k in 0..self.parts.len() {
            let range = |(i, part): (usize, &Part)| match i.cmp(&k) {
                std::cmp::Ordering::Less => 0..part.n_fired,
                std::cmp::Ordering::Equal => part.n_fired..n_seen[i],
                std::cmp::Ordering::Greater => 0..n_seen[i],
            };
            let ranges: Vec<_> = self.parts.iter().enumerate().map(range).collect();
            if ranges.iter().any(std::ops::Range::is_empty) {
                continue;
            }
            let mut at: Vec<usize> = ranges.iter().map(|range| range.start).collect();
            loop {
                finds |= self.fire(&at, values, firing)?;
                let next = (0..at.len()).find(|&i| at[i] + 1 < ranges[i].end);
                let Some(next) = next else { break };
                at[next] += 1;
                (0..next).for_each(|i| at[i] = ranges[i].start);
            }
        }
        if self.parts.is_empty() && self.rows.is_empty() {
            finds |= self.fire(&[], values, firing)?;
        }
        self.parts.iter_mut().zip(n_seen).for_each(|(part, n)| part.n_fired = n);
        Ok(finds)
    }

    /// Fires where the parts have these combinations.
    fn fire(
        &mut self,
        at: &[usize],
        values: &mut Values,
        firing: &mut Firing<'_>,
    ) -> Result<bool, Why> {
        let mut read = vec![0; self.accesses.reads.len()];
        for (part, &i) in self.parts.iter().zip(at) {
            let pairs = part.reads.iter().zip(&part.seen[i]);
            pairs.for_each(|(&(_, to), &value)| read[to] = value);
        }
        let effect = firing.effect(self.transition, &self.accesses, &read)?;
        let mut finds = false;
        if let Effect::Enabled(writes) = &effect {
            for (part, &i) in self.parts.iter_mut().zip(at) {
                finds |= part.write(i, writes, values);
            }
        }
        self.rows.push((read.into(), effect));
        Ok(finds)
    }

    /// Leaves out what a lane is said to get where it is as well to say that it keeps its
    /// value: so that what is done depends on as few lanes as possible.
    pub fn simplify(&mut self) {
        for x in 0..self.accesses.reads.len() {
            let lane = self.accesses.reads[x];
            if !self.accesses.writes.contains(&lane) {
                continue;
            }
            // By the values of the others: what it gets, if that is one value whatever it had.
            let mut constant: HashMap<Vec<Value>, Option<(Value, bool)>> = HashMap::new();
            for (read, effect) in &self.rows {
                let Effect::Enabled(writes) = effect else { continue };
                let new = writes.iter().find(|write| write.0 == lane).map(|write| write.1);
                let Some(new) = new else { continue };
                let changes = new != read[x];
                constant
                    .entry(without(read, x))
                    .and_modify(|known| {
                        *known = known
                            .filter(|&(value, _)| value == new)
                            .map(|(value, any)| (value, any || changes));
                    })
                    .or_insert(Some((new, changes)));
            }
            for (read, effect) in &mut self.rows {
                let Effect::Enabled(writes) = effect else { continue };
                let is_kept = writes.contains(&(lane, read[x]));
                if is_kept && !matches!(constant[&without(read, x)], Some((_, true))) {
                    *writes = writes.iter().copied().filter(|write| write.0 != lane).collect();
                }
            }
        }
    }
}

/// The values but for one.
pub fn without(values: &[Value], i: usize) -> Vec<Value> {
    let mut values = values.to_vec();
    values.remove(i);
    values
}

impl Part {
    /// Takes in the group's new tuples. True if more of them follow.
    fn take_in(&mut self, values: &mut Values, choice: Option<(usize, Value)>) -> bool {
        let mut finds = false;
        let group = &mut values.groups[self.group];
        let choice = choice.and_then(|(lane, value)| {
            Some((group.lanes.iter().position(|&other| other == lane)?, value))
        });
        while self.n_tuples < group.tuples.len() {
            let number = self.n_tuples;
            self.n_tuples += 1;
            let tuple = &group.tuples[number];
            if choice.is_some_and(|(place, value)| tuple[place] != value) {
                continue;
            }
            let read: Box<[Value]> = self.reads.iter().map(|&(place, _)| tuple[place]).collect();
            let i = *self.numbers.entry(read).or_insert_with_key(|read| {
                self.seen.push(read.clone());
                self.tuples.push(Vec::new());
                self.writes.push(Vec::new());
                self.seen.len() - 1
            });
            self.tuples[i].push(number);
            for writes in &self.writes[i] {
                let tuple = written(&group.tuples[number], writes);
                finds |= group.add(tuple);
            }
        }
        finds
    }

    /// Where the combination with this number is read, this may be written.
    fn write(&mut self, i: usize, writes: &[(usize, Value)], values: &mut Values) -> bool {
        let here = |&(lane, value): &(usize, Value)| {
            let (group, place) = values.place[lane];
            (group == self.group).then_some((place, value))
        };
        let writes: Writes = writes.iter().filter_map(here).collect();
        if writes.is_empty() || self.writes[i].contains(&writes) {
            return false;
        }
        let group = &mut values.groups[self.group];
        let mut finds = false;
        for &number in &self.tuples[i] {
            let tuple = written(&group.tuples[number], &writes);
            finds |= group.add(tuple);
        }
        self.writes[i].push(writes);
        finds
    }
}

fn written(tuple: &[Value], writes: &[(usize, Value)]) -> Box<[Value]> {
    let mut tuple: Box<[Value]> = tuple.into();
    writes.iter().for_each(|&(place, value)| tuple[place] = value);
    tuple
}
