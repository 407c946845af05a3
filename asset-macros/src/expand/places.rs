//! What the analysis found, as it is written out: state variables as the engine is told of
//! them, imports of names that were taken to be the standard library's, and reasons.

use crate::analyse::{
    Accesses, Analysis, Formula, Place, Reason, Touches, Trusted, Value, operand,
};
use crate::ast::CheckKind;
use crate::ir::{Model, Transitions};
use crate::text;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Ident, Path, parse_quote};

/// The name of the transition's `i`-th parameter.
pub fn parameter(i: usize) -> Ident {
    format_ident!("__asset_parameter_{i}")
}

/// A place, as the engine is told of it.
pub fn told(krate: &Path, Place { field, element }: &Place) -> TokenStream {
    match element {
        None => quote!((#field, ::core::option::Option::None)),
        Some(index) => {
            let index = value(krate, index);
            quote!((#field, ::core::option::Option::Some(#index)))
        }
    }
}

/// What a transition may do with each place, as the engine is told: read it, write it, or both.
pub fn told_apart(krate: &Path, Accesses { reads, writes }: &Accesses) -> Vec<TokenStream> {
    let access = |name: &str| {
        let name = format_ident!("{name}");
        quote!(#krate::generated::Access::#name)
    };
    let read = reads.iter().map(|place| {
        let kind = access(if writes.contains(place) { "Both" } else { "Read" });
        (kind, place)
    });
    let written = writes.iter().filter(|place| !reads.contains(place));
    let written = written.map(|place| (access("Write"), place));
    let tell = |(kind, place)| {
        let place = told(krate, place);
        quote!((#kind, #place))
    };
    read.chain(written).map(tell).collect()
}

/// The value of an index, where the transition's parameters are known by name.
fn value(krate: &Path, value: &Value) -> TokenStream {
    match value {
        Value::Parameter(i) => {
            let name = parameter(*i);
            quote!(#name)
        }
        Value::Argument(_) => unreachable!("what is called has its arguments"),
        Value::Formula(formula) => formula_of(krate, formula),
    }
}

/// The value of a formula. All operands are worked out before a name is bound.
fn formula_of(krate: &Path, Formula { expr, operands, .. }: &Formula) -> TokenStream {
    let names = (0..operands.len()).map(operand);
    let types = operands.iter().map(|(ty, _)| ty);
    let values = operands.iter().map(|(_, operand)| value(krate, operand));
    let mut expr = Expr::clone(expr);
    Total(krate).visit_expr_mut(&mut expr);
    quote!({ let (#(#names,)*): (#(#types,)*) = (#(#values,)*); #expr })
}

/// Puts functions that always have a value in the place of operators.
struct Total<'k>(&'k Path);

impl VisitMut for Total<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Binary(binary) = expr {
            let (left, right, krate) = (&binary.left, &binary.right, self.0);
            let name = match binary.op {
                BinOp::Add(_) => quote!(add),
                BinOp::Sub(_) => quote!(sub),
                BinOp::Mul(_) => quote!(mul),
                BinOp::Div(_) => quote!(div),
                _ => quote!(rem),
            };
            *expr = parse_quote!(#krate::generated::Arithmetic::#name(#left, #right));
        }
    }
}

/// Imports of the names that are taken to be those of the standard library, with the span
/// of a use: that is where the compiler finds fault with it.
pub fn imports(trusted: &[Trusted]) -> TokenStream {
    let import = |name: &Trusted| {
        let (span, path) = match name {
            Trusted::Macro(name) => (name.span(), quote!(#name)),
            Trusted::Equality(name) => (name.span(), quote_spanned!(name.span()=> cmp::#name)),
        };
        quote_spanned!(span=> #[allow(unused_imports)] use ::std::#path;)
    };
    trusted.iter().map(import).collect()
}

/// What was not understood: of each variant and each check, the first reason.
pub fn not_understood(model: &Model, analysis: &Analysis) -> Vec<TokenStream> {
    let krate = &model.krate;
    let say = |name: &Ident, aspect: TokenStream, reason: &Reason| {
        let (name, why, line) = (text::shown(name), &reason.why, reason.line());
        quote! {
            #krate::generated::NotUnderstood {
                name: #name,
                aspect: #krate::generated::Aspect::#aspect,
                why: #why,
                line: #line,
            }
        }
    };
    let names: Vec<&Ident> = match &model.transitions {
        Transitions::Enum { variants, .. } => variants.iter().map(|v| &v.ident).collect(),
        Transitions::Count(_) => vec![&model.fire],
    };
    let of_transitions = names.into_iter().zip(&analysis.transitions).filter_map(|(name, of)| {
        let first = |list: &[Touches]| list.iter().find_map(Touches::reason).cloned();
        match (first(&of.touches), first(&of.rules)) {
            (Some(reason), _) => Some(say(name, quote!(Firing), &reason)),
            (None, Some(reason)) => Some(say(name, quote!(Rules), &reason)),
            (None, None) => None,
        }
    });
    let of_checks = model.checks.iter().zip(&analysis.checks).filter_map(|(check, looks_at)| {
        // Others are asked once for a state.
        let is_asked_often = matches!(check.kind, CheckKind::State | CheckKind::Reachable);
        let reason = looks_at.reason().filter(|_| is_asked_often)?;
        Some(say(&check.function, quote!(Check), reason))
    });
    of_transitions.chain(of_checks).collect()
}
