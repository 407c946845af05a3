//! Of a model with many instances those are built that are named, in the source or in the
//! environment; for the others there is a command that builds them.

use asset_tests::cli::{self, Said};
use asset_tests::own_crate::OwnCrate;

/// Ten thousand instances.
const MAIN: &str = r#"
use asset_core::prelude::*;

/// A counter.
#[model(instances(max = 7, step = 2))]
mod counter {
    /// Where it ends.
    #[param(1..=100)]
    pub const MAX: u8 = 3;
    /// How it counts.
    #[param(1..=50)]
    pub const STEP: u8 = 1;
    #[param]
    pub const ROUND: bool = false;

    #[state]
    pub struct State {
        #[range(0..=MAX)]
        n: u8,
    }

    #[transitions]
    pub enum Transition { Count }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Count if s.n + STEP <= MAX => s.n += STEP,
            Transition::Count if ROUND && s.n > 0 => s.n = 0,
            Transition::Count => return false,
        }
        true
    }

    #[check(state)]
    pub fn it_ends(s: &State) -> bool {
        s.n <= MAX
    }
}

fn main() -> std::process::ExitCode {
    asset_core::cli::main(counter::model())
}
"#;

#[test]
fn instances_are_built_when_they_are_named() {
    let own = OwnCrate::new(env!("CARGO_TARGET_TMPDIR"), "2024");
    own.write(MAIN);
    let built = |variable: Option<&str>| {
        let variable = variable.map(|value| ("ASSET_INSTANCES", value));
        let said = own.cargo(variable.as_slice());
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        own.program()
    };
    let n_states = |said: &Said, n: usize| {
        assert!(said.ended(0).contains(&format!("\n{n} states, ")), "{said:?}");
    };

    let program = built(None);
    n_states(&cli::run(&program, ""), 4);
    n_states(&cli::run(&program, "--max 7 --step 2"), 4);
    let said = cli::run(&program, "check --max 9 --round true");
    let sentence = said.refused();
    let command = "ASSET_INSTANCES='max=9,round=true' cargo build\n";
    for part in [
        "counter has 10000 instances",
        "not that with max = 9, step = 1, round = true",
        command,
        "#[model(instances(max = 9, round = true))]",
    ] {
        assert!(sentence.contains(part), "{sentence}");
    }
    let list = cli::run(&program, "list");
    let list = list.ended(0);
    assert!(list.contains("instances that are built, of 10000\n  max=3 step=1 round=false "));
    assert!(list.contains("  max=7 step=2 round=false "), "{list}");
    assert!(list.contains("named, as in ASSET_INSTANCES='max=100'\n"), "{list}");

    // Cargo knows that the variable matters, and builds again when it comes, and goes.
    let program = built(Some("max=9,round=true; counter: max=9; lamp: n=3"));
    n_states(&cli::run(&program, "check --max 9 --round true"), 10);
    n_states(&cli::run(&program, "check --max 9"), 10);
    assert_eq!(cli::run(&program, "check --max 10").code, Some(2));
    let program = built(None);
    assert_eq!(cli::run(&program, "check --max 9").code, Some(2));

    let wrong = own.cargo(&[("ASSET_INSTANCES", "max=101")]);
    assert_ne!(wrong.code, Some(0));
    let messages = wrong.stderr.lines().filter(|line| line.starts_with("error"));
    let messages: Vec<&str> = messages.filter(|line| !line.contains("could not compile")).collect();
    let message = "error: in ASSET_INSTANCES, `max` cannot be that: its values are 1, 2, 3, 4, 5, 6, \
                   7, 8, …, 100";
    assert_eq!(messages, [message]);
}
