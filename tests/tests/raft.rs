//! Raft's election has as many states and edges as the same model for Stateright 0.31, which
//! was written apart from it (`compare/yardsticks/stateright-raft`).

use asset_core::explorer::Explorer;

/// Servers, terms, whether messages may arrive again; states, edges, terminal states.
const COUNTS: [(usize, u8, bool, u64, u64, u64); 8] = [
    (2, 1, false, 15, 22, 5),
    (2, 1, true, 25, 38, 5),
    (2, 2, false, 115, 368, 7),
    (2, 2, true, 249, 690, 7),
    (3, 1, false, 326, 1335, 19),
    (3, 1, true, 701, 2211, 19),
    (3, 2, false, 43_821, 404_217, 34),
    (3, 2, true, 143_181, 880_527, 34),
];

#[test]
fn states_are_those_of_stateright() {
    for (n, terms, duplication, n_states, n_edges, n_terminal) in COUNTS {
        let explorer = Explorer::new(models::raft_election::model());
        let explorer = explorer.param("n", n).param("terms", terms);
        let outcome = explorer.param("duplication", duplication).run().expect("an outcome");
        let found = &outcome.assert_holds().statistics;
        let found = (found.n_states, found.n_edges, found.n_terminal);
        assert_eq!(found, (n_states, n_edges, n_terminal), "{n} servers, {terms} terms");
    }
}

#[test]
fn forgetful_servers_elect_two_leaders() {
    for duplication in [false, true] {
        let explorer = Explorer::new(models::raft_election::model()).param("variant", "forgetful");
        let outcome = explorer.param("duplication", duplication).run().expect("an outcome");
        outcome.assert_violated("one_leader_per_term");
    }
}
