//! A model with exponentially many ways through its helpers is compiled in a few seconds.

use asset_tests::cli;
use asset_tests::own_crate::OwnCrate;
use std::fmt::Write as _;

/// The most processor seconds that cargo and the compiler may take.
const LIMIT: f64 = 5.0;

/// Thirty variants that all call the first of fifteen helpers, each of which calls the
/// next one up to four times, and compares with another of thirty values.
fn model() -> String {
    let list = |item: fn(usize) -> String| (0..30).map(item).collect::<Vec<_>>().join(", ");
    let values = list(|k| format!("V{k}"));
    let variants = list(|k| format!("T{k}(#[range(0..3)] usize)"));
    let arms = list(|k| format!("Transition::T{k}(i) => f0(s, i)"));
    let mut text = format!(
        "use asset_core::prelude::*;\n#[model] mod m {{\n\
         #[derive(StateVar)] pub enum At {{ {values} }}\n\
         #[state] pub struct State {{ at: [At; 3], x: [bool; 3] }}\n\
         #[transitions] pub enum Transition {{ {variants} }}\n\
         pub fn fire_transition(s: &mut State, t: Transition) -> bool {{ match t {{ {arms} }} }}\n"
    );
    for k in 0..14 {
        let next = format!("f{}", k + 1);
        let _ = writeln!(
            text,
            "fn f{k}(s: &mut State, i: usize) -> bool {{ \
                if s.at[i] == At::V{k} && s.x[i] {{ \
                    return {next}(s, i) && {next}(s, (i + 1) % 3); \
                }} \
                {next}(s, i) || {next}(s, (i + 2) % 3) \
             }}"
        );
    }
    text + "fn f14(s: &mut State, i: usize) -> bool { s.x[i] = !s.x[i]; true }\n\
            #[check(state)] fn idle(s: &State) -> bool { s.at[0] == At::V0 }\n}\n\
            fn main() -> std::process::ExitCode { asset_core::cli::main(m::model()) }\n"
}

/// Processor seconds of all programs that this process has waited for, and of those that
/// they have waited for; `None` where the system does not tell.
fn seconds_of_children() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the program's name: the state is the third entry, and these are entries 16 and 17,
    // in hundredths.
    let after = text.rsplit_once(')')?.1;
    let ticks = |entry: usize| after.split_whitespace().nth(entry - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / 100.0)
}

#[test]
fn helpers_that_call_helpers_do_not_keep_the_compiler_busy() {
    let own = OwnCrate::new(env!("CARGO_TARGET_TMPDIR"), "2024");
    own.build("use asset_core as _;\nfn main() {}\n");
    let before = seconds_of_children();
    let program = own.build(&model());
    if let (Some(before), Some(after)) = (before, seconds_of_children()) {
        assert!(after - before <= LIMIT, "{} processor seconds", after - before);
        println!("{:.2} processor seconds", after - before);
    }
    let said = cli::run(&program, "check");
    assert!(said.ended(0).contains("\n8 states, 720 edges, depth 3, 0 terminal\n"), "{said:?}");
}
