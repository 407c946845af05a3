//! Expressions whose value depends on a transition's parameters alone.

use super::module::{Module, is_integer};
use super::value::{Value, operand};
use super::walk::Scope;
use crate::ir::Shape;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, FieldValue, Ident, Lit, ReturnType, Type, parse_quote};

/// The value of an expression, if it is of a kind that can be worked out without a state
/// from what is known of its names.
///
/// The author may have looked first whether it has a value at all. So arithmetic does
/// not overflow here; what is out of bounds then is found out by whoever asks. A
/// function that is called may panic.
pub fn closed(module: &Module, scope: &Scope, expr: &Expr) -> Option<Value> {
    let mut names: Vec<Ident> = Vec::new();
    if !is_closed(module, scope, expr, &mut names) {
        return None;
    }
    // A name by itself is what it stands for: two ways to one value read alike.
    if let (Expr::Path(_), [name]) = (expr, &*names) {
        return Some(scope.known[&name.to_string()].value.clone());
    }
    Some(formula(scope, expr, &names, |expr| expr))
}

/// The position of what a set or a map keeps for the value of an expression of this type,
/// if that can be worked out without a state from what is known of its names.
pub fn position(module: &Module, scope: &Scope, expr: &Expr, ty: &Type) -> Option<Value> {
    let mut names: Vec<Ident> = Vec::new();
    let expr = match expr {
        Expr::Reference(reference) if reference.mutability.is_none() => &*reference.expr,
        expr => expr,
    };
    if !is_element(module, scope, expr, &mut names) {
        return None;
    }
    let krate = module.krate;
    let wrap = |expr: Expr| parse_quote!(#krate::generated::position::<#ty>(#expr));
    Some(formula(scope, expr, &names, wrap))
}

/// The value of an expression that is a struct or an enum with data of the module's, in
/// the same way.
pub fn element(module: &Module, scope: &Scope, expr: &Expr, ty: &Type) -> Option<Value> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?.to_string();
    let mut names: Vec<Ident> = Vec::new();
    let has_data = matches!(module.vars.get(&name)?, Shape::Struct(_) | Shape::Data(_));
    if !has_data || !is_element(module, scope, expr, &mut names) {
        return None;
    }
    if let (Expr::Path(_), [name]) = (expr, &*names) {
        return Some(scope.known[&name.to_string()].value.clone());
    }
    Some(formula(scope, expr, &names, |expr| expr))
}

/// The value of an expression in which these names are known, with something around it.
fn formula(scope: &Scope, expr: &Expr, names: &[Ident], wrap: impl Fn(Expr) -> Expr) -> Value {
    let known = names.iter().map(|name| &scope.known[&name.to_string()]);
    let operands = known.map(|known| (known.ty.clone(), known.value.clone())).collect();
    let mut expr = expr.clone();
    Rename(names).visit_expr_mut(&mut expr);
    Value::formula(wrap(expr), operands)
}

/// Whether an expression is a value of a state variable's type that is made of what is
/// closed. Collects the parameters.
fn is_element(module: &Module, scope: &Scope, expr: &Expr, names: &mut Vec<Ident>) -> bool {
    let is_var = |path: &syn::Path| {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let is_plain = path.segments.iter().all(|part| part.arguments.is_none());
        is_plain
            && path.leading_colon.is_none()
            && match &*parts {
                [owner] => {
                    !scope.bound.contains(owner)
                        && matches!(module.vars.get(owner), Some(Shape::Struct(_)))
                }
                [owner, variant] => match module.vars.get(owner) {
                    Some(Shape::Names(names)) => names.iter().any(|name| name == variant),
                    Some(Shape::Data(variants)) => variants.iter().any(|v| v.ident == variant),
                    _ => false,
                },
                _ => false,
            }
    };
    match expr {
        Expr::Paren(inner) => is_element(module, scope, &inner.expr, names),
        Expr::Group(inner) => is_element(module, scope, &inner.expr, names),
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Bool(_)),
        Expr::Path(path) if path.qself.is_none() && is_var(&path.path) => true,
        Expr::Call(call) => {
            let is_made = matches!(&*call.func, Expr::Path(path)
                if path.qself.is_none() && is_var(&path.path));
            match is_made || makes_a_variable(module, scope, &call.func) {
                true => call.args.iter().all(|field| is_element(module, scope, field, names)),
                false => is_closed(module, scope, expr, names),
            }
        }
        Expr::Struct(made) => {
            let mut fields = made.fields.iter().map(|field| &field.expr);
            is_var(&made.path)
                && made.qself.is_none()
                && made.rest.is_none()
                && fields.all(|field| is_element(module, scope, field, names))
        }
        Expr::Tuple(tuple) => tuple.elems.iter().all(|e| is_element(module, scope, e, names)),
        _ => is_operand(module, scope, expr, names),
    }
}

