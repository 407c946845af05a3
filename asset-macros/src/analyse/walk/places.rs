//! Where the state is mentioned: as a whole, as `s.field`, or as `s.field[index]`.

use super::Walk;
use super::names::is_name;
use crate::analyse::Place;
use crate::analyse::closed::closed;
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Expr, Member, UnOp};

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
        self.note(member, indices.last().copied().flatten());
        indices.into_iter().rev().flatten().for_each(|index| self.visit_expr(index));
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
    fn note(&mut self, member: &Member, index: Option<&Expr>) {
        let Some(place) = self.place(member, index) else {
            let why = format!("the state has no field `{}` of its own", member.to_token_stream());
            self.give_up(why, member);
            return;
        };
        self.mentioned.insert(place.field);
        self.places.add(place);
    }

    /// A field, or the element of it that an index chooses, if it is an array and
    /// the index can be worked out.
    fn place(&self, member: &Member, index: Option<&Expr>) -> Option<Place> {
        let field = self.module.fields.iter().position(|field| field.member == *member)?;
        let is_array = matches!(self.module.fields[field].ty, syn::Type::Array(_));
        let index = index.filter(|_| is_array);
        let element = index.and_then(|index| closed(self.module, &self.scope, index));
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
