//! Which instances are built: all of a few, and of many those that are named.
//!
//! What this costs, and what is written for it, does not grow with the number of
//! combinations, only with that of the instances that are built.

use super::params;
use crate::ast::{Choice, MarkKind, Module, Named};
use crate::errors::Errors;
use crate::ir::{Instances, Param};
use crate::text::{option_name, shown};
use std::collections::BTreeSet;

/// Up to so many instances are all built.
const FEW: u128 = 32;

/// The environment variable that names instances of models that have more.
pub const VARIABLE: &str = "ASSET_INSTANCES";

/// The indices of the values of all parameters.
type Indices = Vec<usize>;

/// The instances of the model that are built. `named` is what the environment variable
/// says, if it says anything. `None` if something is wrong with a parameter.
pub fn chosen(
    module: &Module,
    params: &[Param],
    named: Option<&str>,
    errors: &mut Errors,
) -> Option<Instances> {
    let marks = module.items.iter().flat_map(|item| &item.marks);
    if marks.filter(|mark| matches!(mark.kind, MarkKind::Param(_))).count() > params.len() {
        return None;
    }
    let defaults: Indices = params.iter().map(|param| param.default).collect();
    let n_listed =
        params.iter().fold(1u128, |n, param| n.saturating_mul(param.values.len() as u128));
    let is_few = n_listed <= FEW;
    let (mut built, mut has_all) = (BTreeSet::from([defaults.clone()]), is_few);
    for Named { argument, choice } in &module.instances {
        match choice {
            Choice::All => has_all = true,
            Choice::One(values) => {
                let values = values.iter().map(|(name, value)| {
                    let text = params::value(value).map(|value| value.text);
                    (option_name(&shown(name)), text.unwrap_or_default())
                });
                match one(params, values) {
                    Ok(instance) => drop(built.insert(instance)),
                    Err(message) => errors.at(argument, message),
                }
            }
        }
    }
    if let Some(named) = named.filter(|_| !is_few) {
        match of_text(&shown(&module.head.ident), params, named) {
            Ok(None) => has_all = true,
            Ok(Some(instances)) => built.extend(instances),
            Err(message) => errors.at(&module.head.ident, format!("in {VARIABLE}, {message}")),
        }
    }
    let built: Vec<Indices> = if has_all { all(params) } else { built.into_iter().collect() };
    let default = built.binary_search(&defaults).unwrap_or(0);
    Some(Instances { n_listed, built, default, variable: (!is_few).then_some(VARIABLE) })
}

/// The instances of this model that a text such as `n=3,fast=true; lamp: n=4` names: one
/// between semicolons, for every model or for one. `None` means all that there are.
fn of_text(model: &str, params: &[Param], text: &str) -> Result<Option<Vec<Indices>>, String> {
    let mut instances = Vec::new();
    for part in text.split(';') {
        let (whose, values) = match part.split_once(':') {
            Some((whose, values)) => (Some(whose.trim()), values.trim()),
            None => (None, part.trim()),
        };
        if values.is_empty() || whose.is_some_and(|whose| whose != model) {
            continue;
        }
        if values == "all" {
            return Ok(None);
        }
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').ok_or_else(|| {
                format!("`{}` is no `name=value`, such as `n=3,tags=16`", pair.trim())
            })?;
            Ok((option_name(name.trim()), value.trim().to_owned()))
        };
        let pairs: Result<Vec<_>, String> = values.split(',').map(pair).collect();
        instances.push(one(params, pairs?.into_iter())?);
    }
    Ok(Some(instances))
}

/// The instance with these values, and defaults elsewhere.
fn one(
    params: &[Param],
    values: impl Iterator<Item = (String, String)>,
) -> Result<Indices, String> {
    let mut instance: Indices = params.iter().map(|param| param.default).collect();
    let mut seen = Vec::new();
    for (name, value) in values {
        let Some(at) = params.iter().position(|param| param.name == name) else {
            let names: Vec<String> = params.iter().map(|p| format!("`{}`", p.name)).collect();
            let there = match &*names {
                [] => "it has none".to_owned(),
                names => format!("it has {}", names.join(", ")),
            };
            return Err(format!("this model has no parameter `{name}`: {there}"));
        };
        if seen.contains(&at) {
            return Err(format!("`{name}` has two values: an instance has one of each"));
        }
        seen.push(at);
        let values = &params[at].values;
        let index = values.iter().position(|known| known.text == value);
        instance[at] = index.ok_or_else(|| {
            format!("`{name}` cannot be that: its values are {}", params::some(values))
        })?;
    }
    Ok(instance)
}

/// All combinations, the last parameter running fastest.
fn all(params: &[Param]) -> Vec<Indices> {
    params.iter().fold(vec![Vec::new()], |instances, param| {
        let extended = instances.iter().flat_map(|indices| {
            (0..param.values.len()).map(|index| [indices.as_slice(), &[index]].concat())
        });
        extended.collect()
    })
}
