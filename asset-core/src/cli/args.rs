//! The arguments of the command line; a model's parameters are options of it.

use crate::explorer::{LivelockReduction, LivelockSearch, MAX_THREADS, Rules};
use crate::machine::Family;
use crate::trace::TraceStyle;
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, Command, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The longest walk: a trace is kept and printed whole.
const MAX_STEPS: u64 = 100_000;

/// The most values of a parameter that the help lists.
const MAX_SHOWN: usize = 40;

const EXIT_CODES: &str = "Exit codes: 0 holds, 1 violated, 2 usage or model error, 3 inconclusive.";

/// The command of a model.
pub fn command(family: &Family) -> Command {
    let check = |command: Command| check_options(params(command, family));
    check(Command::new(family.name))
        .about(family.doc.to_owned())
        .after_help(EXIT_CODES)
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .subcommand(check(Command::new("check").about("Explore and evaluate all checks (default)")))
        .subcommand(livelock(family))
        .subcommand(audit(family))
        .subcommand(simulate(family))
        .subcommand(graph(family))
        .subcommand(replay())
        .subcommand(
            Command::new("list")
                .about("Show parameters, checks, and bits per variable")
                .arg(json()),
        )
        .subcommand(
            Command::new("completions").about("Print a completion script for a shell").arg(
                Arg::new("shell")
                    .required(true)
                    .value_name("SHELL")
                    .value_parser(value_parser!(clap_complete::Shell)),
            ),
        )
}

/// A sentence about a parameter that has the name of an option, if there is
/// one. Nobody could give its value.
pub fn clash(family: &Family) -> Option<String> {
    fn is_option(command: &Command, name: &str) -> bool {
        command.get_arguments().any(|arg| arg.get_long() == Some(name))
            || command.get_subcommands().any(|sub| is_option(sub, name))
    }
    let bare = command(&Family { params: &[], ..*family });
    let taken = |name: &str| name == "help" || is_option(&bare, name);
    let param = family.params.iter().find(|param| taken(param.name))?;
    Some(format!(
        "the parameter '{0}' of {1} has the name of the option --{0}; give its constant another",
        param.name, family.name
    ))
}

/// The arguments with the subcommand first, so that options may stand before it.
pub fn subcommand_first(
    command: &Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    fn takes_value(command: &Command, is_it: &dyn Fn(&Arg) -> bool) -> bool {
        let takes = |arg: &Arg| is_it(arg) && arg.get_action().takes_values();
        command.get_arguments().any(takes)
            || command.get_subcommands().any(|sub| takes_value(sub, is_it))
    }
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut at = 1;
    while let Some(argument) = arguments.get(at).and_then(|argument| argument.to_str()) {
        let has_value = match argument.strip_prefix("--") {
            Some("") => break,
            Some(long) => takes_value(command, &|arg| arg.get_long() == Some(long)),
            None => match *argument.chars().collect::<Vec<_>>() {
                ['-', short] => takes_value(command, &|arg| arg.get_short() == Some(short)),
                ['-', _, ..] => false,
                _ => {
                    if command.find_subcommand(argument).is_some() {
                        let subcommand = arguments.remove(at);
                        arguments.insert(1, subcommand);
                    }
                    break;
                }
            },
        };
        at += 1 + usize::from(has_value);
    }
    arguments
}

/// Which parameters a model has, for somebody who has asked for another one.
pub fn known_params(family: &Family) -> String {
    let known: Vec<_> = family.params.iter().map(|param| format!("--{}", param.name)).collect();
    match known.is_empty() {
        true => format!("{} has no parameters", family.name),
        false => format!("the parameters of {} are {}", family.name, known.join(", ")),
    }
}

/// The model's own parameters.
fn params(mut command: Command, family: &Family) -> Command {
    for param in family.params {
        command = command.arg(
            Arg::new(param.name)
                .long(param.name)
                .value_name("VALUE")
                .help(param.doc.to_owned())
                .default_value(param.default)
                .value_parser(PossibleValuesParser::new(param.values))
                .hide_possible_values(param.values.len() > MAX_SHOWN)
                .help_heading("Parameters of the model"),
        );
    }
    command
}

fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print one JSON object")
}

fn quiet() -> Arg {
    Arg::new("quiet")
        .long("quiet")
        .short('q')
        .action(ArgAction::SetTrue)
        .conflicts_with("json")
        .help("Print nothing but errors; the exit code tells the verdict")
}

fn order() -> Arg {
    Arg::new("order")
        .long("order")
        .value_name("ORDER")
        .value_parser(["backward", "forward"])
        .default_value("backward")
        .help("The order in which transitions are tried")
}

fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=MAX_THREADS as u64))
        .help("Search with at most N threads [default: 1]")
}

fn check_options(command: Command) -> Command {
    limit_options(command)
        .arg(
            Arg::new("reduction")
                .long("reduction")
                .value_name("WHAT")
                .value_parser(["stubborn", "full"])
                .help("What is fired in a state [default: stubborn where the model has rules]"),
        )
        .args([rules(), order()])
        .arg(
            Arg::new("check")
                .long("check")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Evaluate only this check; may be repeated"),
        )
        .arg(
            Arg::new("all-errors")
                .long("all-errors")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Go on after a violation, until N are found; one for each progress check"),
        )
        .args(super::temporal::options())
        .arg(
            Arg::new("witness")
                .long("witness")
                .action(ArgAction::SetTrue)
                .help("Show the way to what is to be reachable"),
        )
        .arg(
            Arg::new("deny-vacuous")
                .long("deny-vacuous")
                .action(ArgAction::SetTrue)
                .help("A progress check that holds only because the model ends is inconclusive"),
        )
        .args([threads(), paranoid(), trace_file(), trace_style(), json(), quiet()])
}

fn livelock(family: &Family) -> Command {
    let searches = LivelockSearch::ALL.map(LivelockSearch::name);
    let reductions = LivelockReduction::ALL.map(LivelockReduction::name);
    limit_options(params(Command::new("livelock"), family))
        .about("Search for cycles without progress")
        .arg(
            Arg::new("search")
                .long("search")
                .value_parser(PossibleValuesParser::new(searches))
                .default_value(LivelockSearch::default().name())
                .help("The search; all but dfs-fifo explore in full"),
        )
        .arg(
            Arg::new("reduction")
                .long("reduction")
                .value_parser(PossibleValuesParser::new(reductions))
                .default_value(LivelockReduction::default().name())
                .help("What is fired in a state; auto is the strongest that is sound"),
        )
        .arg(
            Arg::new("loose")
                .long("loose")
                .action(ArgAction::SetTrue)
                .help("Let no thread wait until all states with fewer progresses are done"),
        )
        .args([
            rules(),
            order(),
            threads(),
            paranoid(),
            trace_file(),
            trace_style(),
            json(),
            quiet(),
        ])
}

fn rules() -> Arg {
    Arg::new("rules")
        .long("rules")
        .value_name("WHOSE")
        .value_parser(Rules::ALL.map(Rules::name))
        .default_value(Rules::default().name())
        .help("Whose rules stubborn sets follow; inferred ones are found in the model's code")
}

fn paranoid() -> Arg {
    Arg::new("paranoid")
        .long("paranoid")
        .action(ArgAction::SetTrue)
        .help("Evaluate every firing and every rule twice and compare")
}

fn trace_style() -> Arg {
    Arg::new("trace-style")
        .long("trace-style")
        .value_name("STYLE")
        .value_parser(PossibleValuesParser::new(TraceStyle::ALL.map(TraceStyle::name)))
        .default_value(TraceStyle::default().name())
        .help("Print whole states or only what changes; auto is whole if that fits")
}

fn trace_file() -> Arg {
    Arg::new("trace")
        .long("trace")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Save the first counterexample, or else the first witness, for `replay`")
}

fn limit_options(command: Command) -> Command {
    command
        .arg(
            Arg::new("max-states")
                .long("max-states")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .help("Give up beyond N states"),
        )
        .arg(
            Arg::new("max-memory")
                .long("max-memory")
                .value_name("BYTES")
                .value_parser(ValueParser::new(bytes))
                .help(
                    "Give up beyond so much memory, as in 500M or 8G; if not given, beyond nine \
                     tenths of what the machine or the control group has",
                ),
        )
        .arg(max_time())
}

