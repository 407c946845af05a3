//! Types of variables and ranges of integers, as far as tokens tell.

use super::names::Names;
use crate::ast::{MarkKind, Module, name_of};
use crate::errors::Errors;
use crate::ir::Range;
use std::collections::{HashMap, HashSet};
use syn::{
    Attribute, Expr, ExprLit, ExprUnary, GenericArgument, Lit, PathArguments, RangeLimits, Type,
    TypePath, UnOp,
};

/// The integer types with the least and the largest value of each.
const INTEGERS: [(&str, i128, i128); 10] = [
    ("u8", 0, u8::MAX as i128),
    ("u16", 0, u16::MAX as i128),
    ("u32", 0, u32::MAX as i128),
    ("u64", 0, u64::MAX as i128),
    ("usize", 0, u64::MAX as i128),
    ("i8", i8::MIN as i128, i8::MAX as i128),
    ("i16", i16::MIN as i128, i16::MAX as i128),
    ("i32", i32::MIN as i128, i32::MAX as i128),
    ("i64", i64::MIN as i128, i64::MAX as i128),
    ("isize", i64::MIN as i128, i64::MAX as i128),
];

/// Types that are in scope without being imported.
const IN_SCOPE: [&str; 14] = [
    "bool",
    "char",
    "str",
    "f32",
    "f64",
    "u128",
    "i128",
    "Obligations",
    "Self",
    "Option",
    "Queue",
    "Bag",
    "Set",
    "Map",
];

/// The types with parameters that can be state variables.
const COLLECTIONS: [&str; 5] = ["Option", "Queue", "Bag", "Set", "Map"];

/// The types that a module defines, and what else it has names for.
#[derive(Default)]
pub struct Own {
    /// Structs and enums, and whether they are state variables.
    types: HashMap<String, bool>,
    /// Other names for types.
    aliases: HashSet<String>,
    /// All names, unless some are imported without being named.
    names: Option<Names>,
}

impl Own {
    /// Those of a model.
    pub fn new(module: &Module) -> Own {
        let types = module.items.iter().filter_map(|item| {
            let is_type = matches!(item.syn, syn::Item::Struct(_) | syn::Item::Enum(_));
            let is_var = |kind: &MarkKind| matches!(kind, MarkKind::State | MarkKind::StateVar);
            let name = name_of(&item.syn).filter(|_| is_type)?;
            Some((name.to_string(), item.marks.iter().any(|mark| is_var(&mark.kind))))
        });
        let aliases = module.items.iter().filter_map(|item| match &item.syn {
            syn::Item::Type(alias) => Some(alias.ident.to_string()),
            _ => None,
        });
        let names = Names::of(module.items.iter().map(|item| &item.syn));
        let names = (!names.has_globs).then_some(names);
        Own { types: types.collect(), aliases: aliases.collect(), names }
    }

    /// Whether the type is defined here, and then whether it is a variable.
    fn is_var(&self, ty: &Type) -> Option<bool> {
        leaf_name(ty).and_then(|name| self.types.get(&name).copied())
    }

    /// Whether the compiler will certainly not find this type. It says so where
    /// the type is written, and would repeat it wherever the expansion uses it.
    pub fn is_unknown(&self, ty: &Type) -> bool {
        let Some(names) = &self.names else {
            return false;
        };
        match ty {
            Type::Array(array) => self.is_unknown(&array.elem),
            Type::Tuple(tuple) => tuple.elems.iter().any(|ty| self.is_unknown(ty)),
            Type::Path(TypePath { qself: None, path, .. }) if path.segments.len() == 1 => {
                let name = path.segments[0].ident.to_string();
                let is_here = names.contains(&name)
                    || is_integer(ty)
                    || IN_SCOPE.contains(&name.as_str())
                    || remedy(&name).is_some();
                !is_here || arguments(ty).into_iter().any(|ty| self.is_unknown(ty))
            }
            _ => false,
        }
    }
}

/// The type's own name, if it is a path; arrays give their elements' name.
pub fn leaf_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Array(array) => leaf_name(&array.elem),
        Type::Paren(inner) => leaf_name(&inner.elem),
        Type::Group(inner) => leaf_name(&inner.elem),
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Whether a type, or what an array holds, is a collection of the prelude. A name without
/// parameters is one of the author's.
fn is_collection(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_collection(&array.elem),
        ty => {
            leaf_name(ty).is_some_and(|name| COLLECTIONS.contains(&name.as_str()))
                && !arguments(ty).is_empty()
        }
    }
}

