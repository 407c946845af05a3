//! What the documents show is what there is: their first example, its output,
//! and their excerpts from the bundled models.

use asset_core::explorer::Explorer;
use std::fs;
use std::path::Path;

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

/// The messages that the guide quotes are those of the mistakes under `ui`.
#[test]
fn the_guide_quotes_messages_as_they_are() {
    let guide = include_str!("../../docs/writing-a-model.md");
    let table = guide.split("| you wrote | it says |\n").nth(1).expect("a table of mistakes");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let quoted: Vec<&str> = rows.filter_map(|row| row.split(" | ").nth(1)).collect();
    assert!(quoted.len() >= 20, "{} rows", quoted.len());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut messages = String::new();
    for topic in fs::read_dir(root).expect("topics") {
        for file in fs::read_dir(topic.expect("a topic").path()).expect("mistakes") {
            let path = file.expect("a mistake").path();
            if path.extension().is_some_and(|extension| extension == "stderr") {
                messages += &fs::read_to_string(path).expect("messages");
            }
        }
    }
    for message in quoted {
        let line = format!(": {}\n", message.trim_end_matches(" |"));
        assert!(messages.contains(&line), "no mistake has the message{line}");
    }
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
