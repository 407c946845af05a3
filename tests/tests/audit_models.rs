//! The rules of every bundled model, audited.

use asset_core::Family;
use asset_core::audit::{AuditOptions, AuditVerdict};
use asset_core::explorer::Explorer;

/// Every bundled model, and whether its rules leave anything out.
fn families() -> [(Family, bool); 13] {
    [
        (models::alternating_bit::model(), true),
        // One transition at a time: there is nothing to leave out.
        (models::chain::model(), false),
        (models::injected::model(), true),
        (models::injected_states::model(), true),
        (models::bakery::model(), true),
        (models::leader_dkr::model(), true),
        (models::leader_election::model(), true),
        (models::peterson::model(), true),
        (models::peterson_enter::model(), true),
        (models::philosophers::model(), true),
        (models::sliding_window::model(), true),
        (models::token_ring::model(), true),
        (models::two_phase_commit::model(), true),
    ]
}

#[test]
fn no_bundled_rule_is_wrong() {
    for (family, reduces) in families() {
        let (mut n_exhaustive, mut n_reducing) = (0, 0);
        for instance in family.instances {
            let mut explorer = Explorer::new(family);
            for (param, value) in family.params.iter().zip(instance.values) {
                explorer = explorer.param(param.name, value);
            }
            let options =
                AuditOptions { max_states: 2000, n_samples: 20, max_r: 300, ..Default::default() };
            let report = explorer.audit(options).expect("rules, and no model error");
            let what = format!("{} {:?}: {:?}", family.name, instance.values, report.verdict);
            match report.verdict {
                AuditVerdict::NoFault => {
                    n_exhaustive += 1;
                    n_reducing += report.coverage.n_reducing;
                }
                // Large instances are judged in part.
                AuditVerdict::NoFaultFound(_) | AuditVerdict::NothingCovered(_) => {}
                AuditVerdict::WrongRule(_) => panic!("{what}"),
            }
        }
        assert!(n_exhaustive > 0, "{} has small instances", family.name);
        assert_eq!(n_reducing > 0, reduces, "{}", family.name);
    }
}
