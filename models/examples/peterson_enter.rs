//! Runs `peterson_enter` from the command line.

fn main() -> std::process::ExitCode {
    asset_core::cli::main(peterson_enter::model())
}
