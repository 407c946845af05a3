//! Progress labels under audit: rules can be right for everything else and let
//! a livelock escape.

use asset_core::audit::{AuditOptions, AuditVerdict, Flaw, Square};
use asset_core::explorer::Explorer;
use asset_core::model::Family;
use asset_core::prelude::*;
use asset_tests::square::assert_real;

/// A counter whose steps are progress only while the light is on.
#[model]
pub mod counter {
    #[state]
    pub struct State {
        light: bool,
        #[range(0..4)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Light,
        Count,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Light if s.light => return false,
            Transition::Light => s.light = true,
            Transition::Count => s.n = (s.n + 1) % 4,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}

    #[progress]
    pub fn counts(s: &State, t: Transition) -> bool {
        s.light && matches!(t, Transition::Count)
    }
}

/// Two workers who each go round for ever; progress is where both are done.
#[model]
pub mod workers {
    /// Whether the rules know what progress is.
    #[param(false, true)]
    pub const KNOWS: bool = false;

    #[state]
    pub struct State {
        #[range(0..3)]
        at: [u8; 2],
    }

    #[transitions]
    pub enum Transition {
        Work(#[range(0..2)] usize),
    }

    pub fn fire_transition(s: &mut State, Transition::Work(i): Transition) -> bool {
        s.at[i] = (s.at[i] + 1) % 3;
        true
    }

    #[stubborn]
    pub fn obligations(s: &State, Transition::Work(i): Transition, need: &mut Obligations) {
        // A worker who gets done makes progress of the other's being done.
        if KNOWS && s.at[i] == 1 {
            need.add(Transition::Work(1 - i));
        }
    }

    #[progress(state)]
    pub fn both_are_done(s: &State) -> bool {
        s.at == [2, 2]
    }
}

fn wrong(family: Family, params: &[(&str, &str)]) -> Option<Box<Square>> {
    let mut explorer = Explorer::new(family);
    for (name, value) in params {
        explorer = explorer.param(name, value);
    }
    match explorer.audit(AuditOptions::default()).expect("no model error").verdict {
        AuditVerdict::NoFault => None,
        AuditVerdict::WrongRule(square) => Some(square),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_label_that_depends_on_the_order_is_shown() {
    let square = wrong(counter::model(), &[]).expect("a square");
    assert_real(counter::model().instances[0].machine, &square);
    assert_eq!(square.flaw, Flaw::LabelsDiffer);
    assert_eq!(square.missing, "`Count` in this state must oblige `Light`");
}

#[test]
fn a_step_into_progress_that_ends_a_livelock_is_shown() {
    let square = wrong(workers::model(), &[]).expect("a square");
    assert_real(workers::model().instances[0].machine, &square);
    assert_eq!(square.flaw, Flaw::HidesCycle);
    assert_eq!(square.t, "Work(1)");
    assert!(wrong(workers::model(), &[("knows", "true")]).is_none());
}
