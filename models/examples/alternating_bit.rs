//! Runs `alternating_bit` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(alternating_bit::model())
}
