//! A wrong rule as one square that people can check by hand.

use crate::machine::{Machine, ModelError, Packed};
use crate::model::Order;
use crate::model::{Check, CheckKind, Obligations};
use crate::trace::{Path, Step, Trace, line};

/// In which way a square does not close. `t` is in the stubborn set, `u` is
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Something is enabled, but nothing in the set (D0).
    NothingEnabled,
    /// `u` enables `t`, which was disabled (D1).
    Enabled,
    /// `u` disables `t`, which was enabled (D2).
    Disabled,
    /// `t` disables `u` (D1).
    Disables,
    /// The two orders lead to different states (D1).
    OrderMatters,
    /// `u` makes the state check with this index fail, and `t` mends it; or `u` leads to what
    /// is to be reachable, and `t` away from it.
    HidesCheck(usize),
    /// `t` leads into a progress state only after `u`.
    HidesCycle,
    /// A progress label is not the same on both sides.
    LabelsDiffer,
}

impl Flaw {
    /// Whether only livelock checks are concerned.
    pub fn is_about_labels(self) -> bool {
        matches!(self, Flaw::HidesCycle | Flaw::LabelsDiffer)
    }

    /// Which condition is violated, in a word or two.
    pub fn condition(self) -> &'static str {
        match self {
            Flaw::NothingEnabled => "D0",
            Flaw::Enabled | Flaw::Disables | Flaw::OrderMatters => "D1",
            Flaw::Disabled => "D2",
            Flaw::HidesCheck(_) => "state check",
            Flaw::HidesCycle | Flaw::LabelsDiffer => "progress label",
        }
    }
}

/// The square in packed states and transition numbers, to be fired again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// An initial state.
    pub initial: Packed,
    /// The transitions that lead from there to `state`.
    pub way: Vec<usize>,
    /// The state whose stubborn set is wrong.
    pub state: Packed,
    /// The stubborn set.
    pub set: Vec<usize>,
    /// The order that gave the set.
    pub order: Order,
    /// Transitions outside the set that lead to the corner of the square.
    pub path: Vec<usize>,
    /// The member of the set; none if nothing in it is enabled.
    pub t: Option<usize>,
    /// The transition outside the set.
    pub u: Option<usize>,
}

/// A wrong rule, readable.
#[derive(Clone, Debug)]
pub struct Square {
    /// What is wrong.
    pub flaw: Flaw,
    /// The rule that is missing, as a sentence.
    pub missing: String,
    /// The state whose stubborn set is wrong, then the way to the corner of the
    /// square by transitions outside the set.
    pub path: Vec<Step>,
    /// The stubborn set.
    pub set: Vec<String>,
    /// What the rule of the member obliges now.
    pub obliged: Vec<String>,
    /// The member of the set; empty if nothing in it is enabled.
    pub t: String,
    /// The transition outside the set.
    pub u: String,
    /// From the corner: the member first, then the other, as far as they are
    /// enabled.
    pub t_first: Vec<Step>,
    /// From the corner: the other first, then the member.
    pub u_first: Vec<Step>,
    /// What a right rule grants.
    pub expected: String,
    /// What the model does.
    pub happened: String,
    /// How to get from an initial state to the state whose set is wrong.
    pub trace: Trace,
    /// The same in numbers.
    pub evidence: Evidence,
}

/// Draws a square by firing its transitions.
pub(super) fn draw(
    machine: &dyn Machine,
    flaw: Flaw,
    evidence: Evidence,
) -> Result<Square, ModelError> {
    let names = |list: &[usize]| list.iter().map(|&t| machine.transition_name(t)).collect();
    let name = |t: Option<usize>| t.map(|t| machine.transition_name(t)).unwrap_or_default();
    let (t, u) = (name(evidence.t), name(evidence.u));
    let mut path = vec![step(machine, None, &evidence.state)];
    let mut corner = evidence.state.clone();
    path.extend(fire(machine, &mut corner, &evidence.path));
    let pair: Vec<usize> = evidence.t.into_iter().chain(evidence.u).collect();
    let t_first = fire(machine, &mut corner.clone(), &pair);
    let u_first = fire(machine, &mut corner, &pair.into_iter().rev().collect::<Vec<_>>());
    let mut need = Obligations::new();
    if let Some(t) = evidence.t {
        machine.obligations(&evidence.state, t, &mut need)?;
    }
    let (expected, happened) = words(machine, flaw, &t, &u);
    let missing = match evidence.t {
        Some(_) => format!("`{t}` in this state must oblige `{u}`"),
        None => "the stubborn set of this state has no enabled member".to_owned(),
    };
    let way = Path::as_far_as_enabled(machine, evidence.initial.clone(), &evidence.way);
    Ok(Square {
        flaw,
        missing,
        path,
        set: names(&evidence.set),
        obliged: names(&need.take(machine.n_transitions())),
        t,
        u,
        t_first,
        u_first,
        expected,
        happened,
        trace: Trace::new(&way, machine),
        evidence,
    })
}

fn step(machine: &dyn Machine, by: Option<usize>, state: &[u64]) -> Step {
    Step {
        notes: Vec::new(),
        transition: by.map(|t| machine.transition_name(t)),
        line: line(machine, state),
        state: machine.show(state),
    }
}

/// Fires transitions one after the other, as far as they are enabled, and ends
/// in the last state.
fn fire(machine: &dyn Machine, state: &mut Packed, transitions: &[usize]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &t in transitions {
        let Ok(Some(next)) = machine.fire(state, t) else { break };
        steps.push(step(machine, Some(t), &next));
        *state = next;
    }
    steps
}

/// What was expected and what happened.
fn words(machine: &dyn Machine, flaw: Flaw, t: &str, u: &str) -> (String, String) {
    match flaw {
        Flaw::NothingEnabled => (
            "something in the set is enabled, since the state is not terminal".to_owned(),
            "nothing in it is".to_owned(),
        ),
        Flaw::Enabled => (
            format!("{t}, which is disabled, stays disabled while only others are fired"),
            format!("{u} enables {t}"),
        ),
        Flaw::Disabled => (
            format!("{t}, which is enabled, stays enabled while only others are fired"),
            format!("{u} disables {t}"),
        ),
        Flaw::Disables => (format!("{u} can be fired also after {t}"), format!("{t} disables {u}")),
        Flaw::OrderMatters => (
            format!("{t} and {u} lead to the same state in either order"),
            "they lead to different states".to_owned(),
        ),
        Flaw::HidesCheck(check) => {
            let Check { name: check, kind, .. } = machine.description().checks[check];
            if kind == CheckKind::Reachable {
                return (
                    format!("{check}, satisfied after {u}, is so also if {t} is fired before it"),
                    format!("{t} hides that it is reachable: {check} is not satisfied after both"),
                );
            }
            (
                format!("{check}, which fails after {u}, fails also if {t} is fired before it"),
                format!("{t} hides the failure: {check} does not fail after both"),
            )
        }
        Flaw::HidesCycle => (
            format!("{t} leads to no progress state here, and to none after {u} either"),
            format!("after {u}, {t} leads to a progress state, and a livelock could be missed"),
        ),
        Flaw::LabelsDiffer => (
            format!("{t} and {u} are progress in either order, or in none"),
            "whether one of them is progress depends on the order".to_owned(),
        ),
    }
}
