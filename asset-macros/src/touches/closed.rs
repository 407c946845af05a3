//! Expressions whose value depends on a transition's parameters alone.

use super::walk::Scope;
use super::{Known, Module, is_integer};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{BinOp, Expr, Ident, Lit, ReturnType};

/// The expression with its names bound to what is known of them, if it is of a kind
/// that can be worked out without a state. Whether it has a value is found out when
/// it is evaluated: it may well panic.
pub fn closed(module: &Module, scope: &Scope, expr: &Expr) -> Option<TokenStream> {
    let mut names: Vec<&Ident> = Vec::new();
    is_closed(module, scope, expr, &mut names).then(|| {
        let bindings = names.iter().map(|&name| {
            let Known { ty, value } = &scope.known[&name.to_string()];
            quote!(let #name: #ty = #value;)
        });
        quote!({ #(#bindings)* #expr })
    })
}

/// Whether it consists of parameters, integers, constants and arithmetic, and of
/// calls of the module's functions that return an index. Collects the parameters.
fn is_closed<'e>(
    module: &Module,
    scope: &Scope,
    expr: &'e Expr,
    names: &mut Vec<&'e Ident>,
) -> bool {
    match expr {
        Expr::Paren(inner) => is_closed(module, scope, &inner.expr, names),
        Expr::Group(inner) => is_closed(module, scope, &inner.expr, names),
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        Expr::Cast(cast) => is_integer(&cast.ty) && is_closed(module, scope, &cast.expr, names),
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
            let text = name.to_string();
            if scope.known.contains_key(&text) {
                if !names.contains(&name) {
                    names.push(name);
                }
                return true;
            }
            module.constants.contains(&text) && !scope.bound.contains(&text)
        }
        Expr::Call(call) => {
            gives_an_index(module, scope, &call.func)
                && call.args.iter().all(|argument| is_closed(module, scope, argument, names))
        }
        _ => false,
    }
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
    let Some(Some(function)) = module.functions.get(&text) else { return false };
    let ReturnType::Type(_, ty) = &function.sig.output else { return false };
    let is_usize = matches!(&**ty, syn::Type::Path(ty) if ty.path.is_ident("usize"));
    is_usize && function.sig.generics.params.is_empty() && !scope.bound.contains(&text)
}
