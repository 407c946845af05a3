//! What each subcommand does: calls the library and shows what it returns.

use super::progress::ProgressLine;
use super::report::count;
use super::{CliError, STOP, args, files, json, report, unbuilt};
use super::{stderr_is_terminal, stdout_color, stdout_width};
use crate::expand::inferred::Inferred;
use crate::expand::{Choice, Recipe};
use crate::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch, Rules, RunError};
use crate::graph::StateGraph;
use crate::machine::{Family, Instance};
use crate::memory::memory_limit;
use crate::model::{CheckSet, Order};
use crate::search::{Limits, Observer, Watch};
use crate::simulate::{End, Walk, simulate};
use crate::trace::{Trace, TraceFile, TraceLayout, TraceStyle};
use crate::verdict::Outcome;
use clap::ArgMatches;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs the chosen subcommand; the value is the exit code.
pub fn run(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let options = matches.subcommand().map_or(matches, |(_, options)| options);
    if let Some(sentence) = unbuilt::sentence(family, &chosen_params(family, options)) {
        return Err(CliError::Sentence(sentence));
    }
    match matches.subcommand() {
        None => check(family, matches),
        Some(("check", matches)) => check(family, matches),
        Some(("livelock", matches)) => livelock(family, matches),
        Some(("audit", matches)) => super::audit::run(family, matches),
        Some(("simulate", matches)) => walk(family, matches),
        Some(("graph", matches)) => graph(family, matches),
        Some(("replay", matches)) => replay(family, matches),
        Some(("list", matches)) => list(family, matches),
        Some(("completions", matches)) => completions(family, matches),
        Some((name, _)) => Err(CliError::Sentence(format!("there is no command {name}"))),
    }
}

/// Writes to standard output.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = std::io::stdout().lock();
    Ok(unless_gone(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))?)
}

/// Forgives a reader that has gone, as `head` does: it has read what it wanted,
/// and the exit code still tells the verdict.
pub fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes one JSON value to standard output.
pub fn print_json(value: &Value) -> Result<(), CliError> {
    print(&format!("{value:#}\n"))
}

/// The parameters given on the command line.
pub fn chosen_params(family: &Family, matches: &ArgMatches) -> Vec<(String, String)> {
    // Not every command takes them.
    let value = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    family.params.iter().filter_map(|p| Some((p.name.to_owned(), value(p.name)?))).collect()
}

fn instance(family: &Family, matches: &ArgMatches) -> Result<Instance, CliError> {
    family.instance(&chosen_params(family, matches)).map_err(CliError::Sentence)
}

fn order(matches: &ArgMatches) -> Order {
    match matches.get_one::<String>("order").map(String::as_str) {
        Some("forward") => Order::Forward,
        _ => Order::Backward,
    }
}

/// How traces are printed: as asked for, and as wide as the terminal.
fn layout(matches: &ArgMatches) -> TraceLayout {
    let chosen = matches.get_one::<String>("trace-style");
    let is_chosen = |style: &TraceStyle| chosen.is_some_and(|name| name == style.name());
    let style = TraceStyle::ALL.into_iter().find(is_chosen).unwrap_or_default();
    let default = TraceLayout { style, color: stdout_color(), ..TraceLayout::default() };
    match stdout_width() {
        Some(width) => TraceLayout { width, ..default },
        None => default,
    }
}

fn reduction(matches: &ArgMatches) -> Option<Choice> {
    match matches.get_one::<String>("reduction")?.as_str() {
        "stubborn" => Some(Choice::Stubborn),
        _ => Some(Choice::Full),
    }
}

/// Whose rules stubborn sets follow.
pub fn rules(matches: &ArgMatches) -> Rules {
    let chosen = matches.get_one::<String>("rules").map(String::as_str);
    Rules::ALL.into_iter().find(|rules| Some(rules.name()) == chosen).unwrap_or_default()
}

/// An explorer with the parameters, limits and order of the command line.
fn explorer<'o>(
    family: &Family,
    matches: &ArgMatches,
    observer: Option<&'o mut dyn Observer>,
) -> Explorer<'o> {
    let mut explorer =
        Explorer::new(*family).order(order(matches)).rules(rules(matches)).stop_flag(&STOP);
    for (name, value) in chosen_params(family, matches) {
        explorer = explorer.param(&name, value);
    }
    if let Some(&n) = matches.get_one::<u64>("max-states") {
        explorer = explorer.max_states(n);
    }
    if let Some(&bytes) = matches.get_one::<usize>("max-memory") {
        explorer = explorer.max_memory(bytes);
    }
    if let Some(&time) = matches.get_one::<Duration>("max-time") {
        explorer = explorer.max_time(time);
    }
    match observer {
        Some(observer) => explorer.observer(observer),
        None => explorer,
    }
}

