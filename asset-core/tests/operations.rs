//! What operations of collections are said to read, to write and to commute with, against
//! the collections themselves: all contents of small ones, and all values.

use asset_core::prelude::*;
use asset_core::state::collections::{COMMUTING, Condition};
use asset_core::state::{StateVar, number};
use std::fmt::Debug;

#[path = "../../asset-macros/src/analyse/operations.rs"]
mod operations;

use operations::{OPERATIONS, Part, operation};

#[derive(StateVar, Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Thing {
    One,
    Two,
    Three,
}

type Queued = Queue<Thing, 3>;
type Bagged = Bag<Thing, 3>;
type Members = Set<Thing>;
type Mapped = Map<Thing, Option<Thing>>;

fn all<T: StateVar>() -> impl Iterator<Item = T> {
    (0..number::n_values::<T>().expect("few values")).map(number::value)
}

/// Does something by its name, with a value for those that take one. What it answers.
trait Does: StateVar + PartialEq + Debug {
    const NAME: &str;

    fn perform(&mut self, name: &str, value: Thing) -> String;

    fn fill(&self) -> (usize, usize);
}

impl Does for Queued {
    const NAME: &str = "Queue";

    fn perform(&mut self, name: &str, value: Thing) -> String {
        match name {
            "len" => format!("{}", self.len()),
            "is_empty" => format!("{}", self.is_empty()),
            "is_full" => format!("{}", self.is_full()),
            "front" => format!("{:?}", self.front()),
            "back" => format!("{:?}", self.back()),
            "get" => format!("{:?}", self.get(1)),
            "contains" => format!("{}", self.contains(&value)),
            "as_slice" => format!("{:?}", self.as_slice()),
            "iter" => format!("{:?}", self.iter().collect::<Vec<_>>()),
            "push" => format!("{:?}", self.push(value)),
            "try_push" => format!("{}", self.try_push(value)),
            "pop" => format!("{:?}", self.pop()),
            "remove" => format!("{:?}", self.remove(1)),
            "clear" => format!("{:?}", self.clear()),
            _ => panic!("no test of {name}"),
        }
    }

    fn fill(&self) -> (usize, usize) {
        (self.len(), Self::CAPACITY)
    }
}

impl Does for Bagged {
    const NAME: &str = "Bag";

    fn perform(&mut self, name: &str, value: Thing) -> String {
        match name {
            "len" => format!("{}", self.len()),
            "is_empty" => format!("{}", self.is_empty()),
            "is_full" => format!("{}", self.is_full()),
            "count" => format!("{}", self.count(&value)),
            "contains" => format!("{}", self.contains(&value)),
            "iter" => format!("{:?}", self.iter().collect::<Vec<_>>()),
            "insert" => format!("{:?}", self.insert(value)),
            "try_insert" => format!("{}", self.try_insert(value)),
            "remove" => format!("{}", self.remove(&value)),
            "clear" => format!("{:?}", self.clear()),
            _ => panic!("no test of {name}"),
        }
    }

    fn fill(&self) -> (usize, usize) {
        (self.len(), Self::CAPACITY)
    }
}

impl Does for Members {
    const NAME: &str = "Set";

    fn perform(&mut self, name: &str, value: Thing) -> String {
        match name {
            "len" => format!("{}", self.len()),
            "is_empty" => format!("{}", self.is_empty()),
            "iter" => format!("{:?}", self.iter().collect::<Vec<_>>()),
            "contains" => format!("{}", self.contains(&value)),
            "insert" => format!("{}", self.insert(value)),
            "remove" => format!("{}", self.remove(&value)),
            "clear" => format!("{:?}", self.clear()),
            _ => panic!("no test of {name}"),
        }
    }

    fn fill(&self) -> (usize, usize) {
        (self.len(), usize::MAX)
    }
}

impl Does for Mapped {
    const NAME: &str = "Map";

    fn perform(&mut self, name: &str, _: Thing) -> String {
        match name {
            "iter" => format!("{:?}", self.iter().collect::<Vec<_>>()),
            "values" => format!("{:?}", self.values().collect::<Vec<_>>()),
            _ => panic!("no test of {name}"),
        }
    }

    fn fill(&self) -> (usize, usize) {
        (3, 3)
    }
}

impl Does for Option<Thing> {
    const NAME: &str = "Option";

    fn perform(&mut self, name: &str, value: Thing) -> String {
        match name {
            "is_some" => format!("{}", self.is_some()),
            "is_none" => format!("{}", self.is_none()),
            "unwrap" | "expect" if self.is_none() => "a panic".to_owned(),
            "unwrap" => format!("{:?}", self.unwrap()),
            "expect" => format!("{:?}", self.expect("something")),
            "unwrap_or" => format!("{:?}", self.unwrap_or(value)),
            "take" => format!("{:?}", self.take()),
            "replace" => format!("{:?}", self.replace(value)),
            "insert" => format!("{:?}", self.insert(value)),
            _ => panic!("no test of {name}"),
        }
    }

