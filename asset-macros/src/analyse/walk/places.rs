//! Where the state is mentioned: as a whole, as `s.field`, or as `s.field[index]`.

use super::Walk;
use super::names::is_name;
use crate::analyse::Place;
use crate::analyse::closed::{closed, position};
use crate::analyse::module::is_integer;
use crate::analyse::operations::{Part, operation};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Expr, Member, UnOp};

/// Methods of Rust's own that change nothing, of arrays and their parts …
const LOOKS_AT_ARRAY: [&str; 12] = [
    "iter",
    "len",
    "is_empty",
    "contains",
    "first",
    "last",
    "get",
    "windows",
    "chunks",
    "starts_with",
    "ends_with",
    "concat",
];
/// … and of integers.
const LOOKS_AT_INTEGER: [&str; 19] = [
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
    "checked_add",
    "checked_sub",
    "checked_mul",
    "checked_rem",
    "checked_div",
    "rem_euclid",
    "abs_diff",
    "count_ones",
    "count_zeros",
    "trailing_zeros",
    "leading_zeros",
    "pow",
    "is_power_of_two",
];

/// Whether this is `usize::from`.
pub(super) fn is_usize_from(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let mut segments = path.path.segments.iter().map(|segment| segment.ident.to_string());
    path.qself.is_none()
        && path.path.segments.len() == 2
        && segments.next().as_deref() == Some("usize")
        && segments.next().as_deref() == Some("from")
}

/// Whether an expression is certain to be a value, and no place that a method could change.
fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_value(&inner.expr),
        Expr::Group(inner) => is_value(&inner.expr),
        Expr::MethodCall(_) | Expr::Call(_) | Expr::Lit(_) | Expr::Binary(_) | Expr::Range(_) => {
            true
        }
        _ => false,
    }
}

