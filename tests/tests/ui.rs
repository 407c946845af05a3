//! Mistakes of authors: one per file, the file's name says which.
//!
//! A file starts with `//! errors: n`, the number of messages that it is meant
//! to give. To accept changed messages, run with `TRYBUILD=overwrite` and read
//! the difference.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_mistake_has_its_message() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}

fn files(extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let topics = fs::read_dir(root).unwrap().map(|topic| topic.unwrap().path());
    let files = topics.flat_map(|topic| fs::read_dir(topic).unwrap());
    files
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|e| e == extension))
        .collect()
}

#[test]
fn one_mistake_gives_one_message_on_the_authors_tokens() {
    let files = files("rs");
    assert!(files.len() >= 60, "only {} mistakes", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string();
        let source = fs::read_to_string(&file).unwrap();
        let output = fs::read_to_string(file.with_extension("stderr")).unwrap_or_default();
        let intended = source.lines().next().and_then(|line| line.strip_prefix("//! errors: "));
        let intended: usize = intended.and_then(|n| n.parse().ok()).expect("a number of errors");
        let n_errors = output.lines().filter(|line| is_message(line)).count();
        if n_errors != intended {
            wrong.push(format!("{name}: {n_errors} messages, not {intended}"));
        }
        if output.contains("proc macro panicked") || output.contains("proc-macro derive panicked") {
            wrong.push(format!("{name}: the macro panicked"));
        }
        for phrase in ["^ in this", "attribute macro `model`", "derive macro `StateVar`"] {
            if output.contains(phrase) {
                wrong.push(format!("{name}: points at the macro and not at the author's tokens"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a line starts a message; the last line of a run only counts them.
fn is_message(line: &str) -> bool {
    (line.starts_with("error") || line.starts_with("warning"))
        && !line.starts_with("error: could not compile")
        && !line.starts_with("error: aborting")
}
