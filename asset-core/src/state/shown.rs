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
    /// An enum variant with data.
    Variant(&'static str, Vec<Shown>),
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |f: &mut fmt::Formatter<'_>, list: &[Shown]| {
            for (i, element) in list.iter().enumerate() {
                write!(f, "{}{element}", if i == 0 { "" } else { " " })?;
            }
            Ok(())
        };
        match self {
            Shown::Bool(false) => f.write_str("no"),
            Shown::Bool(true) => f.write_str("yes"),
            Shown::Int(x) => write!(f, "{x}"),
            Shown::Name(name) => f.write_str(name),
            Shown::List(list) => {
                f.write_str("[")?;
                join(f, list)?;
                f.write_str("]")
            }
            Shown::Record(fields) => {
                f.write_str("{")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{name}={value}", if i == 0 { "" } else { " " })?;
                }
                f.write_str("}")
            }
            Shown::Variant(name, data) => {
                write!(f, "{name}(")?;
                join(f, data)?;
                f.write_str(")")
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
            Shown::List(list) => serializer.collect_seq(list),
            Shown::Record(fields) => serializer.collect_map(fields.iter().map(|(n, v)| (n, v))),
            Shown::Variant(name, data) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(name, data)?;
                map.end()
            }
        }
    }
}
