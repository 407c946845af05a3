//! Attributes of the model language in places where they mean nothing.

use crate::ast::{MarkKind, Module};
use crate::errors::Errors;
use crate::parse::{
    FIELD_ATTRIBUTE, ITEM_ATTRIBUTES, VARIANT_ATTRIBUTES, misspelt, unknown_attribute,
};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Field, PatType, Variant};

/// Complains about attributes that no part of the model reads.
pub fn check(module: &Module, errors: &mut Errors) {
    let has = |is_it: fn(&MarkKind) -> bool| {
        module.items.iter().flat_map(|item| &item.marks).any(|mark| is_it(&mark.kind))
    };
    let has_state = has(|kind| matches!(kind, MarkKind::State));
    let has_transitions = has(|kind| matches!(kind, MarkKind::Transitions));
    for item in &module.items {
        let is_type = |kind: &MarkKind| {
            matches!(kind, MarkKind::State | MarkKind::StateVar | MarkKind::Transitions)
        };
        // Where a mark is missing, that is the mistake, and not the ranges.
        let has_ranges = item.marks.iter().any(|mark| is_type(&mark.kind))
            || (!has_state && matches!(item.syn, syn::Item::Struct(_)))
            || (!has_transitions && matches!(item.syn, syn::Item::Enum(_)));
        let has = |is_it: fn(&MarkKind) -> bool| item.marks.iter().any(|mark| is_it(&mark.kind));
        let is_proposition = has(|kind| matches!(kind, MarkKind::Proposition));
        let is_transitions = has(|kind| matches!(kind, MarkKind::Transitions))
            || (!has_transitions && matches!(item.syn, syn::Item::Enum(_)));
        Places {
            has_ranges: has_ranges || is_proposition,
            is_transitions,
            in_field: false,
            in_variant: false,
            errors,
        }
        .visit_item(&item.syn);
    }
}

struct Places<'a> {
    /// Whether the fields or parameters of this item can have a `#[range]`.
    has_ranges: bool,
    /// Whether its variants are transitions.
    is_transitions: bool,
    in_field: bool,
    in_variant: bool,
    errors: &'a mut Errors,
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_field(&mut self, field: &'ast Field) {
        self.in_field = true;
        visit::visit_field(self, field);
        self.in_field = false;
    }

    fn visit_pat_type(&mut self, parameter: &'ast PatType) {
        self.in_field = true;
        visit::visit_pat_type(self, parameter);
        self.in_field = false;
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.in_variant = true;
        variant.attrs.iter().for_each(|attr| self.visit_attribute(attr));
        self.in_variant = false;
        variant.fields.iter().for_each(|field| self.visit_field(field));
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        let path = attr.path();
        if path.is_ident(FIELD_ATTRIBUTE) {
            if !(self.in_field && self.has_ranges) {
                let message = "`#[range]` goes on a field of the state, of a type that derives \
                               `StateVar`, or of a transition, or on a parameter of a proposition";
                self.errors.at(attr, message);
            }
        } else if VARIANT_ATTRIBUTES.iter().any(|name| path.is_ident(name)) {
            if !(self.in_variant && self.is_transitions) {
                let message = format!(
                    "`#[{}]` goes on a transition, which is a variant of the enum under \
                     `#[transitions]`",
                    path.to_token_stream()
                );
                self.errors.at(attr, message);
            }
        } else if self.in_variant
            && self.is_transitions
            && let Some(meant) = misspelt(attr, &VARIANT_ATTRIBUTES)
        {
            unknown_attribute(attr, meant, self.errors);
        } else if let Some(name) = ITEM_ATTRIBUTES.iter().find(|name| path.is_ident(name)) {
            let message = format!("`#[{name}]` goes on an item of the model's own module");
            self.errors.at(attr, message);
        } else if let Some(meant) = misspelt(attr, &[FIELD_ATTRIBUTE])
            && self.in_field
        {
            unknown_attribute(attr, meant, self.errors);
        }
    }
}
