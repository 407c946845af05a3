//! What the documents show is what there is: their first example, its output,
//! and their excerpts from the bundled models.

use asset_core::explorer::Explorer;

#[path = "../../asset-core/examples/lock.rs"]
#[allow(dead_code, missing_docs)]
mod example;

const README: &str = include_str!("../../README.md");

#[test]
fn the_readme_shows_the_example_as_it_is() {
    assert!(README.contains(include_str!("../../asset-core/examples/lock.rs")));
}

#[test]
fn the_readme_shows_the_trace_as_it_is() {
    let outcome = Explorer::new(example::lock::model()).run().expect("an outcome");
    outcome.assert_violated("mutual_exclusion");
    let trace = outcome.violations[0].trace.to_string();
    assert!(README.contains(&trace), "{trace}");
    let outcome = Explorer::new(example::lock::model()).param("atomic", true).run();
    outcome.expect("an outcome").assert_holds();
}

/// Blocks that the compiler cannot test stand somewhere where it can.
#[test]
fn excerpts_are_from_the_bundled_models() {
    let guide = include_str!("../../docs/porting-an-asset-model.md");
    let source = include_str!("../../models/src/peterson.rs");
    let excerpts: Vec<_> = guide.split("```rs\n").skip(1).collect();
    assert_eq!(excerpts.len(), 1);
    let mut rest = source.lines().map(str::trim);
    for line in excerpts[0].split("```").next().unwrap_or_default().lines() {
        assert!(rest.any(|known| known == line.trim()), "not in the model: {line}");
    }
}
