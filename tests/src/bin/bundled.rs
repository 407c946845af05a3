//! The command line of any bundled model, for tests: the first argument names
//! it.

use std::process::ExitCode;

fn main() -> ExitCode {
    asset_tests::bundled(std::env::args_os().collect())
}
