//! The smallest model.

use crate::explore;
use asset_core::model::Shown;
use asset_core::prelude::*;

/// A lamp
/// with a button.
///
/// Nothing else.
#[model]
pub mod lamp {
    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub enum Transition {
        Press,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Press => s.on = !s.on,
        }
        true
    }
}

#[test]
fn a_lamp_has_two_states() {
    let family = lamp::model();
    assert_eq!((family.name, family.doc), ("lamp", "A lamp\nwith a button.\n\nNothing else."));
    assert!(family.params.is_empty());
    assert_eq!((lamp::BITS_PER_STATE, lamp::WORDS_PER_STATE), (1, 1));
    let machine = family.instances[0].machine;
    assert_eq!(explore(machine), (2, 2));
    assert_eq!(machine.transition_name(0), "Press");
    assert_eq!(machine.lane_paths(), ["on"]);
    let start = &machine.initial_states().unwrap()[0];
    assert_eq!(machine.show(start), Shown::Record(vec![("on", Shown::Bool(false))]));
    assert!(!machine.description().has_rules);
}
