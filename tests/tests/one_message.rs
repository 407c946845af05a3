//! One mistake is one message under plain `cargo build` too, where the compiler goes on to
//! what `cargo check` leaves out.
//!
//! The files of `tests/ui` are the programs of one crate. Their `main` asks for the model,
//! as a user's does.

use asset_tests::own_crate::OwnCrate;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The text with a `main` that asks for the first model in it.
fn asking(text: &str) -> String {
    let model = text.split("#[model").nth(1).and_then(|rest| {
        let (name, _) = rest.split_once("mod ")?.1.split_once(" {")?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
    });
    match model {
        Some(name) => text.replace("fn main() {}", &format!("fn main() {{ {name}::model(); }}")),
        None => text.to_owned(),
    }
}

/// A literal that does not fit its type is told twice: the compiler explains its own lint
/// the first time only, and the literal stands in two places.
const FIXME_TWICE: &str = "params-value_does_not_fit_its_type";

#[test]
fn one_mistake_is_one_message_under_cargo_build() {
    let own = OwnCrate::new(env!("CARGO_TARGET_TMPDIR"), "2024");
    own.write("fn main() {}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let (mut intended, mut n_asking) = (BTreeMap::new(), 0);
    for topic in fs::read_dir(root).expect("the mistakes") {
        let topic = topic.expect("a folder").path();
        let files = fs::read_dir(&topic).expect("files").map(|file| file.expect("a file").path());
        for file in files.filter(|file| file.extension().is_some_and(|e| e == "rs")) {
            let part = |path: &Path| path.file_stem().expect("a name").display().to_string();
            let name = format!("{}-{}", part(&topic), part(&file));
            let text = fs::read_to_string(&file).expect("text");
            let n = text.lines().next().and_then(|line| line.strip_prefix("//! errors: "));
            let n: usize = n.and_then(|n| n.parse().ok()).expect("a number of errors");
            let program = asking(&text);
            n_asking += usize::from(program != text);
            own.add(&name, &program);
            intended.insert(name, n);
        }
    }
    assert!(n_asking >= 200, "{n_asking} of {} ask for a model", intended.len());
    let said = own.cargo_build(&["--keep-going", "--message-format", "json"], &[]);
    assert_eq!(said.code, Some(101), "{}", said.stderr);
    // Cargo prints what is the same to the letter once.
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in said.stdout.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let (target, message) = (&line["target"]["name"], &line["message"]);
        let text = message["message"].as_str().unwrap_or_default();
        if message["level"] == "error" && !text.starts_with("aborting due to") {
            let target = target.as_str().expect("a name").to_owned();
            messages.entry(target).or_default().insert(message["rendered"].to_string());
        }
    }
    let none = BTreeSet::new();
    let wrong = intended.iter().filter(|(name, _)| *name != FIXME_TWICE).filter_map(|(name, n)| {
        let messages = messages.get(name).unwrap_or(&none);
        let text = || messages.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        (messages.len() != *n).then(|| format!("{name}: not {n}, but {}", text()))
    });
    let wrong: Vec<String> = wrong.collect();
    let n_twice = messages.get(FIXME_TWICE).map_or(0, BTreeSet::len);
    assert_eq!(n_twice, 2, "one message now: it is no exception any more");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
