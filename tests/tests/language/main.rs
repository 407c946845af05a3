//! The model language, from tokens to a machine that runs.

mod absent;
mod channel;
mod features;
mod liveness;
mod names;
mod peterson;
mod toggle;

use asset_core::expand::Order;
use asset_core::machine::{Machine, Packed, Successors};
use std::collections::HashSet;

/// Numbers of states and edges, by the simplest search there is.
fn explore(machine: &dyn Machine) -> (usize, usize) {
    let initial = machine.initial_states().expect("initial states within their ranges");
    let mut seen: HashSet<Packed> = initial.iter().cloned().collect();
    let mut queue: Vec<Packed> = seen.iter().cloned().collect();
    let mut n_edges = 0;
    while let Some(state) = queue.pop() {
        let mut successors = Successors::default();
        machine.expand(&state, Order::default(), &mut successors).expect("a model without errors");
        n_edges += successors.len();
        for next in successors.words().chunks_exact(machine.n_words()) {
            if seen.insert(next.into()) {
                queue.push(next.into());
            }
        }
    }
    (seen.len(), n_edges)
}

/// The instance with the given parameter values.
fn instance(family: asset_core::Family, chosen: &[(&str, &str)]) -> &'static dyn Machine {
    let chosen: Vec<(String, String)> =
        chosen.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    family.instance(&chosen).expect("a compiled instance").machine
}