impl Walk<'_> {
    /// Whether this is the whole state, or a reference to it.
    pub(super) fn is_state(&self, expr: &Expr) -> bool {
        self.n_followed(expr).is_some()
    }

    /// If this is the state's name with `*` and `&` before it, how many references are
    /// followed, less those that are taken. Never more than there are: the author's
    /// `Deref` might lead elsewhere.
    fn n_followed(&self, expr: &Expr) -> Option<i32> {
        let n = match expr {
            Expr::Paren(inner) => self.n_followed(&inner.expr)?,
            Expr::Group(inner) => self.n_followed(&inner.expr)?,
            Expr::Reference(inner) => self.n_followed(&inner.expr)? - 1,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.n_followed(&unary.expr)? + 1
            }
            _ => is_name(expr, Some(&self.scope.state)).then_some(0)?,
        };
        (n <= i32::from(self.scope.is_reference)).then_some(n)
    }

    /// If this is `s.field`, perhaps with more after it, notes what it touches.
    pub(super) fn touches_place(&mut self, expr: &Expr) -> bool {
        let Some((member, indices)) = self.chain(expr) else { return false };
        // The last one is next to the field.
        let may_write = self.may_write;
        self.note(member, indices.last().copied().flatten(), true, may_write);
        indices.into_iter().rev().flatten().for_each(|index| self.visit_expr(index));
        true
    }

    /// If this is the left side of an assignment that does nothing but write `s.field`, or an
    /// element of it, notes what it touches. An index of a type of the author's might do
    /// more.
    pub(super) fn overwrites(&mut self, expr: &Expr) -> bool {
        let Some((member, indices)) = self.chain(expr) else { return false };
        let of_member = |field: &&crate::ir::Field| field.member == *member;
        let mut ty = self.module.fields.iter().find(of_member).map(|field| &field.ty);
        for index in indices.iter().rev() {
            ty = match (index, ty) {
                (Some(index), Some(syn::Type::Array(array))) if self.is_index(index) => {
                    Some(&*array.elem)
                }
                _ => None,
            };
        }
        if ty.is_none() {
            return false;
        }
        self.note(member, indices.last().copied().flatten(), false, true);
        indices.into_iter().rev().flatten().for_each(|index| self.visit_expr(index));
        true
    }

    /// Whether an expression is certain to be an integer, by which an array is indexed without
    /// any code of the author's.
    fn is_index(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_index(&inner.expr),
            Expr::Group(inner) => self.is_index(&inner.expr),
            Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
            Expr::Cast(cast) => is_integer(&cast.ty),
            Expr::Call(call) => is_usize_from(&call.func),
            Expr::Binary(binary) => self.is_index(&binary.left) && self.is_index(&binary.right),
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|_| path.qself.is_none());
                name.map(ToString::to_string).is_some_and(|name| {
                    self.scope.known.get(&name).is_some_and(|known| known.is_integer)
                        || self.scope.integers.contains(&name)
                        || self.module.constants.contains(&name)
                            && !self.scope.bound.contains(&name)
                })
            }
            _ => false,
        }
    }

    /// Visits what may be written as well as read.
    pub(super) fn writing(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.may_write, true);
        visit(self);
        self.may_write = outer;
    }

    /// Whether a method is known not to change what it is called on: it is one of Rust's
    /// own, or it is called on something else than a place. An author's method of the same
    /// name does not come before that.
    pub(super) fn only_looks(&self, call: &syn::ExprMethodCall) -> bool {
        if self.module.has_own_methods {
            return false;
        }
        let name = call.method.to_string();
        let Some((member, indices)) = self.chain(&call.receiver) else {
            return is_value(&call.receiver);
        };
        let of_member = |field: &&crate::ir::Field| field.member == *member;
        let mut ty = self.module.fields.iter().find(of_member).map(|field| &field.ty);
        for index in indices.iter().rev() {
            ty = match (index, ty) {
                // A part of an array is looked at like an array.
                (Some(index), Some(syn::Type::Array(array))) => match self.is_index(index) {
                    true => Some(&*array.elem),
                    false if matches!(index, Expr::Range(_)) => ty,
                    false => None,
                },
                _ => None,
            };
        }
        match ty {
            Some(syn::Type::Array(_)) => LOOKS_AT_ARRAY.contains(&&*name),
            Some(ty) if is_integer(ty) => LOOKS_AT_INTEGER.contains(&&*name),
            Some(ty) => self.module.collection(ty).is_some_and(|(of, _)| {
                operation(&of, &name).is_some_and(|operation| !operation.writes)
            }),
            None => false,
        }
    }

    /// If this is an operation on what a variable keeps for one value, and it can be worked
    /// out which, notes what it touches.
    pub(super) fn touches_element(&mut self, call: &syn::ExprMethodCall) -> bool {
        let (Some((member, indices)), [value]) =
            (self.chain(&call.receiver), &*call.args.iter().collect::<Vec<_>>())
        else {
            return false;
        };
        let Some(field) = self.module.fields.iter().position(|field| field.member == *member)
        else {
            return false;
        };
        let found = self.module.collection(&self.module.fields[field].ty);
        let Some((of, ty)) = found.filter(|_| indices.is_empty()) else { return false };
        let operation = operation(&of, &call.method.to_string());
        let Some(operation) = operation.filter(|operation| operation.part == Part::Element) else {
            return false;
        };
        let Some(element) = position(self.module, &self.scope, value, ty) else { return false };
        self.note_place(Place { field, element: Some(element) }, true, operation.writes);
        true
    }

    /// If this is `s.field`, perhaps with more after it, the field and what comes
    /// after it, from the outside to the inside: indices, or `None` for fields.
    fn chain<'e>(&self, mut expr: &'e Expr) -> Option<(&'e Member, Vec<Option<&'e Expr>>)> {
        let mut indices = Vec::new();
        loop {
            match expr {
                Expr::Paren(inner) => expr = &inner.expr,
                Expr::Group(inner) => expr = &inner.expr,
                Expr::Index(index) => {
                    indices.push(Some(&*index.index));
                    expr = &index.expr;
                }
                Expr::Field(field) if self.is_state(&field.base) => {
                    return Some((&field.member, indices));
                }
                Expr::Field(field) => {
                    indices.push(None);
                    expr = &field.base;
                }
                _ => return None,
            }
        }
    }

    /// Notes a field, or an element of it.
    fn note(&mut self, member: &Member, index: Option<&Expr>, reads: bool, writes: bool) {
        let Some(place) = self.place(member, index) else {
            let why = format!("the state has no field `{}` of its own", member.to_token_stream());
            self.give_up(why, member);
            return;
        };
        self.note_place(place, reads, writes);
    }

    fn note_place(&mut self, place: Place, reads: bool, writes: bool) {
        self.mentioned.insert(place.field);
        // Where it cannot be seen what is changed, everything that is mentioned may be.
        let may_change = writes || self.scope.lends;
        if reads || self.scope.lends {
            self.reads.add(place.clone());
        }
        if may_change && !self.scope.is_shared {
            self.writes.add(place.clone());
        }
        self.places.add(place);
    }

    /// A field, or the element of it that an index chooses, if it is an array and
    /// the index can be worked out.
    fn place(&self, member: &Member, index: Option<&Expr>) -> Option<Place> {
        let field = self.module.fields.iter().position(|field| field.member == *member)?;
        let element = index.and_then(|index| match &self.module.fields[field].ty {
            syn::Type::Array(_) => closed(self.module, &self.scope, index),
            ty => {
                let (of, key) = self.module.collection(ty)?;
                (of == "Map").then(|| position(self.module, &self.scope, index, key))?
            }
        });
        Some(Place { field, element })
    }

    /// If this is the first mention of a variable that is one of an enum's values
    /// without data, the variable and that enum's name.
    pub(super) fn chooser(&self, expr: &Expr) -> Option<(Place, String)> {
        let (member, indices) = self.chain(expr)?;
        let place = self.place(member, indices.last().copied().flatten())?;
        let ty = match (&self.module.fields[place.field].ty, &*indices) {
            (syn::Type::Array(array), [Some(_)]) if place.element.is_some() => &*array.elem,
            (ty, []) => ty,
            _ => return None,
        };
        let syn::Type::Path(path) = ty else { return None };
        let name = path.path.get_ident()?.to_string();
        let is_first = self.n_repeated == 0 && !self.mentioned.contains(&place.field);
        (is_first && self.module.names.contains_key(&name)).then_some((place, name))
    }
}
