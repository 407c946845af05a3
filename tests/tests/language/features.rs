//! Parts of the language that the other models do not need.

use crate::{explore, instance};
use asset_core::prelude::*;

/// Something outside that a model uses.
pub const LIMIT: u8 = 4;

fn twice(x: u8) -> u8 {
    2 * x
}

/// Counts up; the parameters say how.
#[model]
pub mod counter {
    use super::{LIMIT, twice};

    #[param([1, 2])]
    pub(super) const STEP: u8 = 1;

    #[param(false, true)]
    const DOUBLE: bool = false;

    #[state]
    #[derive(Debug, Default)]
    pub struct State {
        #[range(-3..=(LIMIT as i32))]
        n: i32,
        #[range(5..=6)]
        pairs: [[u8; 2]; 2],
        wide: u64,
    }

    impl State {
        fn n_after(&self) -> i32 {
            self.n + i32::from(if DOUBLE { super::twice(STEP) } else { STEP })
        }
    }

    #[transitions]
    pub enum Transition {
        Up,
        Reset,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Up => {
                s.n = s.n_after();
                s.n <= i32::from(LIMIT)
            }
            Transition::Reset => {
                s.n = start();
                s.wide = u64::from(twice(3)) << 40;
                true
            }
        }
    }

    pub(super) fn start() -> i32 {
        if self::DOUBLE { super::LIMIT as i32 - 4 } else { 0 }
    }

    #[check(state)]
    fn is_even(s: &State) -> bool {
        STEP != 2 || s.n % 2 == 0
    }

    #[check(deadlock)]
    fn never(_: &State) -> Result<(), String> {
        Err(format!("stopped with step {STEP}"))
    }

    #[check(must_progress(strict))]
    fn at_zero(s: &State) -> bool {
        s.n == 0
    }

    #[progress]
    fn resets(s: &State, t: Transition) -> bool {
        s.n > 0 && t == Transition::Reset
    }

    #[display]
    fn line(s: &State) -> String {
        format!("n is {}", s.n)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_model_can_test_its_own_functions() {
            let mut s = State::default();
            assert!(fire_transition(&mut s, Transition::Up));
            assert_eq!(s.n, 1);
            assert_eq!(BITS_PER_STATE, 3 + 4 + 64);
        }
    }
}

#[test]
fn instances_differ_by_their_parameters() {
    for (step, double, n_values) in
        [("1", "false", 5), ("2", "false", 3), ("1", "true", 3), ("2", "true", 2)]
    {
        let machine = instance(counter::model(), &[("step", step), ("double", double)]);
        let (states, _) = explore(machine);
        // All values before the first reset and all after it.
        assert_eq!(states, 2 * n_values, "{step} {double}");
    }
}

#[test]
fn zero_is_the_nearest_legal_value() {
    let machine = instance(counter::model(), &[]);
    let start = &machine.initial_states().unwrap()[0];
    assert_eq!(machine.show(start).to_string(), "{n=0 pairs=[[5 5] [5 5]] wide=0}");
    assert_eq!(machine.display(start).as_deref(), Some("n is 0"));
}

#[test]
fn checks_answer_with_their_own_words() {
    let machine = instance(counter::model(), &[("step", "2")]);
    let start = &machine.initial_states().unwrap()[0];
    assert_eq!(machine.state_fault(start), None);
    let fault = machine.deadlock_fault(start).unwrap();
    assert_eq!((fault.check, &*fault.message), (1, "stopped with step 2"));
    let mut good = Vec::new();
    machine.progress_states_of(start, 2, &mut |i| good.push(i));
    assert_eq!(good, [0]);
    assert!(machine.description().progress_edges);
    let up = machine.fire(start, 0).unwrap().unwrap();
    assert!(machine.progress_edge(&up, 1) && !machine.progress_edge(start, 1));
}

mod shared {
    use asset_core::prelude::*;

    /// Shared by models, so outside of them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
    #[repr(u8)]
    pub enum Colour {
        Red,
        Green,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
    #[repr(C)]
    pub struct Light(pub Colour, #[range(0..3)] pub u16);

    #[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
    pub enum Slot {
        Free,
        Taken(Light),
    }
}

#[model]
mod uses_shared {
    use super::shared::{Colour, Light, Slot};

    #[state]
    pub struct State {
        light: Light,
        slots: [Slot; 2],
    }

    #[transitions]
    pub enum Transition {
        Turn(Colour),
        Take { slot: Slot },
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Turn(colour) => s.light.0 = colour,
            Transition::Take { slot } => s.slots[1] = slot,
        }
        true
    }
}

#[test]
fn types_derived_outside_are_shared() {
    let machine = uses_shared::model().instances[0].machine;
    assert_eq!(machine.n_transitions(), 2 + 7);
    assert_eq!(explore(machine), (14, 14 * 9));
    assert_eq!(machine.lane_paths(), ["light.0", "light.1", "slots[0]", "slots[1]"]);
    assert_eq!(machine.transition_name(1), "Turn(Green)");
    assert_eq!(machine.transition_name(8), "Take(Taken({0=Green 1=2}))");
}
