//! The rules of Peterson's algorithm, as published and with mistakes put in.
//!
//! A mistake may be harmless in a variant, because what the rule guards against
//! cannot happen there. With two customers, `Questionable` and `Revealing` only
//! ever write 0 into `q`, so that `SetQ`, `Test` and `Critical` touch nothing
//! that others see; and in `Questionable` nobody stops.

use asset_core::Family;
use asset_core::audit::{AuditOptions, AuditReport, AuditVerdict, Flaw};
use asset_core::expand::{Choice, Order};
use asset_core::explorer::Explorer;
use asset_core::machine::Machine;
use asset_core::model::{CheckSet, Obligations, Shown};
use asset_core::search::Watch;
use asset_core::verdict::CheckOutcome;
use asset_tests::oracle::Graph;
use asset_tests::rules::OtherRules;
use asset_tests::square::{assert_real, assert_real_of};
use asset_tests::table::family;

const VARIANTS: [&str; 4] = ["questionable", "revealing", "correct", "mutex-violating"];

/// A change of the published rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutation {
    /// A customer at this place obliges nothing. At `Wait` this is the
    /// published rule without its condition.
    Drop(&'static str),
    /// `Stop` obliges nothing.
    DropStop,
    /// A waiting customer obliges everything iff it may pass.
    WaitInverted,
    /// A waiting customer obliges everything, also if it may pass.
    WaitAlways,
    /// Where everything is obliged, only the steps are.
    StepsOnly,
}

/// What a reduced run with these rules gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// The rules are right.
    Right,
    /// The rules are wrong, but no run shows it.
    Luck,
    /// So many terminal states are found; no verdict changes.
    Terminal(u64),
    /// A verdict is wrong.
    Verdict,
}

use Effect::{Luck, Right, Terminal, Verdict};

/// For each mutation, its effect on each variant with two customers.
const MUTATIONS: [(Mutation, [Effect; 4]); 10] = [
    (Mutation::Drop("SetQ"), [Right, Right, Terminal(6), Verdict]),
    (Mutation::Drop("SetTurn"), [Luck, Luck, Luck, Luck]),
    (Mutation::Drop("Wait"), [Luck, Luck, Terminal(7), Luck]),
    (Mutation::Drop("Test"), [Right, Right, Luck, Luck]),
    (Mutation::Drop("Critical"), [Right, Right, Luck, Verdict]),
    (Mutation::Drop("Idle"), [Right, Terminal(0), Verdict, Verdict]),
    (Mutation::DropStop, [Right, Verdict, Terminal(1), Verdict]),
    (Mutation::WaitInverted, [Luck, Luck, Terminal(7), Luck]),
    (Mutation::WaitAlways, [Right, Right, Right, Right]),
    (Mutation::StepsOnly, [Right, Right, Right, Right]),
];

fn instance(n: usize, variant: &str) -> &'static dyn Machine {
    let chosen = [("n".to_owned(), n.to_string()), ("variant".to_owned(), variant.to_owned())];
    models::peterson::model().instance(&chosen).expect("a compiled instance").machine
}

/// A field of an array variable.
fn field<'s>(state: &'s Shown, name: &str, i: usize) -> &'s Shown {
    let Shown::Record(fields) = state else { panic!("a state is a record") };
    let found = fields.iter().find(|(field, _)| *field == name);
    let Some((_, Shown::List(list))) = found else { panic!("{name} is an array") };
    &list[i]
}

fn number(shown: &Shown) -> usize {
    let Shown::Int(x) = shown else { panic!("a number") };
    *x as usize
}

fn mutated(n: usize, variant: &str, mutation: Mutation) -> Family {
    let inner = instance(n, variant);
    let rules = move |state: &[u64], t: usize, need: &mut Obligations| {
        let i = t % n;
        let is_stop = t >= n;
        let shown = inner.show(state);
        let Shown::Name(at) = *field(&shown, "at", i) else { panic!("a place") };
        let may_pass = || number(field(&shown, "turn", number(field(&shown, "j", i)))) != i;
        match mutation {
            Mutation::Drop(place) if !is_stop && at == place => {}
            Mutation::DropStop if is_stop => {}
            Mutation::WaitAlways if !is_stop && at == "Wait" => need.all(),
            Mutation::WaitInverted if !is_stop && at == "Wait" => {
                if may_pass() {
                    need.all();
                }
            }
            Mutation::StepsOnly => {
                let mut published = Obligations::new();
                inner.obligations(state, t, &mut published).unwrap();
                let list = published.take(2 * n);
                let is_all = list.len() == 2 * n;
                list.into_iter().filter(|&u| !is_all || u < n).for_each(|u| need.add(u));
            }
            _ => inner.obligations(state, t, need).unwrap(),
        }
    };
    family(OtherRules { inner, rules })
}