/// The types that a type has as its parameters.
fn arguments(ty: &Type) -> Vec<&Type> {
    let Type::Path(path) = ty else { return Vec::new() };
    let Some(last) = path.path.segments.last() else { return Vec::new() };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// Whether the type is one of Rust's integers or an array of them.
pub fn is_integer(ty: &Type) -> bool {
    limits(ty).is_some()
}

fn limits(ty: &Type) -> Option<(&'static str, i128, i128)> {
    let name = leaf_name(ty)?;
    INTEGERS.iter().find(|(integer, ..)| *integer == name).copied()
}

/// Reads the `#[range(…)]` of a field. Only that of a transition's parameter can be empty.
pub fn range(
    attrs: &[Attribute],
    ty: &Type,
    can_be_empty: bool,
    own: &Own,
    errors: &mut Errors,
) -> Option<Range> {
    let mut found = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("range")) {
        if found.is_some() {
            errors.at(attr, "one `#[range]` is enough: remove this one");
            continue;
        }
        found = errors.keep(parse_range(attr, can_be_empty));
        if let Some(range) = &found {
            check(attr, range, ty, own, errors);
        }
    }
    found
}

fn parse_range(attr: &Attribute, can_be_empty: bool) -> syn::Result<Range> {
    let wrong = || {
        let message = "write the legal values, as in `#[range(0..N)]` or `#[range(1..=9)]`";
        syn::Error::new_spanned(&attr.meta, message)
    };
    let Ok(Expr::Range(range)) = attr.parse_args::<Expr>() else {
        return Err(wrong());
    };
    let (Some(lo), Some(hi)) = (range.start, range.end) else {
        return Err(wrong());
    };
    let closed = matches!(range.limits, RangeLimits::Closed(_));
    Ok(Range { lo: *lo, hi: *hi, closed, can_be_empty })
}

/// Compares a range with its type where both are known from the tokens; the
/// compiler compares the others when it evaluates the layout.
fn check(attr: &Attribute, range: &Range, ty: &Type, own: &Own, errors: &mut Errors) {
    if leaf_name(ty).is_some_and(|name| name == "bool") {
        errors.at(attr, "`bool` has its two values and takes no `#[range]`: remove it");
        return;
    }
    if own.is_var(ty).is_some() {
        errors.at(attr, "only integers take a `#[range]`: remove it");
        return;
    }
    if matches!(ty, Type::Tuple(_)) || is_collection(ty) {
        let message = "only integers take a `#[range]`: put it where they are, as in \
                       `#[derive(StateVar)] struct Id(#[range(0..N)] u8);`, and use `Id`";
        errors.at(attr, message);
        return;
    }
    let (Some(lo), Some(hi)) = (literal(&range.lo), literal(&range.hi)) else {
        return;
    };
    let hi = if range.closed { hi } else { hi - 1 };
    if lo > hi && range.can_be_empty {
        return;
    }
    if lo > hi {
        let message = "this range is empty: a variable needs at least one value, as in `0..=0`";
        errors.at(&attr.meta, message);
        return;
    }
    let Some((name, least, largest)) = limits(ty) else {
        return;
    };
    if lo < least || hi > largest {
        let wide = INTEGERS.iter().find(|(_, least, largest)| *least <= lo && hi <= *largest);
        let remedy = match wide {
            Some((wide, ..)) => format!("use `{wide}` or a smaller range"),
            None => "use a smaller range".to_owned(),
        };
        errors.at(
            &attr.meta,
            format!("`{name}` holds {least}..={largest}, not {lo}..={hi}: {remedy}"),
        );
    }
}

/// The value of an integer literal, perhaps negated.
pub fn literal(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(value), .. }) => value.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr).map(|x| -x),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        _ => None,
    }
}