fn max_time() -> Arg {
    Arg::new("max-time")
        .long("max-time")
        .value_name("TIME")
        .value_parser(ValueParser::new(duration))
        .help("Give up after so long, as in 90, 90s, 10m or 2h")
}

fn audit(family: &Family) -> Command {
    let number = |name: &'static str, least: u64| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64).range(least..))
    };
    params(Command::new("audit"), family)
        .about("Judge the stubborn set rules by firing transitions in both orders")
        .after_help(
            "Exit codes: 0 no fault, 1 a rule is wrong, 2 usage or model error, \
             3 nothing could be judged to the end.",
        )
        .arg(number("max-states", 0).help(
            "Judge every reachable state if there are at most N [default: 20000]; \
             otherwise draw samples",
        ))
        .arg(
            Arg::new("check")
                .long("check")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Ask of the rules that they respect only this check; may be repeated"),
        )
        .arg(number("samples", 0).help("States drawn by random walks [default: 500]"))
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("The seed of the random walks [default: 1]"),
        )
        .arg(number("max-r", 1).help(
            "Follow the transitions outside a stubborn set through at most N states \
             [default: 5000]",
        ))
        .args([rules(), max_time(), json(), quiet()])
}

fn simulate(family: &Family) -> Command {
    params(Command::new("simulate"), family)
        .about("Print one run: a random walk, or the typical one")
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .help("The seed of the random walk [default: from the clock; it is printed]"),
        )
        .arg(
            Arg::new("max-steps")
                .long("max-steps")
                .value_name("N")
                .value_parser(value_parser!(u64).range(..=MAX_STEPS))
                .default_value("50")
                .help("The largest number of steps, at most 100000"),
        )
        .arg(
            Arg::new("typical")
                .long("typical")
                .action(ArgAction::SetTrue)
                .conflicts_with("seed")
                .help("Always fire the first enabled transition, until a state repeats"),
        )
        .arg(
            order()
                .requires("typical")
                .help("Which enabled transition is the first, for --typical"),
        )
        .args([trace_style(), json()])
}

fn graph(family: &Family) -> Command {
    params(Command::new("graph"), family)
        .about("Print the state space as a graph")
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["dot", "aut"])
                .default_value("dot")
                .help("Graphviz, or Aldebaran"),
        )
        .arg(
            Arg::new("reduction")
                .long("reduction")
                .value_name("WHAT")
                .value_parser(["stubborn", "full"])
                .default_value("full")
                .help(
                    "What is fired in a state. Not as for a check: a picture shows what the \
                     model does, not what a search needs",
                ),
        )
        .args([rules(), order()])
        .arg(
            Arg::new("max-nodes")
                .long("max-nodes")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("2000")
                .help("Refuse graphs with more states"),
        )
        .arg(
            Arg::new("max-rank")
                .long("max-rank")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("100")
                .help("Refuse pictures with more states side by side"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Write to a file instead of standard output"),
        )
}

fn replay() -> Command {
    Command::new("replay")
        .about("Fire the transitions of a saved trace again")
        .arg(
            Arg::new("file").required(true).value_name("FILE").value_parser(value_parser!(PathBuf)),
        )
        .args([trace_style(), json()])
}

/// Reads `500M` and the like; units are powers of ten.
fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "B" => 1.0,
        "k" | "K" | "kB" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        _ => return Err("write a number with K, M, G or T, as in 8G".to_owned()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * factor) as usize),
        _ => Err("write a number above 0 with K, M, G or T, as in 8G".to_owned()),
    }
}

/// Reads `90`, `90s`, `10m`, `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write seconds, or a number with s, m or h, as in 10m".to_owned()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Duration::try_from_secs_f64(number * factor)
            .map_err(|_| "nobody waits so long; leave it out for no limit".to_owned()),
        _ => Err("write a number above 0 with s, m or h, as in 90s or 10m".to_owned()),
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..at].trim(), &text[at..])
}
