//! SPIN gives the same verdicts on formulas, with weak fairness of processes and without,
//! where it is installed.

use asset_core::Family;
use asset_core::explorer::{Explorer, FairnessLevel, Temporal, TemporalSearch};
use asset_core::verdict::Verdict;
use asset_tests::asked::{Asked, Predicate};
use asset_tests::cli::empty_folder;
use asset_tests::table::family;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// A proposition: its name, how SPIN writes it, and how we tell it.
type Proposition = (&'static str, &'static str, fn(&str) -> bool);

/// A model that exists twice, and what is asked of it.
struct Twin {
    /// The name of the file in `tests/spin`.
    file: &'static str,
    /// What SPIN's preprocessor is told.
    defines: &'static [&'static str],
    family: Family,
    params: &'static [(&'static str, &'static str)],
    propositions: &'static [Proposition],
    /// The process that a transition is of, by its name: those of SPIN.
    process: fn(&str) -> String,
    /// Formulas, and whether they hold without fairness and with.
    formulas: &'static [(&'static str, bool, bool)],
}

/// What stands in the brackets of a transition's name.
fn argument(name: &str) -> String {
    match name.split_once('(') {
        Some((_, rest)) => rest.trim_end_matches(')').to_owned(),
        None => "the other one".to_owned(),
    }
}

/// An element of a list, as a state is shown: `{at=[Thinking HasFirst] …}`.
fn element<'t>(text: &'t str, variable: &str, i: usize) -> &'t str {
    let start = text.find(&format!("{variable}=[")).expect("the variable");
    let list = &text[start + variable.len() + 2..];
    let list = &list[..list.find(']').expect("the end of the list")];
    list.split(' ').nth(i).expect("an element")
}

fn value<'t>(text: &'t str, variable: &str) -> &'t str {
    let start = text.find(&format!("{variable}=")).expect("the variable");
    let rest = &text[start + variable.len() + 1..];
    rest.split([' ', '}']).next().expect("a value")
}

const PHILOSOPHERS: &[Proposition] = &[
    ("hungry", "(at[0] == 1)", |s| element(s, "at", 0) == "HasFirst"),
    ("eating", "(at[0] == 2)", |s| element(s, "at", 0) == "Eating"),
    ("next", "(at[1] == 2)", |s| element(s, "at", 1) == "Eating"),
];

const COMMIT: &[Proposition] = &[
    ("prepared", "(rm[0] == PREPARED)", |s| element(s, "resources", 0) == "Prepared"),
    ("committed", "(rm[0] == COMMITTED)", |s| element(s, "resources", 0) == "Committed"),
    ("aborted", "(rm[0] == ABORTED)", |s| element(s, "resources", 0) == "Aborted"),
];

const BIT: &[Proposition] = &[
    ("waiting", "(sender == WAITING)", |s| value(s, "sender") == "Waiting"),
    ("stopped", "(sender == STOPPED)", |s| value(s, "sender") == "Stopped"),
];

