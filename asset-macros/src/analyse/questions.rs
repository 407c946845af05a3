//! The questions that the analysis answers: about each variant, by each value of the
//! variable by which it chooses, and about each state check.

use super::module::Module;
use super::summary::{Open, Summaries};
use super::walk::Walk;
use super::{Accesses, OfVariant, Touches};
use crate::ir::{Check, Model, Proposition, Transitions};
use syn::Ident;

/// What the transitions of each variant touch; one entry if they are just numbered.
pub fn of_transitions(model: &Model, module: &Module, summaries: &Summaries) -> Vec<OfVariant> {
    let walk = |(function, n): (&Ident, usize), variant, assumed, by_condition| {
        let open = Open { assumed, by_condition, ..Open::default() };
        let mut walk = Walk::new(module, summaries, variant, Some(&open));
        walk.function_of_transition(function, n);
        walk
    };
    // A choice by `match` tells more than one by a condition that comes before it.
    let choose = |function: (&Ident, usize), variant| {
        let walks = [false, true]
            .map(|by_condition| (walk(function, variant, None, by_condition), by_condition));
        let [by_match, by_condition] = walks;
        if by_match.0.choice.is_some() { by_match } else { by_condition }
    };
    let of = |variant: Option<usize>| {
        let fire = (&model.fire, 0);
        let (first, by_condition) = choose(fire, variant);
        let choice = first.choice.clone();
        let found: Vec<(Touches, Accesses)> = match &choice {
            Some((_, n)) => (0..*n)
                .map(|value| walk(fire, variant, Some(value), by_condition).found_apart())
                .collect(),
            None => vec![first.found_apart()],
        };
        let (touches, accesses): (Vec<Touches>, _) = found.into_iter().unzip();
        let rules = match &model.rules {
            None => vec![Touches::Places(Vec::new()); touches.len()],
            Some(rules) => {
                let rules = (rules, 1);
                let (first, by_condition) = choose(rules, variant);
                // They may choose by another variable, or none.
                let is_same = choice.is_some() && first.choice == choice;
                let anywhere = first.found();
                let looked_at = |value: usize| match is_same {
                    true => walk(rules, variant, Some(value), by_condition).found(),
                    false => anywhere.clone(),
                };
                let besides = |(value, told)| looked_at(value).without(told);
                touches.iter().enumerate().map(besides).collect()
            }
        };
        OfVariant { choice, touches, accesses, rules }
    };
    match &model.transitions {
        Transitions::Enum { variants, .. } => {
            (0..variants.len()).map(|variant| of(Some(variant))).collect()
        }
        Transitions::Count(_) => vec![of(None)],
    }
}

/// What each check looks at.
pub fn of_checks(model: &Model, module: &Module, summaries: &Summaries) -> Vec<Touches> {
    let looks_at = |check: &Check| {
        let mut walk = Walk::new(module, summaries, None, None);
        walk.function_of_state(&check.function);
        walk.found()
    };
    model.checks.iter().map(looks_at).collect()
}

/// What each proposition looks at.
pub fn of_propositions(model: &Model, module: &Module, summaries: &Summaries) -> Vec<Touches> {
    let looks_at = |proposition: &Proposition| {
        let mut walk = Walk::new(module, summaries, None, None);
        let types: Vec<&syn::Type> = proposition.parameters.iter().map(|p| &p.ty).collect();
        walk.function_of_state_and(&proposition.function, &types);
        walk.found()
    };
    model.propositions.iter().map(looks_at).collect()
}
