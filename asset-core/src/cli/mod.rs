//! The command line of a model: everything the library can do, in words.
//!
//! A model crate has it with one line: `asset_core::cli::main(model())`.
//!
//! Invariant: nothing here does what the library cannot do without it.

mod args;
mod audit;
mod commands;
mod coverage;
mod files;
mod json;
mod list;
mod progress;
mod report;
mod temporal;
mod unbuilt;

use crate::explorer::RunError;
use crate::machine::{Family, panics};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Usage and model errors, and files that cannot be written.
const EXIT_ERROR: u8 = 2;

/// A run that was stopped.
const EXIT_INCONCLUSIVE: u8 = 3;

/// Set when the person at the keyboard asks to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// What ended a command before it had a result.
enum CliError {
    /// A sentence for the user.
    Sentence(String),
    /// A run that gave no outcome.
    Run(RunError),
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        CliError::Run(error)
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        CliError::Sentence(format!("cannot write the result: {error}"))
    }
}

/// Runs the command line of a model with the process's own arguments. The
/// value is what `main` returns: 0 holds, 1 violated, 2 usage or model error,
/// 3 inconclusive.
pub fn main(family: Family) -> ExitCode {
    run(family, std::env::args_os())
}

/// Runs the command line of a model with the given arguments, the first of
/// which is the program's name.
pub fn run(family: Family, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    if let Some(sentence) = args::clash(&family) {
        return complain(&CliError::Sentence(sentence));
    }
    let command = args::command(&family);
    let arguments = args::subcommand_first(&command, arguments);
    let matches = match command.try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            // Nothing can be said if even the terminal is gone.
            let _ = error.print();
            if error.kind() == clap::error::ErrorKind::UnknownArgument {
                let _ = writeln!(std::io::stderr(), "\n{}", args::known_params(&family));
            }
            return ExitCode::from(EXIT_ERROR);
        }
        Err(help) => {
            let printed = commands::unless_gone(help.print());
            return printed.map_or_else(|error| complain(&error.into()), |()| ExitCode::SUCCESS);
        }
    };
    if !matches!(matches.subcommand_name(), Some("simulate" | "replay" | "list" | "completions")) {
        // A second handler is refused, which happens only if the caller has one.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                // Asked twice: what is going on is too slow to look at the flag.
                std::process::exit(EXIT_INCONCLUSIVE.into());
            }
        });
    }
    match panics::noting_places(|| commands::run(&family, &matches)) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => complain(&error),
        Err(message) => {
            let sentence = format!("internal error, please report it: panicked: {message}");
            complain(&CliError::Sentence(sentence))
        }
    }
}

/// Says what went wrong, on standard error.
fn complain(error: &CliError) -> ExitCode {
    let (mut text, code) = match error {
        CliError::Sentence(sentence) => (sentence.clone(), EXIT_ERROR),
        CliError::Run(error @ RunError::Limit(_)) => (error.to_string(), EXIT_INCONCLUSIVE),
        CliError::Run(error) => (error.to_string(), EXIT_ERROR),
    };
    panics::add_place(&mut text);
    // Nothing can be said if even the terminal is gone.
    let _ = writeln!(std::io::stderr(), "error: {}", text.trim_end());
    ExitCode::from(code)
}

/// Whether to write colours to a stream.
fn color(is_terminal: bool) -> bool {
    is_terminal && !is_dumb() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Whether the terminal knows no escape sequences.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

fn stdout_color() -> bool {
    color(std::io::stdout().is_terminal())
}

/// The columns of the terminal to which standard output goes, if it does to one.
fn stdout_width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(width.into())
}

/// Whether a line on standard error can be written over again and again.
fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal() && !is_dumb()
}
