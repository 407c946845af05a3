//! A crate outside of the workspace, with a path dependency and a few lines of
//! model, has the whole command line.

use asset_tests::cli::{self, Said};
use std::fs;
use std::path::Path;
use std::process::Command;

const MAIN: &str = r#"
use asset_core::prelude::*;

/// Two clients and one lock.
#[model]
mod lock {
    #[param(2..=3)]
    pub const CLIENTS: usize = 2;

    #[state]
    pub struct State {
        holds: [bool; CLIENTS],
    }

    #[transitions]
    pub enum Transition {
        Take(#[range(0..CLIENTS)] usize),
        Give(#[range(0..CLIENTS)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Take(i) if !s.holds.contains(&true) => s.holds[i] = true,
            Transition::Give(i) if s.holds[i] => s.holds[i] = false,
            _ => return false,
        }
        true
    }

    #[check(state)]
    pub fn one_at_most(s: &State) -> bool {
        s.holds.iter().filter(|&&holds| holds).count() <= 1
    }
}

fn main() -> std::process::ExitCode {
    asset_core::cli::main(lock::model())
}
"#;

/// Builds the crate and returns a way to run it.
fn built(edition: &str) -> impl Fn(&str) -> Said {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let folder = std::env::temp_dir().join(format!("own-crate-{}", std::process::id()));
    let folder = cli::empty_folder(folder.to_str().expect("text"), edition);
    let core = workspace.join("asset-core");
    let manifest = format!(
        "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n\
         [dependencies]\nasset-core = {{ path = {core:?} }}\n\n\
         [profile.dev]\ndebug = false\n\n[workspace]\n"
    );
    fs::create_dir(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/main.rs"), MAIN).expect("written");
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    // One folder for all editions and all runs: the dependencies are built once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own_crate");
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    // A copy, since the next edition's program gets the same name.
    let program = folder.join("own-program");
    fs::copy(target.join("debug/own"), &program).expect("the program");
    let program = program.to_str().expect("text").to_owned();
    move |arguments| cli::run(&program, arguments)
}

#[test]
fn a_crate_of_ones_own_has_the_whole_command_line() {
    for edition in ["2024", "2021"] {
        let own = built(edition);
        let said = own("list");
        assert!(said.ended(0).starts_with("lock: Two clients and one lock.\n"), "{said:?}");
        let said = own("check --clients 3");
        assert!(said.ended(0).contains("\n4 states, 6 edges, depth 1, 0 terminal\n"), "{said:?}");
        let said = own("--json");
        assert!(said.ended(0).contains("\"verdict\": \"holds\""), "{said:?}");
        let said = own("simulate --seed 1 --max-steps 4");
        assert!(said.ended(0).ends_with("seed 1: --seed 1 repeats this run\n"), "{said:?}");
        assert!(own("graph --format aut").ended(0).starts_with("des (0, 4, 3)\n"));
        assert!(own("completions bash").ended(0).contains("--clients"));
        assert!(own("--clients 4").refused().contains("[possible values: 2, 3]"));
    }
    let folder = std::env::temp_dir().join(format!("own-crate-{}", std::process::id()));
    fs::remove_dir_all(folder).expect("it was made above");
}
