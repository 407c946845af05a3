//! Names that generated items once had, given to things of the author's: each model says
//! what it says under other names. (That no generated name can be met at all is tested in
//! the macro's own crate.)

use asset_core::Family;
use asset_core::explorer::Explorer;
use asset_core::prelude::*;
use asset_core::verdict::Outcome;

/// The default instance's outcome.
fn run(family: Family) -> Outcome {
    Explorer::new(family).run().expect("a run")
}

/// The steps of the first violation.
fn steps(outcome: &Outcome) -> Vec<String> {
    let trace = &outcome.violations[0].trace;
    trace.steps.iter().filter_map(|step| step.transition.clone()).collect()
}

#[model]
mod starts {
    const START_1: usize = 3;

    #[state]
    pub struct State {
        #[range(0..9)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        A,
        B(#[range(0..START_1)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::A if s.n < 2 => s.n += 1,
            Transition::B(2) => s.n = 8,
            _ => return false,
        }
        true
    }

    #[check(state)]
    fn c(s: &State) -> bool {
        s.n < 5
    }
}

#[model]
mod starts_later {
    const START_0: usize = 1;

    #[state]
    pub struct State {
        #[range(0..9)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        A(#[range(START_0..3)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let Transition::A(i) = t;
        if s.n > 5 {
            return false;
        }
        s.n += if i == 0 { 3 } else { 2 };
        true
    }

    #[check(state)]
    fn c(s: &State) -> bool {
        s.n.is_multiple_of(2)
    }
}

#[model]
mod starts_in_data {
    const START_1: u8 = 5;

    #[derive(StateVar)]
    pub enum Data {
        No,
        Yes(#[range(0..START_1)] u8),
    }

    #[state]
    pub struct State {
        d: Data,
    }

    #[transitions]
    pub enum Transition {
        A,
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        s.d = match s.d {
            Data::No => Data::Yes(0),
            Data::Yes(k) if k < 4 => Data::Yes(k + 1),
            Data::Yes(_) => return false,
        };
        true
    }

    #[check(state)]
    fn c(s: &State) -> bool {
        s.d != Data::Yes(4)
    }
}

#[model]
mod init_named_add {
    #[state]
    pub struct State {
        #[range(0..9)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        A,
    }

    #[init]
    fn add(s: &mut State) {
        s.n = 7;
    }

    pub fn fire_transition(s: &mut State, _: Transition) -> bool {
        if s.n == 3 || s.n == 8 {
            return false;
        }
        s.n += 1;
        true
    }

    #[check(state)]
    fn c(s: &State) -> bool {
        s.n < 8
    }
}

#[test]
fn generated_names_capture_nothing() {
    let outcome = run(starts::model());
    outcome.assert_violated("c");
    assert_eq!(steps(&outcome), ["B(2)"]);
    run(starts_later::model()).assert_holds();
    let outcome = run(starts_in_data::model());
    outcome.assert_violated("c");
    assert_eq!(steps(&outcome).len(), 5);
    let outcome = run(init_named_add::model());
    outcome.assert_violated("c");
    assert_eq!(steps(&outcome), ["A"]);
}

/// Types with lengths, functions of every kind and methods by names that once were taken.
#[model]
mod taken {
    use super::surroundings::Number;

    const SIZE: usize = 2;
    const PARTS: usize = 2;
    const OFFSETS: usize = 3;

    #[derive(StateVar)]
    pub struct Part {
        value: [bool; SIZE],
    }

    #[derive(StateVar)]
    pub enum Data {
        Nothing,
        Some([Part; PARTS]),
    }

    #[state]
    pub struct State {
        data: Data,
        #[range(0..OFFSETS as u8)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Fill,
        Count(#[range(0..OFFSETS)] usize),
    }

    impl Transition {
        /// Not the generated one.
        pub fn name(self) -> u8 {
            match self {
                Transition::Fill => 1,
                Transition::Count(_) => 2,
            }
        }
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        // `number` is what stands outside and is imported.
        if t.name() == 1 {
            return f(s);
        }
        if t.number() != 40 || s.n == 2 {
            return false;
        }
        s.n += 1;
        true
    }

