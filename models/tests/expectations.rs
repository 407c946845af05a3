//! The table of expectations against a naive second opinion, row by row.

mod oracle;

use asset_core::reduction::Order;

/// Rows with more states are left to the engine.
const MAX_STATES: usize = 50_000;

#[test]
fn naive_search_finds_what_the_table_says() {
    let table = include_str!("../../tests/expectations.csv");
    let mut n_rows = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [model, params, reduction, order, states, edges, terminal, verdict, check, _] =
            cells[..]
        else {
            panic!("ten columns: {row}");
        };
        let number = |text: &str| text.parse::<usize>().expect("a number");
        if number(states) > MAX_STATES {
            continue;
        }
        let family = models::all().into_iter().find(|family| family.name == model);
        let family = family.unwrap_or_else(|| panic!("no model {model}"));
        let machine = oracle::instance(&family, params).machine;
        let order = if order == "forward" { Order::Forward } else { Order::Backward };
        let found = oracle::explore(machine, reduction == "stubborn", order);
        let expected = (number(states), number(edges), number(terminal), verdict, check);
        let found = (found.n_states, found.n_edges, found.n_terminal, found.verdict, found.check);
        assert_eq!(found, expected, "{row}");
        n_rows += 1;
    }
    assert!(n_rows > 100, "only {n_rows} rows were compared");
}
