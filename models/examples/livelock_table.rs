//! Prints what livelock searches cost on the bundled models: states by search
//! and reduction, and time and memory beside plain exploration.
//!
//! `c2s` needs progress states, and most models mark transitions. For that
//! column a state counts as a progress state where a progress transition is
//! enabled, as in SPIN, where a label sits on the place before a statement.

use asset_core::Family;
use asset_core::expand::{Choice, Order, Recipe};
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch};
use asset_core::machine::Instance;
use asset_core::machine::{
    Facts, Footprints, Machine, ModelError, Opened, Packed, Progress, Successors,
};
use asset_core::model::{CheckSet, Description, Fault, Obligations, Shown};
use asset_core::search::{Ground, Hunt, Labels, Space, Watch, dfs, dfs_fifo, nested, never_claim};
use asset_core::verdict::{Outcome, Verdict};
use std::time::Instant;

/// A model with the parameters that choose an instance.
type Chosen = (Family, &'static [(&'static str, &'static str)]);

fn free_of_livelocks() -> Vec<Chosen> {
    let window = models::sliding_window::model();
    let bit = models::alternating_bit::model();
    let ring = models::leader_election::model();
    let workers = models::injected::model();
    vec![
        (bit, &[("capacity", "4"), ("loss", "limited")]),
        (window, &[("window", "3"), ("variant", "repaired")]),
        (window, &[("window", "4"), ("variant", "repaired")]),
        (ring, &[("n", "6"), ("variant", "once")]),
        (ring, &[("n", "6"), ("variant", "repeated")]),
        (ring, &[("n", "7"), ("variant", "repeated")]),
        (workers, &[("steps", "100"), ("livelock", "none")]),
    ]
}

fn with_livelocks() -> Vec<Chosen> {
    let workers = models::injected::model();
    vec![
        (models::alternating_bit::model(), &[("capacity", "4"), ("loss", "unlimited")]),
        (models::sliding_window::model(), &[("window", "3"), ("variant", "livelocking")]),
        (models::leader_election::model(), &[("n", "6"), ("variant", "careless")]),
        (models::peterson_enter::model(), &[("n", "4")]),
        (workers, &[("steps", "100"), ("livelock", "shallow")]),
        (workers, &[("steps", "100"), ("livelock", "deep")]),
    ]
}

fn main() {
    println!("states, no livelock\n");
    println!(
        "| model | stubborn (safety) | full | terminating | c2t | c2s | nested | never-claim |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for chosen in free_of_livelocks() {
        use LivelockReduction::{C2s, C2t, Full, Terminating};
        let fifo = |chosen, reduction| states(chosen, LivelockSearch::DfsFifo, reduction);
        let columns = [
            safety(chosen).to_string(),
            fifo(chosen, Full),
            fifo(chosen, Terminating),
            fifo(chosen, C2t),
            fifo((on_states(chosen), &[]), C2s),
            states(chosen, LivelockSearch::Nested, Full),
            states(chosen, LivelockSearch::NeverClaim, Full),
        ];
        println!("| {} | {} |", name(chosen), columns.join(" | "));
    }
    println!("\nstates until a livelock is found / progresses / length of the lasso\n");
    println!("| model | dfs-fifo full | c2t | terminating | nested | never-claim | incremental |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for chosen in with_livelocks() {
        use LivelockReduction::{C2t, Full, Terminating};
        use LivelockSearch::{DfsFifo, Incremental, Nested, NeverClaim};
        let runs = [
            (DfsFifo, Full),
            (DfsFifo, C2t),
            (DfsFifo, Terminating),
            (Nested, Full),
            (NeverClaim, Full),
            (Incremental, Full),
        ];
        let columns = runs.map(|(search, reduction)| states(chosen, search, reduction));
        println!("| {} | {} |", name(chosen), columns.join(" | "));
    }
    println!("\ntime and memory of full searches, as multiples of plain depth-first exploration\n");
    println!("| model | states | dfs s | dfs MB | dfs-fifo | nested | never-claim |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    // The others are too small to be timed.
    for chosen in free_of_livelocks().into_iter().rev().take(2).rev() {
        let machine = instance(chosen).machine;
        let costs = match machine.n_words() {
            1 => costs::<1>(machine),
            2 => costs::<2>(machine),
            3 => costs::<3>(machine),
            4 => costs::<4>(machine),
            _ => costs::<0>(machine),
        };
        println!("| {} | {costs} |", name(chosen));
    }
}

fn name((family, params): Chosen) -> String {
    let params: Vec<_> = params.iter().map(|(n, v)| format!("--{n} {v}")).collect();
    format!("`{} {}`", family.name, params.join(" "))
}

fn instance((family, params): Chosen) -> Instance {
    let params: Vec<_> = params.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    family.instance(&params).expect("a compiled instance")
}

fn states(
    (family, params): Chosen,
    search: LivelockSearch,
    reduction: LivelockReduction,
) -> String {
    let start = Explorer::new(family);
    let explorer = params.iter().fold(start, |explorer, (name, value)| explorer.param(name, value));
    let outcome = explorer.livelock(Livelock { search, reduction }).expect("an outcome");
    let n_states = outcome.statistics.n_states;
    match outcome.verdict {
        Verdict::Holds => n_states.to_string(),
        Verdict::Violated => {
            format!("{n_states} / {} / {}", progresses(&outcome), length(&outcome))
        }
        Verdict::Inconclusive(_) => format!("({n_states})"),
    }
}

fn progresses(outcome: &Outcome) -> u64 {
    let more = &outcome.statistics.more;
    more.iter().find(|m| m.0 == "progresses before the cycle").map_or(0, |m| m.1)
}

fn length(outcome: &Outcome) -> usize {
    outcome.violations[0].trace.steps.len()
}

/// The states that stubborn sets alone leave.
fn safety(chosen: Chosen) -> u64 {
    let recipe = Recipe::new(instance(chosen).machine, Order::Backward, Choice::Stubborn);
    let mut space = Space::<0>::new(&recipe).expect("initial states");
    dfs::explore(&mut space, &mut Watch::unlimited()).expect("no limits").n_states
}

/// Runs of each search, the best of which counts.
const RUNS: usize = 3;

/// Time and memory of the searches of a full space, interleaved.
fn costs<const W: usize>(machine: &dyn Machine) -> String {
    let mut best = [f64::INFINITY; 4];
    let mut bytes = [0; 4];
    let mut n_states = 0;
    let full = Recipe::new(machine, Order::default(), Choice::Full);
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut space = Space::<W>::new(&full).expect("initial states");
        let counts = dfs::explore(&mut space, &mut Watch::unlimited()).expect("no limits");
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        (bytes[0], n_states) = (counts.bytes, counts.n_states);
        drop(space);
        let hunts: [fn(&mut Ground<'_, '_, '_, W>) -> Hunt; 3] =
            [dfs_fifo::hunt, nested::hunt, never_claim::hunt];
        for (i, hunt) in hunts.into_iter().enumerate() {
            let start = Instant::now();
            let mut space = Space::<W>::new(&full).expect("initial states");
            let progress = Progress::of(machine).expect("no panic").expect("labels");
            let mut labels = Labels::new(progress, &space).expect("labels");
            let watch = &mut Watch::unlimited();
            let found = hunt(&mut Ground { space: &mut space, labels: &mut labels, watch });
            best[i + 1] = best[i + 1].min(start.elapsed().as_secs_f64());
            bytes[i + 1] = space.bytes() + labels.bytes() + found.bytes;
        }
    }
    let ratio =
        |i: usize| format!("{:.2}, {:.2}", best[i] / best[0], bytes[i] as f64 / bytes[0] as f64);
    let megabytes = bytes[0] as f64 / 1e6;
    format!(
        "{n_states} | {:.2} | {megabytes:.1} | {} | {} | {}",
        best[0],
        ratio(1),
        ratio(2),
        ratio(3)
    )
}

/// The model with its progress transitions read as progress states.
fn on_states(chosen: Chosen) -> Family {
    let machine = OnStates::leak(instance(chosen).machine);
    let instance = Box::leak(Box::new(Instance { values: &[], machine }));
    Family { params: &[], instances: std::slice::from_ref(instance), ..chosen.0 }
}

struct OnStates {
    inner: &'static dyn Machine,
    description: Description,
}

impl OnStates {
    fn leak(inner: &'static dyn Machine) -> &'static dyn Machine {
        let labels = Description {
            progress_transitions: false,
            progress_states: true,
            ..*inner.description()
        };
        Box::leak(Box::new(OnStates { inner, description: labels }))
    }
}

impl Machine for OnStates {
    fn facts(&self) -> Facts<'_> {
        Facts { description: &self.description, ..self.inner.facts() }
    }

    fn footprints(&self) -> Footprints {
        self.inner.footprints()
    }

    fn progress_transition(&self, _: usize) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn progress_states(
        &self,
        states: &[u64],
        check: Option<usize>,
        good: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        if check.is_some() {
            return self.inner.progress_states(states, check, good);
        }
        for (i, state) in states.chunks_exact(self.inner.n_words()).enumerate() {
            for t in 0..self.inner.n_transitions() {
                if self.inner.progress_transition(t)? && self.inner.fire(state, t)?.is_some() {
                    good(i);
                    break;
                }
            }
        }
        Ok(())
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        self.inner.initial_states()
    }

    fn expand(&self, states: &[u64], order: Order, out: &mut Successors) -> Result<(), ModelError> {
        self.inner.expand(states, order, out)
    }

    fn open(&self, state: &[u64], see: &mut dyn FnMut(&dyn Opened)) -> Result<(), ModelError> {
        self.inner.open(state, see)
    }

    fn fire(&self, state: &[u64], transition: usize) -> Result<Option<Packed>, ModelError> {
        self.inner.fire(state, transition)
    }

    fn obligations(
        &self,
        state: &[u64],
        transition: usize,
        need: &mut Obligations,
    ) -> Result<(), ModelError> {
        self.inner.obligations(state, transition, need)
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.state_fault(state, on)
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        self.inner.deadlock_fault(state, on)
    }

    fn progress_edge(&self, _: &[u64], _: usize) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn transition_name(&self, transition: usize) -> String {
        self.inner.transition_name(transition)
    }

    fn show(&self, state: &[u64]) -> Shown {
        self.inner.show(state)
    }

    fn display(&self, state: &[u64]) -> Result<Option<String>, ModelError> {
        self.inner.display(state)
    }
}
