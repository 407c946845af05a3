//! What is run, and which counts it must have.

use crate::build::{self, Spin};
use crate::counts::{Counts, Format};
use crate::measure::{self, Run};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// States and edges of Peterson-n *correct*, for n = 2, 3, 4.
const FULL: [(u64, u64); 3] = [(574, 1148), (96_854, 290_562), (26_209_918, 104_839_672)];
/// The same with stubborn sets.
const STUBBORN: [(u64, u64); 3] = [(378, 522), (44_868, 78_750), (9_318_636, 18_581_236)];

/// What a program is made from, and how it is called.
#[derive(Clone, Debug)]
pub enum Program {
    /// A bundled model.
    Ours(&'static str, Vec<String>),
    /// The same engine as a library, in an example of this package.
    Library(&'static str, Vec<String>),
    /// A package beside the workspace.
    Yardstick(&'static str, Vec<String>),
    /// A verifier made by SPIN.
    Spin(Spin, Vec<String>),
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// A name for the bars and for JSON.
    pub id: &'static str,
    /// What is explored.
    pub space: String,
    /// The program's name in the table.
    pub title: &'static str,
    /// How it was built and called, for the table.
    pub setting: String,
    /// The program.
    pub program: Program,
    /// The states and edges that it must find; `None` where its space is its own.
    pub must: Option<(u64, u64)>,
    /// Run in the first round only.
    pub once: bool,
}

/// A row with what was measured.
pub struct Measured {
    /// What was run.
    pub row: Row,
    /// What it found, in its last run.
    pub counts: Counts,
    /// Its runs, in order.
    pub runs: Vec<Run>,
    /// Seconds of exploration and of what follows by its own clock, per run.
    pub own: Vec<(f64, f64)>,
}

impl Measured {
    /// The median of something over all runs.
    pub fn median(&self, what: impl Fn(&Run) -> f64) -> f64 {
        measure::median(self.runs.iter().map(what)).unwrap_or(f64::NAN)
    }

    /// Peak memory in bytes per state.
    pub fn bytes_per_state(&self) -> f64 {
        self.median(|run| run.peak as f64) / self.counts.n_states as f64
    }

    /// The median of exploration and of what follows by the program's own clock.
    pub fn own_medians(&self) -> (f64, f64) {
        let median = |values: Vec<f64>| measure::median(values.into_iter()).unwrap_or(f64::NAN);
        let (explore, post) = self.own.iter().copied().unzip();
        (median(explore), median(post))
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn ours(
    id: &'static str,
    model: &'static str,
    space: String,
    arguments: &str,
    must: (u64, u64),
) -> Row {
    by_threads(1, id, model, space, arguments, must)
}

/// A run of ours by so many threads.
fn by_threads(
    n_threads: usize,
    id: &'static str,
    model: &'static str,
    space: String,
    arguments: &str,
    must: (u64, u64),
) -> Row {
    let arguments = format!("{arguments} --threads {n_threads}");
    Row {
        id,
        space,
        title: if n_threads == 1 { "this tool" } else { "this tool, two threads" },
        setting: format!("`{model} {arguments}`"),
        program: Program::Ours(model, words(&format!("{arguments} --json"))),
        must: Some(must),
        once: false,
    }
}

/// Runs by two threads, each beside a row of one thread with the same name but for the end.
fn by_two(n: usize, large: bool) -> Vec<Row> {
    let same = format!("--n {n} --variant correct");
    let peterson = |id, reduction: &str, must| {
        let space = format!("Peterson-{n} *correct*, {reduction}, all checks");
        let arguments = format!("{same} --reduction {reduction}");
        by_threads(2, id, "peterson", space, &arguments, must)
    };
    let mut rows = vec![
        peterson("full_all_by_two", "full", FULL[n - 2]),
        peterson("stubborn_all_by_two", "stubborn", STUBBORN[n - 2]),
    ];
    if n == 4 {
        rows.push(by_threads(
            2,
            "ring_8_by_two",
            "token_ring",
            "token ring, n = 8, full".to_owned(),
            "--n 8 --reduction full --check mutual_exclusion",
            (2_927_232, 20_632_320),
        ));
        rows.extend([(1, "ring_8_livelock"), (2, "ring_8_livelock_by_two")].map(|(n, id)| {
            by_threads(
                n,
                id,
                "token_ring",
                "token ring, n = 8, livelocks, full".to_owned(),
                "livelock --n 8 --reduction full",
                (2_927_232, 20_632_320),
            )
        }));
    }
    if large {
        rows.push(by_threads(
            2,
            "ring_10_by_two",
            "token_ring",
            "token ring, n = 10, full".to_owned(),
            "--n 10 --reduction full",
            (81_933_120, 714_052_800),
        ));
    }
    rows
}

/// All rows, in the order in which they are run.
///
/// `n` is the number of Peterson's customers, 2 to 4; with less than 4 only
/// Peterson is run, to see that everything works. `large` adds what takes
/// minutes.
pub fn rows(n: usize, large: bool) -> Vec<Row> {
    let mut rows = peterson(n);
    if n == 4 {
        rows.extend(widths());
        rows.extend(raft());
    }
    rows.extend(response(n));
    if large {
        rows.push(Row {
            once: true,
            ..ours(
                "ring_10",
                "token_ring",
                "token ring, n = 10, full".to_owned(),
                "--n 10 --reduction full",
                (81_933_120, 714_052_800),
            )
        });
    }
    rows.extend(by_two(n, large));
    rows
}

fn peterson(n: usize) -> Vec<Row> {
    let full = Some(FULL[n - 2]);
    let space = format!("Peterson-{n} *correct*, full, mutual exclusion");
    let same = format!("--n {n} --variant correct");
    let yardstick = |id, name: &'static str, title, arguments: String| Row {
        id,
        space: space.clone(),
        title,
        setting: format!("`{arguments}`"),
        program: Program::Yardstick(name, words(&arguments)),
        must: full,
        once: false,
    };
    // What is compared runs one after the other: a program that has just given much memory
    // back leaves the next one slower.
    let all = |reduction: &str| format!("Peterson-{n} *correct*, {reduction}, all checks");
    vec![
        ours(
            "ours",
            "peterson",
            space.clone(),
            &format!("{same} --reduction full --check mutual_exclusion"),
            FULL[n - 2],
        ),
        ours("full_all", "peterson", all("full"), &format!("{same} --reduction full"), FULL[n - 2]),
        ours(
            "stubborn_all",
            "peterson",
            all("stubborn sets"),
            &format!("{same} --reduction stubborn"),
            STUBBORN[n - 2],
        ),
        Row {
            id: "stubborn_only",
            space: format!("Peterson-{n} *correct*, stubborn sets, no post-passes, no verdict"),
            title: "this tool, as a library",
            setting: format!("`exploration {n}`"),
            program: Program::Library("exploration", vec![n.to_string()]),
            must: Some(STUBBORN[n - 2]),
            once: false,
        },
        yardstick("pf", "roofline", "roofline", format!("{n} pf 25")),
        yardstick("quot", "roofline", "roofline", format!("{n} quot 26")),
        spin_same("spin_unchecked", n, 0, &space),
        spin_same("spin", n, 1, &space),
        yardstick("stateright", "stateright-peterson", "Stateright 0.31", format!("{n} bfs 1")),
        spin_by_default(n),
    ]
}

/// SPIN with exactly our states: nothing merged, nothing reset, nothing reduced.
fn spin_same(id: &'static str, n: usize, check: u32, space: &str) -> Row {
    let spin = Spin {
        name: id,
        generate: words(&format!("-o1 -o2 -o3 -DN={n} -DCHK={check}")),
        compile: vec!["-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000"],
    };
    let arguments = "-m6000000 -w26";
    let without = if check == 0 { ", without the check" } else { "" };
    Row {
        id,
        space: space.to_owned(),
        title: "SPIN",
        setting: spin_setting(&spin, arguments) + without,
        program: Program::Spin(spin, words(arguments)),
        must: Some(FULL[n - 2]),
        once: false,
    }
}

/// SPIN as its users run it, but deep enough: statements are merged, dead
/// variables reset, interleavings reduced. Its space is its own.
fn spin_by_default(n: usize) -> Row {
    let spin = Spin {
        name: "spin_default",
        generate: words(&format!("-DN={n} -DCHK=1")),
        compile: vec!["-O2", "-DSAFETY", "-DMEMLIM=16000"],
    };
    let arguments = "-m3000000";
    Row {
        id: "spin_default",
        space: format!("Peterson-{n} *correct*, SPIN's own smaller space, same answer"),
        title: "SPIN",
        setting: spin_setting(&spin, arguments),
        program: Program::Spin(spin, words(arguments)),
        must: None,
        once: true,
    }
}

/// Whoever tries is served, if all customers are treated fairly: here and with SPIN, with the
/// same states of the product, and with SPIN as its users run it.
fn response(n: usize) -> Vec<Row> {
    let space = format!("Peterson-{n} *correct*, full, `G (trying -> F critical)`, weak fairness");
    let spin = |id, generate: &str, compile: &[&'static str], arguments: &str, space: &str| {
        let spin = Spin {
            name: id,
            generate: words(generate),
            compile: [compile, &["-DMEMLIM=16000"]].concat(),
        };
        Row {
            id,
            space: space.to_owned(),
            title: "SPIN",
            setting: spin_setting(&spin, arguments),
            program: Program::Spin(spin, words(arguments)),
            // It counts states of the product.
            must: None,
            once: true,
        }
    };
    let deep = if n == 4 { "-a -f -m10000000 -w26" } else { "-a -f -m120000 -w18" };
    let own = format!("Peterson-{n} *correct*, SPIN's own smaller space, the same formula");
    vec![
        Row {
            once: true,
            ..ours(
                "response",
                "peterson",
                space.clone(),
                &format!(
                    "--n {n} --variant correct --reduction full --check mutual_exclusion \
                     --fairness weak --ltl G(trying(0)->F(critical(0)))"
                ),
                FULL[n - 2],
            )
        },
        spin(
            "spin_response",
            &format!("-o1 -o2 -o3 -DN={n} -DLTL"),
            &["-O2", "-DNOREDUCE"],
            deep,
            &space,
        ),
        spin("spin_response_default", &format!("-DN={n} -DLTL"), &["-O2"], deep, &own),
    ]
}

fn spin_setting(spin: &Spin, arguments: &str) -> String {
    let compile: Vec<_> = spin.compile.iter().filter(|o| !o.starts_with("-DMEMLIM")).collect();
    let compile = compile.iter().map(|o| **o).collect::<Vec<_>>().join(" ");
    format!("`spin -a {}`, `cc {compile}`, `pan {arguments}`", spin.generate.join(" "))
}

/// Models of one, two and four words: two pairs of like branching and like size.
fn widths() -> Vec<Row> {
    let space = |name: &str, width: &str| format!("{name}, full: {width}");
    vec![
        ours(
            "ring_8",
            "token_ring",
            space("token ring, n = 8", "one word, 7.0 edges a state"),
            "--n 8 --reduction full --check mutual_exclusion",
            (2_927_232, 20_632_320),
        ),
        ours(
            "philosophers_10",
            "philosophers",
            space("philosophers, n = 10", "two words, 8.4 edges a state"),
            "--n 10 --variant fixed --reduction full --check everybody_has_left",
            (2_483_456, 20_769_696),
        ),
        ours(
            "questionable_4",
            "peterson",
            space("Peterson-4 *questionable*", "one word, 4.0 edges a state"),
            "--n 4 --variant questionable --reduction full --check mutual_exclusion",
            (12_346_971, 49_387_884),
        ),
        ours(
            "leader_7",
            "leader_election",
            space("leader election, n = 7, *careless*", "four words, 4.2 edges a state"),
            "--n 7 --variant careless --reduction full --check one_leader",
            (3_396_854, 14_359_756),
        ),
    ]
}

/// Raft's election, whose state is mostly a set of messages.
fn raft() -> Vec<Row> {
    let with = |(ids, duplication, word, must): ([&'static str; 2], bool, &str, (u64, u64))| {
        let space = format!("Raft's election, 3 servers, 2 terms, each message {word}");
        let options = format!(
            "--n 3 --terms 2 --duplication {duplication} --variant correct --reduction full \
             --check one_leader_per_term"
        );
        let arguments = format!("3 2 {word}");
        [
            ours(ids[0], "raft_election", space.clone(), &options, must),
            Row {
                id: ids[1],
                space,
                title: "Stateright 0.31",
                setting: format!("`{arguments}`"),
                program: Program::Yardstick("stateright-raft", words(&arguments)),
                must: Some(must),
                once: false,
            },
        ]
    };
    let once = (["raft_once", "stateright_raft_once"], false, "once", (43_821, 404_217));
    let again = (["raft_again", "stateright_raft_again"], true, "again", (143_181, 880_527));
    [once, again].into_iter().flat_map(with).collect()
}

impl Row {
    fn format(&self) -> Format {
        match &self.program {
            Program::Ours(..) => Format::Ours,
            Program::Library(..) | Program::Yardstick("roofline", _) => Format::Roofline,
            Program::Yardstick(..) => Format::Stateright,
            Program::Spin(..) => Format::Spin,
        }
    }

    /// How to get what the program needs.
    pub fn install(&self) -> &'static str {
        match &self.program {
            Program::Ours(..) | Program::Library(..) => "it is part of this workspace",
            Program::Yardstick("roofline", _) => "it needs an x86-64 processor with AVX2",
            Program::Yardstick("stateright-raft", _) => {
                "`cargo fetch --manifest-path compare/yardsticks/stateright-raft/Cargo.toml`"
            }
            Program::Yardstick(..) => {
                "`cargo fetch --manifest-path compare/yardsticks/stateright-peterson/Cargo.toml`"
            }
            Program::Spin(..) => "`apt-get install spin gcc`",
        }
    }

    /// Runs the built program once; the error says what it did wrong.
    pub fn run(&self, executable: &PathBuf) -> Result<(Counts, Run), String> {
        let (Program::Ours(_, arguments)
        | Program::Library(_, arguments)
        | Program::Yardstick(_, arguments)
        | Program::Spin(_, arguments)) = &self.program;
        let run =
            measure::run(Command::new(executable).args(arguments)).map_err(|e| e.to_string())?;
        if !run.status.success() {
            return Err(format!("it ended with {}", run.status));
        }
        let counts = self.format().read(&run.output)?;
        if counts.n_errors > 0 {
            return Err("it found an error where there is none".to_owned());
        }
        match self.must {
            Some(must) if must != (counts.n_states, counts.n_edges) => Err(format!(
                "it found {} states and {} edges where there are {} and {}",
                counts.n_states, counts.n_edges, must.0, must.1
            )),
            _ => Ok((counts, run)),
        }
    }
}

/// Builds what the rows need. What cannot be built is left out, with the
/// reason; our own programs must build.
pub fn build(rows: &[Row]) -> Result<BTreeMap<&'static str, Result<PathBuf, String>>, String> {
    let models: Vec<_> = rows.iter().filter_map(|row| row.model()).collect();
    let examples = build::examples(&models)?;
    let mut yardsticks: BTreeMap<&str, Result<PathBuf, String>> = BTreeMap::new();
    let mut built = BTreeMap::new();
    for row in rows {
        let executable = match &row.program {
            Program::Ours(model, _) => {
                let built = examples.get(*model).cloned();
                Ok(built.ok_or_else(|| format!("cargo built no example '{model}'"))?)
            }
            Program::Library(name, _) => Ok(build::own_example(name)?),
            Program::Yardstick(name, _) => {
                yardsticks.entry(name).or_insert_with(|| build::yardstick(name)).clone()
            }
            Program::Spin(spin, _) => build::spin(spin),
        };
        built.insert(row.id, executable);
    }
    Ok(built)
}

impl Row {
    fn model(&self) -> Option<&'static str> {
        match &self.program {
            Program::Ours(model, _) => Some(model),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let rows = rows(4, true);
        let ids: std::collections::BTreeSet<_> = rows.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), rows.len());
    }
}
