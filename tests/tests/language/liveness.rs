//! Propositions, formulas and fairness, as the macro makes them.

use crate::instance;
use asset_core::expand::Choice;
use asset_core::explorer::{Explorer, FairnessLevel};
use asset_core::model::{Atom, Fair, NeverWithout as Said};
use asset_core::prelude::*;

/// Customers who knock, wait and are served by one clerk; a door beside them.
#[model]
pub mod counter {
    #[param(1..=3)]
    pub const N: usize = 2;

    #[derive(StateVar)]
    pub enum At {
        Away,
        Waiting,
        Served,
    }

    #[state]
    pub struct State {
        at: [At; N],
        open: bool,
    }

    #[transitions]
    pub enum Transition {
        Knock(#[range(0..N)] usize),
        #[fair(weak)]
        Serve {
            #[range(0..N)]
            who: usize,
        },
        #[fair(strong, group = customer, by = 0)]
        Leave(#[range(0..N)] usize, bool),
        #[fair(weak, group = door)]
        Open,
        #[fair(weak, group = door)]
        Close,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Knock(i) => step(s, i, At::Away, At::Waiting),
            Transition::Serve { who } => {
                (0..N).all(|i| s.at[i] != At::Served) && step(s, who, At::Waiting, At::Served)
            }
            Transition::Leave(i, slams) => {
                if slams == s.open {
                    return false;
                }
                step(s, i, At::Served, At::Away)
            }
            Transition::Open => !std::mem::replace(&mut s.open, true),
            Transition::Close => std::mem::replace(&mut s.open, false),
        }
    }

    fn step(s: &mut State, i: usize, from: At, to: At) -> bool {
        let is_there = s.at[i] == from;
        s.at[i] = to;
        is_there
    }

    /// Whether a customer waits.
    #[proposition]
    pub fn waiting(s: &State, #[range(0..N)] i: usize) -> bool {
        s.at[i] == At::Waiting
    }

    #[proposition]
    fn served(s: &State, #[range(0..=2)] i: u8) -> bool {
        s.at.get(usize::from(i)).is_some_and(|at| *at == At::Served)
    }

    #[proposition]
    fn is_open(s: &State, really: bool) -> bool {
        s.open == really
    }

    /// Whoever waits is served.
    #[check(ltl)]
    pub const EVERYBODY_IS_SERVED: Ltl =
        ltl!(forall i in 0..N: G (waiting(i) -> F served(i as u8)));

    #[check(ltl)]
    const EVERY_SIGN: Ltl = ltl!(
        [] <> is_open(true) <-> !(X G F is_open(false) && false || true U !true)
            -> exists i in 1..=N: (F waiting(i - 1) W served(2) R is_open(true))
    );

    #[check(ltl)]
    const OF_NOBODY: Ltl = ltl!((forall i in N..N: waiting(i)) && !exists i in 3..2: served(i));

