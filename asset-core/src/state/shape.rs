//! How a state variable looks to people: the tree above its lanes, as data.
//!
//! Data and not code: printing is compiled once, for all types of all
//! instances of all models.

use super::collections::{Multisets, Sequences};
use super::{Layout, Shown};

/// The tree above a type's lanes, in the order of its layout.
///
/// Where elements are told by their numbers, their layout stands beside their shape.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A truth value: one lane.
    Bool,
    /// An integer: one lane.
    Int,
    /// An enum without data: one lane that numbers these names.
    Names(&'static [&'static str]),
    /// An array: so many elements.
    List(&'static Shape, usize),
    /// A struct: fields by name, in order.
    Record(&'static [(&'static str, &'static Shape)]),
    /// An enum with data: one lane that numbers all values of all variants.
    Variants(&'static [VariantShape]),
    /// A tuple: fields in order.
    Tuple(&'static [&'static Shape]),
    /// A queue of at most so many elements: lanes that number sequences.
    Queue(&'static Shape, &'static Layout, usize),
    /// A bag of at most so many elements: one lane that numbers multisets, or lanes that
    /// number sorted sequences.
    Bag(&'static Shape, &'static Layout, usize),
    /// A set: one lane for each of so many values.
    Set(&'static Shape, &'static Layout, usize),
    /// A map: the shape and the layout of its keys, and that of its values, of which
    /// there are so many.
    Map(&'static Shape, &'static Layout, &'static Shape, usize),
}

/// A variant of an enum with data.
#[derive(Clone, Copy, Debug)]
pub struct VariantShape {
    /// The variant's name.
    pub name: &'static str,
    /// Its data, with their names; those in parentheses have none.
    pub fields: &'static [(&'static str, &'static Shape)],
    /// The layout of its data.
    pub layout: &'static Layout,
}

/// How a collection's elements are numbered in its lanes.
enum Numbering {
    Sequences(Sequences),
    Multisets(Multisets),
}

impl Numbering {
    /// That of a queue of elements with this layout.
    fn of_queue(element: &Layout, capacity: usize) -> Numbering {
        Numbering::Sequences(Sequences::new(element.n_values() as u64, capacity))
    }

    /// That of a bag of elements with this layout.
    fn of_bag(element: &Layout, capacity: usize) -> Numbering {
        let multisets = Multisets { n: element.n_values() as u64, capacity };
        match multisets.n_values() {
            Some(_) => Numbering::Multisets(multisets),
            None => Numbering::of_queue(element, capacity),
        }
    }

    fn n_lanes(&self) -> usize {
        match self {
            Numbering::Sequences(plan) => plan.n_scalars(),
            Numbering::Multisets(_) => 1,
        }
    }

    /// The numbers of the elements, if the lanes hold the next of these numbers.
    fn elements(&self, lanes: &mut dyn Iterator<Item = i128>) -> Vec<u64> {
        let mut next = || lanes.next().expect("a number for every lane") as u64;
        let mut numbers = Vec::new();
        match self {
            Numbering::Multisets(plan) => {
                numbers.resize(plan.capacity, 0);
                let n = plan.elements(next(), |i, number| numbers[i] = number);
                numbers.truncate(n);
            }
            Numbering::Sequences(plan) => {
                for scalar in 0..plan.n_scalars() {
                    let (n, number) = plan.length(plan.places(scalar), next());
                    let first = numbers.len();
                    numbers.resize(first + n, 0);
                    plan.elements(n, number, |i, number| numbers[first + i] = number);
                }
            }
        }
        numbers
    }
}

impl Shape {
    /// The value whose lanes hold the next of these numbers.
    ///
    /// # Panics
    ///
    /// If there are too few numbers, or one that is not legal for its lane.
    pub fn show(&self, lanes: &mut dyn Iterator<Item = i128>) -> Shown {
        let mut next = || lanes.next().expect("a number for every lane");
        match self {
            Shape::Bool => Shown::Bool(next() != 0),
            Shape::Int => Shown::Int(next()),
            Shape::Names(names) => Shown::Name(names[next() as usize]),
            Shape::List(element, n) => Shown::List((0..*n).map(|_| element.show(lanes)).collect()),
            Shape::Record(fields) => Shown::Record(
                fields.iter().map(|(name, shape)| (*name, shape.show(lanes))).collect(),
            ),
            Shape::Variants(variants) => show_variant(variants, next() as u64),
            Shape::Tuple(fields) => {
                Shown::Tuple(fields.iter().map(|shape| shape.show(lanes)).collect())
            }
            Shape::Queue(element, layout, capacity) => {
                let numbers = Numbering::of_queue(layout, *capacity).elements(lanes);
                Shown::Queue(numbers.iter().map(|&i| element.show_numbered(layout, i)).collect())
            }
            Shape::Bag(element, layout, capacity) => {
                let numbers = Numbering::of_bag(layout, *capacity).elements(lanes);
                Shown::Set(numbers.iter().map(|&i| element.show_numbered(layout, i)).collect())
            }
            Shape::Set(member, layout, n) => {
                let members = (0..*n as u64).filter(|_| next() != 0);
                Shown::Set(members.map(|i| member.show_numbered(layout, i)).collect())
            }
            Shape::Map(key, layout, value, n) => {
                let pairs = (0..*n as u64)
                    .map(|i| (key.show_numbered(layout, i).to_string(), value.show(lanes)));
                Shown::Map(pairs.collect())
            }
        }
    }

    /// The value with this number among those of a type with this shape and this layout.
    pub fn show_numbered(&self, layout: &Layout, number: u64) -> Shown {
        let mut image = vec![0; layout.size];
        layout.write_numbered(number, &mut image);
        self.show(&mut layout.lanes().iter().map(|lane| lane.value(&image)))
    }

    /// Number of lanes.
    pub fn n_lanes(&self) -> usize {
        match self {
            Shape::Bool | Shape::Int | Shape::Names(_) | Shape::Variants(_) => 1,
            Shape::List(element, n) | Shape::Map(_, _, element, n) => n * element.n_lanes(),
            Shape::Record(fields) => fields.iter().map(|(_, shape)| shape.n_lanes()).sum(),
            Shape::Tuple(fields) => fields.iter().map(|shape| shape.n_lanes()).sum(),
            Shape::Queue(_, layout, n) => Numbering::of_queue(layout, *n).n_lanes(),
            Shape::Bag(_, layout, n) => Numbering::of_bag(layout, *n).n_lanes(),
            Shape::Set(_, _, n) => *n,
        }
    }

    /// Number of elements that are variables of their own, each with as many lanes: those
    /// of an array, the values that may be in a set, the keys of a map. Otherwise 1.
    pub fn n_elements(&self) -> usize {
        match self {
            Shape::List(_, n) | Shape::Set(_, _, n) | Shape::Map(_, _, _, n) => *n,
            _ => 1,
        }
    }

    /// Appends the path of every lane, each starting with `prefix`.
    pub fn lane_paths(&self, prefix: &str, paths: &mut Vec<String>) {
        match self {
            Shape::Bool | Shape::Int | Shape::Names(_) | Shape::Variants(_) => {
                paths.push(prefix.to_owned());
            }
            Shape::List(element, n) => {
                for i in 0..*n {
                    element.lane_paths(&format!("{prefix}[{i}]"), paths);
                }
            }
            Shape::Record(fields) => {
                for (name, shape) in *fields {
                    let dot = if prefix.is_empty() { "" } else { "." };
                    shape.lane_paths(&format!("{prefix}{dot}{name}"), paths);
                }
            }
            Shape::Tuple(fields) => {
                for (i, shape) in fields.iter().enumerate() {
                    shape.lane_paths(&format!("{prefix}.{i}"), paths);
                }
            }
            Shape::Queue(..) | Shape::Bag(..) => {
                paths.extend(std::iter::repeat_n(prefix.to_owned(), self.n_lanes()));
            }
            Shape::Set(member, layout, n) => paths.extend(
                (0..*n as u64).map(|i| format!("{prefix}[{}]", member.show_numbered(layout, i))),
            ),
            Shape::Map(key, layout, value, n) => {
                for i in 0..*n as u64 {
                    let key = key.show_numbered(layout, i);
                    value.lane_paths(&format!("{prefix}[{key}]"), paths);
                }
            }
        }
    }

    /// The innermost collection to which a lane belongs, if it does to one whose contents
    /// may be illegal as a whole: its path, and how many elements it has room for, unless
    /// that is no limit of its own.
    pub fn collection(&self, lane: usize, prefix: &str) -> Option<(String, Option<usize>)> {
        let inner = |shape: &Shape, lane: usize, path: String| shape.collection(lane, &path);
        match self {
            Shape::Bool | Shape::Int | Shape::Names(_) | Shape::Variants(_) => None,
            Shape::Queue(_, _, n) | Shape::Bag(_, _, n) => Some((prefix.to_owned(), Some(*n))),
            Shape::Set(..) => Some((prefix.to_owned(), None)),
            Shape::List(element, _) => {
                let n = element.n_lanes();
                inner(element, lane % n, format!("{prefix}[{}]", lane / n))
            }
            Shape::Map(key, layout, value, _) => {
                let n = value.n_lanes();
                let key = key.show_numbered(layout, (lane / n) as u64);
                inner(value, lane % n, format!("{prefix}[{key}]"))
            }
            Shape::Record(fields) => {
                let dot = if prefix.is_empty() { "" } else { "." };
                let (i, lane) = field_of(fields.iter().map(|(_, shape)| *shape), lane)?;
                inner(fields[i].1, lane, format!("{prefix}{dot}{}", fields[i].0))
            }
            Shape::Tuple(fields) => {
                let (i, lane) = field_of(fields.iter().copied(), lane)?;
                inner(fields[i], lane, format!("{prefix}.{i}"))
            }
        }
    }
}

/// The field to which a lane belongs, and its position there.
fn field_of<'s>(
    fields: impl Iterator<Item = &'s Shape>,
    mut lane: usize,
) -> Option<(usize, usize)> {
    for (i, shape) in fields.enumerate() {
        let n = shape.n_lanes();
        if lane < n {
            return Some((i, lane));
        }
        lane -= n;
    }
    None
}

/// The value with this number among all values of all variants.
fn show_variant(variants: &[VariantShape], mut number: u64) -> Shown {
    for VariantShape { name, fields, layout } in variants {
        let n_values = layout.n_values() as u64;
        if number >= n_values {
            number -= n_values;
            continue;
        }
        if fields.is_empty() {
            return Shown::Name(name);
        }
        let mut image = vec![0; layout.size];
        layout.write_numbered(number, &mut image);
        let mut lanes = layout.lanes().iter().map(|lane| lane.value(&image));
        let data = fields.iter().map(|(name, field)| (*name, field.show(&mut lanes)));
        return Shown::Variant(name, data.collect());
    }
    panic!("an enum has no value with this number");
}
