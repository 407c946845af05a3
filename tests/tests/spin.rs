//! SPIN counts the same states and edges, where it is installed.
//!
//! The models of `tests/spin` are written such that SPIN's states are ours and
//! one of its transitions is one of ours. It counts one transition more, into
//! the initial state.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::Explorer;
use asset_tests::cli::empty_folder;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// One run of SPIN, and the run that must agree with it.
struct Twin {
    /// The name of the file in `tests/spin`.
    file: &'static str,
    /// What SPIN's preprocessor is told.
    defines: &'static [&'static str],
    family: Family,
    params: &'static [(&'static str, &'static str)],
    /// The one check of ours that is on. It holds, or is one of progress, so
    /// that the whole space is explored, as SPIN does with `-E`.
    check: &'static str,
}

fn twins() -> Vec<Twin> {
    let philosophers = |defines, params| Twin {
        file: "philosophers.pml",
        defines,
        family: models::philosophers::model(),
        params,
        check: "philosopher_0_may_eat",
    };
    let commit = |defines, params| Twin {
        file: "two_phase_commit.pml",
        defines,
        family: models::two_phase_commit::model(),
        params,
        check: "consistent",
    };
    let alternating_bit = |defines, params| Twin {
        file: "alternating_bit.pml",
        defines,
        family: models::alternating_bit::model(),
        params,
        check: "values_arrive_in_order",
    };
    let bakery = |defines, params| Twin {
        file: "bakery.pml",
        defines,
        family: models::bakery::model(),
        params,
        check: "everybody_is_served",
    };
    let paxos = |defines, params| Twin {
        file: "paxos.pml",
        defines,
        family: models::paxos::model(),
        params,
        check: "votes_are_not_later_than_promises",
    };
    let treiber_stack = |defines, params| Twin {
        file: "treiber_stack.pml",
        defines,
        family: models::treiber_stack::model(),
        params,
        check: "no_node_is_lost",
    };
    vec![
        bakery(&["-DN=3"], &[("n", "3")]),
        bakery(
            &["-DN=2", "-DROUNDS=2", "-DIMPATIENT"],
            &[("n", "2"), ("rounds", "2"), ("variant", "impatient")],
        ),
        paxos(&["-DN=3"], &[("n", "3")]),
        paxos(&["-DN=2", "-DBALLOTS=3"], &[("n", "2"), ("ballots", "3")]),
        paxos(&["-DN=3", "-DCARELESS"], &[("n", "3"), ("variant", "careless")]),
        treiber_stack(&[], &[]),
        treiber_stack(&["-DOPS=4"], &[("ops", "4")]),
        treiber_stack(&["-DTAGS=1"], &[("tags", "1")]),
        philosophers(&["-DN=3"], &[("n", "3")]),
        philosophers(&["-DN=6"], &[("n", "6")]),
        philosophers(&["-DN=5", "-DDEADLOCKING"], &[("n", "5"), ("variant", "deadlocking")]),
        commit(&["-DN=3"], &[("n", "3")]),
        commit(&["-DN=5"], &[("n", "5")]),
        commit(&["-DN=4", "-DCRASH"], &[("n", "4"), ("failures", "manager")]),
        alternating_bit(&["-DCAPACITY=1"], &[("capacity", "1")]),
        alternating_bit(&["-DCAPACITY=3"], &[("capacity", "3")]),
        alternating_bit(&["-DCAPACITY=4", "-DLIMITED"], &[("capacity", "4"), ("loss", "limited")]),
    ]
}

/// Runs a program to its end in a folder and returns what it said.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {text}{errors}");
    text
}

/// The number in front of some words.
fn number(text: &str, words: &str) -> u64 {
    let line = text.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{text}"));
    let number = line.split_whitespace().next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{line}"))
}

/// The states and edges that SPIN finds.
fn spin(twin: &Twin, folder: &Path) -> (u64, u64) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("spin").join(twin.file);
    std::fs::copy(source, folder.join(twin.file)).expect("a copy of the model");
    run(folder, "spin", &[twin.defines, &["-a", twin.file]].concat());
    run(folder, "cc", &["-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    let program = folder.join("pan");
    let text = run(folder, program.to_str().expect("a plain name"), &["-E", "-n", "-w20"]);
    assert!(text.contains("errors: 0") && !text.contains("max search depth too small"), "{text}");
    (number(&text, "states, stored"), number(&text, "transitions (= stored+matched)") - 1)
}

/// The states and edges that we find.
fn ours(twin: &Twin) -> (u64, u64) {
    let mut explorer =
        Explorer::new(twin.family).reduction(Choice::Full).checks([twin.check.to_owned()]);
    for (name, value) in twin.params {
        explorer = explorer.param(name, value);
    }
    let statistics = explorer.run().expect("an outcome").statistics;
    (statistics.n_states, statistics.n_edges)
}

#[test]
fn spin_counts_the_same() {
    for (program, version) in [("spin", "-V"), ("cc", "--version")] {
        if Command::new(program).arg(version).output().is_err() {
            // Not by `eprintln`, which a test that passes keeps to itself.
            let _ = writeln!(
                std::io::stderr(),
                "\nSKIPPED: spin_counts_the_same needs {program}, which is not installed"
            );
            return;
        }
    }
    for (i, twin) in twins().iter().enumerate() {
        let folder = empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("spin_{i}"));
        assert_eq!(ours(twin), spin(twin, &folder), "{} {:?}", twin.file, twin.defines);
    }
}