    /// Nobody knocks again and again without being served.
    #[check(never_without)]
    fn knocking_helps(t: Transition) -> NeverWithout {
        match t {
            Transition::Knock(0) => NeverWithout::WATCHED,
            Transition::Serve { who: 0 } => NeverWithout::REMEDY,
            _ => NeverWithout::OTHER,
        }
    }
}

#[test]
fn formulas_are_what_was_written() {
    let machine = instance(counter::model(), &[]);
    let propositions = machine.temporal().propositions;
    let told: Vec<(&str, &str, usize)> =
        propositions.iter().map(|p| (p.name, p.doc, p.parameters.len())).collect();
    assert_eq!(
        told,
        [("waiting", "Whether a customer waits.", 1), ("served", "", 1), ("is_open", "", 1)]
    );
    let values = |p: usize, i: usize| {
        let parameter = propositions[p].parameters[i];
        (parameter.name, parameter.least, parameter.largest)
    };
    assert_eq!([values(0, 0), values(1, 0)], [("i", 0, 1), ("i", 0, 2)]);
    assert_eq!(values(2, 0), ("really", 0, 1));
    let formula = |check: usize| {
        let mut names = Vec::new();
        let mut number = |index: usize, arguments: &[i64]| {
            names.push(format!("{}{arguments:?}", propositions[index].name));
            names.len() - 1
        };
        let formula = machine.formula(check, &mut number).unwrap()?;
        Some(formula.show(&|atom| names[atom].clone()))
    };
    let checks: Vec<&str> = machine.description().checks.iter().map(|check| check.name).collect();
    assert_eq!(checks, ["EVERYBODY_IS_SERVED", "EVERY_SIGN", "OF_NOBODY", "knocking_helps"]);
    assert_eq!(
        formula(0).unwrap(),
        "G (waiting[0] -> F served[0]) && G (waiting[1] -> F served[1])"
    );
    assert_eq!(
        formula(1).unwrap(),
        "G F is_open[1] <-> (!((X G F is_open[0] && false) || (true U !true)) -> \
         ((F waiting[0] W (served[2] R is_open[1])) || (F waiting[1] W (served[2] R is_open[1]))))"
    );
    assert_eq!((&*formula(2).unwrap(), formula(3)), ("true && !false", None));
}

#[test]
fn each_instance_has_its_own_formulas() {
    for (n, expected) in [("1", 1), ("3", 3)] {
        let machine = instance(counter::model(), &[("n", n)]);
        let mut n_waiting = 0;
        machine
            .formula(0, &mut |index, _| {
                n_waiting += usize::from(index == 0);
                0
            })
            .unwrap();
        assert_eq!(
            (n_waiting, machine.temporal().propositions[0].parameters[0].largest),
            (expected, expected as i128 - 1)
        );
    }
}

#[test]
fn propositions_are_asked_with_their_arguments() {
    let machine = instance(counter::model(), &[]);
    let start = &machine.initial_states().unwrap()[0];
    let knocked = machine.fire(start, 1).unwrap().unwrap();
    let asked = |index, argument| machine.proposition(&knocked, index, &[argument]).unwrap();
    assert_eq!([asked(0, 0), asked(0, 1), asked(1, 1)], [false, true, false]);
    assert_eq!([asked(2, 0), asked(2, 1)], [true, false]);
}

#[test]
fn it_is_known_at_which_bits_propositions_look() {
    let machine = instance(counter::model(), &[]);
    let bits = |atoms: &[(usize, i64)]| {
        let atom = |&(index, argument): &(usize, i64)| Atom::Proposition {
            index,
            arguments: vec![argument],
        };
        let atoms: Vec<Atom> = atoms.iter().map(atom).collect();
        machine.letter_bits(&atoms).map(|words| words[0])
    };
    // Two bits for each customer, one for the door. `get` may look at any of them.
    assert_eq!([bits(&[(0, 0)]), bits(&[(0, 1)]), bits(&[(2, 0)])], [Some(3), Some(12), Some(16)]);
    assert_eq!(
        [bits(&[(1, 0)]), bits(&[(0, 1), (2, 1)]), bits(&[])],
        [Some(15), Some(28), Some(0)]
    );
    // What a letter depends on is enough to tell it.
    let start = &machine.initial_states().unwrap()[0];
    let knocked = machine.fire(start, 1).unwrap().unwrap();
    let waiting = |i| Atom::Proposition { index: 0, arguments: vec![i] };
    let letter = |state| machine.letter(state, &[waiting(0), waiting(1)]).unwrap();
    assert_eq!([letter(start), letter(&knocked)], [0, 0b10]);
}

#[test]
fn a_fairness_condition_is_of_one_transition_or_of_a_group() {
    let machine = instance(counter::model(), &[]);
    let of: Vec<Option<Fair>> =
        (0..machine.n_transitions()).map(|t| machine.fairness(t).unwrap()).collect();
    let fair =
        |is_strong, group: Option<&str>| Some(Fair { is_strong, group: group.map(str::to_owned) });
    let leave = |i| fair(true, Some(if i == 0 { "customer(0)" } else { "customer(1)" }));
    let door = || fair(false, Some("door"));
    let each = || fair(false, None);
    let expected =
        [None, None, each(), each(), leave(0), leave(0), leave(1), leave(1), door(), door()];
    assert_eq!(of, expected);
}

#[test]
fn never_without_says_it_of_each_transition() {
    let machine = instance(counter::model(), &[]);
    let said = |t| machine.never_without(3, t).unwrap();
    assert_eq!([said(0), said(1), said(2)], [Said::WATCHED, Said::OTHER, Said::REMEDY]);
}

#[test]
fn fairness_decides() {
    let run = |level: Option<FairnessLevel>| {
        let explorer = Explorer::new(counter::model()).reduction(Choice::Full);
        let explorer = explorer.checks(["EVERYBODY_IS_SERVED"]);
        match level {
            Some(level) => explorer.fairness(level).run().unwrap(),
            None => explorer.run().unwrap(),
        }
    };
    // One who is served again and again keeps the other waiting, unless serving the other
    // is strongly fair.
    run(None).assert_violated("EVERYBODY_IS_SERVED");
    run(Some(FairnessLevel::None)).assert_violated("EVERYBODY_IS_SERVED");
    let alone = Explorer::new(counter::model()).param("n", "1").checks(["EVERYBODY_IS_SERVED"]);
    alone.run().unwrap().assert_holds();
    let alone = Explorer::new(counter::model()).param("n", "1").checks(["EVERYBODY_IS_SERVED"]);
    alone.fairness(FairnessLevel::None).run().unwrap().assert_violated("EVERYBODY_IS_SERVED");
}
