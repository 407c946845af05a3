//! Runs `token_ring` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(token_ring::model())
}
