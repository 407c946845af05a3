//! Layers use each other as the table in ARCHITECTURE.md says.

use asset_tests::source::{engine, module, modules_used, root, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The layers of the table: each module of one with all modules that it may use, those of its
/// own layer and those that the layers below may use included.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let rows = page.lines().skip_while(|line| !line.starts_with("| layer | may use |")).skip(2);
    let mut layers = Vec::new();
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<BTreeSet<String>> = row.split('|').map(names).collect();
        let [_, modules, uses, ..] = &cells[..] else { panic!("a row has cells: {row}") };
        layers.push((modules.clone(), uses.clone()));
    }
    assert!(layers.len() >= 10, "the table of layers has gone");
    let all: BTreeSet<&String> = layers.iter().flat_map(|layer| &layer.0).collect();
    let mut table = BTreeMap::new();
    for (modules, uses) in &layers {
        let mut may: BTreeSet<String> = uses.clone();
        loop {
            let below = layers.iter().filter(|(modules, _)| !may.is_disjoint(modules));
            let more: BTreeSet<String> =
                below.flat_map(|(modules, uses)| modules | uses).chain(may.clone()).collect();
            if more == may {
                break;
            }
            may = more;
        }
        assert!(may.is_disjoint(modules), "{modules:?} stands above itself");
        assert!(may.iter().all(|name| all.contains(name)), "{uses:?} are not all layers");
        may.extend(modules.clone());
        table.extend(modules.iter().map(|module| (module.clone(), may.clone())));
    }
    table
}

/// The names in a cell, which stand between backticks.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn layers_are_as_drawn() {
    let table = table();
    let mut found = BTreeSet::new();
    // The crate's root names all modules, to declare them.
    for (file, text) in engine().iter().filter(|(file, _)| *file != "lib.rs") {
        let path = module(file);
        let may = table.get(path[0]).unwrap_or_else(|| panic!("{file} stands in no layer"));
        let used = modules_used(&tokens(text), path.len());
        let bad = used.iter().filter(|used| !may.contains(*used));
        found.extend(bad.map(|used| format!("{file} -> {used}")));
    }
    assert!(found.is_empty(), "ARCHITECTURE.md says what a layer may use: {found:#?}");
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let used = |text: &str, depth| {
        let used: Vec<String> = modules_used(&tokens(text), depth).into_iter().collect();
        used.join(" ")
    };
    assert_eq!(used("use crate::a::{b, c}; fn f() { crate::d::e() }", 1), "a d");
    assert_eq!(used("use crate::{a::b, c::{d, e}};", 3), "a c");
    assert_eq!(used("m!(x => crate::a::b); // crate::no", 2), "a");
    assert_eq!(used("pub(in crate::a) fn f(x: $crate::b::C) {}", 2), "a b");
    assert_eq!(used("use super::b; use super::super::a::c;", 2), "a");
    assert_eq!(used("use super::{b, super::a::c};", 2), "a");
    assert_eq!(used("use super::a; mod tests { use super::b; use super::super::c; }", 1), "a c");
}
