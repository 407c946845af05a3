//! The one table of expectations, run through the breadth-first search: counts
//! to the state and to the edge, verdicts, and traces that replay.
//!
//! Rows with more than `LARGE` states run only when `ASSET_LARGE_ROWS` names
//! their model, or says `all`; the release command of `.ci/run` names peterson.

mod livelocks;
mod threads;

use asset_core::Family;
use asset_core::expand::{Choice, Order};
use asset_core::explorer::Explorer;

/// Rows up to this size run in every test run.
const LARGE: u64 = 300_000;

/// One line of `tests/expectations.csv`.
struct Row {
    model: String,
    params: Vec<(String, String)>,
    choice: Choice,
    order: Order,
    n_states: u64,
    n_edges: u64,
    n_terminal: Option<u64>,
    verdict: String,
    violated_check: String,
    line: String,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../../expectations.csv");
    table.lines().skip(1).filter(|l| !l.trim().is_empty()).map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.split(',').collect();
    let [model, params, reduction, order, states, edges, terminal, verdict, check, _] = cells[..]
    else {
        panic!("a row has ten cells: {line}");
    };
    let params = params.split(';').filter(|p| !p.is_empty()).map(|p| {
        let (name, value) = p.split_once('=').expect("name=value");
        (name.to_owned(), value.to_owned())
    });
    Row {
        model: model.to_owned(),
        params: params.collect(),
        choice: if reduction == "full" { Choice::Full } else { Choice::Stubborn },
        order: if order == "forward" { Order::Forward } else { Order::Backward },
        n_states: states.parse().expect("a number of states"),
        n_edges: edges.parse().expect("a number of edges"),
        n_terminal: terminal.parse().ok(),
        verdict: verdict.to_owned(),
        violated_check: check.to_owned(),
        line: line.to_owned(),
    }
}

fn family(name: &str) -> Family {
    models::all().into_iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no model {name}"))
}

fn run(row: &Row) {
    let mut explorer = Explorer::new(family(&row.model)).reduction(row.choice).order(row.order);
    for (name, value) in &row.params {
        explorer = explorer.param(name, value);
    }
    let outcome = explorer.run().unwrap_or_else(|e| panic!("{}: {e}", row.line));
    let s = &outcome.statistics;
    assert_eq!((s.n_states, s.n_edges), (row.n_states, row.n_edges), "{}", row.line);
    if let Some(n_terminal) = row.n_terminal {
        assert_eq!(s.n_terminal, n_terminal, "{}", row.line);
    }
    assert_eq!(outcome.verdict.name(), row.verdict, "{}", row.line);
    if row.verdict == "violated" {
        outcome.assert_violated(&row.violated_check);
    }
}

#[test]
fn every_row() {
    let all = rows();
    assert!(all.len() > 200, "the table has gone");
    let large = std::env::var("ASSET_LARGE_ROWS").unwrap_or_default();
    let is_on = |row: &&Row| row.n_states <= LARGE || large == "all" || large == row.model;
    for row in all.iter().filter(is_on) {
        run(row);
    }
}

#[test]
fn table_one_is_complete() {
    let published = rows()
        .iter()
        .filter(|r| r.model == "peterson" && r.order == Order::Backward)
        .filter(|r| r.line.ends_with("published"))
        .count();
    assert!(published >= 24, "all 24 rows of Table I are pinned, not {published}");
}
