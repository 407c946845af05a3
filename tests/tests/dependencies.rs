//! Licences, versions and sources of dependencies are those that `deny.toml` allows: the parts
//! of `cargo deny` that need no database, without the minutes that it takes to build.

use asset_tests::source::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// The strings of a list in `deny.toml`.
fn list(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let (_, rest) = text.split_once(&format!("\n{name} = [")).expect("a list");
    let (list, _) = rest.split_once(']').expect("the end of a list");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` can be kept with the
/// licences that are allowed. `/` is an old way to write OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    let halves = |word: &str| {
        let outside = |at: usize| {
            let before = &expression[..at];
            before.matches('(').count() == before.matches(')').count()
        };
        let (at, _) = expression.match_indices(word).find(|(at, _)| outside(*at))?;
        Some((&expression[..at], &expression[at + word.len()..]))
    };
    if let Some((left, right)) = halves(" OR ") {
        return is_allowed(left, allowed) || is_allowed(right, allowed);
    }
    if let Some((left, right)) = halves(" AND ") {
        return is_allowed(left, allowed) && is_allowed(right, allowed);
    }
    match expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => is_allowed(inside, allowed),
        None => allowed.contains(expression),
    }
}

#[test]
fn licences_are_allowed() {
    // Packages of other systems may never have been fetched here.
    let version = Command::new("rustc").arg("-vV").output().expect("a compiler").stdout;
    let version = String::from_utf8(version).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50, "{} packages", packages.len());
    let allowed = list("allow");
    for package in packages {
        let (name, license) = (&package["name"], package["license"].as_str().unwrap_or("none"));
        assert!(is_allowed(license, &allowed), "{name} is under {license}");
    }
}

#[test]
fn licences_are_read_as_they_are_written() {
    let allowed = BTreeSet::from(["A", "B"].map(str::to_owned));
    for good in ["A", "A OR X", "X/A", "A AND B", "(A OR X) AND B", "X AND A OR B"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["X", "", "A AND X", "(A OR B) AND X", "X OR (A AND X)"] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn versions_and_sources_are_allowed() {
    let skipped = list("skip");
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.map(|value| value.trim_matches('"').to_owned())
        };
        let (name, version) = (value("name").expect("a name"), value("version").expect("one"));
        // What is of this workspace has no source.
        let source = value("source").unwrap_or_default();
        let is_known = source.is_empty()
            || source.starts_with("registry+") && source.ends_with("/crates.io-index");
        assert!(is_known, "{name} comes from {source}");
        if !skipped.contains(&format!("{name}@{version}")) {
            versions.entry(name).or_default().push(version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "one version of each would do: {versions:?}");
}
