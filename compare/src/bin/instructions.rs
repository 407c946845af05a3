//! Compares instruction counts with pinned ones: a bench without noise, for CI.
//!
//! Counts depend on the compiler and on what the processor offers, so the
//! tolerance leaves room for those, and the pins are renewed with `--update`
//! when the engine has become faster or the compiler another.

use clap::Parser;
use compare::build;
use compare::report::grouped;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What is counted: a name, an example, and its arguments.
///
/// Between them they go through every part that is hot: states of one word and of several
/// (`leader_election`, `philosophers --n 10`), breadth first and depth first, all firing or
/// stubborn sets, with and without post-passes, and long paths.
const RUNS: [(&str, &str, &str); 16] = [
    (
        "peterson_3_full",
        "peterson",
        "--n 3 --reduction full --check mutual_exclusion --threads 1 --quiet",
    ),
    ("peterson_3_full_all_checks", "peterson", "--n 3 --reduction full --threads 1 --quiet"),
    (
        "peterson_3_stubborn_all_checks",
        "peterson",
        "--n 3 --reduction stubborn --threads 1 --quiet",
    ),
    (
        "leader_election_7_full",
        "leader_election",
        "--n 7 --variant repeated --reduction full --check one_leader --threads 1 --quiet",
    ),
    (
        "leader_election_7_stubborn",
        "leader_election",
        "--n 7 --variant repeated --reduction stubborn --threads 1 --quiet",
    ),
    (
        "philosophers_8_full",
        "philosophers",
        "--n 8 --reduction full --check everybody_has_left --check philosopher_0_may_eat --threads 1 --quiet",
    ),
    ("philosophers_8_stubborn", "philosophers", "--n 8 --reduction stubborn --threads 1 --quiet"),
    (
        "philosophers_10_full",
        "philosophers",
        "--n 10 --reduction full --check everybody_has_left --check philosopher_0_may_eat --threads 1 --quiet",
    ),
    ("philosophers_10_stubborn", "philosophers", "--n 10 --reduction stubborn --threads 1 --quiet"),
    ("token_ring_6_full_all_checks", "token_ring", "--n 6 --reduction full --threads 1 --quiet"),
    (
        "token_ring_7_stubborn_all_checks",
        "token_ring",
        "--n 7 --reduction stubborn --threads 1 --quiet",
    ),
    (
        "token_ring_6_livelock_full",
        "token_ring",
        "livelock --n 6 --reduction full --threads 1 --quiet",
    ),
    (
        "token_ring_6_livelock_c2t",
        "token_ring",
        "livelock --n 6 --reduction c2t --threads 1 --quiet",
    ),
    (
        "leader_election_7_livelock_full",
        "leader_election",
        "livelock --n 7 --variant repeated --reduction full --threads 1 --quiet",
    ),
    (
        "leader_election_7_livelock_c2t",
        "leader_election",
        "livelock --n 7 --variant repeated --reduction c2t --threads 1 --quiet",
    ),
    ("chain_200000_full", "chain", "--length 200000 --reduction full --threads 1 --quiet"),
];

/// The tolerance of new pins, as a share.
const TOLERANCE: f64 = 0.05;

/// Counts the instructions of a few runs with callgrind, and fails if one needs
/// more than is pinned in compare/instructions.json, beyond the tolerance
/// stated there. Skipped where valgrind is missing.
#[derive(Parser)]
#[command(name = "instructions")]
struct Arguments {
    /// Pin what is counted now
    #[arg(long)]
    update: bool,
}

fn main() -> ExitCode {
    match compare(Arguments::parse().update) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(update: bool) -> Result<bool, String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: instruction counts need valgrind; `apt-get install valgrind`");
        return Ok(true);
    }
    let path = build::package().join("instructions.json");
    let pins: Value = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| format!("instructions.json: {e}"))?,
        Err(_) if update => json!({}),
        Err(error) => return Err(format!("instructions.json: {error}; --update makes it")),
    };
    let tolerance = pins["tolerance"].as_f64().unwrap_or(TOLERANCE);
    let examples = build::examples(&RUNS.map(|(_, example, _)| example))?;
    let mut counts = serde_json::Map::new();
    let mut good = true;
    for (name, example, arguments) in RUNS {
        let executable = examples.get(example).ok_or(format!("cargo built no '{example}'"))?;
        let n = count(executable, arguments)?;
        counts.insert(name.to_owned(), json!(n));
        good &= judge(name, n, pins["instructions"][name].as_u64(), tolerance);
    }
    if !update {
        return Ok(good);
    }
    let pins = json!({ "tolerance": tolerance, "instructions": counts });
    let text = serde_json::to_string_pretty(&pins).map_err(|e| e.to_string())?;
    fs::write(&path, text + "\n").map_err(|e| e.to_string())?;
    println!("pinned in compare/instructions.json");
    Ok(true)
}

/// Prints one line; whether the count is within the tolerance.
fn judge(name: &str, n: u64, pin: Option<u64>, tolerance: f64) -> bool {
    let Some(pin) = pin else {
        println!("{name:<34} {:>14}  not pinned; --update pins it", grouped(n));
        return false;
    };
    let change = n as f64 / pin as f64 - 1.0;
    let (good, word) = match change {
        c if c > tolerance => (false, "FAIL: more than the tolerance"),
        c if c < -tolerance => (true, "ok, and so much less that --update is due"),
        _ => (true, "ok"),
    };
    let (n, change, tolerance) = (grouped(n), 100.0 * change, 100.0 * tolerance);
    println!("{name:<34} {n:>14}  {change:+6.2} % (tolerance {tolerance} %)  {word}");
    good
}

/// The instructions of one run, all of the process included.
fn count(executable: &Path, arguments: &str) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(executable)
        .args(arguments.split_whitespace())
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{arguments}: {}\n{text}", output.status));
    }
    let collected = text.lines().find_map(|line| line.split("Collected :").nth(1));
    let n = collected.and_then(|rest| rest.trim().parse().ok());
    n.ok_or_else(|| format!("valgrind did not tell a count:\n{text}"))
}
