//! Runs `treiber_stack` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(treiber_stack::model())
}
