//! Parameters: constants of which every value becomes an instance.

use super::types::{leaf_name, literal};
use crate::ast::{MarkKind, Module};
use crate::errors::Errors;
use crate::ir::{Param, Value};
use crate::text;
use quote::quote;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprRange, ItemConst, Lit, RangeLimits, parse_quote_spanned};

/// The most values of one parameter.
const MAX_VALUES: usize = 1 << 16;

/// All parameters of a module that are in order.
pub fn all(module: &Module, errors: &mut Errors) -> Vec<Param> {
    let mut params = Vec::new();
    for item in &module.items {
        for mark in &item.marks {
            let MarkKind::Param(values) = &mark.kind else {
                continue;
            };
            let syn::Item::Const(constant) = &item.syn else {
                let message = "`#[param]` goes on a constant, as in `#[param(2..=5)] pub const N: \
                               usize = 3;`";
                errors.at(&mark.attr, message);
                continue;
            };
            params.extend(lower(module, constant, values, &mark.attr, errors));
        }
    }
    params
}

fn lower(
    module: &Module,
    constant: &ItemConst,
    listed: &[Expr],
    attr: &Attribute,
    errors: &mut Errors,
) -> Option<Param> {
    let values = values(module, constant, listed, attr, errors)?;
    let Some(default) = value(&constant.expr) else {
        let message = "a parameter's default is a plain value: a number, `true`, `false` or a \
                       variant";
        errors.at(&constant.expr, message);
        return None;
    };
    let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = texts.iter().find(|text| !seen.insert(**text)) {
        errors.at(attr, format!("the value {twice} is listed twice: remove one"));
        return None;
    }
    let Some(default) = texts.iter().position(|text| *text == default.text) else {
        let message = format!(
            "the default must be one of the values {}: list it or choose another",
            some(&values)
        );
        errors.at(&constant.expr, message);
        return None;
    };
    Some(Param {
        name: text::option_name(&text::shown(&constant.ident)),
        doc: text::doc(&constant.attrs),
        ty: (*constant.ty).clone(),
        values,
        default,
    })
}

/// The values that the attribute lists, or all values of the type.
fn values(
    module: &Module,
    constant: &ItemConst,
    listed: &[Expr],
    attr: &Attribute,
    errors: &mut Errors,
) -> Option<Vec<Value>> {
    match listed {
        [] => {
            let all = all_values(module, constant);
            if all.is_none() {
                let message = "list the values that get an instance, as in `#[param(2..=5)]`; \
                               only `bool` and enums of this module without data have few enough";
                errors.at(attr, message);
            }
            all
        }
        [Expr::Range(range)] => between(range, constant, errors),
        [Expr::Array(array)] => each(array.elems.iter(), constant, errors),
        several => each(several.iter(), constant, errors),
    }
}

fn all_values(module: &Module, constant: &ItemConst) -> Option<Vec<Value>> {
    let name = leaf_name(&constant.ty)?;
    let ty = &constant.ty;
    let span = constant.expr.span();
    if name == "bool" {
        let values = [false, true].map(|value| Value {
            text: value.to_string(),
            expr: parse_quote_spanned!(span=> #value),
        });
        return Some(values.to_vec());
    }
    let variants = module.items.iter().find_map(|item| match &item.syn {
        syn::Item::Enum(item) if item.ident == name => Some(&item.variants),
        _ => None,
    })?;
    let has_data = variants.iter().any(|variant| !variant.fields.is_empty());
    (!has_data && !variants.is_empty()).then(|| {
        let values = variants.iter().map(|variant| {
            let ident = &variant.ident;
            let expr = parse_quote_spanned!(span=> <#ty>::#ident);
            Value { text: text::kebab_case(&text::shown(ident)), expr }
        });
        values.collect()
    })
}

fn between(range: &ExprRange, constant: &ItemConst, errors: &mut Errors) -> Option<Vec<Value>> {
    let end = |end: &Option<Box<Expr>>| end.as_deref().and_then(literal);
    let (Some(lo), Some(hi)) = (end(&range.start), end(&range.end)) else {
        let message = "instances are compiled for plain numbers: write them out, as in `2..=5`";
        errors.at(range, message);
        return None;
    };
    let hi = if matches!(range.limits, RangeLimits::Closed(_)) { hi } else { hi - 1 };
    if lo > hi {
        errors.at(range, "these are no values at all: write the smaller number first");
        return None;
    }
    if hi - lo >= MAX_VALUES as i128 {
        let message = format!(
            "these are {} values, and a parameter has at most {MAX_VALUES}: list fewer",
            hi - lo + 1
        );
        errors.at(range, message);
        return None;
    }
    let span = constant.expr.span();
    let value = |value: i128| {
        let number = proc_macro2::Literal::i128_unsuffixed(value.abs());
        let number = if value < 0 { quote!(-#number) } else { quote!(#number) };
        Value { text: value.to_string(), expr: parse_quote_spanned!(span=> #number) }
    };
    Some((lo..=hi).map(value).collect())
}

fn each<'a>(
    listed: impl Iterator<Item = &'a Expr>,
    constant: &ItemConst,
    errors: &mut Errors,
) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for expr in listed {
        let Some(value) = value(expr) else {
            let message = format!(
                "a value of `{}` must be a number, `true`, `false` or a variant: list them, as in \
                 `#[param(2..=5)]` or `#[param(2, 4, 8)]`",
                constant.ident
            );
            errors.at(expr, message);
            return None;
        };
        values.push(value);
    }
    if values.is_empty() {
        errors.at(&constant.ident, "this parameter has no values: list some, as in `[2, 4, 8]`");
        return None;
    }
    Some(values)
}

/// The values in a message: of many, the first and the last.
pub fn some(values: &[Value]) -> String {
    let text = |values: &[Value]| {
        let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        texts.join(", ")
    };
    match values {
        [first @ .., last] if first.len() >= 20 => {
            format!("{}, …, {}", text(&first[..8]), last.text)
        }
        _ => text(values),
    }
}

/// A number, a truth value or a variant.
pub fn value(expr: &Expr) -> Option<Value> {
    let text = match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => value.value.to_string(),
        Expr::Path(path) => text::kebab_case(&text::shown(&path.path.segments.last()?.ident)),
        other => literal(other)?.to_string(),
    };
    Some(Value { text, expr: expr.clone() })
}
