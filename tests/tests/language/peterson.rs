//! Peterson's algorithm as in the paper: parameters, ranges, rules and checks.

use crate::{explore, instance};
use asset_core::model::{TransitionEnum, TransitionNumber};
use asset_core::prelude::*;

/// Peterson's mutual exclusion for N customers.
#[model]
pub mod peterson {
    /// Number of customers.
    #[param(2..=3)]
    pub const N: usize = 3;

    /// Which of the paper's models.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// The paper's models.
    #[derive(PartialEq)]
    pub enum Variant {
        Questionable,
        Revealing,
        Correct,
        MutexViolating,
    }

    /// Where a customer is.
    #[derive(StateVar)]
    pub enum At {
        Idle,
        Gate,
        SetQ,
        SetTurn,
        Wait,
        Scan,
        Test,
        Critical,
        Stopped,
    }

    #[state]
    pub struct State {
        at: [At; N],
        #[range(0..N)]
        j: [u8; N],
        #[range(0..=N)]
        k: [u8; N],
        #[range(0..N)]
        q: [u8; N],
        #[range(0..N)]
        turn: [u8; N - 1],
    }

    #[transitions]
    pub enum Transition {
        Step(#[range(0..N)] usize),
        Stop(#[range(0..N)] usize),
    }

    use Transition::{Step, Stop};

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Stop(i) => {
                if VARIANT == Variant::Questionable || s.at[i] != At::Idle {
                    return false;
                }
                s.at[i] = At::Stopped;
                true
            }
            Step(i) => step(s, i),
        }
    }

    fn step(s: &mut State, i: usize) -> bool {
        let fixed = matches!(VARIANT, Variant::Correct | Variant::MutexViolating);
        let swapped = VARIANT == Variant::MutexViolating;
        let j = usize::from(s.j[i]);
        s.at[i] = match s.at[i] {
            At::Idle => {
                s.j[i] = 0;
                At::Gate
            }
            At::Gate if j >= N - 1 => At::Critical,
            At::Gate => At::SetQ,
            at @ (At::SetQ | At::SetTurn) => {
                if (at == At::SetQ) != swapped {
                    s.q[i] = s.j[i] + u8::from(fixed);
                } else {
                    s.turn[j] = i as u8;
                }
                if at == At::SetQ { At::SetTurn } else { At::Wait }
            }
            At::Wait if usize::from(s.turn[j]) != i => {
                s.j[i] += 1;
                At::Gate
            }
            At::Wait => {
                s.k[i] = 0;
                At::Scan
            }
            At::Scan if usize::from(s.k[i]) >= N => {
                s.j[i] += 1;
                At::Gate
            }
            At::Scan => At::Test,
            At::Test => {
                let k = usize::from(s.k[i]);
                let passed = if fixed { s.q[k] <= s.j[i] } else { s.q[k] < s.j[i] };
                if k == i || passed {
                    s.k[i] += 1;
                    At::Scan
                } else {
                    At::Wait
                }
            }
            At::Critical => {
                s.q[i] = 0;
                At::Idle
            }
            At::Stopped => return false,
        };
        true
    }

    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        let i = match t {
            Stop(i) => return need.add(Step(i)),
            Step(i) => i,
        };
        match s.at[i] {
            At::Idle => need.add(Stop(i)),
            At::Gate | At::Scan | At::Stopped => {}
            At::Wait if usize::from(s.turn[usize::from(s.j[i])]) != i => {}
            At::SetQ | At::SetTurn | At::Wait | At::Test | At::Critical => need.all(),
        }
    }

    /// At most one customer is in its critical section.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> Result<(), &'static str> {
        let n = s.at.iter().filter(|at| **at == At::Critical).count();
        if n > 1 { Err("two customers are in their critical sections") } else { Ok(()) }
    }

    #[check(may_progress)]
    pub fn customer_0_is_served(s: &State) -> bool {
        matches!(s.at[0], At::Critical | At::Stopped)
    }
}

#[test]
fn state_spaces_are_those_of_the_paper() {
    for (variant, n, states, edges) in [
        ("questionable", "2", 133, 266),
        ("questionable", "3", 38_038, 114_114),
        ("revealing", "2", 163, 326),
        ("revealing", "3", 43_675, 131_025),
        ("correct", "2", 574, 1148),
        ("correct", "3", 96_854, 290_562),
    ] {
        let machine = instance(peterson::model(), &[("variant", variant), ("n", n)]);
        assert_eq!(explore(machine), (states, edges), "{variant} {n}");
    }
}

#[test]
fn a_state_has_few_bits() {
    // 3 * (4 + 2 + 2 + 2) + 2 * 2
    assert_eq!((peterson::BITS_PER_STATE, peterson::WORDS_PER_STATE), (34, 1));
    let two = instance(peterson::model(), &[("n", "2")]);
    assert_eq!(two.layout().bits(), 2 * (4 + 1 + 2 + 1) + 1);
}

#[test]
fn the_family_lists_its_parameters() {
    let family = peterson::model();
    let params: Vec<_> = family.params.iter().map(|p| (p.name, p.doc, p.default)).collect();
    assert_eq!(
        params,
        [
            ("n", "Number of customers.", "3"),
            ("variant", "Which of the paper's models.", "correct")
        ]
    );
    assert_eq!(family.params[0].values, ["2", "3"]);
    assert_eq!(
        family.params[1].values,
        ["questionable", "revealing", "correct", "mutex-violating"]
    );
    assert_eq!(family.instances.len(), 8);
}

#[test]
fn transitions_are_numbered_in_order_of_declaration() {
    use peterson::Transition::{self, Step, Stop};
    assert_eq!(Transition::COUNT, 6);
    let all: Vec<Transition> = (0..6).map(Transition::from_number).collect();
    assert_eq!(all, [Step(0), Step(1), Step(2), Stop(0), Stop(1), Stop(2)]);
    assert!(all.iter().enumerate().all(|(i, t)| t.number() == i));
    assert_eq!(Stop(2).name(), "Stop(2)");
}

#[test]
fn checks_are_described() {
    let machine = instance(peterson::model(), &[]);
    let checks = machine.description().checks;
    assert_eq!(checks[0].name, "mutual_exclusion");
    assert_eq!(checks[0].doc, "At most one customer is in its critical section.");
    assert_eq!(checks[1].kind.name(), "may progress");
    assert!(machine.description().has_rules);
}
