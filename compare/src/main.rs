//! The comparison command: builds the programs, runs them in turn, and writes
//! what came out.

use clap::Parser;
use compare::bars::{Clock, bars};
use compare::report::{Report, machine, today};
use compare::rows::{Measured, Row, build, rows};
use compare::scale;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures this tool side by side with a hand-written search, SPIN and
/// Stateright, on the same state spaces.
///
/// Every program is a process of its own; rounds alternate between programs,
/// and medians are reported. Results go to DIR/YYYY-MM-DD.md and .json. The
/// command fails if a program finds other counts than it must. With four
/// customers and five rounds it takes about fifteen minutes on an idle machine.
#[derive(Parser)]
#[command(after_help = "Exit codes: 0 measured, 1 counts differ or a program failed, 2 usage.\n\
    Bars that do not hold are reported; they do not change the exit code unless --strict is given.")]
struct Arguments {
    /// How often every program is run
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Peterson's customers; with less than 4 only Peterson is run, as a trial
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    n: u8,
    /// Also run the token ring with ten clients: 82 million states
    #[arg(long)]
    large: bool,
    /// Run only these rows (see the ids in the JSON file); no file is written
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// The clock for ratios
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    clock: Clock,
    /// Fail if a bar does not hold
    #[arg(long)]
    strict: bool,
    /// Where the results go [default: compare/results]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Measure and draw docs/scale.svg instead
    #[arg(long)]
    plot: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = if arguments.plot { plot(&arguments) } else { table(&arguments) };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn plot(arguments: &Arguments) -> Result<ExitCode, String> {
    let svg = scale::plot(arguments.large)?;
    let directory = arguments.output.clone().unwrap_or_else(|| compare::build::root().join("docs"));
    write(&directory, "scale.svg", &svg)?;
    Ok(ExitCode::SUCCESS)
}

fn table(arguments: &Arguments) -> Result<ExitCode, String> {
    let mut wanted = rows(usize::from(arguments.n), arguments.large);
    if let Some(id) = arguments.only.iter().find(|id| wanted.iter().all(|row| row.id != **id)) {
        let ids: Vec<_> = wanted.iter().map(|row| row.id).collect();
        return Err(format!("there is no row '{id}'; there are {}", ids.join(", ")));
    }
    wanted.retain(|row| arguments.only.is_empty() || arguments.only.iter().any(|id| id == row.id));
    let machine = machine();
    let executables = build(&wanted)?;
    let mut skipped = Vec::new();
    wanted.retain(|row| match &executables[row.id] {
        Ok(_) => true,
        Err(why) => {
            let line = format!("{} ({}): {why}; {}", row.title, row.id, row.install());
            eprintln!("skipped: {line}");
            skipped.push(line);
            false
        }
    });
    let measured = alternate(wanted, &executables, usize::from(arguments.rounds))?;
    let bars = if arguments.n == 4 { bars(&measured, arguments.clock) } else { Vec::new() };
    let all_hold = bars.iter().all(|bar| bar.holds != Some(false));
    let (date, n_rounds) = (today(), usize::from(arguments.rounds));
    let clock = arguments.clock;
    let report = Report { date, machine, n_rounds, clock, measured, skipped, bars };
    let markdown = report.markdown();
    println!("{markdown}");
    if arguments.only.is_empty() && (arguments.n == 4 || arguments.output.is_some()) {
        let default = compare::build::package().join("results");
        let directory = arguments.output.clone().unwrap_or(default);
        let json = serde_json::to_string_pretty(&report.json()).map_err(|e| e.to_string())?;
        write(&directory, &format!("{}.md", report.date), &markdown)?;
        write(&directory, &format!("{}.json", report.date), &(json + "\n"))?;
    }
    Ok(if arguments.strict && !all_hold { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Runs all rows in every round, one after the other.
fn alternate(
    rows: Vec<Row>,
    executables: &BTreeMap<&'static str, Result<PathBuf, String>>,
    n_rounds: usize,
) -> Result<Vec<Measured>, String> {
    let mut measured: Vec<Measured> = Vec::new();
    for round in 0..n_rounds {
        for (i, row) in rows.iter().enumerate() {
            let (Ok(executable), true) = (&executables[row.id], round == 0 || !row.once) else {
                continue;
            };
            let (counts, run) =
                row.run(executable).map_err(|e| format!("{} ({}): {e}", row.title, row.id))?;
            eprintln!(
                "round {} of {n_rounds}: {:<16} {:>7.2} s, cpu {:>7.2} s, {:>6.0} MB",
                round + 1,
                row.id,
                run.wall,
                run.cpu,
                run.peak as f64 / 1e6
            );
            if round == 0 {
                let row = row.clone();
                measured.push(Measured { row, counts: counts.clone(), runs: vec![], own: vec![] });
            }
            measured[i].runs.push(run);
            measured[i].own.extend(counts.own);
            measured[i].counts = counts;
        }
    }
    Ok(measured)
}

fn write(directory: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = directory.join(name);
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&path, text))
        .map_err(|e| format!("{}: {e}", path.display()))?;
    eprintln!("written: {}", path.display());
    Ok(())
}
