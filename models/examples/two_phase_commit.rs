//! Runs `two_phase_commit` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(two_phase_commit::model())
}
