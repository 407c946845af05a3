//! The formulas of the bundled models: what the head of each model says of them.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::{Explorer, FairnessLevel, Temporal, TemporalSearch};

/// A row of the tables in the heads: parameters, fairness, verdict, states and edges of the
/// model, and of the product.
type Row = (&'static [(&'static str, &'static str)], Level, &'static str, [u64; 4]);

type Level = FairnessLevel;
const NONE: Level = FairnessLevel::None;
const WEAK: Level = FairnessLevel::Weak;
const STRONG: Level = FairnessLevel::Strong;

fn check(family: Family, formula: &str, rows: &[Row]) {
    for &(params, fairness, verdict, counts) in rows {
        let run = |search: TemporalSearch| {
            let mut explorer = Explorer::new(family).checks([formula]).reduction(Choice::Full);
            for (name, value) in params {
                explorer = explorer.param(name, *value);
            }
            let fairness = Some(fairness);
            explorer.temporal(Temporal { search, fairness, ..Temporal::default() }).run()
        };
        let outcome = run(TemporalSearch::Components).expect("an outcome");
        let what = format!("{} {params:?} {fairness:?}", family.name);
        let s = &outcome.statistics;
        let of = |name: &str| s.more.iter().find(|(known, _)| *known == name).map(|(_, n)| *n);
        let product = [of("product states"), of("product edges")].map(Option::unwrap_or_default);
        assert_eq!(outcome.verdict.name(), verdict, "{what}");
        assert_eq!([s.n_states, s.n_edges, product[0], product[1]], counts, "{what}");
        if let Some(violation) = outcome.violations.first() {
            let trace = &violation.trace;
            let ends = violation.message.contains("it ends in a terminal state");
            assert!(trace.cycle_start.is_some() != ends, "{what}: {}", violation.message);
        }
        // Weak fairness has a second opinion.
        let second = run(TemporalSearch::Nested);
        if fairness != STRONG {
            assert_eq!(second.expect("an outcome").verdict.name(), verdict, "{what}");
        }
    }
}

#[test]
fn everybody_who_tries_is_served_under_weak_fairness() {
    let (two, three) = (&[("n", "2")], &[("n", "3")]);
    check(
        models::peterson_enter::model(),
        "EVERYBODY_IS_SERVED",
        &[
            (two, WEAK, "holds", [574, 1_148, 1_433, 4_385]),
            (two, NONE, "violated", [105, 128, 137, 272]),
            (three, WEAK, "holds", [96_854, 290_562, 348_425, 1_782_512]),
            (three, NONE, "violated", [216, 262, 282, 602]),
        ],
    );
}

#[test]
fn values_get_through_a_fair_channel() {
    check(
        models::alternating_bit::model(),
        "VALUES_GET_THROUGH",
        &[
            (&[("capacity", "1")], STRONG, "holds", [90, 204, 150, 438]),
            (&[("capacity", "1")], WEAK, "violated", [5, 5, 6, 12]),
            (&[("capacity", "1")], NONE, "violated", [5, 5, 6, 12]),
            (&[("capacity", "2")], STRONG, "holds", [270, 882, 474, 1_980]),
            (&[("capacity", "2")], NONE, "violated", [6, 6, 6, 15]),
            (
                &[("capacity", "4"), ("loss", "limited")],
                NONE,
                "holds",
                [3_156, 10_794, 5_790, 26_268],
            ),
        ],
    );
}

#[test]
fn nobody_starves_with_an_order_and_strong_fairness() {
    check(
        models::philosophers::model(),
        "NOBODY_STARVES",
        &[
            (&[("n", "3")], STRONG, "holds", [72, 178, 129, 326]),
            (&[("n", "3")], WEAK, "violated", [39, 66, 44, 92]),
            (&[("n", "5")], STRONG, "holds", [1_424, 5_916, 3_411, 15_408]),
            (&[("n", "5")], WEAK, "violated", [71, 125, 86, 194]),
            (&[("n", "5")], NONE, "violated", [58, 85, 46, 111]),
            (&[("n", "3"), ("variant", "deadlocking")], STRONG, "violated", [73, 149, 103, 247]),
        ],
    );
}
