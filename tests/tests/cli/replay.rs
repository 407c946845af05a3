//! Traces that are saved and replayed, and files that are no such traces.

use crate::{bundled, folder, json, tiny};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Saves the trace of a violated check.
fn saved(name: &str, arguments: &str) -> PathBuf {
    let path = folder(name).join("trace.json");
    bundled(&format!("{arguments} --quiet --trace {}", path.display())).ended(1);
    path
}

fn replay(model: &str, path: &Path) -> asset_tests::cli::Said {
    bundled(&format!("{model} replay {}", path.display()))
}

/// Changes a saved trace and says what `replay` says of it.
fn after(path: &Path, change: impl FnOnce(&mut Value)) -> String {
    let text = fs::read_to_string(path).expect("the trace");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    change(&mut file);
    let changed = path.with_extension("changed.json");
    fs::write(&changed, file.to_string()).expect("written");
    let said = replay("peterson", &changed);
    let name = format!("{}: ", changed.display());
    said.refused().strip_prefix(&name).expect("the file's name").to_owned()
}

const REVEALING: &str = "peterson --n 2 --variant revealing --reduction full";
const DEADLOCK: &str = "philosophers --variant deadlocking";
const MUTEX: &str = "peterson --n 2 --variant mutex-violating";

#[test]
fn round_trip() {
    let path = saved("replay_round_trip", REVEALING);
    let said = replay("peterson", &path);
    let text = said.ended(0);
    let shown = bundled(REVEALING);
    let trace = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.contains("0-00 0-00 0"));
        lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(trace(text), trace(&shown.stdout));
    assert!(trace(text).len() > 13, "{text}");
    assert!(text.ends_with("\nthe model does all of this\n"), "{text}");

    let object = json(&bundled(&format!("peterson replay {} --json", path.display())), 0);
    assert_eq!(object["replayed"], true);
    assert_eq!((&object["lost_at"], &object["cycle_start"]), (&2.into(), &6.into()));
    assert_eq!(object["params"], json!({ "n": 2, "variant": "revealing" }));
    replay("peterson", &saved("replay_state", MUTEX)).ended(0);
    replay("philosophers", &saved("replay_deadlock", DEADLOCK)).ended(0);
}

#[test]
fn files_that_are_no_traces() {
    let folder = folder("replay_broken");
    let whole = fs::read_to_string(saved("replay_truncated", REVEALING)).expect("the trace");
    let cut = &whole[..whole.len() / 2];
    for (text, reason) in [
        (cut, "not JSON: EOF while parsing"),
        ("", "not JSON: EOF while parsing"),
        ("{}", "\"#meta\" does not say asset-trace-1"),
        ("[1, 2]", "\"#meta\" does not say asset-trace-1"),
    ] {
        let path = folder.join("file.json");
        fs::write(&path, text).expect("written");
        let said = replay("peterson", &path);
        let start = format!("{}: this is not a trace of this tool: {reason}", path.display());
        assert!(said.refused().starts_with(&start), "{}", said.stderr);
        assert_eq!(said.stderr.lines().count(), 1);
    }
    fs::write(folder.join("bytes"), [0xff, 0xfe, 0]).expect("written");
    for name in ["bytes", "missing", ""] {
        let path = folder.join(name);
        let said = replay("peterson", &path);
        let start = format!("cannot read {}: ", path.display());
        assert!(said.refused().starts_with(&start), "{}", said.stderr);
    }
}

#[test]
fn a_trace_of_another_model() {
    let path = saved("replay_other", DEADLOCK);
    let said = replay("peterson", &path);
    let reason = format!("{} is a trace of philosophers, not of peterson\n", path.display());
    assert_eq!(said.refused(), reason);
}

#[test]
fn a_model_that_has_changed() {
    let path = saved("replay_changed", REVEALING);
    let moved = after(&path, |file| file["states"][3]["turn"] = json!([1]));
    let start = "the model has changed: step 3, Step(0), leads to {at=[SetQ Stopped] ";
    assert!(moved.starts_with(start), "{moved}");
    assert_eq!(
        after(&path, |file| file["states"][0]["q"] = json!([1, 1])),
        "the model has changed: the file's first state is not an initial state\n"
    );
    assert_eq!(
        after(&path, |file| file["states"][2]["#meta"]["transition"] = json!("Jump(0)")),
        "the model has changed: it has no transition Jump(0) (step 2)\n"
    );
    assert_eq!(
        after(&path, |file| file["states"][2]["#meta"]["transition"] = json!("Step(1)")),
        "the model has changed: step 2, Step(1), is disabled now\n"
    );
    assert_eq!(
        after(&path, |file| file["loop"] = json!(5)),
        "the model has changed: the cycle does not close\n"
    );
    assert_eq!(
        after(&path, |file| file["#meta"]["check"] = json!("customer_9_is_served")),
        "the model has changed: it has no check customer_9_is_served\n"
    );
}

#[test]
fn parts_that_are_not_as_they_should_be() {
    let path = saved("replay_parts", REVEALING);
    let broken = |change: fn(&mut Value)| {
        let said = after(&path, change);
        said.strip_prefix("this is not a trace of this tool: ").expect(&said).trim_end().to_owned()
    };
    assert_eq!(broken(|f| f["loop"] = json!(11)), "\"loop\" is not the number of a state");
    assert_eq!(
        broken(|f| f["#meta"]["lost_at"] = json!("two")),
        "\"lost_at\" is not the number of a state"
    );
    assert_eq!(broken(|f| f["states"] = json!([])), "there are no states");
    assert_eq!(broken(|f| f["states"][1]["#meta"] = Value::Null), "step 1 names no transition");
    assert_eq!(broken(|f| f["#meta"]["params"] = Value::Null), "there are no parameters");
    let path = path.with_extension("params.json");
    let text = fs::read_to_string(path.with_file_name("trace.json")).expect("the trace");
    fs::write(&path, text.replace("\"n\": \"2\"", "\"n\": \"9\"")).expect("written");
    let said = replay("peterson", &path);
    let reason = "peterson has no instance with n = 9; its values are 2, 3, 4, 5\n";
    assert!(said.refused().ends_with(reason), "{}", said.stderr);
}

#[test]
fn a_check_that_no_longer_fails() {
    let path = saved("replay_mended", MUTEX);
    let said = after(&path, |file| {
        file["states"].as_array_mut().expect("states").pop();
    });
    assert_eq!(
        said,
        "the model has changed: mutual_exclusion does not fail in the last state now\n"
    );
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let path = saved("replay_keys", MUTEX);
    let text = fs::read_to_string(&path).expect("the trace");
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    file.sort_all_objects();
    fs::write(&path, file.to_string()).expect("written");
    replay("peterson", &path).ended(0);
    tiny("many replay").refused();
}
