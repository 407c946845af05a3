//! Progress labels under audit: rules can be right for everything else and let
//! a livelock escape.

use asset_core::Family;
use asset_core::audit::{AuditOptions, AuditVerdict, Flaw, Square};
use asset_core::expand::{Order, stubborn_set};
use asset_core::explorer::Explorer;
use asset_core::prelude::*;
use asset_tests::oracle::{Graph, Labels, is_stubborn};
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

/// A lamp that blinks for ever and a door that opens once; progress is light
/// in the doorway. With the door shut the lamp blinks without progress.
#[model]
pub mod doorway {
    /// Whether the rules know what progress is.
    #[param(false, true)]
    pub const KNOWS: bool = false;

    #[state]
    pub struct State {
        lit: bool,
        open: bool,
    }

    #[transitions]
    pub enum Transition {
        Blink,
        Open,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Blink => s.lit = !s.lit,
            Transition::Open if s.open => return false,
            Transition::Open => s.open = true,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, _: Transition, need: &mut Obligations) {
        if KNOWS {
            need.all();
        }
    }

    #[progress(state)]
    pub fn light_in_the_doorway(s: &State) -> bool {
        s.lit && s.open
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
fn a_step_that_could_end_a_livelock_is_shown() {
    let square = wrong(doorway::model(), &[]).expect("a square");
    assert_real(doorway::model().instances[0].machine, &square);
    assert_eq!(square.flaw, Flaw::HidesCycle);
    assert_eq!(square.missing, "`Open` in this state must oblige `Blink`");
    assert!(wrong(doorway::model(), &[("knows", "true")]).is_none());
}

/// What the audit warns of really happens, though D0, D1 and D2 hold and the
/// set is reduced only where neither the state nor one fired into is a progress
/// state. Random models found this; it was shrunk to the doorway by hand.
#[test]
fn d0_to_d2_and_no_progress_in_sight_are_not_enough() {
    let machine = doorway::model().instances[0].machine;
    let graph = Graph::explore(machine, 10).expect("four states");
    let labels = Labels::of(&graph, machine);
    let set = |s: usize| {
        let set = stubborn_set(machine, Order::Backward, &graph.states[s]).unwrap();
        assert!(is_stubborn(&graph, s, &set, &[false; 4]));
        labels.visible(&graph, s, set)
    };
    assert!(graph.has_livelock(&labels, |_| vec![0, 1]));
    assert!(!graph.has_livelock(&labels, set));
}
