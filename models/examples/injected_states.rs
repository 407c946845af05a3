//! Runs `injected_states` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(injected_states::model())
}
