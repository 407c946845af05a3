//! What the operations of the prelude's collections read and write: a table, and nothing
//! else, so that it can be tested against the collections themselves.

/// An operation of a collection, by its name as a method.
pub struct Operation {
    /// The collection.
    pub of: &'static str,
    /// The method.
    pub name: &'static str,
    /// Which part of the variable it touches.
    pub part: Part,
    /// Whether it may write it. It reads it in any case.
    pub writes: bool,
}

/// A part of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// What is kept for the value that it is given.
    Element,
}

const fn looks(of: &'static str, name: &'static str) -> Operation {
    Operation { of, name, part: Part::Whole, writes: false }
}

const fn changes(of: &'static str, name: &'static str) -> Operation {
    Operation { of, name, part: Part::Whole, writes: true }
}

/// What is not in the table may do anything with the variable. What only looks at an option
/// has no parameter that is a function: that might be an author's.
pub const OPERATIONS: &[Operation] = &[
    looks("Queue", "len"),
    looks("Queue", "is_empty"),
    looks("Queue", "is_full"),
    looks("Queue", "front"),
    looks("Queue", "back"),
    looks("Queue", "get"),
    looks("Queue", "contains"),
    looks("Queue", "as_slice"),
    looks("Queue", "iter"),
    changes("Queue", "push"),
    changes("Queue", "try_push"),
    changes("Queue", "pop"),
    changes("Queue", "remove"),
    changes("Queue", "clear"),
    looks("Bag", "len"),
    looks("Bag", "is_empty"),
    looks("Bag", "is_full"),
    looks("Bag", "count"),
    looks("Bag", "contains"),
    looks("Bag", "iter"),
    changes("Bag", "insert"),
    changes("Bag", "try_insert"),
    changes("Bag", "remove"),
    changes("Bag", "clear"),
    looks("Set", "len"),
    looks("Set", "is_empty"),
    looks("Set", "iter"),
    Operation { of: "Set", name: "contains", part: Part::Element, writes: false },
    Operation { of: "Set", name: "insert", part: Part::Element, writes: true },
    Operation { of: "Set", name: "remove", part: Part::Element, writes: true },
    changes("Set", "clear"),
    looks("Map", "iter"),
    looks("Map", "values"),
    looks("Option", "is_some"),
    looks("Option", "is_none"),
    looks("Option", "unwrap"),
    looks("Option", "expect"),
    looks("Option", "unwrap_or"),
    changes("Option", "take"),
    changes("Option", "replace"),
    changes("Option", "insert"),
];

/// The operation of this name of a collection of this name.
pub fn operation(of: &str, name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.of == of && operation.name == name)
}
