//! Runs `leader_election` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(leader_election::model())
}