fn twins() -> Vec<Twin> {
    let philosophers = |defines, params, formulas| Twin {
        file: "philosophers.pml",
        defines,
        family: models::philosophers::model(),
        params,
        propositions: PHILOSOPHERS,
        process: argument,
        formulas,
    };
    let commit = |defines, params, formulas| Twin {
        file: "two_phase_commit.pml",
        defines,
        family: models::two_phase_commit::model(),
        params,
        propositions: COMMIT,
        process: argument,
        formulas,
    };
    vec![
        philosophers(
            &["-DN=4"],
            &[("n", "4")],
            &[
                ("[] (hungry -> <> eating)", false, false),
                ("[] (eating -> <> !eating)", false, true),
                ("[] !(eating && next)", true, true),
                ("<> [] !eating", false, false),
                ("((!eating) U hungry) || ([] !eating)", true, true),
            ],
        ),
        philosophers(
            &["-DN=4", "-DDEADLOCKING"],
            &[("n", "4"), ("variant", "deadlocking")],
            &[
                ("[] (hungry -> <> eating)", false, false),
                ("[] (hungry -> (hungry U eating))", false, false),
                ("[] (eating -> <> !eating)", false, true),
                ("[] (eating -> !next)", true, true),
            ],
        ),
        commit(
            &["-DN=2"],
            &[("n", "2")],
            &[
                ("<> (committed || aborted)", true, true),
                ("[] (prepared -> <> committed)", false, false),
                ("[] (committed -> [] committed)", true, true),
            ],
        ),
        commit(
            &["-DN=2", "-DCRASH"],
            &[("n", "2"), ("failures", "manager")],
            &[
                ("<> (committed || aborted)", false, false),
                ("<> (committed || aborted || [] prepared)", true, true),
            ],
        ),
        Twin {
            file: "alternating_bit.pml",
            defines: &["-DCAPACITY=1"],
            family: models::alternating_bit::model(),
            params: &[("capacity", "1")],
            propositions: BIT,
            process: |_| "everything".to_owned(),
            formulas: &[
                ("[] (waiting -> <> !waiting)", false, false),
                ("[] (stopped -> [] stopped)", true, true),
                ("([] <> waiting) || (<> [] stopped) || ([] !stopped)", true, true),
            ],
        },
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

/// For each formula, whether SPIN finds no run that breaks it, without fairness and with.
fn spin(twin: &Twin, folder: &Path) -> Vec<[bool; 2]> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("spin").join(twin.file);
    let mut text = std::fs::read_to_string(source).expect("the model");
    for (name, there, _) in twin.propositions {
        text += &format!("\n#define {name} {there}");
    }
    for (i, (formula, ..)) in twin.formulas.iter().enumerate() {
        text += &format!("\nltl asked_{i} {{ {formula} }}\n");
    }
    std::fs::write(folder.join(twin.file), text).expect("a file");
    run(folder, "spin", &[twin.defines, &["-a", twin.file]].concat());
    run(folder, "cc", &["-w", "-O1", "-DNOREDUCE", "-DNFAIR=3", "-o", "pan", "pan.c"]);
    let pan = folder.join("pan");
    let verdict = |name: &str, options: &[&str]| {
        let arguments = [options, &["-n", "-w18", "-N", name]].concat();
        let text = run(folder, pan.to_str().expect("a plain name"), &arguments);
        assert!(!text.contains("max search depth too small"), "{text}");
        assert!(text.contains(&format!("({name})")), "it is asked for this formula: {text}");
        let has_error = !text.contains("errors: 0");
        assert_eq!(has_error, text.contains("acceptance cycle"), "{name}: {text}");
        !has_error
    };
    let names = (0..twin.formulas.len()).map(|i| format!("asked_{i}"));
    names.map(|name| [verdict(&name, &["-a"]), verdict(&name, &["-a", "-f"])]).collect()
}

/// Whether we find none, by each search.
fn ours(twin: &Twin, formula: &str) -> [bool; 2] {
    let predicates: Vec<Predicate> =
        twin.propositions.iter().map(|&(name, _, is_true)| (name, is_true)).collect();
    let mut asked = Asked::of(&twin.family, twin.params, &predicates);
    asked.process = Some(twin.process);
    let family = family(asked);
    [FairnessLevel::None, FairnessLevel::Weak].map(|level| {
        let verdicts = [TemporalSearch::Components, TemporalSearch::Nested].map(|search| {
            let options = Temporal { search, fairness: Some(level), ..Temporal::default() };
            let explorer = Explorer::new(family).checks(Vec::<String>::new()).temporal(options);
            explorer.ltl(formula).run().expect("an outcome").verdict
        });
        assert_eq!(verdicts[0], verdicts[1], "{formula}");
        verdicts[0] == Verdict::Holds
    })
}

#[test]
fn formulas_are_what_they_are_said_to_be() {
    let mut n = 0;
    for twin in twins() {
        for &(formula, without, fair) in twin.formulas {
            let told = format!("{} {:?}: {formula}", twin.file, twin.defines);
            assert_eq!(ours(&twin, formula), [without, fair], "{told}");
            n += 1;
        }
    }
    assert!(n >= 15);
}

#[test]
fn spin_says_the_same() {
    for (program, version) in [("spin", "-V"), ("cc", "--version")] {
        if Command::new(program).arg(version).output().is_err() {
            // Not by `eprintln`, which a test that passes keeps to itself.
            let _ = writeln!(
                std::io::stderr(),
                "\nSKIPPED: spin_says_the_same needs {program}, which is not installed"
            );
            return;
        }
    }
    for (i, twin) in twins().iter().enumerate() {
        let folder = empty_folder(env!("CARGO_TARGET_TMPDIR"), &format!("spin_temporal_{i}"));
        let expected: Vec<[bool; 2]> = twin.formulas.iter().map(|f| [f.1, f.2]).collect();
        assert_eq!(spin(twin, &folder), expected, "{} {:?}", twin.file, twin.defines);
    }
}
