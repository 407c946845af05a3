//! State checks as transitions that nobody sees: which firings may end a failure, and which
//! may begin one.

use super::firing::Firing;
use super::tree::Leaf;
use super::values::Values;
use super::{Effect, Value};
use crate::machine::Accesses;
use crate::model::CheckSet;
use hashbrown::HashMap;

/// The most combinations of values for which a check is asked.
const MAX_ASKED: usize = 1 << 16;

/// What firings may do to checks, as bits for each situation of a transition.
pub struct Checks {
    /// They fail before and may hold afterwards.
    pub mends: Vec<u64>,
    /// They hold before and may fail afterwards.
    pub breaks: Vec<u64>,
}

impl Checks {
    /// What the firings do to the state checks among `on`. All other checks are never
    /// touched: nothing is asked of stubborn sets for them.
    pub fn new(
        accesses: &Accesses,
        on: CheckSet,
        values: &Values,
        leaves: &[Leaf],
        firing: &mut Firing<'_>,
    ) -> Self {
        let mut checks = Checks { mends: vec![0; leaves.len()], breaks: vec![0; leaves.len()] };
        for check in (0..u64::BITS as usize).filter(|&check| on.contains(check)) {
            let looks_at = accesses.checks.get(check).and_then(Option::as_ref);
            let table = looks_at.and_then(|lanes| Table::new(check, lanes, values, firing));
            for (i, leaf) in leaves.iter().enumerate() {
                let Effect::Enabled(writes) = &leaf.effect else { continue };
                let (mends, breaks) = match (&table, looks_at) {
                    (Some(table), _) => table.changes(leaf, writes),
                    (None, Some(lanes)) => {
                        let is_seen = writes.iter().any(|write| lanes.contains(&write.0));
                        (is_seen, is_seen)
                    }
                    (None, None) => (true, true),
                };
                checks.mends[i] |= u64::from(mends) << check;
                checks.breaks[i] |= u64::from(breaks) << check;
            }
        }
        checks
    }
}

/// Whether a check fails, by classes of values that it does not tell apart.
struct Table {
    lanes: Vec<usize>,
    /// For each lane, the class of each value.
    classes: Vec<HashMap<Value, usize>>,
    n_classes: Vec<usize>,
    /// For each combination of classes, the last lane running fastest.
    fails: Vec<bool>,
}

impl Table {
    fn new(
        check: usize,
        lanes: &[usize],
        values: &Values,
        firing: &mut Firing<'_>,
    ) -> Option<Table> {
        let domains: Vec<Vec<Value>> = lanes.iter().map(|&lane| values.of_lane(lane)).collect();
        let n: usize = domains.iter().try_fold(1usize, |n, d| n.checked_mul(d.len()))?;
        if n > MAX_ASKED {
            return None;
        }
        let mut fails = Vec::with_capacity(n);
        let mut at = vec![0; lanes.len()];
        for _ in 0..n {
            let now: Vec<Value> = at.iter().zip(&domains).map(|(&i, d)| d[i]).collect();
            fails.push(firing.check(check, lanes, &now)?);
            for k in (0..at.len()).rev() {
                at[k] += 1;
                if at[k] < domains[k].len() {
                    break;
                }
                at[k] = 0;
            }
        }
        let mut table =
            Table { lanes: lanes.to_vec(), classes: Vec::new(), n_classes: Vec::new(), fails };
        let mut sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
        for (k, domain) in domains.iter().enumerate() {
            let classes = table.merge(&mut sizes, k);
            table.classes.push(domain.iter().copied().zip(classes).collect());
        }
        table.n_classes = sizes;
        Some(table)
    }

    /// Puts values of the `k`-th lane that are not told apart into one class. Returns the
    /// class of each.
    fn merge(&mut self, sizes: &mut [usize], k: usize) -> Vec<usize> {
        let inner: usize = sizes[k + 1..].iter().product();
        let outer: usize = sizes[..k].iter().product();
        let n = sizes[k];
        let column = |value: usize| -> Vec<bool> {
            let at = |o: usize| (o * n + value) * inner;
            (0..outer).flat_map(|o| self.fails[at(o)..at(o) + inner].iter().copied()).collect()
        };
        let mut known: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut first = Vec::new();
        let classes: Vec<usize> = (0..n)
            .map(|value| {
                *known.entry(column(value)).or_insert_with(|| {
                    first.push(value);
                    first.len() - 1
                })
            })
            .collect();
        let mut merged = Vec::new();
        for o in 0..outer {
            for &value in &first {
                let at = (o * n + value) * inner;
                merged.extend_from_slice(&self.fails[at..at + inner]);
            }
        }
        self.fails = merged;
        sizes[k] = first.len();
        classes
    }

    /// Whether a firing may mend the check, and whether it may break it.
    fn changes(&self, leaf: &Leaf, writes: &[(usize, Value)]) -> (bool, bool) {
        if !writes.iter().any(|write| self.lanes.contains(&write.0)) {
            return (false, false);
        }
        let class = |pairs: &[(usize, Value)], k: usize| {
            let value = pairs.iter().find(|pair| pair.0 == self.lanes[k])?.1;
            Some(self.classes[k][&value])
        };
        let before: Vec<_> = (0..self.lanes.len()).map(|k| class(&leaf.when, k)).collect();
        let written: Vec<_> = (0..self.lanes.len()).map(|k| class(writes, k)).collect();
        let (mut mends, mut breaks) = (false, false);
        let mut at: Vec<usize> = before.iter().map(|class| class.unwrap_or(0)).collect();
        loop {
            let after: Vec<usize> =
                at.iter().zip(&written).map(|(&now, then)| then.unwrap_or(now)).collect();
            let (fails, fails_after) = (self.fails_at(&at), self.fails_at(&after));
            mends |= fails && !fails_after;
            breaks |= !fails && fails_after;
            let next =
                (0..at.len()).find(|&k| before[k].is_none() && at[k] + 1 < self.n_classes[k]);
            let Some(next) = next else { return (mends, breaks) };
            at[next] += 1;
            (0..next).filter(|&k| before[k].is_none()).for_each(|k| at[k] = 0);
        }
    }

    fn fails_at(&self, classes: &[usize]) -> bool {
        let pairs = classes.iter().zip(&self.n_classes);
        self.fails[pairs.fold(0, |at, (class, n)| at * n + class)]
    }
}