/// Puts the names of operands in the place of the author's.
struct Rename<'r>(&'r [Ident]);

impl VisitMut for Rename<'_> {
    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        // `S { x }` is short for `S { x: x }`.
        field.colon_token.get_or_insert_with(Default::default);
        self.visit_expr_mut(&mut field.expr);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Call(call) => call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg)),
            Expr::Path(path) => {
                if let Some(at) = self.0.iter().position(|name| path.path.is_ident(name)) {
                    let operand = operand(at);
                    *expr = parse_quote!(#operand);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

/// Whether it consists of parameters, integers, constants and arithmetic, and of
/// calls of the module's functions that return an index. Collects the parameters.
fn is_closed(module: &Module, scope: &Scope, expr: &Expr, names: &mut Vec<Ident>) -> bool {
    match expr {
        Expr::Paren(inner) => is_closed(module, scope, &inner.expr, names),
        Expr::Group(inner) => is_closed(module, scope, &inner.expr, names),
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        Expr::Cast(cast) => is_integer(&cast.ty) && is_operand(module, scope, &cast.expr, names),
        Expr::Binary(binary) => {
            let is_arithmetic = matches!(
                binary.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
            );
            is_arithmetic
                && is_closed(module, scope, &binary.left, names)
                && is_closed(module, scope, &binary.right, names)
        }
        Expr::Path(path) => {
            let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
                return false;
            };
            match scope.known.get(&name.to_string()) {
                Some(known) => known.is_integer && is_operand(module, scope, expr, names),
                None => is_operand(module, scope, expr, names),
            }
        }
        Expr::Call(call) => {
            gives_an_index(module, scope, &call.func)
                && call.args.iter().all(|argument| is_operand(module, scope, argument, names))
        }
        _ => false,
    }
}

/// The same, where a parameter that is no integer may stand by itself: it is made
/// one.
fn is_operand(module: &Module, scope: &Scope, expr: &Expr, names: &mut Vec<Ident>) -> bool {
    let Expr::Path(path) = expr else { return is_closed(module, scope, expr, names) };
    let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
        return false;
    };
    let text = name.to_string();
    if scope.known.contains_key(&text) {
        if !names.contains(name) {
            names.push(name.clone());
        }
        return true;
    }
    module.constants.contains(&text) && !scope.bound.contains(&text)
}

/// Whether this is a function of the module that returns a value of one of its types that
/// can be state variables.
fn makes_a_variable(module: &Module, scope: &Scope, function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
        return false;
    };
    let text = name.to_string();
    let Some(Ok(function)) = module.functions.get(&text) else { return false };
    let ReturnType::Type(_, ty) = &function.sig.output else { return false };
    let Type::Path(ty) = &**ty else { return false };
    let is_var = ty.path.get_ident().is_some_and(|ty| module.vars.contains_key(&ty.to_string()));
    is_var && function.sig.generics.params.is_empty() && !scope.bound.contains(&text)
}

/// Whether this is `usize::from`, or a function of the module that returns `usize`.
fn gives_an_index(module: &Module, scope: &Scope, function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) else {
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        return path.qself.is_none() && segments == ["usize", "from"];
    };
    let text = name.to_string();
    let Some(Ok(function)) = module.functions.get(&text) else { return false };
    let ReturnType::Type(_, ty) = &function.sig.output else { return false };
    let is_usize = matches!(&**ty, syn::Type::Path(ty) if ty.path.is_ident("usize"));
    is_usize && function.sig.generics.params.is_empty() && !scope.bound.contains(&text)
}
