//! The command line of any bundled model, for tests: the first argument names
//! it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    let name = if arguments.len() > 1 { arguments.remove(1) } else { Default::default() };
    match models::all().into_iter().find(|family| name == family.name) {
        Some(family) => asset_core::cli::run(family, arguments),
        None => panic!("no bundled model is called {}", name.display()),
    }
}
