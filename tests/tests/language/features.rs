//! Parts of the language that the other models do not need.

use crate::{explore, instance};
use asset_core::model::{CheckSet, TransitionNumber};
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
    assert_eq!(machine.display(start).unwrap().as_deref(), Some("n is 0"));
}

#[test]
fn checks_answer_with_their_own_words() {
    let machine = instance(counter::model(), &[("step", "2")]);
    let start = &machine.initial_states().unwrap()[0];
    assert_eq!(machine.state_fault(start, CheckSet::ALL), Ok(None));
    let fault = machine.deadlock_fault(start, CheckSet::ALL).unwrap().unwrap();
    assert_eq!((fault.check, &*fault.message), (1, "stopped with step 2"));
    let mut good = Vec::new();
    machine.progress_states_of(start, 2, &mut |i| good.push(i)).unwrap();
    assert_eq!(good, [0]);
    assert!(machine.description().progress_edges);
    let up = machine.fire(start, 0).unwrap().unwrap();
    assert!(machine.progress_edge(&up, 1).unwrap() && !machine.progress_edge(start, 1).unwrap());
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
    assert_eq!(machine.transition_name(8), "Take(slot Taken((Green, 2)))");
}

#[model]
mod corners {
    //! Documented inside,
    //! with attributes inside.
    #![allow(non_snake_case)]

    #[param(-1, 1)]
    const r#STEP: i8 = -1;

    #[state]
    struct State {
        #[range(-2..=2)]
        r#type: i8,
        nothing: [bool; 0],
        unit: Unit,
    }

    #[derive(StateVar)]
    struct Unit;

    #[derive(StateVar)]
    enum Only {
        One,
    }

    #[transitions]
    enum Transition {
        r#Move { r#to: Only },
        Both(bool, #[range(1..=2)] u8, Only),
    }

    fn fire_transition(State { r#type, .. }: &mut State, t: Transition) -> bool {
        match t {
            Transition::Move { to: Only::One } => {
                *r#type += STEP;
                (-2..=2).contains(r#type)
            }
            Transition::Both(..) => false,
        }
    }

    #[init]
    fn starts() -> [State; 1] {
        let r#type = -2 * STEP;
        [State { r#type, nothing: [], unit: Unit {} }]
    }

    #[init]
    fn more_starts() -> impl Iterator<Item = State> {
        starts().into_iter().filter(|_| false)
    }
}

#[test]
fn corners_of_the_language() {
    let family = corners::model();
    assert_eq!(family.doc, "Documented inside,\nwith attributes inside.");
    assert_eq!((family.params[0].name, family.params[0].default), ("step", "-1"));
    for step in ["-1", "1"] {
        let machine = instance(family, &[("step", step)]);
        assert_eq!(explore(machine), (5, 4));
        assert_eq!(machine.lane_paths(), ["type"]);
        let names: Vec<String> = (0..5).map(|t| machine.transition_name(t)).collect();
        assert_eq!(
            names,
            [
                "Move(to One)",
                "Both(no, 1, One)",
                "Both(no, 2, One)",
                "Both(yes, 1, One)",
                "Both(yes, 2, One)"
            ]
        );
    }
}

#[test]
fn a_model_can_stand_in_a_function() {
    #[model]
    mod inside {
        #[param(1..=2)]
        const N: usize = 1;

        #[state]
        pub struct State {
            on: [bool; N],
        }

        #[transitions]
        pub const TRANSITIONS: usize = N;

        pub fn fire_transition(s: &mut State, t: usize) -> bool {
            s.on[t] = super::LIMIT > 0 && !s.on[t];
            true
        }
    }
    assert_eq!(explore(instance(inside::model(), &[("n", "2")])), (4, 8));
}

#[test]
#[should_panic(
    expected = "Both(4, false), but its parameter number 1 cannot be 4: its range is 2..=3"
)]
fn a_transition_out_of_range_has_no_number() {
    #[model]
    mod inside {
        #[state]
        pub struct State {}

        #[transitions]
        pub enum Transition {
            Both(#[range(2..4)] usize, bool),
        }

        pub fn fire_transition(_: &mut State, _: Transition) -> bool {
            false
        }
    }
    assert_eq!(inside::Transition::Both(3, true).number(), 3);
    assert_eq!(inside::BITS_PER_STATE, 0);
    inside::Transition::Both(4, false).number();
}

mod wide {
    use asset_core::generated::Parameter;
    use asset_core::prelude::*;
    use asset_core::state::StateVar;

    macro_rules! wide {
        ($($name:ident)*) => {
            #[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
            #[repr(u16)]
            enum Wide {
                $($name),*
            }
        };
    }

    #[rustfmt::skip]
    wide! {
        V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11 V12 V13
        V14 V15 V16 V17 V18 V19 V20 V21 V22 V23 V24 V25 V26 V27
        V28 V29 V30 V31 V32 V33 V34 V35 V36 V37 V38 V39 V40 V41
        V42 V43 V44 V45 V46 V47 V48 V49 V50 V51 V52 V53 V54 V55
        V56 V57 V58 V59 V60 V61 V62 V63 V64 V65 V66 V67 V68 V69
        V70 V71 V72 V73 V74 V75 V76 V77 V78 V79 V80 V81 V82 V83
        V84 V85 V86 V87 V88 V89 V90 V91 V92 V93 V94 V95 V96 V97
        V98 V99 V100 V101 V102 V103 V104 V105 V106 V107 V108 V109 V110 V111
        V112 V113 V114 V115 V116 V117 V118 V119 V120 V121 V122 V123 V124 V125
        V126 V127 V128 V129 V130 V131 V132 V133 V134 V135 V136 V137 V138 V139
        V140 V141 V142 V143 V144 V145 V146 V147 V148 V149 V150 V151 V152 V153
        V154 V155 V156 V157 V158 V159 V160 V161 V162 V163 V164 V165 V166 V167
        V168 V169 V170 V171 V172 V173 V174 V175 V176 V177 V178 V179 V180 V181
        V182 V183 V184 V185 V186 V187 V188 V189 V190 V191 V192 V193 V194 V195
        V196 V197 V198 V199 V200 V201 V202 V203 V204 V205 V206 V207 V208 V209
        V210 V211 V212 V213 V214 V215 V216 V217 V218 V219 V220 V221 V222 V223
        V224 V225 V226 V227 V228 V229 V230 V231 V232 V233 V234 V235 V236 V237
        V238 V239 V240 V241 V242 V243 V244 V245 V246 V247 V248 V249 V250 V251
        V252 V253 V254 V255 V256
    }

    #[test]
    fn an_enum_with_more_than_256_variants_takes_two_bytes() {
        assert_eq!((Wide::LAYOUT.size, Wide::LAYOUT.bits(), Wide::N_VALUES), (2, 9, 257));
        let mut image = [0; 2];
        Wide::V256.write_image(&mut image);
        assert_eq!(image, [0, 1]);
        assert_eq!(Wide::read_image(&image), Wide::V256);
    }
}

#[test]
fn the_attribute_can_be_named_by_its_path() {
    #[asset_core::model]
    mod lamp {
        #[derive(StateVar)]
        pub enum Light {
            Off,
            On,
        }

        #[state]
        pub struct State {
            light: Light,
        }

        #[transitions]
        pub enum Transition {
            Press,
        }

        pub fn fire_transition(s: &mut State, _: Transition) -> bool {
            s.light = if s.light == Light::Off { Light::On } else { Light::Off };
            true
        }
    }
    assert_eq!(explore(instance(lamp::model(), &[])), (2, 2));
}
