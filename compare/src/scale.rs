//! How seconds and bytes grow with the number of states.

use crate::build;
use crate::counts::Format;
use crate::measure;
use crate::svg::{Panel, Point, Series, Style, page};
use std::process::Command;

/// Runs of one point; the quickest is drawn. Short ones are disturbed most.
const N_RUNS: usize = 5;
/// Seconds after which a point is not run again.
const ENOUGH: f64 = 1.0;

/// The instances of one model that are drawn.
struct Model {
    example: &'static str,
    title: &'static str,
    colour: &'static str,
    parameters: &'static [&'static str],
    /// The first of the values that are drawn only when asked for.
    full: (&'static [u32], &'static [u32]),
    stubborn: &'static [u32],
}

const MODELS: [Model; 3] = [
    Model {
        example: "peterson",
        title: "Peterson, n = 2–4",
        colour: "#b3261e",
        parameters: &["--variant", "correct"],
        full: (&[2, 3, 4], &[]),
        stubborn: &[2, 3, 4],
    },
    Model {
        example: "token_ring",
        title: "token ring, n = 4–10",
        colour: "#1f5fa8",
        parameters: &[],
        full: (&[4, 5, 6, 7, 8, 9], &[10]),
        stubborn: &[4, 5, 6, 7, 8, 9, 10],
    },
    Model {
        example: "philosophers",
        title: "philosophers, n = 2–12",
        colour: "#2e7d32",
        // A formula is searched by itself.
        parameters: &[
            "--variant",
            "fixed",
            "--check",
            "everybody_has_left",
            "--check",
            "philosopher_0_may_eat",
        ],
        full: (&[2, 3, 4, 5, 6, 8, 10], &[12]),
        stubborn: &[2, 3, 4, 5, 6, 8, 10, 12],
    },
];

/// What one instance took: states, seconds to the verdict, peak bytes.
#[derive(Clone, Copy)]
struct Cost {
    n: u32,
    n_states: u64,
    seconds: f64,
    peak: f64,
}

/// Runs the models of the plot, and draws it. `large` adds spaces of tens of
/// millions of states.
pub fn plot(large: bool) -> Result<String, String> {
    let names = MODELS.map(|model| model.example);
    let examples = build::examples(&names)?;
    let (mut seconds, mut bytes) = (Vec::new(), Vec::new());
    for model in &MODELS {
        let executable = examples.get(model.example).ok_or("an example was not built")?;
        let more = if large { model.full.1 } else { &[] };
        let full: Vec<u32> = model.full.0.iter().chain(more).copied().collect();
        for (reduction, sizes) in [("full", full.as_slice()), ("stubborn", model.stubborn)] {
            let mut costs = Vec::new();
            for &n in sizes {
                eprintln!("{} n = {n}, {reduction}", model.example);
                let mut command = Command::new(executable);
                command.args(["--n", &n.to_string(), "--reduction", reduction, "--json"]);
                costs.push(cost(n, command.args(model.parameters))?);
            }
            let style = if reduction == "full" { Style::Solid } else { Style::Dashed };
            let name = format!("{}, {}", model.title, name_of(reduction));
            let series = |y: fn(&Cost) -> f64| Series {
                name: name.clone(),
                colour: model.colour,
                style,
                points: costs
                    .iter()
                    .map(|c| Point { n: c.n, x: c.n_states as f64, y: y(c) })
                    .collect(),
            };
            seconds.push(series(|c| c.seconds));
            bytes.push(series(|c| c.peak));
        }
    }
    Ok(page(&[
        Panel {
            title: "Seconds to the verdict, all checks",
            y_name: "seconds",
            units: &[
                (1e-6, "1 µs"),
                (1e-5, "10 µs"),
                (1e-4, "100 µs"),
                (1e-3, "1 ms"),
                (1e-2, "10 ms"),
                (0.1, "100 ms"),
                (1.0, "1 s"),
                (10.0, "10 s"),
                (100.0, "100 s"),
            ],
            guides: &[(1e-6, "1 M states/s"), (1e-7, "10 M states/s")],
            series: seconds,
        },
        Panel {
            title: "Peak memory of the process",
            y_name: "bytes",
            units: &[
                (1e6, "1 MB"),
                (1e7, "10 MB"),
                (1e8, "100 MB"),
                (1e9, "1 GB"),
                (1e10, "10 GB"),
            ],
            guides: &[(8.0, "8 bytes a state"), (20.0, "20 bytes a state")],
            series: bytes,
        },
    ]))
}

fn name_of(reduction: &str) -> &str {
    if reduction == "full" { "full" } else { "stubborn sets" }
}

/// The quickest of a few runs.
fn cost(n: u32, command: &mut Command) -> Result<Cost, String> {
    let mut best: Option<Cost> = None;
    let mut spent = 0.0;
    for _ in 0..N_RUNS {
        let run = measure::run(command).map_err(|e| e.to_string())?;
        let counts = Format::Ours.read(&run.output)?;
        let seconds = counts.own.map_or(run.wall, |(explore, post)| explore + post);
        if best.is_none_or(|best| seconds < best.seconds) {
            best = Some(Cost { n, n_states: counts.n_states, seconds, peak: run.peak as f64 });
        }
        spent += run.wall;
        if spent > ENOUGH {
            break;
        }
    }
    best.ok_or_else(|| "nothing was run".to_owned())
}
