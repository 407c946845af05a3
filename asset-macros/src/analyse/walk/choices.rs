//! Choices by `match`: by the value of a variable, and by the transition.

use super::Walk;
use super::names::Bound;
use crate::analyse::Place;
use crate::analyse::patterns::{may_be, may_match};
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{Arm, Pat};

impl Walk<'_> {
    /// Walks through a `match` by the value of a variable. `position` is where in
    /// a tuple the variable stands, if it stands in one.
    pub(super) fn visit_choice(
        &mut self,
        choice: &syn::ExprMatch,
        (place, name): (Place, String),
        position: Option<usize>,
    ) {
        let values = self.module.names[&name];
        self.choice = Some((place, values.len()));
        self.visit_expr(&choice.expr);
        let value = self.assumed.map(|value| &values[value]);
        for arm in &choice.arms {
            if value.is_none_or(|value| may_be(&arm.pat, position, &name, value, values)) {
                self.visit_pat(&arm.pat);
                self.visit_expr(&arm.body);
            }
        }
    }

    /// Walks through those arms of a `match` of the transition that may be taken.
    pub(super) fn visit_arm_of_transition(&mut self, arm: &Arm) {
        let mut known = HashMap::new();
        if !may_match(self.module, self.variant, &arm.pat, &mut known) {
            return;
        }
        let outer = self.scope.clone();
        let mut inside = Bound::default();
        if let Pat::Guard(guard) = &arm.pat {
            inside.visit_expr(&guard.guard);
        }
        inside.visit_expr(&arm.body);
        known.retain(|name: &String, _| !inside.names.contains(name));
        self.scope.known.extend(known);
        // Guards are part of patterns.
        self.visit_pat(&arm.pat);
        self.visit_expr(&arm.body);
        self.scope = outer;
    }
}
