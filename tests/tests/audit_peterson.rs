//! The rules of Peterson's algorithm, as published and with mistakes put in.

use asset_core::audit::{AuditOptions, AuditVerdict, Square};
use asset_core::explorer::Explorer;
use asset_core::machine::Machine;
use asset_core::model::{Family, Obligations, Shown};
use asset_core::reduction::{Choice, Order};
use asset_core::verdict::{CheckOutcome, Outcome};
use asset_tests::rules::OtherRules;
use asset_tests::table::family;

fn machine(n: usize, variant: &str) -> &'static dyn Machine {
    let chosen = [("n".to_owned(), n.to_string()), ("variant".to_owned(), variant.to_owned())];
    models::peterson::model().instance(&chosen).expect("a compiled instance").machine
}

#[test]
fn dump() {
    for n in [2, 3] {
        for variant in ["questionable", "revealing", "correct", "mutex-violating"] {
            let start = std::time::Instant::now();
            let report = Explorer::new(models::peterson::model())
                .param("n", n)
                .param("variant", variant)
                .audit(AuditOptions { max_states: 200_000, ..Default::default() })
                .unwrap();
            println!("{n} {variant} {:?} {:?} {:?} {:?}", report.verdict, report.coverage, report.hints, start.elapsed());
            let start = std::time::Instant::now();
            let report = Explorer::new(models::peterson::model())
                .param("n", n)
                .param("variant", variant)
                .audit(AuditOptions { max_states: 100, ..Default::default() })
                .unwrap();
            println!("{n} {variant} {:?} {:?} {:?}", report.verdict, report.coverage, start.elapsed());
        }
    }
}
