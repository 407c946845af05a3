//! One run of a model: a seeded random walk, or ASSET's deterministic one.

use crate::explorer::{RunError, model_error};
use crate::machine::Machine;
use crate::memory::next_random;
use crate::model::{CheckKind, CheckSet, Order};
use crate::trace::{Path, Trace};
use std::collections::HashMap;

/// How the next transition is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// At random among the enabled ones, from this seed.
    Random(u64),
    /// The first enabled one in the order of firing.
    Typical(Order),
}

/// Why a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is enabled in the last state.
    Terminal,
    /// The number of steps asked for was done.
    Steps,
    /// The walk is back in an earlier state and would repeat itself.
    Cycle,
    /// A check fails in the last state: its name and its message.
    Fault(String, String),
}

/// Walks at most `max_steps` steps from the first initial state.
pub fn simulate(
    machine: &dyn Machine,
    walk: Walk,
    max_steps: usize,
) -> Result<(Trace, End), RunError> {
    let fail = |error| model_error(machine, &error, None);
    let state_checks = CheckSet::of_kind(machine.description().checks, CheckKind::State);
    let mut initial = machine.initial_states().map_err(fail)?;
    let mut path = Path { states: vec![initial.swap_remove(0)], ..Path::default() };
    // Where each state of a deterministic walk is in the path.
    let mut seen = HashMap::from([(path.states[0].clone(), 0)]);
    let mut random = match walk {
        Walk::Random(seed) => seed,
        Walk::Typical(_) => 0,
    };
    let end = loop {
        let state = path.states[path.states.len() - 1].clone();
        let on_the_way = |error| model_error(machine, &error, Some(path.clone()));
        let fault = machine.state_fault(&state, state_checks);
        if let Some(fault) = fault.map_err(on_the_way)? {
            let name = machine.description().checks[fault.check].name;
            break End::Fault(name.to_owned(), fault.message.into_owned());
        }
        if path.transitions.len() == max_steps {
            break End::Steps;
        }
        let mut enabled = Vec::new();
        for t in 0..machine.n_transitions() {
            let fired = machine.fire(&state, t).map_err(on_the_way)?;
            enabled.extend(fired.map(|next| (t, next)));
        }
        if enabled.is_empty() {
            let fault = machine.deadlock_fault(&state, CheckSet::ALL);
            break match fault.map_err(on_the_way)? {
                None => End::Terminal,
                Some(fault) => {
                    let name = machine.description().checks[fault.check].name;
                    End::Fault(name.to_owned(), fault.message.into_owned())
                }
            };
        }
        let at = match walk {
            Walk::Random(_) => (next_random(&mut random) % enabled.len() as u64) as usize,
            Walk::Typical(Order::Forward) => 0,
            Walk::Typical(Order::Backward) => enabled.len() - 1,
        };
        let (t, next) = enabled.swap_remove(at);
        if matches!(walk, Walk::Typical(_))
            && let Some(start) = seen.insert(next.clone(), path.states.len())
        {
            path.closing = Some((t, start));
            break End::Cycle;
        }
        path.transitions.push(t);
        path.states.push(next);
    };
    Ok((Trace::new(&path, machine), end))
}