    fn fill(&self) -> (usize, usize) {
        (usize::from(self.is_some()), 1)
    }
}

/// What is in the collection after the operation, and what it answered.
fn after<T: Does>(mut contents: T, name: &str, value: Thing) -> (T, String) {
    let answer = contents.perform(name, value);
    (contents, answer)
}

/// What only looks leaves everything as it is, and what is said to write does so once.
fn what_looks_only_looks<T: Does>() {
    for operation in OPERATIONS.iter().filter(|operation| operation.of == T::NAME) {
        let changes = |contents: T| {
            all::<Thing>().any(|value| after(contents, operation.name, value).0 != contents)
        };
        let ever_changes = all::<T>().any(changes);
        assert_eq!(ever_changes, operation.writes, "{} of {}", operation.name, T::NAME);
    }
}

#[test]
fn operations_write_what_is_said() {
    what_looks_only_looks::<Queued>();
    what_looks_only_looks::<Bagged>();
    what_looks_only_looks::<Members>();
    what_looks_only_looks::<Mapped>();
    what_looks_only_looks::<Option<Thing>>();
}

/// What touches one element is a function of it, and changes no other.
#[test]
fn operations_on_an_element_touch_no_other() {
    let of_element: Vec<_> = OPERATIONS.iter().filter(|o| o.part == Part::Element).collect();
    assert!(of_element.len() == 3 && of_element.iter().all(|o| o.of == "Set"));
    for operation in of_element {
        for (value, contents) in all::<Thing>().flat_map(|v| all::<Members>().map(move |c| (v, c)))
        {
            let (new, answer) = after(contents, operation.name, value);
            for other in all::<Thing>().filter(|other| *other != value) {
                assert_eq!(new.contains(&other), contents.contains(&other));
            }
            let alike =
                all::<Members>().filter(|c| c.contains(&value) == contents.contains(&value));
            for alike in alike {
                let (its_new, its_answer) = after(alike, operation.name, value);
                assert_eq!(its_new.contains(&value), new.contains(&value));
                assert_eq!(its_answer, answer);
            }
        }
    }
    // So does the index of a map.
    for (key, map) in all::<Thing>().flat_map(|key| all::<Mapped>().map(move |map| (key, map))) {
        let mut new = map;
        new[key] = Some(Thing::Two);
        assert!(all::<Thing>().all(|other| other == key || new[other] == map[other]));
    }
}

/// Whether these operations commute from these contents.
fn commute<T: Does>(contents: T, one: (&str, Thing), other: (&str, Thing)) -> bool {
    let (first, of_one) = after(contents, one.0, one.1);
    let (both, of_other) = after(first, other.0, other.1);
    let (first, of_other_first) = after(contents, other.0, other.1);
    let (turned, of_one_second) = after(first, one.0, one.1);
    both == turned && of_one == of_one_second && of_other == of_other_first
}

fn rows_hold<T: Does>() -> usize {
    let rows: Vec<_> = COMMUTING.iter().filter(|row| row.of == T::NAME).collect();
    for row in &rows {
        let (mut n_held, mut n_failed) = (0, 0);
        for contents in all::<T>() {
            for (a, b) in all::<Thing>().flat_map(|a| all::<Thing>().map(move |b| (a, b))) {
                let (n, capacity) = contents.fill();
                let is_met = |condition: &Condition| match condition {
                    Condition::DifferentElements => a != b,
                    Condition::NotEmpty => n > 0,
                    Condition::NotFull => n < capacity,
                    Condition::RoomForBoth => n + 2 <= capacity,
                };
                let commute = commute(contents, (row.one, a), (row.other, b));
                match row.if_all.iter().all(is_met) {
                    true => {
                        assert!(commute, "{row:?} {contents:?} {a:?} {b:?}");
                        n_held += 1;
                    }
                    false => n_failed += usize::from(!commute),
                }
            }
        }
        // The conditions are asked for a reason, and are met.
        assert!(n_held > 0 && n_failed > 0, "{row:?}: {n_held}, {n_failed}");
        assert!(operation(row.of, row.one).is_some() && operation(row.of, row.other).is_some());
    }
    rows.len()
}

#[test]
fn operations_commute_as_is_said() {
    let n = rows_hold::<Queued>() + rows_hold::<Bagged>() + rows_hold::<Members>();
    assert_eq!(n, COMMUTING.len());
}
