//! The answers of the command line are byte for byte what they were: JSON and traces, as hashes
//! in `tests/answers.csv`.

use asset_tests::{answers, cli};
use std::collections::BTreeMap;

fn rows(hashes: &str) -> BTreeMap<&str, &str> {
    hashes.lines().skip(1).filter_map(|line| line.rsplit_once(',')).collect()
}

#[test]
fn answers_are_what_they_were() {
    let folder = cli::empty_folder(env!("CARGO_TARGET_TMPDIR"), "answers");
    let now = answers::write(env!("CARGO_BIN_EXE_answers"), &folder);
    let (now, pinned) = (rows(&now), rows(include_str!("../answers.csv")));
    assert!(now.len() > 100, "the questions have gone");
    let names = now.keys().chain(pinned.keys()).copied();
    let mut changed: Vec<&str> = names.filter(|row| now.get(row) != pinned.get(row)).collect();
    changed.sort_unstable();
    changed.dedup();
    let folder = folder.display();
    assert!(
        changed.is_empty(),
        "{} rows are answered otherwise than tests/answers.csv says:\n  {}\n\
         To see how, write down the answers of the commit before, and compare:\n  \
         cargo run -p asset-tests --bin answers -- BEFORE\n  \
         diff -r BEFORE {folder}\n\
         If it is meant to be so: cp {folder}/answers.csv tests/answers.csv",
        changed.len(),
        changed.join("\n  ")
    );
}
