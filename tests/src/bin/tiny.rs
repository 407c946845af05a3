//! The command lines of tiny models, for tests: the first argument names one.
//! Most break the contract of a model in one way.

use asset_core::Family;
use asset_core::prelude::*;
use std::process::ExitCode;

/// Counts up to three and then breaks its contract.
#[model]
pub mod faulty {
    /// What goes wrong, and where.
    #[param]
    pub const FAULT: Fault = Fault::None;

    /// What goes wrong, and where.
    pub enum Fault {
        /// Nothing: the model counts on to five.
        None,
        /// The counter leaves its range.
        Range,
        /// The initial state is out of range.
        InitRange,
        /// Firing panics.
        Fire,
        /// Making the initial state panics.
        Init,
        /// A rule panics.
        Rule,
        /// The state check panics.
        State,
        /// The deadlock check panics.
        Deadlock,
        /// The may progress check panics.
        May,
        /// The must progress check panics.
        Must,
        /// Printing a state panics.
        Display,
        /// There is no initial state.
        NoInit,
        /// An index is out of bounds.
        Index,
        /// A progress label panics.
        Label,
        /// Firing panics, and so does printing the state in which it does.
        FireAndDisplay,
    }

    fn is(fault: Fault) -> bool {
        std::mem::discriminant(&FAULT) == std::mem::discriminant(&fault)
    }

    fn breaks(s: &State, fault: Fault) {
        if is(fault) && s.n == 3 {
            panic!("three is too much");
        }
    }

    #[state]
    pub struct State {
        #[range(0..=5)]
        n: u8,
        other: bool,
    }

    #[transitions]
    pub enum Transition {
        Up,
        Flip,
    }

    #[init]
    pub fn starts() -> Vec<State> {
        if is(Fault::Init) {
            panic!("no start");
        }
        let n = if is(Fault::InitRange) { 6 } else { 0 };
        let count = usize::from(!is(Fault::NoInit));
        vec![State { n, other: false }; count]
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Up if s.n < 5 => {
                breaks(s, Fault::Fire);
                breaks(s, Fault::FireAndDisplay);
                if is(Fault::Index) {
                    s.n = [1, 2, 3][usize::from(s.n)];
                } else if is(Fault::Range) && s.n == 3 {
                    s.n = 200;
                } else {
                    s.n += 1;
                }
            }
            Transition::Flip if !s.other => s.other = true,
            _ => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(s: &State, _: Transition, _: &mut Obligations) {
        breaks(s, Fault::Rule);
    }

    #[check(state)]
    pub fn state_check(s: &State) -> bool {
        breaks(s, Fault::State);
        true
    }

    #[check(deadlock)]
    pub fn deadlock_check(_: &State) -> bool {
        if is(Fault::Deadlock) {
            panic!("the end is too much");
        }
        true
    }

    #[check(may_progress)]
    pub fn may_check(s: &State) -> bool {
        breaks(s, Fault::May);
        s.n == 5
    }

    #[check(must_progress)]
    pub fn must_check(s: &State) -> bool {
        breaks(s, Fault::Must);
        s.n == 5
    }

    #[progress]
    pub fn label(t: Transition) -> bool {
        if is(Fault::Label) {
            panic!("no label");
        }
        matches!(t, Transition::Up)
    }

    #[display]
    pub fn line(s: &State) -> String {
        breaks(s, Fault::Display);
        assert!(!is(Fault::FireAndDisplay) || s.n != 3, "not to be shown");
        format!("{} {}", s.n, if s.other { "other" } else { "-" })
    }
}

/// Counts up to nine; everything above six is forbidden.
#[model]
pub mod many {
    #[state]
    pub struct State {
        #[range(0..=9)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Up,
        Stay,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Up if s.n < 9 => s.n += 1,
            Transition::Stay if s.n == 9 => {}
            _ => return false,
        }
        true
    }

    #[check(state)]
    pub fn small(s: &State) -> bool {
        s.n <= 6
    }

    #[check(state)]
    pub fn fits(s: &State) -> bool {
        s.n < 100
    }

    #[check(may_progress)]
    pub fn back_to_zero(s: &State) -> bool {
        s.n == 0
    }

    #[check(must_progress)]
    pub fn on_to_nine(s: &State) -> bool {
        s.n == 9
    }
}

/// A lamp without checks.
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

/// Changes the state and then says that it did not.
#[model]
pub mod sloppy {
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
            Transition::Press => s.on = true,
        }
        false
    }

    #[check(state)]
    pub fn fine(_: &State) -> bool {
        true
    }
}

/// A parameter has the name of an option.
#[model]
pub mod clash {
    #[param(1..=2)]
    pub const MAX_NODES: usize = 1;

    #[state]
    pub struct State {
        on: bool,
    }

    #[transitions]
    pub const TRANSITIONS: usize = MAX_NODES;

    pub fn fire_transition(_: &mut State, _: usize) -> bool {
        false
    }
}

/// Not all that it does is understood.
#[model]
pub mod opaque {
    #[state]
    pub struct State {
        at: [u8; 2],
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Step(#[range(0..2)] usize),
        Reset,
        Plain,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) => {
                let is_low = |state: &State| state.at[i] < 1;
                let fires = is_low(s);
                s.at[i] |= 1;
                fires
            }
            Transition::Reset => reset(s),
            Transition::Plain => s.n == 1,
        }
    }

    fn reset(s: &mut State) -> bool {
        let is_set = s.at != [0; 2];
        *s = State { n: 0, ..*s };
        is_set
    }

    #[stubborn]
    pub fn obligations(s: &State, _: Transition, need: &mut Obligations) {
        if s.is_low() {
            need.all();
        }
    }

    impl State {
        fn is_low(&self) -> bool {
            self.n == 0
        }
    }

    #[check(state)]
    pub fn is_known(s: &State) -> bool {
        s.n < 5
    }

    #[check(state)]
    pub fn is_unknown(s: &State) -> bool {
        let State { n, .. } = s;
        *n < 5
    }

    #[check(deadlock)]
    pub fn ends(s: &State) -> bool {
        s.is_low()
    }
}

fn main() -> ExitCode {
    let families: [Family; 6] = [
        faulty::model(),
        many::model(),
        lamp::model(),
        sloppy::model(),
        clash::model(),
        opaque::model(),
    ];
    let mut arguments: Vec<_> = std::env::args_os().collect();
    let name = if arguments.len() > 1 { arguments.remove(1) } else { Default::default() };
    match families.into_iter().find(|family| name == family.name) {
        Some(family) => asset_core::cli::run(family, arguments),
        None => panic!("no tiny model is called {}", name.display()),
    }
}
