//! Attributes of the model language in places where they mean nothing.

use crate::ast::{MarkKind, Module};
use crate::errors::Errors;
use crate::parse::{FIELD_ATTRIBUTE, ITEM_ATTRIBUTES, misspelt, unknown_attribute};
use syn::visit::{self, Visit};
use syn::{Attribute, Field};

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
        Places { has_ranges, in_field: false, errors }.visit_item(&item.syn);
    }
}

struct Places<'a> {
    /// Whether the fields of this item can have a `#[range]`.
    has_ranges: bool,
    in_field: bool,
    errors: &'a mut Errors,
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_field(&mut self, field: &'ast Field) {
        self.in_field = true;
        visit::visit_field(self, field);
        self.in_field = false;
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        let path = attr.path();
        if path.is_ident(FIELD_ATTRIBUTE) {
            if !(self.in_field && self.has_ranges) {
                let message = "`#[range]` goes on a field of the state, of a type that derives \
                               `StateVar`, or of a transition";
                self.errors.at(attr, message);
            }
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
