//! Fires an audit's square again, without a line of the audit's code.

use asset_core::audit::{Flaw, Square};
use asset_core::expand::stubborn_set;
use asset_core::machine::{Machine, Packed};
use asset_core::model::CheckSet;

/// Asserts that the square shows what it says it shows, of a machine with its own rules.
///
/// # Panics
///
/// If it does not.
pub fn assert_real(machine: &dyn Machine, square: &Square) {
    let set = stubborn_set(machine, square.evidence.order, &square.evidence.state).unwrap();
    assert_real_of(machine, square, &set);
}

/// The same where this is the stubborn set of the square's state.
///
/// # Panics
///
/// If it does not.
pub fn assert_real_of(machine: &dyn Machine, square: &Square, set: &[usize]) {
    let evidence = &square.evidence;
    let fire = |state: &Packed, t: usize| machine.fire(state, t).expect("no model error");
    let initial = machine.initial_states().expect("initial states");
    assert!(initial.contains(&evidence.initial), "the way starts in an initial state");
    let after = |state: Packed, &t: &usize| fire(&state, t).expect("a way that can be fired");
    let reached = evidence.way.iter().fold(evidence.initial.clone(), after);
    assert_eq!(reached, evidence.state, "the way leads to the state");
    assert_eq!(square.trace.steps.len(), evidence.way.len() + 1);
    assert_eq!(set, evidence.set, "the set is the reduction's own");
    let (Some(t), Some(u)) = (evidence.t, evidence.u) else {
        assert_eq!(square.flaw, Flaw::NothingEnabled);
        assert!(set.iter().all(|&t| fire(&evidence.state, t).is_none()));
        let n = machine.n_transitions();
        assert!((0..n).any(|t| fire(&evidence.state, t).is_some()));
        return;
    };
    assert!(set.contains(&t) && !set.contains(&u));
    assert!(evidence.path.iter().all(|u| !set.contains(u)));
    let (t_name, u_name) = (machine.transition_name(t), machine.transition_name(u));
    assert_eq!(square.missing, format!("`{t_name}` in this state must oblige `{u_name}`"));
    let mut corner = evidence.state.clone();
    for &v in &evidence.path {
        corner = fire(&corner, v).expect("a path that can be fired");
    }
    let was_enabled = fire(&evidence.state, t).is_some();
    let after_t = fire(&corner, t);
    let after_u = fire(&corner, u).expect("u is enabled");
    let u_then_t = fire(&after_u, t);
    let t_then_u = after_t.as_ref().and_then(|s| fire(s, u));
    assert_eq!(after_t.is_some(), was_enabled, "t is in the corner as it was");
    let is_bad =
        |s: &Packed, check: usize| machine.state_fault(s, CheckSet(1 << check)).unwrap().is_some();
    match square.flaw {
        Flaw::NothingEnabled => panic!("D0 has no pair"),
        Flaw::Enabled => assert!(!was_enabled && u_then_t.is_some()),
        Flaw::Disabled => assert!(was_enabled && u_then_t.is_none()),
        Flaw::Disables => assert!(was_enabled && t_then_u.is_none()),
        Flaw::OrderMatters => {
            assert!(t_then_u.is_some() && u_then_t.is_some() && t_then_u != u_then_t);
        }
        Flaw::HidesCheck(check) => {
            let end = u_then_t.expect("t is enabled after u");
            assert!(!is_bad(&evidence.state, check));
            assert!(is_bad(&after_u, check) && !is_bad(&end, check));
        }
        Flaw::HidesCycle => {
            let end = u_then_t.expect("t is enabled after u");
            assert!(!machine.progress_state(&evidence.state).unwrap());
            assert!(
                !machine.progress_state(&after_u).unwrap() && machine.progress_state(&end).unwrap()
            );
        }
        Flaw::LabelsDiffer => {
            let after_t = after_t.expect("t is enabled");
            let label = |s: &Packed, t: usize| machine.progress_edge(s, t).unwrap();
            assert!(
                label(&corner, t) != label(&after_u, t) || label(&corner, u) != label(&after_t, u)
            );
        }
    }
}