/// What a reduced run gets wrong.
fn effect(family: Family, graph: &Graph, order: Order) -> Effect {
    let run = |choice, check| {
        let explorer = Explorer::new(family).reduction(choice).order(order).checks([check]);
        explorer.run().expect("no model error")
    };
    let mut effect = Luck;
    for (i, check) in ["mutual_exclusion", "customer_0_is_served"].into_iter().enumerate() {
        let (full, reduced) = (run(Choice::Full, check), run(Choice::Stubborn, check));
        let claims = [
            (&reduced.checks[i].outcome, full.checks[i].outcome == CheckOutcome::Holds),
            (&reduced.checks[2].outcome, graph.always_may_terminate()),
        ];
        let is_wrong = |(said, holds): &(&CheckOutcome, bool)| match said {
            CheckOutcome::Holds => !holds,
            CheckOutcome::Violated => *holds,
            _ => false,
        };
        if claims.iter().any(is_wrong) {
            return Verdict;
        }
        // The second check never ends the exploration.
        if i == 1 && reduced.statistics.n_terminal != full.statistics.n_terminal {
            effect = Terminal(reduced.statistics.n_terminal);
        }
    }
    effect
}

fn audit(family: Family, options: AuditOptions) -> AuditReport {
    Explorer::new(family).audit(options).expect("no model error")
}

#[test]
fn the_published_rules_are_right_for_two_customers() {
    for (variant, n_states) in VARIANTS.into_iter().zip([133, 163, 574, 788]) {
        let explorer = Explorer::new(models::peterson::model()).param("n", 2);
        let report = explorer.param("variant", variant).audit(AuditOptions::default());
        let report = report.expect("no model error");
        assert!(matches!(report.verdict, AuditVerdict::NoFault), "{:?}", report.verdict);
        assert_eq!((report.coverage.n_states, report.coverage.n_cut_off), (n_states, 0));
        assert!(report.coverage.n_reducing > 100);
    }
}

#[test]
fn no_fault_is_found_for_three_customers() {
    for variant in VARIANTS {
        let explorer = Explorer::new(models::peterson::model()).param("n", 3);
        let options = AuditOptions { n_samples: 1000, max_r: 20_000, ..AuditOptions::default() };
        let report = explorer.param("variant", variant).audit(options).expect("no model error");
        assert!(matches!(report.verdict, AuditVerdict::NoFaultFound(_)), "{:?}", report.verdict);
        assert_eq!((report.coverage.n_states, report.coverage.n_cut_off), (1000, 0));
        assert!(report.coverage.n_reducing > 500);
    }
}

#[test]
fn the_audit_finds_every_mutation_that_is_wrong() {
    for (mutation, effects) in MUTATIONS {
        for (variant, expected) in VARIANTS.into_iter().zip(effects) {
            let family = mutated(2, variant, mutation);
            let machine = family.instances[0].machine;
            let graph = Graph::explore(machine, 1000).expect("a small model");
            let what = format!("{mutation:?} of {variant}");
            let is_wrong = match audit(family, AuditOptions::default()).verdict {
                AuditVerdict::NoFault => false,
                AuditVerdict::WrongRule(square) => {
                    assert_real(machine, &square);
                    true
                }
                other => panic!("{what}: {other:?}"),
            };
            assert_eq!(is_wrong, expected != Right, "{what}");
            for order in [Order::Backward, Order::Forward] {
                let found = effect(family, &graph, order);
                let expected = if expected == Right { Luck } else { expected };
                assert_eq!(found, expected, "{what}, {order:?}");
            }
        }
    }
}

#[test]
fn samples_find_the_same_mutations_with_three_customers() {
    // In this variant the same rules are wrong as with two.
    for (mutation, effects) in MUTATIONS {
        let family = mutated(3, "correct", mutation);
        let report = audit(family, AuditOptions { max_r: 20_000, ..AuditOptions::default() });
        match report.verdict {
            AuditVerdict::WrongRule(square) => {
                assert_real(family.instances[0].machine, &square);
                assert_ne!(effects[2], Right, "{mutation:?}");
            }
            AuditVerdict::NoFaultFound(_) => assert_eq!(effects[2], Right, "{mutation:?}"),
            other => panic!("{mutation:?}: {other:?}"),
        }
    }
}

