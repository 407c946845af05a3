//! What patterns may match: a variant of the transitions, or a value of an enum.

use super::module::Module;
use super::value::Known;
use crate::ir::Variant;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{Ident, Pat};

/// Whether a pattern may match the variant. Tells what its names stand for.
pub fn may_match(
    module: &Module,
    variant: Option<usize>,
    pat: &Pat,
    known: &mut HashMap<String, Known>,
) -> bool {
    let Some(this) = variant.map(|variant| &module.variants[variant]) else {
        return true;
    };
    let mut bind = |position: usize, pat: &Pat| {
        if let (Pat::Ident(name), Some(field)) = (pat, this.fields.get(position))
            && name.by_ref.is_none()
            && name.mutability.is_none()
            && name.subpat.is_none()
        {
            known.insert(name.ident.to_string(), Known::parameter(position, &field.ty));
        }
    };
    // The variant that a pattern is certain to name. A path in other words may
    // lead to a constant, or to another name of this variant.
    let named = |path: &syn::Path| {
        let segments: Vec<&Ident> = path.segments.iter().map(|part| &part.ident).collect();
        match (&*segments, module.transition) {
            ([owner, last], Some(name)) if *owner == name && path.leading_colon.is_none() => {
                module.variants.iter().find(|variant| variant.ident == **last)
            }
            _ => None,
        }
    };
    let is_it = |path: &syn::Path| named(path).is_some_and(|v| v.ident == this.ident);
    let may_be_it = |path: &syn::Path| named(path).is_none_or(|v| v.ident == this.ident);
    match pat {
        Pat::Paren(inner) => may_match(module, variant, &inner.pat, known),
        Pat::Guard(guard) => may_match(module, variant, &guard.pat, known),
        Pat::Or(or) => {
            let mut matches = or
                .cases
                .iter()
                .filter(|case| may_match(module, variant, case, &mut HashMap::new()));
            match (matches.next(), matches.next()) {
                (None, _) => false,
                (Some(only), None) => may_match(module, variant, only, known),
                (Some(_), Some(_)) => true,
            }
        }
        Pat::Path(path) => path.qself.is_some() || may_be_it(&path.path),
        Pat::TupleStruct(tuple) if tuple.qself.is_none() => {
            let rest = tuple.elems.iter().position(|pat| matches!(pat, Pat::Rest(_)));
            let certain = rest.unwrap_or(tuple.elems.len());
            if is_it(&tuple.path) {
                tuple.elems.iter().take(certain).enumerate().for_each(|(i, pat)| bind(i, pat));
                forget_twice_bound(pat, known);
            }
            may_be_it(&tuple.path)
        }
        Pat::Struct(pattern) if pattern.qself.is_none() => {
            if is_it(&pattern.path) {
                for FieldOf { position, pat } in fields_of(pattern, this) {
                    bind(position, pat);
                }
                forget_twice_bound(pat, known);
            }
            may_be_it(&pattern.path)
        }
        _ => true,
    }
}

/// Forgets names of which there are two: that look the same, but come from a macro.
fn forget_twice_bound(pat: &Pat, known: &mut HashMap<String, Known>) {
    #[derive(Default)]
    struct Names(Vec<String>);

    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0.push(pat.ident.to_string());
            visit::visit_pat_ident(self, pat);
        }
    }

    let mut names = Names::default();
    names.visit_pat(pat);
    known.retain(|name, _| names.0.iter().filter(|other| *other == name).count() <= 1);
}

/// A field in a pattern, by its position in the variant.
struct FieldOf<'p> {
    position: usize,
    pat: &'p Pat,
}

fn fields_of<'p>(
    pattern: &'p syn::PatStruct,
    variant: &'p Variant,
) -> impl Iterator<Item = FieldOf<'p>> {
    pattern.fields.iter().filter_map(|field| {
        let position = variant.fields.iter().position(|f| f.member == field.member)?;
        Some(FieldOf { position, pat: &field.pat })
    })
}

/// Whether a pattern may match this value of an enum without data, of which all are
/// given, or a tuple that has it in this position.
pub fn may_be(
    pat: &Pat,
    position: Option<usize>,
    name: &str,
    value: &Ident,
    values: &[Ident],
) -> bool {
    match (pat, position) {
        (Pat::Paren(inner), _) => may_be(&inner.pat, position, name, value, values),
        (Pat::Guard(guard), _) => may_be(&guard.pat, position, name, value, values),
        (Pat::Or(or), _) => or.cases.iter().any(|pat| may_be(pat, position, name, value, values)),
        (Pat::Tuple(tuple), Some(position)) => {
            // Positions are certain up to `..`.
            let n = tuple.elems.iter().take_while(|pat| !matches!(pat, Pat::Rest(_))).count();
            let own = tuple.elems.iter().take(n).nth(position);
            own.is_none_or(|pat| may_be(pat, None, name, value, values))
        }
        (Pat::Path(path), None) if path.qself.is_none() => {
            let names: Vec<String> =
                path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let is_value = |text: &str| values.iter().any(|value| value == text);
            match &*names {
                [owner, last] if owner == name && is_value(last) => value == last,
                _ => true,
            }
        }
        _ => true,
    }
}
