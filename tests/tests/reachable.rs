//! What is to be reachable: found, not found, and not known; in full and with stubborn sets.

use asset_core::audit::{AuditOptions, AuditVerdict, Flaw};
use asset_core::expand::{Choice, Order};
use asset_core::explorer::Explorer;
use asset_core::prelude::*;
use asset_core::trace::{Trace, TraceFile};
use asset_core::verdict::{CheckOutcome, Outcome, Verdict};
use asset_tests::differential::Ruled;
use asset_tests::random::{RULE_KINDS, Random};
use asset_tests::square::assert_real;
use asset_tests::table::{STATE_CHECK, family};

/// An election in which nobody is ever elected: each votes for itself.
#[model]
pub mod dead_election {
    /// Number of voters.
    #[param(3, 5)]
    pub const N: usize = 3;

    /// Whether somebody may vote for another one.
    #[param]
    pub const GIVES_WAY: bool = false;

    #[derive(StateVar)]
    pub enum Role {
        Follower,
        Candidate,
        Leader,
    }

    #[state]
    pub struct State {
        role: [Role; N],
        voted: [bool; N],
        #[range(0..=N)]
        votes: [u8; N],
    }

    #[transitions]
    pub enum Transition {
        Stand(#[range(0..N)] usize),
        Vote(#[range(0..N)] usize, #[range(0..N)] usize),
        Win(#[range(0..N)] usize),
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Stand(i) => {
                if s.role[i] != Role::Follower || s.voted[i] {
                    return false;
                }
                s.role[i] = Role::Candidate;
                s.voted[i] = true;
                s.votes[i] = 1;
            }
            Transition::Vote(i, j) => {
                let may_vote = !s.voted[i] && (GIVES_WAY || i == j);
                if !may_vote || s.role[j] != Role::Candidate {
                    return false;
                }
                s.voted[i] = true;
                s.votes[j] += 1;
            }
            Transition::Win(i) => {
                if s.role[i] != Role::Candidate || (s.votes[i] as usize) <= N / 2 {
                    return false;
                }
                s.role[i] = Role::Leader;
            }
        }
        true
    }

    #[check(state)]
    pub fn one_leader(s: &State) -> bool {
        s.role.iter().filter(|&&role| role == Role::Leader).count() <= 1
    }

    /// Somebody can be elected at all.
    #[check(reachable)]
    pub fn a_leader(s: &State) -> bool {
        s.role.contains(&Role::Leader)
    }

    /// Two can stand.
    #[check(reachable)]
    pub fn two_candidates(s: &State) -> bool {
        s.role.iter().filter(|&&role| role == Role::Candidate).count() == 2
    }

    #[check(may_progress)]
    pub fn may_be_elected(s: &State) -> bool {
        s.role.contains(&Role::Leader)
    }
}

fn election(gives_way: bool) -> Explorer<'static> {
    Explorer::new(dead_election::model()).param("gives-way", gives_way)
}

fn outcome_of<'o>(outcome: &'o Outcome, check: &str) -> &'o CheckOutcome {
    &outcome.checks.iter().find(|c| c.name == check).expect("a check").outcome
}

#[test]
fn the_dead_election_is_caught_by_reachable_and_holds_vacuously() {
    let outcome = election(false).run().unwrap();
    outcome.assert_violated("a_leader");
    assert_eq!(outcome.verdict.exit_code(), 1);
    // There is nothing to show, and everything else was decided.
    assert!(outcome.violations.is_empty());
    assert_eq!(*outcome_of(&outcome, "one_leader"), CheckOutcome::Holds);
    assert_eq!(*outcome_of(&outcome, "two_candidates"), CheckOutcome::Holds);
    let may = outcome_of(&outcome, "may_be_elected");
    assert_eq!(may.name(), "holds vacuously");
    assert_eq!(outcome.witnesses.len(), 1);

    // Without the check of what is to be reachable it passes, if that is not denied.
    let explorer = || election(false).checks(["one_leader", "may_be_elected"]);
    assert_eq!(explorer().run().unwrap().verdict, Verdict::Holds);
    let denied = explorer().deny_vacuous(true).run().unwrap();
    assert_eq!(denied.verdict.exit_code(), 3);
    let Verdict::Inconclusive(why) = denied.verdict else { panic!() };
    assert!(why.starts_with("may_be_elected holds vacuously: no reachable state"), "{why}");
}