/// The number of threads: what was asked for, or one.
fn threads(matches: &ArgMatches) -> usize {
    matches.get_one::<u64>("threads").map_or(1, |&n| n as usize)
}

fn check(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let said = super::temporal::read(matches)?;
    watched(family, matches, |mut explorer| {
        explorer = explorer.threads(threads(matches));
        if let Some(choice) = reduction(matches) {
            explorer = explorer.reduction(choice);
        }
        if let Some(names) = matches.get_many::<String>("check") {
            explorer = explorer.checks(names.cloned());
        }
        if let Some(&n) = matches.get_one::<u64>("all-errors") {
            explorer = explorer.max_violations(n as usize);
        }
        said.apply(explorer).deny_vacuous(matches.get_flag("deny-vacuous")).run()
    })
}

fn livelock(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let is = |option: &str, name: &str| {
        matches.get_one::<String>(option).is_some_and(|chosen| chosen == name)
    };
    let search = LivelockSearch::ALL.into_iter().find(|s| is("search", s.name()));
    let reduction = LivelockReduction::ALL.into_iter().find(|r| is("reduction", r.name()));
    let options =
        Livelock { search: search.unwrap_or_default(), reduction: reduction.unwrap_or_default() };
    let threads = threads(matches);
    let is_loose = matches.get_flag("loose");
    watched(family, matches, |explorer| explorer.threads(threads).loose(is_loose).livelock(options))
}

/// Runs an explorer with the options that all runs share, beside a progress
/// line, and shows what it returns.
fn watched(
    family: &Family,
    matches: &ArgMatches,
    run: impl FnOnce(Explorer<'_>) -> Result<Outcome, RunError>,
) -> Result<u8, CliError> {
    if let Some(path) = matches.get_one::<PathBuf>("trace") {
        files::try_place(path)?;
    }
    let mut line = (stderr_is_terminal() && !matches.get_flag("quiet")).then(ProgressLine::new);
    let observer = line.as_mut().map(|line| line as &mut dyn Observer);
    let explorer = explorer(family, matches, observer).paranoid(matches.get_flag("paranoid"));
    let outcome = run(explorer);
    if let Some(line) = &line {
        line.clear();
    }
    show(&outcome?, matches)
}

/// Prints an outcome and saves its trace as the command line says.
fn show(outcome: &Outcome, matches: &ArgMatches) -> Result<u8, CliError> {
    let is_text = !matches.get_flag("json") && !matches.get_flag("quiet");
    if matches.get_flag("json") {
        print_json(&json::outcome(outcome))?;
    } else if is_text {
        let shows_witnesses = matches!(matches.try_get_one("witness"), Ok(Some(true)));
        print(&report::summary(outcome, shows_witnesses, layout(matches)))?;
    }
    if let Some(path) = matches.get_one::<PathBuf>("trace") {
        let mut saved = format!("there is no trace, so {} was not written\n", path.display());
        let (model, params) = (outcome.model, &outcome.params);
        let violation = outcome.violations.first();
        let text = violation.map(|violation| TraceFile::to_text(model, params, violation));
        let witness = || Some(TraceFile::witness_text(model, params, outcome.witnesses.first()?));
        if let Some(text) = text.or_else(witness) {
            files::write_whole(path, &text)?;
            saved = format!("the trace is in {}\n", path.display());
        }
        if is_text {
            print(&saved)?;
        }
    }
    Ok(outcome.verdict.exit_code())
}

fn walk(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let instance = instance(family, matches)?;
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0, |d| d.as_nanos() as u64 % 1_000_000_007)
    });
    let is_typical = matches.get_flag("typical");
    let walk = if is_typical { Walk::Typical(order(matches)) } else { Walk::Random(seed) };
    let steps = matches.get_one::<u64>("max-steps").map_or(50, |&n| n as usize);
    let (trace, end) = simulate(instance.machine, walk, steps)?;
    let (sentence, code) = match &end {
        End::Terminal => ("nothing is enabled in the last state".to_owned(), 0),
        End::Steps => (format!("stopped after {steps} steps"), 0),
        End::Cycle => ("the run repeats itself from here on".to_owned(), 0),
        End::Fault(check, message) if message.is_empty() => {
            (format!("{check} fails in the last state"), 1)
        }
        End::Fault(check, message) => (format!("{check} fails in the last state: {message}"), 1),
    };
    if matches.get_flag("json") {
        print_json(&json!({
            "model": family.name,
            "params": json::params(family.params.iter().map(|p| p.name).zip(instance.values.iter().copied())),
            "seed": (!is_typical).then_some(seed),
            "end": sentence,
            "trace": json::trace(&trace),
            "cycle_start": trace.cycle_start,
        }))?;
        return Ok(code);
    }
    let mut text = trace.to_text(layout(matches));
    let _ = writeln!(text, "\n{sentence}");
    if !is_typical {
        let _ = writeln!(text, "seed {seed}: --seed {seed} repeats this run");
    }
    print(&text)?;
    Ok(code)
}

