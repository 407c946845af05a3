//! Runs `sliding_window` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(sliding_window::model())
}