#[test]
fn the_election_that_works_has_witnesses() {
    for n in [3, 5] {
        let outcome = election(true).param("n", n).deny_vacuous(true).run().unwrap();
        outcome.assert_holds();
        assert_eq!(*outcome_of(&outcome, "may_be_elected"), CheckOutcome::Holds);
        let names: Vec<_> = outcome.witnesses.iter().map(|w| &*w.check).collect();
        assert_eq!(names, ["two_candidates", "a_leader"], "in the order found");
        let lengths: Vec<_> = outcome.witnesses.iter().map(|w| w.trace.steps.len() - 1).collect();
        // One stands, a majority votes for it, and it wins.
        assert_eq!(lengths, [2, 1 + n / 2 + 1], "the shortest ways");
    }
}

#[test]
fn a_search_for_goals_alone_ends_at_the_last_of_them() {
    let all = election(true).run().unwrap().statistics.n_states;
    let outcome = election(true).checks(["a_leader", "two_candidates"]).run().unwrap();
    outcome.assert_holds();
    assert!(outcome.statistics.n_states < all);
    assert_eq!(
        outcome.guarantee,
        "the way to every state that was to be reached was replayed \
        through the model"
    );
    // One that cannot be reached takes the whole space.
    let outcome = election(false).checks(["a_leader"]).run().unwrap();
    outcome.assert_violated("a_leader");
    assert_eq!(
        outcome.guarantee,
        "every reachable state was visited and every enabled \
        transition fired"
    );
}

#[test]
fn a_run_that_was_cut_short_knows_what_it_found() {
    let outcome = election(true).max_states(12).run().unwrap();
    assert_eq!(outcome.statistics.n_states, 12, "the limit is kept to the state");
    assert_eq!(*outcome_of(&outcome, "two_candidates"), CheckOutcome::Holds);
    let leader = outcome_of(&outcome, "a_leader");
    assert_eq!(leader.reason(), Some("the limit of 12 states was reached"));
    assert_eq!(leader.name(), "inconclusive");
    assert_eq!(outcome.verdict.exit_code(), 3);
}

#[test]
fn a_witness_is_written_down_and_replayed() {
    let model = dead_election::model();
    let outcome = election(true).run().unwrap();
    let witness = &outcome.witnesses[1];
    let text = TraceFile::witness_text(outcome.model, &outcome.params, witness);
    let file = TraceFile::parse(&text).unwrap();
    assert_eq!((&*file.kind, &*file.check), ("reachable", "a_leader"));
    let machine = model.instance(&file.params).unwrap().machine;
    assert_eq!(Trace::new(&file.replay(machine).unwrap(), machine), witness.trace);
    // The file of another check's witness does not end where a leader is.
    let other = TraceFile::witness_text(outcome.model, &outcome.params, &outcome.witnesses[0]);
    let file = TraceFile::parse(&other.replace("two_candidates", "a_leader")).unwrap();
    let said = file.replay(machine).unwrap_err().0;
    assert_eq!(said, "the model has changed: a_leader is not satisfied in the last state now");
}

/// A lamp that blinks for ever, and a door that can be opened at any time.
#[model]
pub mod put_off {
    #[state]
    pub struct State {
        on: bool,
        open: bool,
    }

    #[transitions]
    pub enum Transition {
        Open,
        Blink,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Open if s.open => return false,
            Transition::Open => s.open = true,
            Transition::Blink => s.on = !s.on,
        }
        true
    }

    /// Right for deadlocks: the two have nothing to do with each other.
    #[stubborn]
    pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}

    #[check(reachable)]
    pub fn is_open(s: &State) -> bool {
        s.open
    }

    #[check(reachable)]
    pub fn is_dark_and_open(s: &State) -> bool {
        s.open && !s.on
    }
}

