//! Runs `paxos` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(paxos::model())
}
