//! Models by hand that tell the engine too little: a transition, or a check, looks at a
//! variable that is not in its list. `#[model]` makes no such lists; should it ever, the
//! engine must find out.

use asset_core::generated::{
    Check, CheckKind, CheckSet, Compiled, Description, Family, Fault, Instance, Model, Place,
    Properties, Space,
};
use asset_core::prelude::*;

/// The states: what a check or a transition is said to look at, what it looks at as well,
/// and something else.
#[model]
pub mod states {
    #[state]
    pub struct State {
        #[range(0..4)]
        pub seen: u8,
        #[range(0..64)]
        pub hidden: u8,
        #[range(0..=200)]
        pub other: u8,
    }

    #[transitions]
    pub enum Transition {
        See,
        Hide,
        Other,
    }

    pub fn fire_transition(_: &mut State, _: Transition) -> bool {
        false
    }
}

use states::State;

/// The transitions go round, each through its own variable.
struct Round;

/// The same, but the last one goes on only while it is let by what is hidden, and not round.
struct Held;

const DESCRIPTION: Description = Description {
    name: "disguised",
    doc: "",
    checks: &[Check { name: "is_seen", doc: "", kind: CheckKind::State }],
    has_rules: false,
    progress_transitions: false,
    progress_states: false,
    progress_edges: false,
    not_understood: &[],
};

fn next(s: &mut State, transition: usize) {
    match transition {
        0 => s.seen = (s.seen + 1) % 4,
        1 => s.hidden = (s.hidden + 1) % 64,
        _ => s.other = (s.other + 1) % 201,
    }
}

/// Each transition is said to touch its own variable, and nothing else.
fn touches(transition: usize, tell: &mut dyn FnMut(Place)) -> bool {
    tell((transition, None));
    true
}

impl Space for Round {
    type State = State;
    const N_TRANSITIONS: usize = 3;
}

impl Properties for Round {
    type State = State;
    const DESCRIPTION: Description = DESCRIPTION;

    fn initial_states(add: &mut dyn FnMut(&State)) {
        add(&State { seen: 0, hidden: 0, other: 0 });
    }

    fn transition_name(transition: usize) -> String {
        ["See", "Hide", "Other"][transition].to_owned()
    }

    /// It fails by what is hidden, …
    fn state_fault(s: &State, on: CheckSet) -> Option<Fault> {
        (on.contains(0) && s.hidden == 60).then(|| Fault { check: 0, message: "".into() })
    }

    /// … and is said to look elsewhere.
    fn looks_at(_: usize, tell: &mut dyn FnMut(Place)) -> bool {
        tell((0, None));
        true
    }
}

impl Model for Round {
    type State = State;
    type Space = Round;
    type Properties = Round;

    fn fire(s: &mut State, transition: usize) -> bool {
        next(s, transition);
        true
    }

    fn touches(t: usize, _: usize, _: bool, tell: &mut dyn FnMut(Place)) -> bool {
        touches(t, tell)
    }
}

impl Model for Held {
    type State = State;
    type Space = Round;
    type Properties = Round;

    fn fire(s: &mut State, transition: usize) -> bool {
        if transition == 2 && (s.other == 200 || s.hidden % 61 == 60) {
            return false;
        }
        next(s, transition);
        true
    }

    fn touches(t: usize, _: usize, _: bool, tell: &mut dyn FnMut(Place)) -> bool {
        touches(t, tell)
    }
}

/// The model in which a check looks at what is hidden.
pub fn check() -> Family {
    const INSTANCE: Instance = Instance { values: &[], machine: &Compiled::<Round>::new() };
    Family { name: "check", doc: "", params: &[], instances: &[INSTANCE] }
}

/// The model in which a transition does.
pub fn transition() -> Family {
    const INSTANCE: Instance = Instance { values: &[], machine: &Compiled::<Held>::new() };
    Family { name: "transition", doc: "", params: &[], instances: &[INSTANCE] }
}
