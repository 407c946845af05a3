//! The `livelock` command: exit codes, and a saved lasso that is fired again.

use asset_core::cli;
use std::ffi::OsString;
use std::process::ExitCode;

fn run(arguments: &[&str]) -> ExitCode {
    let program = std::iter::once("sliding_window");
    let arguments = program.chain(arguments.iter().copied()).map(OsString::from);
    cli::run(models::sliding_window::model(), arguments)
}

/// One test, since a command line takes over the process's panic hook.
#[test]
fn verdicts_are_exit_codes_and_lassos_can_be_saved() {
    let file = std::env::temp_dir().join(format!("lasso-{}.json", std::process::id()));
    let file_name = file.to_str().expect("a plain name");
    let quiet = |more: &[&str]| run(&[&["livelock", "--quiet"], more].concat());
    let livelocking = ["--variant", "livelocking", "--trace", file_name];
    for search in ["dfs-fifo", "nested", "never-claim", "incremental"] {
        assert_eq!(quiet(&["--search", search]), ExitCode::from(0));
        assert_eq!(quiet(&[&livelocking[..], &["--search", search]].concat()), ExitCode::from(1));
        assert_eq!(run(&["replay", file_name]), ExitCode::from(0));
    }
    for reduction in ["auto", "full", "c2t", "terminating"] {
        let reduction = ["--reduction", reduction, "--order", "forward"];
        assert_eq!(quiet(&reduction), ExitCode::from(0));
        assert_eq!(quiet(&[&livelocking[..], &reduction].concat()), ExitCode::from(1));
    }
    assert_eq!(quiet(&["--reduction", "c2s"]), ExitCode::from(2));
    assert_eq!(quiet(&["--search", "nested", "--reduction", "c2t"]), ExitCode::from(2));
    assert_eq!(quiet(&["--reduction", "full", "--max-states", "10"]), ExitCode::from(3));
    assert_eq!(run(&["livelock", "--check", "any"]), ExitCode::from(2));
    std::fs::remove_file(file).expect("the file that was written");
}