fn graph(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let machine = instance(family, matches)?.machine;
    let choice = reduction(matches).unwrap_or_default();
    let inferred = match (rules(matches), choice) {
        (Rules::Author, _) => None,
        (Rules::Inferred, Choice::Full) => {
            let what = "where everything is fired, rules have no say: add --reduction stubborn";
            return Err(CliError::Sentence(what.to_owned()));
        }
        (Rules::Inferred, Choice::Stubborn) => {
            let inferred = Inferred::new(machine, CheckSet::ALL).map_err(|why| {
                let name = family.name;
                CliError::Sentence(format!("no rules can be inferred for {name}: {why}"))
            })?;
            Some(Arc::new(inferred))
        }
    };
    if choice == Choice::Stubborn && inferred.is_none() && !machine.description().has_rules {
        return Err(CliError::Sentence(format!("{} has no stubborn set rules", family.name)));
    }
    let max = matches.get_one::<u64>("max-nodes").map_or(usize::MAX, |&n| n as usize);
    if let Some(path) = matches.get_one::<PathBuf>("output") {
        files::try_place(path)?;
    }
    let max_memory = memory_limit().map(|bytes| bytes / 10 * 9);
    let limits = Limits { max_memory, ..Limits::default() };
    let mut watch = Watch::new(limits, Some(&STOP), None);
    let recipe = Recipe::new(machine, order(matches), choice).inferring(inferred);
    let graph = StateGraph::explore(&recipe, max, &mut watch)?;
    let text = match matches.get_one::<String>("format").map(String::as_str) {
        Some("aut") => graph.to_aut(),
        _ => {
            let max_rank = matches.get_one::<u64>("max-rank").map_or(u64::MAX, |&n| n);
            let widest = graph.widest_rank() as u64;
            if widest > max_rank {
                return Err(CliError::Sentence(format!(
                    "{} states of the graph are at the same distance, too many to stand side by \
                     side in a picture; smaller parameters help, --format aut is for other \
                     tools, and --max-rank {widest} draws it all the same",
                    count(widest)
                )));
            }
            graph.to_dot()
        }
    };
    match matches.get_one::<PathBuf>("output") {
        None => print(&text)?,
        Some(path) => {
            files::write_whole(path, &text)?;
            let (n_states, n_edges) = graph.size();
            let (n_states, n_edges) = (count(n_states as u64), count(n_edges as u64));
            print(&format!("{n_states} states and {n_edges} edges in {}\n", path.display()))?;
        }
    }
    Ok(0)
}

fn replay(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let Some(path) = matches.get_one::<PathBuf>("file") else { return Ok(2) };
    let said = |error: crate::trace::TraceFileError| {
        CliError::Sentence(format!("{}: {error}", path.display()))
    };
    let file = TraceFile::parse(&files::read(path)?).map_err(said)?;
    if file.model != family.name {
        return Err(CliError::Sentence(format!(
            "{} is a trace of {}, not of {}",
            path.display(),
            file.model,
            family.name
        )));
    }
    let machine = family.instance(&file.params).map_err(CliError::Sentence)?.machine;
    let trace = Trace::new(&file.replay(machine).map_err(said)?, machine);
    if matches.get_flag("json") {
        let params = file.params.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        print_json(&json!({
            "model": file.model, "params": json::params(params), "check": file.check,
            "kind": file.kind, "message": file.message, "replayed": true,
            "trace": json::trace(&trace), "lost_at": trace.lost_at,
            "cycle_start": trace.cycle_start, "closing_transition": trace.closing,
        }))?;
    } else {
        let text = trace.to_text(layout(matches));
        print(&format!(
            "{} ({}): {}\n{text}\nthe model does all of this\n",
            file.check, file.kind, file.message
        ))?;
    }
    Ok(0)
}

fn completions(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let Some(&shell) = matches.get_one::<clap_complete::Shell>("shell") else { return Ok(2) };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(family), family.name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(0)
}

fn list(family: &Family, matches: &ArgMatches) -> Result<u8, CliError> {
    let machine = family.instance(&[]).map_err(CliError::Sentence)?.machine;
    if matches.get_flag("json") {
        print_json(&super::list::to_json(family, machine))?;
    } else {
        print(&super::list::to_text(family, machine))?;
    }
    Ok(0)
}