#[test]
fn what_reduction_puts_off_is_not_called_unreachable() {
    let run = |choice| Explorer::new(put_off::model()).reduction(choice).run().unwrap();
    run(Choice::Full).assert_holds();
    // Only the lamp is fired: nothing is known of the door.
    let reduced = run(Choice::Stubborn);
    assert!(matches!(reduced.verdict, Verdict::Inconclusive(_)), "{reduced}");
    assert_eq!(*outcome_of(&reduced, "always_may_terminating"), CheckOutcome::Violated);
    // What is found is real whatever the rules, and then nothing rests on termination.
    let explorer = Explorer::new(put_off::model()).order(Order::Forward).checks(["is_open"]);
    let found = explorer.run().unwrap();
    found.assert_holds();
    assert_eq!(outcome_of(&found, "always_may_terminating").name(), "off");
}

/// Two counters of one step each; rules that do not know what is to be reachable.
#[model]
pub mod two_steps {
    #[state]
    pub struct State {
        a: bool,
        b: bool,
    }

    #[transitions]
    pub enum Transition {
        A,
        B,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        let done = match t {
            Transition::A => &mut s.a,
            Transition::B => &mut s.b,
        };
        !std::mem::replace(done, true)
    }

    #[stubborn]
    pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}

    /// Found only if A is fired first.
    #[check(reachable)]
    pub fn only_a(s: &State) -> bool {
        s.a && !s.b
    }
}

#[test]
fn an_audit_judges_rules_by_what_is_to_be_reachable() {
    let outcome = Explorer::new(two_steps::model()).run().unwrap();
    outcome.assert_violated("only_a");
    assert!(outcome.guarantee.starts_with("provided the rules are right"), "which they are not");
    Explorer::new(two_steps::model()).reduction(Choice::Full).run().unwrap().assert_holds();
    let report = Explorer::new(two_steps::model()).audit(AuditOptions::default()).unwrap();
    let AuditVerdict::WrongRule(square) = report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!(square.flaw, Flaw::HidesCheck(0));
    assert_eq!(square.missing, "`B` in this state must oblige `A`");
    assert_eq!(square.expected, "only_a, satisfied after A, is so also if B is fired before it");
    assert_eq!(square.happened, "B hides that it is reachable: only_a is not satisfied after both");
    assert_real(two_steps::model().instances[0].machine, &square);
}

#[test]
fn random_models_agree_with_the_oracle() {
    let (mut n_found, mut n_not, mut n_unknown) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(11_000_000 + seed);
        let ruled = Ruled::random(&mut random, RULE_KINDS[seed as usize % 3], 0);
        let nearest = ruled.graph.nearest(&ruled.graph.bad(&ruled.machine, STATE_CHECK));
        let terminates = ruled.graph.always_may_terminate();
        let family = family(ruled.machine.table.clone().machine().seeking());
        for (choice, order) in [
            (Choice::Full, Order::Backward),
            (Choice::Full, Order::Forward),
            (Choice::Stubborn, Order::Backward),
            (Choice::Stubborn, Order::Forward),
        ] {
            let explorer = Explorer::new(family).reduction(choice).order(order);
            let outcome = explorer.checks(["bad"]).run().expect("no model error");
            match &outcome.verdict {
                Verdict::Holds => {
                    let found = outcome.witnesses[0].trace.steps.len() - 1;
                    let nearest = nearest.expect("a state that is found can be reached");
                    assert!(found == nearest || choice == Choice::Stubborn && found > nearest);
                    n_found += 1;
                }
                Verdict::Violated => {
                    assert_eq!((nearest, outcome.witnesses.len()), (None, 0), "seed {seed}");
                    n_not += 1;
                }
                Verdict::Inconclusive(why) => {
                    assert!(choice == Choice::Stubborn && !terminates, "seed {seed}: {why}");
                    n_unknown += 1;
                }
            }
        }
    }
    assert!(n_found > 1000 && n_not > 500 && n_unknown > 50, "{n_found} {n_not} {n_unknown}");
}