/// Complains about a type of which the tokens tell that it cannot be a state
/// variable. Other types are left to the compiler.
pub fn finite(ty: &Type, own: &Own, errors: &mut Errors) {
    let remedy = match ty {
        Type::Array(array) => return finite(&array.elem, own, errors),
        Type::Paren(inner) => return finite(&inner.elem, own, errors),
        Type::Group(inner) => return finite(&inner.elem, own, errors),
        Type::Path(_) => match own.is_var(ty) {
            None if leaf_name(ty).is_some_and(|name| COLLECTIONS.contains(&name.as_str())) => {
                let arguments = arguments(ty);
                arguments.iter().for_each(|ty| finite(ty, own, errors));
                let is_keyed = leaf_name(ty).is_some_and(|name| name == "Set" || name == "Map");
                if let Some(key) = arguments.first().filter(|_| is_keyed) {
                    countable(key, errors);
                }
                return;
            }
            Some(false) => Some("this type is no state variable: add `#[derive(StateVar)]` to it"),
            Some(true) => None,
            None => leaf_name(ty)
                .filter(|name| !own.aliases.contains(name))
                .and_then(|name| remedy(&name)),
        },
        Type::Reference(_) => Some(
            "a state owns its variables and cannot borrow: store the value or an index of type `u8`",
        ),
        Type::Tuple(tuple) if (2..=4).contains(&tuple.elems.len()) => {
            return tuple.elems.iter().for_each(|ty| finite(ty, own, errors));
        }
        Type::Tuple(_) => {
            Some("a tuple has two to four fields here: use a struct that derives `StateVar`")
        }
        Type::Slice(_) => Some("a slice has no fixed width: use an array such as `[u8; N]`"),
        Type::Ptr(_) => Some("a pointer is not a value: use an index"),
        Type::FnPtr(_) => Some("a function is not a value: use an enum of the choices"),
        Type::TraitObject(_) | Type::ImplTrait(_) => {
            Some("a trait is not a value of known width: use an enum of the choices")
        }
        _ => None,
    };
    if let Some(remedy) = remedy {
        errors.at(ty, remedy);
    }
}

/// Complains about a type of which the tokens tell that a set or the keys of a map cannot
/// be of it, as its values are not counted one by one.
fn countable(ty: &Type, errors: &mut Errors) {
    let is_wide = match ty {
        Type::Array(_) => true,
        Type::Path(_) => leaf_name(ty).is_some_and(|name| {
            let is_wide = |(integer, ..): &(&str, i128, i128)| {
                *integer == name && integer.ends_with(['6', '2', '4'])
            };
            INTEGERS.iter().any(is_wide) || ["Queue", "Bag", "Set", "Map"].contains(&name.as_str())
        }),
        _ => false,
    };
    if is_wide {
        let message = "a set, or the keys of a map, are of a type with at most 512 values: put this into \
                       a struct of your own, as in `#[derive(StateVar)] struct Id(#[range(0..N)] u8);`";
        errors.at(ty, message);
    }
}

fn remedy(name: &str) -> Option<&'static str> {
    Some(match name {
        "usize" => {
            "`usize` has a different width on every machine: use `u8`, `u16`, `u32` or `u64`"
        }
        "isize" => {
            "`isize` has a different width on every machine: use `i8`, `i16`, `i32` or `i64`"
        }
        "u128" | "i128" => "a scalar has at most 64 bits: use `u64`, or an array of two",
        "f32" | "f64" => "a float has too many values to explore: use an integer with a `#[range]`",
        "char" => "a `char` has gaps among its values: use `u8`, or an enum of the letters",
        "String" | "str" => {
            "a text has no fixed width: use an enum that derives `StateVar`, or `[u8; N]`"
        }
        "Vec" | "VecDeque" | "BinaryHeap" | "LinkedList" => {
            "a collection of the standard library has no fixed width: use `Queue<T, N>`, which has \
             room for `N`, or `Bag<T, N>` where order does not matter"
        }
        "BTreeSet" | "HashSet" => {
            "a collection of the standard library has no fixed width: use `Set<T>`, of a type with \
             few values"
        }
        "BTreeMap" | "HashMap" => {
            "a collection of the standard library has no fixed width: use `Map<K, V>`, which has a \
             value for each `K`, or `Map<K, Option<V>>`"
        }
        "Box" | "Rc" | "Arc" => "a state lives on no heap: store the value itself",
        _ => return None,
    })
}
