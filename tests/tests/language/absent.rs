//! Transitions that do not exist for some parameters of the model: variants with a
//! condition, and parameters without values.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::Explorer;
use asset_core::prelude::*;

#[model]
pub mod post {
    #[param]
    pub const LOSSY: bool = true;

    #[param(1..=3)]
    pub const N: usize = 2;

    /// What the rules name besides: nothing, a parameter that is too large.
    #[param(0, 7)]
    pub const WRONG: usize = 0;

    #[state]
    pub struct State {
        #[range(0..4)]
        n: u8,
    }

    #[transitions]
    pub enum Transition {
        Send(#[range(1..N)] usize),
        #[only_if(LOSSY && N < 3)]
        Lose {
            #[range(0..2)]
            k: usize,
            all: bool,
        },
        Pair(#[range(1..N)] usize, #[range(0..N)] usize),
        #[only_if(N > 1)]
        Stop,
        Get,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Send(i) if s.n < 3 => s.n = (s.n + i as u8).min(3),
            Transition::Lose { .. } if s.n > 0 => s.n = 0,
            Transition::Pair(..) if s.n == 1 => s.n = 3,
            Transition::Get if s.n == 3 => s.n = 1,
            Transition::Stop if s.n == 2 => s.n = 3,
            _ => return false,
        }
        true
    }

    #[stubborn]
    pub fn obligations(_: &State, t: Transition, need: &mut Obligations) {
        // Passed over where there is no such transition.
        need.add(Transition::Lose { k: 1, all: true });
        need.add(Transition::Stop);
        if WRONG != 0 && t == Transition::Get {
            need.add(Transition::Pair(1, WRONG));
        }
        need.all();
    }

    #[check(state)]
    pub fn small(s: &State) -> bool {
        s.n < 4
    }
}

fn names(family: &Family, n: usize, lossy: bool) -> Vec<String> {
    let values = [("n", n.to_string()), ("lossy", lossy.to_string())];
    let values = values.map(|(name, value)| (name.to_owned(), value));
    let machine = family.instance(&values).expect("an instance").machine;
    (0..machine.n_transitions()).map(|t| machine.transition_name(t)).collect()
}

#[test]
fn what_does_not_exist_has_no_number() {
    let family = post::model();
    let lose = ["Lose(0, no)", "Lose(0, yes)", "Lose(1, no)", "Lose(1, yes)"];
    let short = |names: Vec<String>| -> Vec<String> {
        // However the names of parameters are shown.
        names.into_iter().map(|name| name.replace("k ", "").replace("all ", "")).collect()
    };
    assert_eq!(names(&family, 1, false), ["Get"]);
    assert_eq!(short(names(&family, 1, true)), [&lose[..], &["Get"]].concat());
    assert_eq!(names(&family, 2, false), ["Send(1)", "Pair(1, 0)", "Pair(1, 1)", "Stop", "Get"]);
    let rest = ["Pair(1, 0)", "Pair(1, 1)", "Stop", "Get"];
    assert_eq!(short(names(&family, 2, true)), [&["Send(1)"], &lose[..], &rest].concat());
    assert_eq!(names(&family, 3, true), names(&family, 3, false));
    assert_eq!(names(&family, 3, true).len(), 10);
}

#[test]
fn numbers_lead_there_and_back() {
    use asset_core::model::{NoTransition, TransitionEnum, TransitionNumber};
    use post::Transition;
    assert_eq!(Transition::COUNT, 9);
    assert!((0..9).all(|t| Transition::from_number(t).number() == t));
    assert!(matches!(Transition::Send(2).find(), Err(NoTransition::OutOfRange(_))));
}

#[test]
fn rules_may_name_what_does_not_exist() {
    for (n, lossy) in [(1, true), (1, false), (2, true), (2, false), (3, true), (3, false)] {
        let explorer =
            || Explorer::new(post::model()).param("n", n).param("lossy", lossy.to_string());
        let reduced = explorer().reduction(Choice::Stubborn).run().expect("a run").statistics;
        let full = explorer().reduction(Choice::Full).run().expect("a run").statistics;
        // The rules oblige everything.
        assert_eq!((reduced.n_states, reduced.n_edges), (full.n_states, full.n_edges));
    }
}

#[test]
fn an_obligation_out_of_its_range_names_the_rule_and_the_transition_and_the_number() {
    for (n, sentence) in [
        (1, "obliges Pair(1, 7), but its parameter number 1 cannot be 1: its range is empty"),
        (2, "obliges Pair(1, 7), but its parameter number 2 cannot be 7: its range is 0..=1"),
    ] {
        let run = Explorer::new(post::model()).param("n", n).param("wrong", 7);
        let error = run.reduction(Choice::Stubborn).run().expect_err("a model error");
        let text = error.to_string();
        assert!(text.contains(&format!("the rule of Get: it {sentence}")), "{text}");
    }
}
