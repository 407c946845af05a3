//! A state as a tree that can be printed, compared and serialised.

use serde::Serialize;
use std::fmt;

/// The value of a state variable, for people and files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An enum variant without data.
    Name(&'static str),
    /// An array.
    List(Vec<Shown>),
    /// A struct: fields by name, in order.
    Record(Vec<(&'static str, Shown)>),
    /// An enum variant with data; those in parentheses have no names.
    Variant(&'static str, Vec<(&'static str, Shown)>),
    /// A tuple.
    Tuple(Vec<Shown>),
    /// A queue, the oldest element first.
    Queue(Vec<Shown>),
    /// A set or a bag, in the order of values.
    Set(Vec<Shown>),
    /// A map: keys as they are printed, in the order of values.
    Map(Vec<(String, Shown)>),
}

/// Writes a list with something between its elements.
fn join<T>(
    f: &mut fmt::Formatter<'_>,
    list: &[T],
    between: &str,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, element) in list.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        write(f, element)?;
    }
    Ok(())
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = |f: &mut fmt::Formatter<'_>, element: &Shown| write!(f, "{element}");
        match self {
            Shown::Bool(false) => f.write_str("no"),
            Shown::Bool(true) => f.write_str("yes"),
            Shown::Int(x) => write!(f, "{x}"),
            Shown::Name(name) => f.write_str(name),
            Shown::List(list) | Shown::Queue(list) => {
                f.write_str("[")?;
                join(f, list, " ", element)?;
                f.write_str("]")
            }
            Shown::Record(fields) => {
                f.write_str("{")?;
                join(f, fields, " ", |f, (name, value)| write!(f, "{name}={value}"))?;
                f.write_str("}")
            }
            Shown::Variant(name, data) => {
                // Names are read as in a sentence: `Vote(from 0, term 1)`.
                let is_named = data.iter().any(|(name, _)| !name.is_empty());
                write!(f, "{name}(")?;
                join(f, data, if is_named { ", " } else { " " }, |f, (name, value)| {
                    let space = if name.is_empty() { "" } else { " " };
                    write!(f, "{name}{space}{value}")
                })?;
                f.write_str(")")
            }
            Shown::Tuple(fields) => {
                f.write_str("(")?;
                join(f, fields, ", ", element)?;
                f.write_str(")")
            }
            Shown::Set(members) => {
                f.write_str("{")?;
                join(f, members, ", ", element)?;
                f.write_str("}")
            }
            Shown::Map(pairs) => {
                f.write_str("{")?;
                join(f, pairs, ", ", |f, (key, value)| write!(f, "{key}: {value}"))?;
                f.write_str("}")
            }
        }
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        match self {
            Shown::Bool(x) => serializer.serialize_bool(*x),
            Shown::Int(x) => match i64::try_from(*x) {
                Ok(x) => serializer.serialize_i64(x),
                Err(_) => serializer.serialize_u64(*x as u64),
            },
            Shown::Name(name) => serializer.serialize_str(name),
            Shown::List(list) | Shown::Tuple(list) | Shown::Queue(list) | Shown::Set(list) => {
                serializer.collect_seq(list)
            }
            Shown::Record(fields) => serializer.collect_map(fields.iter().map(|(n, v)| (n, v))),
            Shown::Map(pairs) => serializer.collect_map(pairs.iter().map(|(k, v)| (k, v))),
            Shown::Variant(name, data) => {
                let mut map = serializer.serialize_map(Some(1))?;
                if data.iter().any(|(name, _)| !name.is_empty()) {
                    map.serialize_entry(name, &Shown::Record(data.clone()))?;
                } else {
                    let data: Vec<&Shown> = data.iter().map(|(_, value)| value).collect();
                    map.serialize_entry(name, &data)?;
                }
                map.end()
            }
        }
    }
}
