//! The promises about speed and memory, each as a ratio of two measurements.

use crate::measure::Run;
use crate::rows::Measured;

/// The clock by which seconds are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Clock {
    /// Processor seconds: what other programs do on the machine hardly counts.
    Cpu,
    /// Seconds on the wall: right on a machine that does nothing else.
    Wall,
}

impl Clock {
    /// The clock's name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Cpu => "processor seconds",
            Clock::Wall => "seconds on the wall",
        }
    }

    /// The seconds of a run by this clock.
    pub fn seconds(self, run: &Run) -> f64 {
        match self {
            Clock::Cpu => run.cpu,
            Clock::Wall => run.wall,
        }
    }
}

/// A promise, and how it came out.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What is promised.
    pub what: String,
    /// The promised figure, as text: at least or at most so much.
    pub bar: String,
    /// What was measured; `None` if something it needs was not run.
    pub measured: Option<f64>,
    /// Whether that meets the promise.
    pub holds: Option<bool>,
}

enum Limit {
    AtLeast(f64),
    AtMost(f64),
}
use Limit::{AtLeast, AtMost};

fn bar(what: &str, limit: Limit, measured: Option<f64>) -> Bar {
    let (bar, holds) = match limit {
        AtLeast(least) => (format!("≥ {least}"), measured.map(|x| x >= least)),
        AtMost(most) => (format!("≤ {most}"), measured.map(|x| x <= most)),
    };
    Bar { what: what.to_owned(), bar, measured, holds }
}

/// All promises, for Peterson-4. Ratios of seconds are by `clock`.
pub fn bars(measured: &[Measured], clock: Clock) -> Vec<Bar> {
    let find = |id: &str| measured.iter().find(|m| m.row.id == id);
    let seconds = |id: &str| Some(find(id)?.median(|run| clock.seconds(run)));
    let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let per_edge = |id: &str| Some(seconds(id)? / find(id)?.counts.n_edges as f64);
    let bytes = |id: &str| Some(find(id)?.bytes_per_state());
    let peak = |id: &str| Some(find(id)?.median(|run| run.peak as f64));
    let more = |all: &str, one: &str| Some(bytes(all)? - bytes(one)?);
    let post = |id: &str| find(id).map(|m| m.own_medians()).map(|(explore, post)| post / explore);
    let ours = seconds("ours");
    // Exploration and post-passes by the program's own clock, that on the wall: processor
    // seconds would count all threads.
    let own = |id: &str| find(id).map(|m| m.own_medians()).map(|(explore, post)| explore + post);
    let faster = |one: &str, two: &str| ratio(own(one), own(two));
    let spin = [seconds("spin"), seconds("spin_unchecked")];
    let spin = spin.into_iter().flatten().reduce(f64::min);
    vec![
        bar(
            "1. times faster than SPIN with the same states, with the check or without it, \
             whichever is faster",
            AtLeast(8.0),
            ratio(spin, ours),
        ),
        bar(
            "1. times faster than Stateright's BFS",
            AtLeast(12.0),
            ratio(seconds("stateright"), ours),
        ),
        bar("1. times the seconds of the roofline's `pf`", AtMost(1.6), ratio(ours, seconds("pf"))),
        bar("2. bytes per state of that run at its peak", AtMost(16.0), bytes("ours")),
        bar(
            "3. stubborn sets to the verdict, times the seconds of that run",
            AtMost(1.0),
            ratio(seconds("stubborn_all"), ours),
        ),
        bar(
            "4. post-passes after stubborn exploration (may progress and always \
             may-terminating), times the exploration",
            AtMost(1.0),
            post("stubborn_all"),
        ),
        bar(
            "4. post-passes after full exploration (may progress), times the exploration",
            AtMost(1.0),
            post("full_all"),
        ),
        bar(
            "4. bytes per state more at the peak with all checks than with mutual exclusion alone",
            AtMost(6.0),
            more("full_all", "ours"),
        ),
        bar(
            "4. the same with stubborn sets, than for the exploration alone",
            AtMost(6.0),
            more("stubborn_all", "stubborn_only"),
        ),
        bar(
            "5. bytes per state of `token_ring` n = 10 at its peak",
            AtMost(20.0),
            bytes("ring_10"),
        ),
        bar(
            "6. an edge of a two-word model, times that of a one-word model",
            AtMost(1.5),
            ratio(per_edge("philosophers_10"), per_edge("ring_8")),
        ),
        bar(
            "6. an edge of a four-word model, times that of a one-word model",
            AtMost(2.2),
            ratio(per_edge("leader_7"), per_edge("questionable_4")),
        ),
        bar(
            "8. Peterson-4 in full, times faster by two threads than by one",
            AtLeast(1.7),
            faster("full_all", "full_all_by_two"),
        ),
        bar(
            "8. the same with stubborn sets",
            AtLeast(1.6),
            faster("stubborn_all", "stubborn_all_by_two"),
        ),
        bar("8. token ring, n = 10", AtLeast(1.7), faster("ring_10", "ring_10_by_two")),
        bar(
            "8. DFS_FIFO in full, token ring, n = 8",
            AtLeast(1.6),
            faster("ring_8_livelock", "ring_8_livelock_by_two"),
        ),
        bar(
            "8. bytes per state by two threads, times those by one, Peterson-4 in full",
            AtMost(1.3),
            ratio(bytes("full_all_by_two"), bytes("full_all")),
        ),
        bar(
            "8. the same with stubborn sets",
            AtMost(1.3),
            ratio(bytes("stubborn_all_by_two"), bytes("stubborn_all")),
        ),
        bar("7. (stretch) bytes per state", AtMost(8.0), bytes("ours")),
        bar(
            "7. (stretch) times the seconds of the roofline's `quot`",
            AtMost(2.0),
            ratio(ours, seconds("quot")),
        ),
        bar(
            "8. a response property under weak fairness: times faster than SPIN with the same \
             states of the product",
            AtLeast(1.0),
            ratio(seconds("spin_response"), seconds("response")),
        ),
        bar(
            "8. the same, memory at the peak, times that of SPIN",
            AtMost(1.0),
            ratio(peak("response"), peak("spin_response")),
        ),
    ]
}
