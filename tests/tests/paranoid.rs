//! The bundled models under `--paranoid`: they give one answer to one question,
//! and a transition that is disabled leaves the state alone.

use asset_core::explorer::{Explorer, Livelock};
use asset_core::model::{Family, Instance};
use asset_core::reduction::Choice;

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
            for choice in [Choice::Full, Choice::Stubborn] {
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
