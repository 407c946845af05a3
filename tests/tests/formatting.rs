//! A model is a module like any other to rustfmt.

use std::io::Write;
use std::process::{Command, Stdio};

fn formatted(source: &str) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path", concat!(env!("CARGO_MANIFEST_DIR"), "/..")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt, which is part of the toolchain");
    let mut input = rustfmt.stdin.take().expect("its input");
    input.write_all(source.as_bytes()).expect("a source that is taken");
    drop(input);
    let output = rustfmt.wait_with_output().expect("an end");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

/// Marks on fields and on parameters of transitions, ranges in attributes,
/// rules and checks: all are put back where they were.
#[test]
fn rustfmt_formats_inside_a_model() {
    let source = include_str!("../../models/src/peterson.rs");
    assert!(formatted(source) == source, "it is formatted already");
    let lines: Vec<&str> = source.lines().map(str::trim_start).collect();
    let flat = lines.join("\n");
    assert!(flat != source && formatted(&flat) == source, "its indentation comes back");
}
