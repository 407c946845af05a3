//! The command line, run as a user runs it: real programs, their words, their
//! exit codes and their files.

mod check;
mod faults;
mod files;
mod options;
mod replay;
#[cfg(target_os = "linux")]
mod signals;
mod temporal;
mod walks;

use asset_tests::cli::{self, Said};
use serde_json::Value;

const TINY: &str = env!("CARGO_BIN_EXE_tiny");
const BUNDLED: &str = env!("CARGO_BIN_EXE_bundled");

/// Runs a tiny model; the first argument names it.
fn tiny(arguments: &str) -> Said {
    cli::run(TINY, arguments)
}

/// Runs a bundled model; the first argument names it.
fn bundled(arguments: &str) -> Said {
    cli::run(BUNDLED, arguments)
}

fn folder(name: &str) -> std::path::PathBuf {
    cli::empty_folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// The one JSON value on standard output.
#[track_caller]
fn json(said: &Said, code: i32) -> Value {
    serde_json::from_str(said.ended(code)).expect("one JSON value")
}
