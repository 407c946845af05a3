//! A crate outside of the workspace, with a path dependency and a few lines of
//! model, has the whole command line.

use asset_tests::cli::{self, Said};
use asset_tests::own_crate::OwnCrate;

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
    let own = OwnCrate::new(env!("CARGO_TARGET_TMPDIR"), edition);
    let program = own.build(MAIN);
    move |arguments| {
        let _kept = &own;
        cli::run(&program, arguments)
    }
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
}
