//! The command line of a model: everything the library can do, in words.
//!
//! A model crate has it with one line: `asset_core::cli::main(model())`.
//!
//! Invariant: nothing here does what the library cannot do without it.

mod args;
mod audit;
mod commands;
mod files;
mod json;
mod list;
mod progress;
mod report;

use crate::explorer::RunError;
use crate::model::Family;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Usage and model errors, and files that cannot be written.
const EXIT_ERROR: u8 = 2;

/// Set when the person at the keyboard asks to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Where the last panic happened; the engine turns panics of a model into
/// sentences, which this completes.
static PANIC_PLACE: Mutex<Option<String>> = Mutex::new(None);

/// What ended a command before it had a result.
enum CliError {
    /// A sentence for the user.
    Sentence(String),
    /// A run that gave no outcome.
    Run(RunError),
    /// The reader of the output has gone.
    BrokenPipe,
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        CliError::Run(error)
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CliError::BrokenPipe,
            _ => CliError::Sentence(format!("cannot write the result: {error}")),
        }
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
    let command = args::command(&family);
    let matches = match command.try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let code = if error.use_stderr() { EXIT_ERROR } else { 0 };
            // Nothing can be said if even the terminal is gone.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    // A second handler is refused, which happens only if the caller has one.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!("{}:{}", l.file(), l.line()));
        *PANIC_PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(|| commands::run(&family, &matches)));
    let _ = panic::take_hook();
    match result {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => complain(&error),
        Err(payload) => {
            let wrong = crate::machine::Wrong::from_panic(payload);
            complain(&CliError::Sentence(format!("internal error, please report it: {wrong}")))
        }
    }
}

/// Says what went wrong, on standard error.
fn complain(error: &CliError) -> ExitCode {
    let mut text = match error {
        CliError::BrokenPipe => return ExitCode::from(EXIT_ERROR),
        CliError::Sentence(sentence) => sentence.clone(),
        CliError::Run(error) => error.to_string(),
    };
    let place = PANIC_PLACE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let (Some(place), Some(at)) = (place, text.find("panicked: ")) {
        text.insert_str(at + "panicked".len(), &format!(" at {place}"));
    }
    // Nothing can be said if even the terminal is gone.
    let _ = writeln!(std::io::stderr(), "error: {}", text.trim_end());
    ExitCode::from(EXIT_ERROR)
}

/// Whether to write colours to a stream.
fn color(is_terminal: bool) -> bool {
    is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn stdout_color() -> bool {
    color(std::io::stdout().is_terminal())
}

fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}
