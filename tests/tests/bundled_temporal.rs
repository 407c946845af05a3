//! The formulas of the bundled models: what the head of each model says of them.

use asset_core::Family;
use asset_core::expand::Choice;
use asset_core::explorer::{Explorer, FairnessLevel, Temporal, TemporalSearch};

/// A row of the tables in the heads: parameters, fairness, and if the formula holds, states
/// and edges of the model, and of the product. How much is seen before a violation is found
/// is the search's business.
type Row = (&'static [(&'static str, &'static str)], Level, Option<[u64; 4]>);

type Level = FairnessLevel;
const NONE: Level = FairnessLevel::None;
const WEAK: Level = FairnessLevel::Weak;
const STRONG: Level = FairnessLevel::Strong;

fn check(family: Family, formula: &str, rows: &[Row]) {
    for &(params, fairness, counts) in rows {
        let verdict = if counts.is_some() { "holds" } else { "violated" };
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
        if let Some(counts) = counts {
            assert_eq!([s.n_states, s.n_edges, product[0], product[1]], counts, "{what}");
        }
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
            (two, WEAK, Some([574, 1_148, 1_433, 4_385])),
            (two, NONE, None),
            (three, WEAK, Some([96_854, 290_562, 348_425, 1_782_512])),
            (three, NONE, None),
        ],
    );
}

#[test]
fn values_get_through_a_fair_channel() {
    check(
        models::alternating_bit::model(),
        "VALUES_GET_THROUGH",
        &[
            (&[("capacity", "1")], STRONG, Some([90, 204, 150, 438])),
            (&[("capacity", "1")], WEAK, None),
            (&[("capacity", "1")], NONE, None),
            (&[("capacity", "2")], STRONG, Some([270, 882, 474, 1_980])),
            (&[("capacity", "2")], NONE, None),
            (&[("capacity", "4"), ("loss", "limited")], NONE, Some([3_156, 10_794, 5_790, 26_268])),
        ],
    );
}

#[test]
fn nobody_starves_with_an_order_and_strong_fairness() {
    check(
        models::philosophers::model(),
        "NOBODY_STARVES",
        &[
            (&[("n", "3")], STRONG, Some([72, 178, 129, 326])),
            (&[("n", "3")], WEAK, None),
            (&[("n", "5")], STRONG, Some([1_424, 5_916, 3_411, 15_408])),
            (&[("n", "5")], WEAK, None),
            (&[("n", "5")], NONE, None),
            (&[("n", "3"), ("variant", "deadlocking")], STRONG, None),
        ],
    );
}