    fn f(s: &mut State) -> bool {
        if s.data != Data::Nothing {
            return false;
        }
        s.data = Data::Some([Part { value: [true; SIZE] }; PARTS]);
        true
    }

    #[check(state)]
    fn state(s: &State) -> bool {
        s.n < 3
    }

    #[check(state)]
    fn check(s: &State) -> Result<(), String> {
        if s.n < 3 { Ok(()) } else { Err(String::new()) }
    }

    #[check(deadlock)]
    fn on(s: &State) -> bool {
        s.n == 2 && s.data != Data::Nothing
    }

    #[check(may_progress)]
    fn transition(s: &State) -> bool {
        s.n == 2
    }

    #[stubborn]
    fn need(_: &State, t: Transition, need: &mut Obligations) {
        if let Transition::Count(_) = t {
            for i in 0..OFFSETS {
                need.add(Transition::Count(i));
            }
        }
    }

    #[progress]
    fn value(_: Transition) -> bool {
        true
    }

    #[display]
    fn message(s: &State) -> String {
        format!("{}", s.n)
    }
}

/// What stands outside of a model and must not be seen in it unless it is imported.
mod surroundings {
    /// A method that every type has.
    pub trait Number {
        /// Not the number of a transition.
        fn number(self) -> u8;
    }

    impl<T> Number for T {
        fn number(self) -> u8 {
            40
        }
    }
}

#[test]
fn names_that_were_taken_are_free() {
    let outcome = run(taken::model());
    outcome.assert_holds();
    let full = Explorer::new(taken::model()).reduction(asset_core::expand::Choice::Full);
    let full = full.run().expect("a run");
    full.assert_holds();
    assert_eq!((full.statistics.n_states, full.statistics.n_edges), (6, 15));
}

// The surroundings of the model below: whatever they are called, it does not see them.

type Result<T> = std::result::Result<T, u8>;

enum Option {
    Unknown,
}

fn lamp() -> Result<Option> {
    Ok(Option::Unknown)
}

/// Bits as numbers.
trait Bits {
    fn len(&self) -> usize;
}

impl<const K: usize> Bits for [bool; K] {
    fn len(&self) -> usize {
        self.iter().filter(|bit| **bit).count()
    }
}

/// A model with several instances among things of the names that it uses.
#[model]
mod lamp {
    #[param(2..=3)]
    pub const N: usize = 2;

    #[state]
    pub struct State {
        x: [bool; N],
        gone: bool,
    }

    #[transitions]
    pub enum Transition {
        A(#[range(0..N)] usize),
        Leave,
    }

    fn to_leave(s: &State) -> Option<bool> {
        (s.x.len() == N).then_some(s.gone)
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::A(i) => s.x[i] = true,
            Transition::Leave if to_leave(s) == Some(false) => s.gone = true,
            Transition::Leave => return false,
        }
        true
    }

    #[check(state)]
    fn all_before_they_leave(s: &State) -> Result<(), String> {
        if !s.gone || s.x == [true; N] { Ok(()) } else { Err("left".to_owned()) }
    }
}

#[test]
fn copies_see_what_the_default_instance_sees() {
    assert!(matches!(lamp(), Ok(Option::Unknown)));
    assert_eq!([true, false].len(), 1, "outside, the trait applies");
    for n in ["2", "3"] {
        let lamp = Explorer::new(lamp::model()).param("n", n).run().expect("a run");
        lamp.assert_violated("all_before_they_leave");
        assert_eq!(steps(&lamp), ["Leave"], "n = {n}");
    }
}

/// Its own constants of names that a model shows.
#[model]
mod widths {
    pub const BITS_PER_STATE: usize = 3;

    #[state]
    pub struct State {
        bits: [bool; BITS_PER_STATE],
    }

    #[transitions]
    pub enum Transition {
        Set(#[range(0..BITS_PER_STATE)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let Transition::Set(i) = t;
        !std::mem::replace(&mut s.bits[i], true)
    }

    #[check(state)]
    fn two_at_most(s: &State) -> bool {
        s.bits.iter().filter(|bit| **bit).count() < 3
    }
}

#[test]
fn a_model_may_have_its_own_width() {
    assert_eq!((widths::BITS_PER_STATE, widths::WORDS_PER_STATE), (3, 1));
    run(widths::model()).assert_violated("two_at_most");
}
