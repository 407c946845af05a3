//! `check`: verdicts, exit codes, the summary and the JSON object.

use crate::{bundled, json, tiny};
use serde_json::Value;

#[test]
fn no_subcommand_means_check() {
    let plain = json(&bundled("peterson --n 2 --json"), 0);
    let named = json(&bundled("peterson check --n 2 --json"), 0);
    for key in ["model", "params", "states", "edges", "verdict", "checks"] {
        assert_eq!(plain[key], named[key]);
    }
    assert_eq!(plain["params"]["n"], 2);
    assert_eq!(plain["params"]["variant"], "correct");
}

#[test]
fn exit_codes_tell_the_verdict() {
    bundled("peterson --n 2").ended(0);
    bundled("peterson --n 2 --variant revealing").ended(1);
    bundled("peterson --n 7").refused();
    bundled("peterson --n 2 --max-states 10").ended(3);
}

#[test]
fn the_summary_lists_every_check() {
    let said = bundled("peterson --n 2 --reduction full --check mutual_exclusion");
    let text = said.ended(0);
    assert!(text.starts_with(
        "peterson n=2 variant=correct: bfs search, all enabled transitions, backward order\n"
    ));
    let line = |name: &str| {
        let found = text.lines().find(|line| line.contains(name));
        found.unwrap_or_else(|| panic!("{text}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("mutual_exclusion"), "+ mutual_exclusion state holds");
    assert_eq!(
        line("customer_0_is_served"),
        "- customer_0_is_served may progress off: not selected"
    );
    assert_eq!(
        line("always may-terminating"),
        "- always may-terminating off: not needed: every enabled transition was fired"
    );
    assert!(text.contains("574 states, 1,148 edges, depth "), "{text}");
    assert!(text.ends_with(
        "verdict: holds (every reachable state was visited and every enabled transition fired)\n"
    ));
}

/// "Holds" and "violated" are said of what should be so.
#[test]
fn rows_of_the_tool_read_like_those_of_the_model() {
    let row = |arguments: &str, code: i32, words: &str| {
        let text = bundled(arguments).ended(code).to_owned();
        let found = text.lines().find(|line| line.contains(words)).map(str::to_owned);
        found.unwrap_or_else(|| panic!("{text}"))
    };
    let livelock = "sliding_window livelock --window 1 --variant";
    let good = row(&format!("{livelock} repaired"), 0, "no non-progress cycle");
    assert!(good.starts_with("  + no non-progress cycle ") && good.ends_with(" holds"), "{good}");
    let bad = row("sliding_window livelock --variant livelocking", 1, "no non-progress cycle");
    assert!(bad.starts_with("  ! no non-progress cycle ") && bad.ends_with(" violated"), "{bad}");
    let stubborn = row("peterson --n 2", 0, "always may-terminating ");
    let words: Vec<_> = stubborn.split_whitespace().collect();
    assert_eq!(words, ["+", "always", "may-terminating", "holds"]);
    let heading = row("peterson --n 2 --variant questionable", 3, "always may-terminating: ");
    assert!(heading.ends_with("the line of '='"), "{heading}");
}

/// That a trace does not depend on the rules is said where rules were used.
#[test]
fn rules_are_mentioned_where_they_were_used() {
    let verdict = |options: &str| {
        let said = bundled(&format!("peterson --n 2 --variant mutex-violating {options}"));
        said.ended(1).lines().last().unwrap_or_default().to_owned()
    };
    let plain = "verdict: violated (the trace was replayed through the model";
    assert_eq!(verdict("--reduction full"), format!("{plain})"));
    assert_eq!(verdict(""), format!("{plain}; it is real whatever the rules)"));
}

/// Shares of a few states are chance, and not shown.
#[test]
fn rule_statistics_need_many_states() {
    let few = bundled("peterson --n 2").ended(0).to_owned();
    assert!(!few.contains("sampled states"), "{few}");
    let many = bundled("peterson --n 3").ended(0).to_owned();
    assert!(many.contains(" sampled states; "), "{many}");
    assert!(many.contains("rules that obliged everything: Step("), "{many}");
}

/// The types of what the documentation promises of `--json`.
fn has_the_promised_keys(object: &Value) {
    for key in ["model", "search", "reduction", "order", "verdict"] {
        assert!(object[key].is_string(), "{key}: {object}");
    }
    for key in ["threads", "states", "edges", "depth", "terminal_states"] {
        assert!(object[key].is_u64(), "{key}: {object}");
    }
    assert!(object["params"].is_object());
    let keys = object.as_object().expect("an object");
    assert!(keys.contains_key("reason") && keys.contains_key("violation"));
    let inconclusive = object["verdict"] == "inconclusive";
    assert_eq!(object["reason"].is_string(), inconclusive, "{object}");
    for key in ["explore", "post", "total"] {
        assert!(object["seconds"][key].is_number(), "{key}: {object}");
    }
    assert!(object["memory"]["bytes_per_state"].is_number());
    assert!(object["memory"]["peak_bytes"].is_u64());
    for check in object["checks"].as_array().expect("checks") {
        for key in ["name", "kind", "result"] {
            assert!(check[key].is_string(), "{check}");
        }
    }
    assert_eq!(object["violation"].is_object(), object["verdict"] == "violated");
}

#[test]
fn json_of_a_run_that_holds() {
    let object = json(&bundled("peterson --n 2 --reduction full --order forward --json"), 0);
    has_the_promised_keys(&object);
    assert_eq!(object["verdict"], "holds");
    assert_eq!((&object["states"], &object["edges"]), (&574.into(), &1148.into()));
    assert_eq!(
        [&object["search"], &object["reduction"], &object["order"]],
        ["bfs", "full", "forward"]
    );
    assert_eq!(object["checks"][0]["name"], "mutual_exclusion");
    assert_eq!(object["checks"][0]["kind"], "state");
    assert_eq!(object["checks"][0]["result"], "holds");
}

#[test]
fn json_of_a_violation() {
    let object = json(&tiny("many --check back_to_zero --json"), 1);
    has_the_promised_keys(&object);
    let violation = &object["violation"];
    assert_eq!(violation["kind"], "may progress");
    assert_eq!(violation["check"], "back_to_zero");
    assert!(violation["message"].is_string());
    let trace = violation["trace"].as_array().expect("a trace");
    assert_eq!(trace.len(), 10);
    assert!(trace[0]["transition"].is_null());
    assert_eq!((&trace[4]["transition"], &trace[4]["state"]["n"]), (&"Up".into(), &4.into()));
    assert_eq!((&violation["lost_at"], &violation["cycle_start"]), (&1.into(), &9.into()));
}

#[test]
fn json_of_a_run_that_gave_up() {
    let object = json(&tiny("many --max-states 3 --json"), 3);
    has_the_promised_keys(&object);
    assert_eq!(object["reason"], "the limit of 3 states was reached");
    assert_eq!(object["states"], 3, "the limit is kept to the state");
}

#[test]
fn the_papers_trace_state_for_state() {
    const PAPER: [&str; 11] = [
        "0-00 0-00 0",
        "0-00 0 00 0",
        "0j00 0 00 0",
        "0Q00 0 00 0",
        "0T00 0 00 0",
        "0w00 0 00 0",
        "0k00 0 00 0",
        "0A00 0 00 0",
        "0k10 0 00 0",
        "0A10 0 00 0",
        "0w10 0 00 0",
    ];
    let options = "peterson --n 2 --variant revealing --reduction full";
    let object = json(&bundled(&format!("{options} --json")), 1);
    assert_eq!((&object["states"], &object["edges"]), (&163.into(), &326.into()));
    let violation = &object["violation"];
    assert_eq!(violation["kind"], "may progress");
    let trace = violation["trace"].as_array().expect("a trace");
    let lines: Vec<_> = trace.iter().map(|step| step["line"].as_str().expect("a line")).collect();
    assert_eq!(lines, PAPER);
    assert_eq!(lines[2], "0j00 0 00 0");
    assert_eq!(violation["lost_at"], 2);
    assert_eq!(lines[6], "0k00 0 00 0");
    assert_eq!(violation["cycle_start"], 6);

    // The text has ASSET's separators at the same places.
    let said = bundled(options);
    let text = said.ended(1);
    let mut lines = text.lines().skip_while(|line| !line.contains("0-00 0-00 0"));
    for (i, state) in PAPER.iter().enumerate() {
        match i {
            2 => assert_eq!(lines.next(), Some("==========")),
            6 => assert_eq!(lines.next(), Some("----------")),
            _ => {}
        }
        let line = lines.next().expect("a line for each state");
        assert!(line.contains(state) && line.starts_with(&format!("{i:>2}")), "{text}");
    }
    assert!(lines.next().expect("a line").ends_with("leads back to state 6"), "{text}");
}

#[test]
fn a_summary_without_checks_claims_nothing() {
    let said = tiny("lamp");
    assert!(said.ended(3).ends_with("verdict: inconclusive: there was nothing to check\n"));
}

#[test]
fn nothing_is_coloured_where_nobody_looks() {
    for no_color in ["", "1"] {
        let mut command = asset_tests::cli::command(crate::TINY, "many");
        let output = command.env("NO_COLOR", no_color).output().expect("it runs");
        assert!(!output.stdout.contains(&0x1b) && output.stderr.is_empty());
    }
}
