//! Expressions whose value depends on a transition's parameters alone.

use super::module::{Module, is_integer};
use super::value::{Value, operand};
use super::walk::Scope;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Ident, Lit, ReturnType, parse_quote};

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
    let known = names.iter().map(|name| &scope.known[&name.to_string()]);
    let operands = known.map(|known| (known.ty.clone(), known.value.clone())).collect();
    let mut expr = expr.clone();
    Rename(&names).visit_expr_mut(&mut expr);
    Some(Value::formula(expr, operands))
}

/// Puts the names of operands in the place of the author's.
struct Rename<'r>(&'r [Ident]);

impl VisitMut for Rename<'_> {
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
