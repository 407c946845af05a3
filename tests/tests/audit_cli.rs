//! `audit` on the command line: words, JSON and exit codes.

use asset_tests::cli;
use serde_json::Value;

/// The exit code, standard output and standard error.
fn run(arguments: &str) -> (Option<i32>, String, String) {
    let said = cli::run(env!("CARGO_BIN_EXE_switches"), arguments);
    (said.code, said.stdout, said.stderr)
}

#[test]
fn right_rules_end_well() {
    let (code, text, _) = run("audit");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("switches known=shared: audit of the stubborn set rules\n"), "{text}");
    assert!(text.contains("4 states judged, all that are reachable; "), "{text}");
    assert!(text.ends_with("the rules are right)\n"), "{text}");
}

#[test]
fn a_wrong_rule_is_read_aloud() {
    let (code, text, _) = run("audit --known nothing");
    assert_eq!(code, Some(1));
    let expected = "\
wrong rule: `Off` in this state must oblige `On`

  in the state          {own=no shared=no}
  the stubborn set is   Off  (in backward order)
  the rule of Off obliges nothing there

  there, Off and then On
    Off                 {own=no shared=no}
    On                  {own=no shared=yes}

  there, On and then Off
    On                  {own=no shared=yes}
    Off                 {own=no shared=no}

  expected: Off and On lead to the same state in either order
  happened: they lead to different states

  the state is initial
";
    assert!(text.contains(expected), "{text}");
    assert!(text.ends_with("verdict: wrong rule: `Off` in this state must oblige `On` (D1)\n"));
}

#[test]
fn json_says_the_same() {
    let (code, text, _) = run("audit --known nothing --json");
    assert_eq!(code, Some(1));
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["verdict"], "wrong rule");
    assert_eq!(json["params"]["known"], "nothing");
    assert_eq!(json["square"]["missing"], "`Off` in this state must oblige `On`");
    assert_eq!(json["square"]["stubborn_set"], serde_json::json!(["Off"]));
    assert_eq!(json["square"]["other_first"][0]["state"]["shared"], true);
    assert_eq!(json["square"]["trace"].as_array().map(Vec::len), Some(1));
    let (code, text, _) = run("audit --json --max-states 0 --samples 3 --seed 7");
    assert_eq!(code, Some(0));
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["verdict"], "no fault found");
    assert_eq!(
        (&json["seed"], &json["states"], &json["exhaustive"]),
        (&7.into(), &3.into(), &false.into())
    );
}

#[test]
fn quiet_means_the_exit_code_alone() {
    assert_eq!(run("audit --known nothing --quiet"), (Some(1), String::new(), String::new()));
}

#[test]
fn time_is_limited() {
    let (code, text, _) = run("audit --max-time 0.000001");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.ends_with("the time limit of 0.000001 s was reached\n"), "{text}");
}

#[test]
fn nothing_covered_is_no_success() {
    let (code, text, _) = run("audit --max-states 0 --samples 0");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("verdict: nothing covered: "), "{text}");
}

#[test]
fn without_rules_there_is_nothing_to_audit() {
    let (code, _, error) = run("lamp audit");
    assert_eq!(code, Some(2));
    assert!(error.starts_with("error: lamp has no stubborn set rules"), "{error}");
}
