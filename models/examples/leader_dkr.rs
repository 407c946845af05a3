//! Runs `leader_dkr` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(leader_dkr::model())
}
