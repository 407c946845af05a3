//! How a state variable looks to people: the tree above its lanes, as data.
//!
//! Data and not code: printing is compiled once, for all types of all
//! instances of all models.

use super::{Layout, Shown};

/// The tree above a type's lanes, in the order of its layout.
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
}

/// A variant of an enum with data.
#[derive(Clone, Copy, Debug)]
pub struct VariantShape {
    /// The variant's name.
    pub name: &'static str,
    /// Its data.
    pub fields: &'static [&'static Shape],
    /// The layout of its data.
    pub layout: &'static Layout,
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
        }
    }

    /// Number of lanes.
    pub fn n_lanes(&self) -> usize {
        match self {
            Shape::Bool | Shape::Int | Shape::Names(_) | Shape::Variants(_) => 1,
            Shape::List(element, n) => n * element.n_lanes(),
            Shape::Record(fields) => fields.iter().map(|(_, shape)| shape.n_lanes()).sum(),
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
        }
    }
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
        return Shown::Variant(name, fields.iter().map(|field| field.show(&mut lanes)).collect());
    }
    panic!("an enum has no value with this number");
}
