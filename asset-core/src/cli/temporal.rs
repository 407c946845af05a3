//! What the command line says of infinite runs: formulas, automata, fairness, searches.

use super::{CliError, files};
use crate::explorer::{DepthFirst, Explorer, Extra, FairnessLevel, Temporal, TemporalSearch};
use crate::machine::Machine;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The most letters of a formula in a list.
const MAX_LETTERS: usize = 160;

/// The options of `check` that belong here.
pub fn options() -> [Arg; 7] {
    [
        Arg::new("ltl")
            .long("ltl")
            .value_name("FORMULA")
            .action(ArgAction::Append)
            .help("Check a formula, too, as in 'G (waiting(0) -> F served(0))'; may be repeated"),
        Arg::new("hoa")
            .long("hoa")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .help("Check that no run is accepted by this automaton, in the Hanoi format"),
        Arg::new("fairness")
            .long("fairness")
            .value_name("LEVEL")
            .value_parser(["none", "weak", "strong"])
            .help("Assume no more fairness of the model's than this [default: all]"),
        Arg::new("search")
            .long("search")
            .value_name("SEARCH")
            .value_parser(["scc", "ndfs", "dfs", "stateless"])
            .help(
                "For formulas, components or nested depth-first search [default: scc]; for state \
                 and deadlock checks alone, depth-first search with states or without",
            ),
        Arg::new("max-depth")
            .long("max-depth")
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..))
            .help("With --search dfs or stateless: follow no run for more than N steps"),
        Arg::new("shorten")
            .long("shorten")
            .action(ArgAction::SetTrue)
            .help("With --search dfs: go on to a shortest counterexample"),
        Arg::new("explain")
            .long("explain")
            .action(ArgAction::SetTrue)
            .help("Say of each step why the run is fair and what the automaton does"),
    ]
}

/// What these options say.
pub struct Said {
    depth_first: Option<DepthFirst>,
    temporal: Temporal,
}

/// Reads the options, and the files that they name.
pub fn read(matches: &ArgMatches) -> Result<Said, CliError> {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let max_depth = matches.get_one::<u32>("max-depth").copied();
    let shorten = matches.get_flag("shorten");
    let search = word("search");
    let depth_first = match search {
        Some("dfs" | "stateless") => {
            let stateless = search == Some("stateless");
            Some(DepthFirst { stateless, max_depth, shorten })
        }
        _ if max_depth.is_some() => return only_with("--max-depth", "dfs or --search stateless"),
        _ if shorten => return only_with("--shorten", "dfs"),
        _ => None,
    };
    let mut temporal = Temporal {
        fairness: word("fairness").map(|level| match level {
            "none" => FairnessLevel::None,
            "weak" => FairnessLevel::Weak,
            _ => FairnessLevel::Strong,
        }),
        search: match search {
            Some("ndfs") => TemporalSearch::Nested,
            _ => TemporalSearch::default(),
        },
        explain: matches.get_flag("explain"),
        ..Temporal::default()
    };
    for formula in matches.get_many::<String>("ltl").into_iter().flatten() {
        temporal.extra.push(Extra::Formula(formula.clone()));
    }
    for path in matches.get_many::<PathBuf>("hoa").into_iter().flatten() {
        let text = files::read(path)?;
        temporal.extra.push(Extra::Automaton(path.display().to_string(), text));
    }
    Ok(Said { depth_first, temporal })
}

