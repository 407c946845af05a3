//! Values that can occur: for groups of lanes, a superset of what they hold together in states
//! that can be reached.
//!
//! Each group's set is closed under all firings, where lanes of different groups take all
//! combinations. That is less exact than the reachable states and far smaller: in Peterson-4 a
//! customer's own variables have some hundred combinations.

use super::case::Case;
use super::firing::Firing;
use super::{Value, Why};
use crate::machine::Accesses;
use hashbrown::HashMap;

/// Combinations that a group may have before its lanes stand alone.
const MAX_TUPLES: usize = 1 << 14;

/// Lanes whose values are known together.
#[derive(Debug)]
pub struct Group {
    /// In increasing order.
    pub lanes: Vec<usize>,
    /// The combinations, in the order in which they were found.
    pub tuples: Vec<Box<[Value]>>,
    known: HashMap<Box<[Value]>, ()>,
}

impl Group {
    /// Adds a combination. True if it is new.
    pub fn add(&mut self, tuple: Box<[Value]>) -> bool {
        let is_new = self.known.insert(tuple.clone(), ()).is_none();
        if is_new {
            self.tuples.push(tuple);
        }
        is_new
    }
}

/// What can occur.
#[derive(Debug)]
pub struct Values {
    /// The groups.
    pub groups: Vec<Group>,
    /// For each lane its group, and its place there.
    pub place: Vec<(usize, usize)>,
}

impl Values {
    /// What can occur, and what firing does where it does.
    pub fn close(
        accesses: &Accesses,
        initial: &[Vec<Value>],
        firing: &mut Firing<'_>,
    ) -> Result<(Values, Vec<Vec<Case>>), Why> {
        match Values::close_by(homes(accesses), accesses, initial, firing) {
            // Fewer things are known together then, so there are fewer of them.
            Err(Why::TooManyValues) => {
                let alone = (0..accesses.lanes.len()).collect();
                Values::close_by(alone, accesses, initial, firing)
            }
            done => done,
        }
    }

    /// The same for groups that are given by a name for each lane.
    fn close_by(
        names: Vec<usize>,
        accesses: &Accesses,
        initial: &[Vec<Value>],
        firing: &mut Firing<'_>,
    ) -> Result<(Values, Vec<Vec<Case>>), Why> {
        let mut values = Values::grouped(&names);
        for state in initial {
            for group in &mut values.groups {
                group.add(group.lanes.iter().map(|&lane| state[lane]).collect());
            }
        }
        let mut cases: Vec<Vec<Case>> = Vec::new();
        for (t, transition) in accesses.transitions.iter().enumerate() {
            let choice = transition.choice;
            let case = |(value, accesses)| {
                let chosen = choice.map(|lane| (lane, value as Value));
                Case::new(t, chosen, accesses, &values)
            };
            cases.push(transition.cases.iter().enumerate().map(case).collect());
        }
        loop {
            let mut is_closed = true;
            for case in cases.iter_mut().flatten() {
                is_closed &= !case.advance(&mut values, firing)?;
            }
            if is_closed {
                return Ok((values, cases));
            }
            if values.groups.iter().any(|group| group.tuples.len() > MAX_TUPLES) {
                return Err(Why::TooManyValues);
            }
        }
    }

    fn grouped(names: &[usize]) -> Values {
        let mut values = Values { groups: Vec::new(), place: Vec::new() };
        let mut numbers = HashMap::new();
        for (lane, name) in names.iter().enumerate() {
            let number = *numbers.entry(name).or_insert_with(|| {
                values.groups.push(Group {
                    lanes: Vec::new(),
                    tuples: Vec::new(),
                    known: HashMap::new(),
                });
                values.groups.len() - 1
            });
            let group = &mut values.groups[number];
            values.place.push((number, group.lanes.len()));
            group.lanes.push(lane);
        }
        values
    }

    /// Whether the values that are known can occur together: of lanes in different groups
    /// that is taken for granted.
    pub fn can_occur(&self, known: &super::Partial) -> bool {
        for &lane in known.lanes() {
            let (number, _) = self.place[lane];
            // Once for each group is enough.
            if known.first_of(|lane| self.place[lane].0 == number) != Some(lane) {
                continue;
            }
            let group = &self.groups[number];
            let fits = |tuple: &[Value]| {
                let mut pairs = group.lanes.iter().zip(tuple);
                pairs.all(|(&lane, &value)| known.get(lane).is_none_or(|known| known == value))
            };
            if !group.tuples.iter().any(|tuple| fits(tuple)) {
                return false;
            }
        }
        true
    }

    /// The values that a lane may have, in increasing order.
    pub fn of_lane(&self, lane: usize) -> Vec<Value> {
        let (group, place) = self.place[lane];
        let mut all: Vec<Value> = self.groups[group].tuples.iter().map(|t| t[place]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A name for each lane: those that only one process writes have the same, which is the lane
/// by which its transitions choose, or else the first that they both read and write.
fn homes(accesses: &Accesses) -> Vec<usize> {
    let mut names: Vec<Option<usize>> = vec![None; accesses.lanes.len()];
    let mut is_shared = vec![false; accesses.lanes.len()];
    for transition in &accesses.transitions {
        let both = || {
            let cases = transition.cases.iter();
            cases.flat_map(|case| case.writes.iter().filter(|x| case.reads.contains(x))).min()
        };
        let home = transition.choice.or_else(|| both().copied());
        for &lane in transition.cases.iter().flat_map(|case| &case.writes) {
            let home = home.unwrap_or(lane);
            is_shared[lane] |= names[lane].is_some_and(|name| name != home);
            names[lane] = Some(home);
        }
    }
    let lanes = names.into_iter().zip(is_shared).enumerate();
    // A lane that several processes write is known alone, even if one chooses by it.
    let name = |(lane, (name, is_shared)): (usize, (Option<usize>, bool))| match name {
        Some(home) if !is_shared => home,
        _ => accesses.lanes.len() + lane,
    };
    lanes.map(name).collect()
}