#[test]
fn the_missing_obligation_is_named() {
    let missing =
        |mutation| match audit(mutated(2, "correct", mutation), AuditOptions::default()).verdict {
            AuditVerdict::WrongRule(square) => square,
            other => panic!("{other:?}"),
        };
    let square = missing(Mutation::Drop("SetQ"));
    assert_eq!(square.missing, "`Step(0)` in this state must oblige `Step(1)`");
    assert_eq!(square.path[0].line.as_deref(), Some("0Q00 0A01 1"));
    assert_eq!(
        (square.path.len(), square.set, square.obliged.len()),
        (1, vec!["Step(0)".to_owned()], 0)
    );
    let square = missing(Mutation::Drop("Idle"));
    assert_eq!(square.missing, "`Step(1)` in this state must oblige `Stop(1)`");
    assert_eq!(square.happened, "Stop(1) disables Step(1)");
    let square = missing(Mutation::DropStop);
    assert_eq!(square.missing, "`Stop(1)` in this state must oblige `Step(1)`");
}

#[test]
fn a_rule_that_hides_a_failure_is_wrong() {
    // A customer that leaves the critical section ends a violation that the
    // other is about to make.
    let inner = instance(2, "mutex-violating");
    let rules = move |state: &[u64], t: usize, need: &mut Obligations| {
        let shown = inner.show(state);
        let place = |i: usize| match field(&shown, "at", i) {
            Shown::Name(at) => *at,
            _ => panic!("a place"),
        };
        // Nobody looks at `q` before the other has passed the gate.
        let unseen = ["Gate", "Stopped"].contains(&place(1 - t % 2))
            && number(field(&shown, "j", 1 - t % 2)) == 1;
        match place(t % 2) {
            "Critical" if t < 2 && unseen => {}
            _ => inner.obligations(state, t, need).unwrap(),
        }
    };
    let family = family(OtherRules { inner, rules });
    let square = |state_checks| {
        let options = AuditOptions { state_checks, ..AuditOptions::default() };
        let AuditVerdict::WrongRule(square) = audit(family, options).verdict else { panic!() };
        assert_real(family.instances[0].machine, &square);
        square
    };
    let with_check = square(CheckSet::ALL);
    assert_eq!((with_check.flaw, with_check.path.len()), (Flaw::HidesCheck(0), 1));
    assert_eq!(with_check.missing, "`Step(0)` in this state must oblige `Step(1)`");
    // Without the check, it takes until the other looks at `q` again.
    let without_check = square(CheckSet::default());
    assert_eq!(without_check.flaw, Flaw::OrderMatters);
    assert!(without_check.path.len() > 3, "{}", without_check.path.len());
}

#[test]
fn a_set_without_an_enabled_member_is_wrong() {
    // No rules lead to this; a reduction with a mistake could.
    let machine = instance(2, "questionable");
    let sets = &mut |_: &[u64], _| Ok(vec![2, 3]);
    let report =
        asset_core::audit::audit(machine, sets, &AuditOptions::default(), &mut Watch::unlimited());
    let AuditVerdict::WrongRule(square) = report.expect("no model error").verdict else { panic!() };
    assert_real_of(machine, &square, &[2, 3]);
    assert_eq!(square.flaw, Flaw::NothingEnabled);
    assert_eq!(square.missing, "the stubborn set of this state has no enabled member");
}

#[test]
fn hints_name_what_is_never_needed() {
    let report = audit(mutated(2, "correct", Mutation::StepsOnly), AuditOptions::default());
    assert!(report.hints.is_empty(), "{:?}", report.hints);
    let report = audit(mutated(2, "correct", Mutation::WaitAlways), AuditOptions::default());
    let hints: Vec<_> =
        report.hints.iter().map(|h| (&*h.transition, &*h.never_needed, h.by_name)).collect();
    assert_eq!(
        hints,
        [
            ("Step(0)", &["Stop(1)".to_owned()][..], false),
            ("Step(1)", &["Stop(0)".to_owned()][..], false)
        ]
    );
    let report = audit(mutated(2, "questionable", Mutation::WaitAlways), AuditOptions::default());
    assert!(
        report
            .hints
            .iter()
            .any(|h| h.transition == "Step(0)" && h.never_needed == ["Stop(0)"] && h.by_name)
    );
}