impl Said {
    /// An explorer that does it.
    pub fn apply(self, explorer: Explorer<'_>) -> Explorer<'_> {
        let explorer = explorer.temporal(self.temporal);
        match self.depth_first {
            Some(search) => explorer.depth_first(search),
            None => explorer,
        }
    }
}

fn only_with<T>(option: &str, search: &str) -> Result<T, CliError> {
    Err(CliError::Sentence(format!(
        "{option} bounds a depth-first search: add --search {search}, or leave it out"
    )))
}

/// The formula of a check as it is written, if the check has one.
pub fn formula(machine: &dyn Machine, check: usize) -> Option<String> {
    let propositions = machine.temporal().propositions;
    let mut names: Vec<String> = Vec::new();
    let name = |index: usize, arguments: &[i64]| {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        match arguments.is_empty() {
            true => propositions[index].name.to_owned(),
            false => format!("{}({})", propositions[index].name, arguments.join(", ")),
        }
    };
    let mut number = |index: usize, arguments: &[i64]| {
        names.push(name(index, arguments));
        names.len() - 1
    };
    let formula = machine.formula(check, &mut number).ok().flatten()?;
    Some(formula.show(&|atom| names[atom].clone()))
}

/// A fairness condition: whether it is strong, its name if it is a group, its transitions.
type Condition = (bool, Option<String>, Vec<String>);

/// The fairness conditions of a model.
fn conditions(machine: &dyn Machine) -> Vec<Condition> {
    let mut conditions: Vec<Condition> = Vec::new();
    for transition in 0..machine.n_transitions() {
        let Ok(Some(fair)) = machine.fairness(transition) else { continue };
        let name = machine.transition_name(transition);
        let known = conditions.iter_mut().find(|(is_strong, group, _)| {
            group.is_some() && *is_strong == fair.is_strong && *group == fair.group
        });
        match known {
            Some((_, _, transitions)) => transitions.push(name),
            None => conditions.push((fair.is_strong, fair.group, vec![name])),
        }
    }
    conditions
}

fn strength(is_strong: bool) -> &'static str {
    if is_strong { "strong" } else { "weak" }
}

/// The part of a list that is about infinite runs; nothing of what there is nothing of.
pub fn to_text(machine: &dyn Machine) -> String {
    let mut text = String::new();
    let propositions = machine.temporal().propositions;
    if !propositions.is_empty() {
        text.push_str("\npropositions of the default instance\n");
    }
    for proposition in propositions {
        let parameter = |p: &crate::model::PropositionParameter| {
            format!("{} in {}..={}", p.name, p.least, p.largest)
        };
        let parameters: Vec<String> = proposition.parameters.iter().map(parameter).collect();
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("({})", parameters.join(", ")),
        };
        let name = format!("{}{parameters}", proposition.name);
        let _ = writeln!(text, "  {name:<32} {}", proposition.doc);
    }
    let checks = machine.description().checks.iter().enumerate();
    let formulas: Vec<_> =
        checks.filter_map(|(i, check)| Some((check.name, formula(machine, i)?))).collect();
    if !formulas.is_empty() {
        text.push_str("\nformulas of the default instance\n");
    }
    for (name, formula) in formulas {
        let mut shown: String = formula.chars().take(MAX_LETTERS).collect();
        if shown.len() < formula.len() {
            shown.push_str(" …");
        }
        let _ = writeln!(text, "  {name:<32} {shown}");
    }
    let conditions = conditions(machine);
    if !conditions.is_empty() {
        text.push_str("\nfairness of the default instance\n");
    }
    for (is_strong, group, transitions) in conditions {
        let of = match group {
            Some(group) => format!("{group}: {}", transitions.join(", ")),
            None => transitions.join(", "),
        };
        let _ = writeln!(text, "  {:<8} {of}", strength(is_strong));
    }
    text
}

/// Adds the same to the object of a list.
pub fn add_to_json(machine: &dyn Machine, object: &mut Value) {
    let propositions = machine.temporal().propositions.iter().map(|proposition| {
        let parameter = |p: &crate::model::PropositionParameter| {
            json!({ "name": p.name, "least": p.least as i64, "largest": p.largest as i64 })
        };
        let parameters: Vec<Value> = proposition.parameters.iter().map(parameter).collect();
        json!({ "name": proposition.name, "doc": proposition.doc, "parameters": parameters })
    });
    object["propositions"] = propositions.collect();
    let fairness = conditions(machine).into_iter().map(|(is_strong, group, transitions)| {
        json!({ "kind": strength(is_strong), "group": group, "transitions": transitions })
    });
    object["fairness"] = fairness.collect();
    let formulas = (0..machine.description().checks.len()).map(|check| formula(machine, check));
    for (i, formula) in formulas.enumerate() {
        if let Some(formula) = formula {
            object["checks"][i]["formula"] = formula.into();
        }
    }
}
