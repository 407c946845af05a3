//! Explores Peterson-n *correct* with stubborn sets, checks mutual exclusion, and leaves it at
//! that: what post-passes cost in memory is measured against this.
//!
//! The command line has no such run, as a reduced run without post-passes could claim
//! nothing about mutual exclusion.

use asset_core::expand::{Choice, Order, Recipe};
use asset_core::model::CheckSet;
use asset_core::search::bfs::{Options, explore};
use asset_core::search::{Expander, Watch};
use asset_core::store::Compact;
use std::time::Instant;

fn main() {
    let start = Instant::now();
    let n = std::env::args().nth(1).expect("the number of customers");
    let chosen = [("n".to_owned(), n), ("variant".to_owned(), "correct".to_owned())];
    let instance = peterson::model().instance(&chosen);
    let machine = instance.expect("an instance").machine;
    let checks = machine.description().checks;
    let check = checks.iter().position(|check| check.name == "mutual_exclusion");
    let options = Options {
        state_checks: CheckSet(1 << check.expect("the model has this check")),
        deadlock_checks: CheckSet::default(),
        max_faults: 1,
        goals: CheckSet::default(),
        ends_with_goals: false,
        values: false,
        max_states: usize::MAX,
        keep_arrivals: true,
    };
    let recipe = Recipe::new(machine, Order::default(), Choice::Stubborn);
    let set = Compact::new(machine.layout().bits());
    let mut space = Expander::with_set(&recipe, set).expect("initial states");
    let found = explore(&mut space, options, &mut Watch::unlimited());
    found.end.expect("all states are explored");
    println!(
        "states={} edges={} mutex_violations={} secs={:.3}",
        found.n_states,
        found.n_edges,
        found.faults.len(),
        start.elapsed().as_secs_f64()
    );
}
