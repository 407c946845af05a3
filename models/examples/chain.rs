//! Runs `chain` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(chain::model())
}
