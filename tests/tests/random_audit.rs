//! Random rules, right and wrong, under audit.

use asset_core::audit::{AuditOptions, AuditReport, AuditVerdict, Flaw};
use asset_core::expand::Order;
use asset_core::explorer::Explorer;
use asset_tests::differential::Ruled;
use asset_tests::oracle::Labels;
use asset_tests::random::{RULE_KINDS, Random, RuleKind};
use asset_tests::shrink::shrink;
use asset_tests::square::assert_real;
use asset_tests::table::Table;
use std::collections::HashMap;

const ORDERS: [Order; 2] = [Order::Backward, Order::Forward];

fn audit(ruled: &Ruled, options: AuditOptions) -> AuditReport {
    Explorer::new(ruled.family).audit(options).expect("a model without errors")
}

fn is_accepted(ruled: &Ruled) -> bool {
    match audit(ruled, AuditOptions::default()).verdict {
        AuditVerdict::NoFault => true,
        // No check of these models looks at labels.
        AuditVerdict::WrongRule(square) => square.flaw.is_about_labels(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_audit_agrees_with_the_definition_and_what_it_accepts_changes_no_verdict() {
    let mut n_accepted = 0;
    let mut flaws: HashMap<&'static str, usize> = HashMap::new();
    for seed in 0..1500 {
        let mut random = Random::new(5_000_000 + seed);
        let ruled = Ruled::random(&mut random, RULE_KINDS[seed as usize % 3], seed as usize % 4);
        let report = audit(&ruled, AuditOptions::default());
        assert!(
            report.coverage.is_exhaustive || matches!(report.verdict, AuditVerdict::WrongRule(_))
        );
        if let AuditVerdict::WrongRule(square) = &report.verdict {
            assert_real(&ruled.machine, square);
            *flaws.entry(name(square.flaw)).or_default() += 1;
        }
        assert_eq!(is_accepted(&ruled), ruled.is_right(), "seed {seed}");
        if !is_accepted(&ruled) {
            continue;
        }
        n_accepted += 1;
        for order in ORDERS {
            let difference = ruled.difference(order);
            let table = &ruled.machine.table;
            assert!(difference.is_none(), "seed {seed}, {difference:?}\n{:#?}", differing(table));
        }
    }
    assert!((400..1400).contains(&n_accepted), "both verdicts occur: {n_accepted}");
    for flaw in ["enabled", "disabled", "disables", "order", "check", "cycle"] {
        assert!(flaws.contains_key(flaw), "every flaw occurs, {flaw} too: {flaws:?}");
    }
}

fn name(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::NothingEnabled => "nothing",
        Flaw::Enabled => "enabled",
        Flaw::Disabled => "disabled",
        Flaw::Disables => "disables",
        Flaw::OrderMatters => "order",
        Flaw::HidesCheck(_) => "check",
        Flaw::HidesCycle => "cycle",
        Flaw::LabelsDiffer => "label",
    }
}

/// The smallest model whose accepted rules change a verdict.
fn differing(table: &Table) -> Table {
    shrink(table.clone(), |table| {
        Ruled::new(table.clone()).is_some_and(|ruled| {
            is_accepted(&ruled) && ORDERS.iter().any(|&order| ruled.difference(order).is_some())
        })
    })
}

#[test]
fn samples_find_real_squares_only_and_the_same_ones_again() {
    let (mut n_wrong, mut n_found) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(6_000_000 + seed);
        let ruled = Ruled::random(&mut random, RuleKind::Ahead, 2);
        let options =
            AuditOptions { max_states: 0, n_samples: 40, seed, ..AuditOptions::default() };
        let report = audit(&ruled, options.clone());
        n_wrong += usize::from(!ruled.is_right());
        match &report.verdict {
            AuditVerdict::WrongRule(square) => {
                assert_real(&ruled.machine, square);
                n_found += usize::from(!square.flaw.is_about_labels());
                let again = audit(&ruled, options);
                let AuditVerdict::WrongRule(same) = again.verdict else { panic!("seed {seed}") };
                assert_eq!(same.evidence, square.evidence, "seed {seed}");
            }
            AuditVerdict::NoFaultFound(_) => assert!(!report.coverage.is_exhaustive),
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(n_wrong > 50 && n_found * 10 > n_wrong * 7, "{n_found} of {n_wrong} found");
}

#[test]
fn what_is_cut_off_is_counted() {
    let mut n_cut_off = 0;
    for seed in 0..100 {
        let ruled = Ruled::random(&mut Random::new(7_000_000 + seed), RuleKind::Ahead, 0);
        let report = audit(&ruled, AuditOptions { max_r: 1, ..AuditOptions::default() });
        n_cut_off += report.coverage.n_cut_off;
        match &report.verdict {
            AuditVerdict::NoFault => assert_eq!(report.coverage.n_cut_off, 0),
            AuditVerdict::NoFaultFound(why) => assert!(why.contains("judged only on the first 1")),
            AuditVerdict::WrongRule(square) => assert!(square.flaw.is_about_labels()),
            AuditVerdict::NothingCovered(_) => {
                assert_eq!(report.coverage.n_cut_off, report.coverage.n_sets);
            }
        }
    }
    assert!(n_cut_off > 100, "{n_cut_off}");
}

#[test]
fn a_failure_is_shrunk_to_what_shows_it() {
    // Rules that lose a terminal state, from the generator.
    let loses = |table: &Table| {
        Ruled::new(table.clone()).is_some_and(|ruled| {
            ORDERS.iter().any(|&order| {
                ruled.difference(order).is_some_and(|what| what.contains("not found"))
            })
        })
    };
    let found = (0..).find_map(|seed| {
        let mut random = Random::new(8_000_000 + seed);
        let table = Ruled::random(&mut random, RuleKind::Everywhere, 2).machine.table;
        (table.transitions.len() > 4 && loses(&table)).then_some(table)
    });
    let small = shrink(found.expect("wrong rules occur"), loses);
    // Two transitions that exclude each other, and one state with wrong rules.
    assert_eq!(small.transitions.len(), 2, "{small:#?}");
    assert_eq!(small.rules.len(), 1, "{small:#?}");
    assert!(!is_accepted(&Ruled::new(small).expect("a small model")));
}

#[test]
fn rules_whose_labels_are_accepted_keep_livelocks() {
    // [lost, kept], for labels that the audit accepts and for others.
    let mut counts = [[0; 2]; 2];
    for seed in 0..3000 {
        let mut random = Random::new(9_000_000 + seed);
        let ruled = Ruled::random(&mut random, RULE_KINDS[seed as usize % 3], 0);
        let labels = Labels::of(&ruled.graph, &ruled.machine);
        let n = labels.transitions.len();
        if !ruled.graph.has_livelock(&labels, |_| (0..n).collect()) {
            continue;
        }
        let verdict = audit(&ruled, AuditOptions::default()).verdict;
        let is_accepted = matches!(verdict, AuditVerdict::NoFault);
        for order in ORDERS {
            let sets: Vec<_> = (0..ruled.graph.len())
                .map(|s| labels.visible(&ruled.graph, s, ruled.set(s, order)))
                .collect();
            let is_kept = ruled.graph.has_livelock(&labels, |s| sets[s].clone());
            counts[usize::from(is_accepted)][usize::from(is_kept)] += 1;
            assert!(is_kept || !is_accepted, "seed {seed}, {order:?}");
        }
    }
    let [others, accepted] = counts;
    assert!(accepted[1] > 1000 && others[0] > 0, "labels matter, rarely: {counts:?}");
}
