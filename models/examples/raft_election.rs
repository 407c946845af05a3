//! Runs `raft_election` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(raft_election::model())
}
