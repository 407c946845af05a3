//! The bundled models under `--paranoid`: they give one answer to one question,
//! and a transition that is disabled leaves the state alone.

use asset_core::Family;
use asset_core::expand::{Choice, Order};
use asset_core::explorer::{Explorer, Livelock};
use asset_core::machine::Instance;
use asset_core::prelude::*;

/// Beyond so many states an instance is looked at in part.
const MAX_STATES: u64 = 1_000;

fn explorer(family: &Family, instance: &Instance) -> Explorer<'static> {
    let mut explorer = Explorer::new(*family).max_states(MAX_STATES).paranoid(true);
    for (param, value) in family.params.iter().zip(instance.values) {
        explorer = explorer.param(param.name, value);
    }
    explorer
}

#[test]
fn no_bundled_model_is_unsteady() {
    for family in models::all() {
        for instance in family.instances {
            let what = format!("{} {:?}", family.name, instance.values);
            let has_rules = instance.machine.description().has_rules;
            let choices =
                [Choice::Full, Choice::Stubborn].into_iter().take(1 + usize::from(has_rules));
            for choice in choices {
                let run = explorer(&family, instance).reduction(choice).run();
                run.unwrap_or_else(|error| panic!("{what}: {error}"));
            }
            let description = instance.machine.description();
            if description.progress_transitions || description.progress_states {
                let run = explorer(&family, instance).livelock(Livelock::default());
                run.unwrap_or_else(|error| panic!("{what}: {error}"));
            }
        }
    }
}

/// Two transitions that change the state and say that they are disabled.
#[model]
mod leaks {
    #[state]
    pub struct State {
        wet: bool,
    }

    #[transitions]
    pub enum Transition {
        First,
        Second,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.wet = !s.wet;
        false
    }

    #[check(deadlock)]
    pub fn is_dry(s: &State) -> bool {
        !s.wet
    }
}

#[test]
fn the_transition_that_is_fired_first_is_blamed() {
    for (order, first) in [(Order::Backward, "Second"), (Order::Forward, "First")] {
        let run = Explorer::new(leaks::model()).order(order).paranoid(true).run();
        let error = run.map(|_| ()).expect_err("it leaks").to_string();
        assert!(error.contains(first), "{error}");
    }
}
