//! Everything that a refactoring must not change, asked of the command line: the JSON and the
//! traces of every small row of the expectations and of the livelock searches beside them.
//!
//! What may differ from run to run or from engine to engine is cut out, see [`CUT`].

use crate::cli::{self, Said};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

/// Members of the JSON object that are cut out: seconds, bytes, the statistics of rules, which
/// are sampled, and coverage, which has a test of its own (`tests/tests/coverage.rs`).
pub const CUT: [&str; 4] = ["seconds", "memory", "rules", "coverage"];

/// Rows up to this size are asked. In a chain of 200,000 states it takes most of the time of
/// all others to print the trace.
const LARGE: u64 = 200_000;

/// Livelocks are searched for in instances up to this size: there are sixteen searches of each.
const LARGE_LIVELOCK: u64 = 20_000;

/// The incremental search starts over with each progress more.
const LARGE_INCREMENTAL: u64 = 1_000;

/// The file of hashes in a folder of answers.
pub const HASHES: &str = "answers.csv";

/// Ends what is said to one question; the exit code follows.
const END: &str = "\n=== exit code ";

/// Command lines of one instance of a bundled model, answered by one process.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The model, its parameters and what is common to all command lines.
    pub common: String,
    /// By the names of their answers (`full-backward`), the arguments that differ.
    pub questions: BTreeMap<String, String>,
}

/// All rows by their folders (`check/peterson/n=2;variant=correct`): checks in both orders, and
/// livelock searches.
pub fn rows() -> BTreeMap<String, Row> {
    let table = include_str!("../expectations.csv");
    let mut rows = BTreeMap::<String, Row>::new();
    for line in table.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split(',').collect();
        let [model, params, reduction, _, states, _, _, verdict, ..] = cells[..] else {
            panic!("a row has ten cells: {line}");
        };
        let n_states: u64 = states.parse().expect("a number of states");
        let options: String =
            params.split(';').map(|p| format!(" --{}", p.replacen('=', " ", 1))).collect();
        let mut ask = |command: &str, option: &str, value: &str| {
            let row = rows.entry(format!("{command}/{model}/{params}")).or_default();
            row.common = format!("{model} {command}{options} --threads 1 --json");
            for order in ["backward", "forward"] {
                let name = format!("{value}-{order}");
                row.questions.insert(name, format!("--{option} {value} --order {order}"));
            }
        };
        if n_states <= LARGE {
            ask("check", "reduction", reduction);
        }
        if n_states <= LARGE_LIVELOCK && reduction == "full" {
            ask("livelock", "search", "nested");
            ask("livelock", "search", "never-claim");
            // A run that ended early does not tell how large the instance is.
            if n_states <= LARGE_INCREMENTAL && verdict != "violated" {
                ask("livelock", "search", "incremental");
            }
            for reduction in ["auto", "full", "c2t", "c2s", "terminating"] {
                ask("livelock", "reduction", reduction);
            }
        }
    }
    rows
}

/// Asks all questions, on as many threads as there are, and writes the answers, the traces and
/// their [`HASHES`] to a folder that is empty. Returns the hashes.
///
/// `program` is one that calls [`answer`] if it is run as `program row ROW FOLDER`.
pub fn write(program: &str, folder: &Path) -> String {
    let rows = rows();
    let names: Vec<&String> = rows.keys().collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            write_row(program, name, &folder.join(name));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
    let hashes = names.iter().fold("row,hash\n".to_owned(), |text, name| {
        text + &format!("{name},{:016x}\n", hash(&folder.join(name)))
    });
    fs::write(folder.join(HASHES), &hashes).expect("the hashes are written");
    hashes
}

/// Has a process answer the questions of a row, and writes what it says.
fn write_row(program: &str, name: &str, folder: &Path) {
    fs::create_dir_all(folder).expect("a folder for answers");
    let output = Command::new(program).arg("row").arg(name).arg(folder).output();
    let said = Said::from(output.expect("the program starts"));
    let row = &rows()[name];
    let mut rest = said.ended(0);
    for name in row.questions.keys() {
        let (json, more) = rest.split_once(END).expect("the end of an answer");
        let (code, more) = more.split_once('\n').expect("an exit code");
        let text = format!("exit code {code}\n{}", cut(json));
        fs::write(folder.join(name).with_extension("json"), text).expect("an answer is written");
        rest = more;
    }
    fs::write(folder.join("errors"), said.stderr).expect("errors are written");
}

/// Answers the questions of a row on standard output, and saves traces to a folder.
pub fn answer(row: &str, folder: &Path) {
    let row = &rows()[row];
    for (name, arguments) in &row.questions {
        eprintln!("{name}:");
        let all = format!("answers {} {arguments} --trace", row.common);
        let mut all: Vec<OsString> = all.split_whitespace().map(OsString::from).collect();
        all.push(folder.join(name).with_extension("trace").into());
        let code = crate::bundled(all);
        let code = (0..=3).find(|&known| ExitCode::from(known) == code).expect("an exit code");
        println!("{END}{code}");
    }
}

/// The object that was printed, without [`CUT`]; what is none as it is.
fn cut(json: &str) -> String {
    let Ok(Value::Object(mut object)) = serde_json::from_str(json) else {
        return json.to_owned();
    };
    for name in CUT {
        object.shift_remove(name);
    }
    format!("{:#}\n", Value::Object(object))
}

/// One hash of all files of a row, in the order of their names.
fn hash(folder: &Path) -> u64 {
    cli::names_in(folder).iter().fold(FNV_OFFSET, |hash, name| {
        let text = fs::read(folder.join(name)).expect("a file of answers");
        name.as_bytes().iter().chain(&[0]).chain(&text).fold(hash, fnv)
    })
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// One byte more of the hash of Fowler, Noll and Vo (1a), which is the same everywhere.
fn fnv(hash: u64, byte: &u8) -> u64 {
    (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
}
