//! Which operations of collections commute: a table, tested against the collections.

/// Two operations of a collection, by the names of their methods, that commute: under the
/// conditions both orders answer the same and leave the same contents.
#[derive(Clone, Copy, Debug)]
pub struct Commuting {
    /// The collection.
    pub of: &'static str,
    /// One operation.
    pub one: &'static str,
    /// The other one.
    pub other: &'static str,
    /// What must be so before the first of them; all of these.
    pub if_all: &'static [Condition],
}

/// What must be so for two operations to commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// They are given different values.
    DifferentElements,
    /// Something is in the collection.
    NotEmpty,
    /// There is room for one more.
    NotFull,
    /// There is room for two more.
    RoomForBoth,
}

use Condition::{DifferentElements, NotEmpty, NotFull, RoomForBoth};

const fn row(
    of: &'static str,
    one: &'static str,
    other: &'static str,
    if_all: &'static [Condition],
) -> Commuting {
    Commuting { of, one, other, if_all }
}

/// The table. Operations that only look commute with each other, and stand in no row; of
/// others that stand in none it is not known that they commute.
pub const COMMUTING: &[Commuting] = &[
    row("Queue", "push", "pop", &[NotEmpty, NotFull]),
    row("Queue", "try_push", "pop", &[NotEmpty, NotFull]),
    row("Queue", "push", "front", &[NotEmpty]),
    row("Queue", "try_push", "front", &[NotEmpty]),
    row("Bag", "insert", "insert", &[RoomForBoth]),
    row("Bag", "try_insert", "try_insert", &[RoomForBoth]),
    row("Bag", "insert", "remove", &[DifferentElements, NotFull]),
    row("Bag", "try_insert", "remove", &[DifferentElements, NotFull]),
    row("Bag", "insert", "contains", &[DifferentElements]),
    row("Bag", "try_insert", "contains", &[DifferentElements]),
    row("Bag", "remove", "remove", &[DifferentElements]),
    row("Bag", "remove", "contains", &[DifferentElements]),
    row("Set", "insert", "insert", &[DifferentElements]),
    row("Set", "insert", "remove", &[DifferentElements]),
    row("Set", "insert", "contains", &[DifferentElements]),
    row("Set", "remove", "remove", &[DifferentElements]),
    row("Set", "remove", "contains", &[DifferentElements]),
];
