//! Rules that are inferred for the bundled models, under audit.

use asset_core::audit::{AuditOptions, AuditVerdict};
use asset_core::explorer::{Explorer, Rules};

#[test]
fn rules_inferred_for_bundled_models_have_no_fault() {
    let mut refused = Vec::new();
    for family in models::all() {
        let mut n_reducing = 0;
        for instance in family.instances.iter().take(6) {
            let mut explorer = Explorer::new(family).rules(Rules::Inferred);
            for (param, value) in family.params.iter().zip(instance.values) {
                explorer = explorer.param(param.name, value);
            }
            let options =
                AuditOptions { max_states: 1000, n_samples: 10, max_r: 300, ..Default::default() };
            match explorer.audit(options) {
                Ok(report) => {
                    let what = format!("{} {:?}", family.name, instance.values);
                    let is_wrong = matches!(report.verdict, AuditVerdict::WrongRule(_));
                    assert!(!is_wrong, "{what}: {:?}", report.verdict);
                    n_reducing += report.coverage.n_reducing;
                }
                Err(why) => refused.push(format!("{} {:?}: {why}", family.name, instance.values)),
            }
        }
        println!("{}: {n_reducing} sets leave something out", family.name);
    }
    println!("{}", refused.join("\n"));
    assert!(refused.iter().all(|why| why.contains("no rules can be inferred")), "{refused:?}");
}

#[test]
fn peterson_takes_fewer_states_than_by_the_rules_of_the_paper() {
    for (n, states, edges) in [(2, 342, 463), (3, 36_674, 61_948)] {
        let explorer = Explorer::new(models::peterson::model()).param("n", n);
        let outcome = explorer.rules(Rules::Inferred).run().expect("no model error");
        let statistics = &outcome.assert_holds().statistics;
        assert_eq!((statistics.n_states, statistics.n_edges), (states, edges));
        assert_eq!(outcome.reduction, "inferred");
    }
}
