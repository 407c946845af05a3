//! What a transition does, as a tree of questions: which value has this lane, and then that
//! one? So it is known on which few lanes it depends in a situation, though it may touch many.

use super::case::{Case, without};
use super::{Effect, Partial, Value};
use hashbrown::{HashMap, HashSet};

/// With so many rows or fewer, lanes on which nothing depends are looked for first.
const FEW_ROWS: usize = 1 << 12;

/// A situation of a transition: where lanes have these values, it does this.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The transition.
    pub transition: usize,
    /// The lanes that decide, and their values, in increasing order of the lanes.
    pub when: Vec<(usize, Value)>,
    /// What it does.
    pub effect: Effect,
}

impl Leaf {
    /// What it writes; nothing if it does not say.
    pub fn writes(&self) -> &[(usize, Value)] {
        if let Effect::Enabled(writes) = &self.effect { writes } else { &[] }
    }
}

/// A part of a tree.
#[derive(Debug)]
pub enum Node {
    /// The number of a leaf.
    Leaf(usize),
    /// A lane, and what comes for its values, in increasing order. No other can occur.
    Split(usize, Vec<(Value, Node)>),
}

/// The tree of a transition, given what it does in each case. Its leaves are added to those
/// of others.
pub fn tree(transition: usize, cases: &[Case], leaves: &mut Vec<Leaf>) -> Node {
    // Of different cases, other lanes are read; each has one value of the lane of choice.
    let mut when = Vec::new();
    let mut build = Build { transition, leaves };
    match cases {
        [case] if case.choice().is_none() => build.case(case, &mut when),
        _ => {
            let branches = cases.iter().filter(|case| !case.rows.is_empty()).map(|case| {
                let (lane, value) = case.choice().unwrap_or_default();
                when.push((lane, value));
                let node = build.case(case, &mut when);
                when.pop();
                (lane, value, node)
            });
            let branches: Vec<_> = branches.collect();
            let lane = branches.first().map_or(0, |branch| branch.0);
            Node::Split(lane, branches.into_iter().map(|(_, value, node)| (value, node)).collect())
        }
    }
}

struct Build<'b> {
    transition: usize,
    leaves: &'b mut Vec<Leaf>,
}

/// A row: the values of some lanes, and the number of what is done.
type Row = (Vec<Value>, usize);

impl Build<'_> {
    fn case(&mut self, case: &Case, when: &mut Vec<(usize, Value)>) -> Node {
        let mut effects: Vec<&Effect> = Vec::new();
        let mut numbers: HashMap<&Effect, usize> = HashMap::new();
        let rows = case.rows.iter().map(|(read, effect)| {
            let number = *numbers.entry(effect).or_insert_with(|| {
                effects.push(effect);
                effects.len() - 1
            });
            (read.to_vec(), number)
        });
        let rows: Vec<Row> = rows.collect();
        let chosen = case.choice().map(|choice| choice.0);
        let (mut lanes, mut rows) = (case.lanes().to_vec(), rows);
        if let Some(x) = lanes.iter().position(|&lane| Some(lane) == chosen) {
            (lanes, rows) = dropped(lanes, rows, x);
        }
        self.node(lanes, rows, &effects, when)
    }

    fn node(
        &mut self,
        mut lanes: Vec<usize>,
        mut rows: Vec<Row>,
        effects: &[&Effect],
        when: &mut Vec<(usize, Value)>,
    ) -> Node {
        let first = rows[0].1;
        if rows.iter().all(|row| row.1 == first) {
            let mut when = when.clone();
            when.sort_unstable();
            let effect = effects[first].clone();
            self.leaves.push(Leaf { transition: self.transition, when, effect });
            return Node::Leaf(self.leaves.len() - 1);
        }
        if rows.len() <= FEW_ROWS {
            for x in (0..lanes.len()).rev() {
                if is_irrelevant(&rows, x) {
                    (lanes, rows) = dropped(lanes, rows, x);
                }
            }
        }
        let x = (0..lanes.len()).min_by_key(|&x| impurity(&rows, x)).unwrap_or(0);
        let lane = lanes[x];
        let mut by_value: HashMap<Value, Vec<Row>> = HashMap::new();
        for (read, effect) in rows {
            by_value.entry(read[x]).or_default().push((without(&read, x), effect));
        }
        lanes.remove(x);
        let mut by_value: Vec<_> = by_value.into_iter().collect();
        by_value.sort_unstable_by_key(|entry| entry.0);
        let branches = by_value.into_iter().map(|(value, rows)| {
            when.push((lane, value));
            let node = self.node(lanes.clone(), rows, effects, when);
            when.pop();
            (value, node)
        });
        Node::Split(lane, branches.collect())
    }
}

/// The rows without a lane on which nothing depends.
fn dropped(mut lanes: Vec<usize>, rows: Vec<Row>, x: usize) -> (Vec<usize>, Vec<Row>) {
    lanes.remove(x);
    let mut seen = HashSet::new();
    let rows = rows.into_iter().map(|(read, effect)| (without(&read, x), effect));
    (lanes, rows.filter(|(read, _)| seen.insert(read.clone())).collect())
}

/// Whether rows that differ in this place alone do the same.
fn is_irrelevant(rows: &[Row], x: usize) -> bool {
    let mut known: HashMap<Vec<Value>, usize> = HashMap::with_capacity(rows.len());
    rows.iter().all(|(read, effect)| *known.entry(without(read, x)).or_insert(*effect) == *effect)
}

/// How much there is left to ask once the value in this place is known: how many different
/// things are done for its values, beyond one each, and how many values there are.
fn impurity(rows: &[Row], x: usize) -> (usize, usize) {
    let pairs: HashSet<(Value, usize)> = rows.iter().map(|row| (row.0[x], row.1)).collect();
    let values: HashSet<Value> = rows.iter().map(|row| row.0[x]).collect();
    (pairs.len() - values.len(), values.len())
}

impl Node {
    /// The leaf, as far as what is known tells; `None` if it does not, or cannot occur.
    pub fn find(&self, known: &Partial) -> Option<usize> {
        match self {
            Node::Leaf(leaf) => Some(*leaf),
            Node::Split(lane, branches) => {
                let value = known.get(*lane)?;
                let branch = branches.iter().find(|branch| branch.0 == value)?;
                branch.1.find(known)
            }
        }
    }

    /// The lane that is asked for first.
    pub fn first_lane(&self) -> Option<usize> {
        if let Node::Split(lane, _) = self { Some(*lane) } else { None }
    }
}
