//! An option is honoured or refused with a reason, never ignored.

use crate::{bundled, json, tiny};
use std::collections::{BTreeMap, BTreeSet};

const SUBCOMMANDS: [&str; 7] =
    ["check", "audit", "simulate", "graph", "replay", "list", "completions"];

/// The options of a subcommand by its help, and whether they take a value.
fn options(subcommand: &str) -> BTreeMap<String, bool> {
    let said = bundled(&format!("peterson {subcommand} --help"));
    let option = |line: &str| {
        let at = line.find("--").filter(|&at| line[..at].trim().len() <= 3)?;
        let mut words = line[at + 2..].split_whitespace();
        let name = words.next()?.to_owned();
        Some((name, words.next().is_some_and(|word| word.starts_with('<'))))
    };
    said.ended(0).lines().filter_map(option).collect()
}

#[test]
fn an_option_of_another_subcommand_is_refused() {
    let known: BTreeMap<&str, _> = SUBCOMMANDS.iter().map(|name| (*name, options(name))).collect();
    assert!(known["check"]["max-states"] && !known["check"]["json"], "{known:?}");
    let all: BTreeSet<_> = known.values().flatten().collect();
    assert!(all.len() >= 18, "{all:?}");
    for (subcommand, own) in &known {
        for (option, takes_value) in &all {
            if own.contains_key(*option) {
                continue;
            }
            let value = if **takes_value { "=1" } else { "" };
            let said = bundled(&format!("peterson {subcommand} --{option}{value}"));
            let reason = said.refused();
            assert!(
                reason.starts_with(&format!("unexpected argument '--{option}' found")),
                "{reason}"
            );
        }
    }
}

#[test]
fn without_subcommand_the_options_are_those_of_check() {
    assert_eq!(options("").keys().collect::<Vec<_>>(), options("check").keys().collect::<Vec<_>>());
}

#[test]
fn options_may_stand_before_the_subcommand() {
    let same = [
        ("--n 2 check --reduction full", "check --n 2 --reduction full"),
        ("--json --n=2 simulate --seed 1", "simulate --seed 1 --n 2 --json"),
        ("--samples 3 --n 2 -q audit --max-states 0", "audit -q --n 2 --samples 3 --max-states 0"),
        ("--format aut graph --n 2", "graph --n 2 --format aut"),
    ];
    for (before, after) in same {
        let [before, after] = [before, after].map(|arguments| {
            let said = bundled(&format!("peterson {arguments}"));
            let seconds = |line: &&str| !line.contains(" s") && !line.contains("\"");
            let lines: Vec<_> = said.stdout.lines().filter(seconds).map(str::to_owned).collect();
            (said.code, lines, said.stderr)
        });
        assert_eq!(before, after);
        assert_eq!(before.2, "");
    }
    // A value is no subcommand, and an option of another subcommand is refused by this one.
    let said = bundled("peterson --check audit --n 2");
    assert!(said.refused().starts_with("peterson has no check 'audit'"), "{}", said.stderr);
    let said = bundled("peterson --samples 3 check");
    assert!(said.refused().starts_with("unexpected argument '--samples' found"));
}

#[test]
fn an_unknown_option_lists_the_parameters() {
    let said = bundled("peterson --m 3");
    assert!(
        said.refused().ends_with("\n\nthe parameters of peterson are --n, --variant\n"),
        "{}",
        said.stderr
    );
    assert!(tiny("lamp audit --m 3").refused().ends_with("\nlamp has no parameters\n"));
    let explorer = asset_core::explorer::Explorer::new(models::peterson::model());
    let error = explorer.param("m", 3).run().unwrap_err().to_string();
    assert_eq!(error, "peterson has no parameter 'm'; it has n, variant");
}

#[test]
fn an_audit_can_be_of_one_check() {
    let said = bundled("peterson audit --n 2 --check mutual_exclusion");
    assert!(said.ended(0).ends_with("the rules are right)\n"), "{}", said.stdout);
    let said = bundled("peterson audit --n 2 --check mutual_exclusions");
    assert!(said.refused().starts_with("peterson has no check 'mutual_exclusions'; it has "));
}

#[test]
fn a_parameter_says_which_values_there_are() {
    let said = bundled("peterson --n 9");
    let reason = said.refused();
    assert!(reason.starts_with("invalid value '9' for '--n <VALUE>'\n"), "{reason}");
    assert!(reason.contains("[possible values: 2, 3, 4, 5]"), "{reason}");
    let said = bundled("peterson graph --variant correkt");
    assert!(said.refused().contains("a similar value exists: 'correct'"), "{}", said.stderr);
}

#[test]
fn quiet_leaves_the_exit_code() {
    for (arguments, code) in [("many --check fits", 0), ("many", 1), ("many --max-states 3", 3)] {
        let said = tiny(&format!("{arguments} --quiet"));
        assert_eq!((said.ended(code), &*said.stderr), ("", ""));
    }
    let said = tiny("many --quiet --json");
    assert!(said.refused().contains("cannot be used with '--json'"), "{}", said.stderr);
}

#[test]
fn limits_end_a_run_with_a_sentence() {
    let ends = |arguments: &str, sentence: &str| {
        let said = tiny(arguments);
        let text = said.ended(3);
        assert!(text.ends_with(&format!("\nverdict: inconclusive: {sentence}\n")), "{text}");
        assert!(text.contains("? fits "), "{text}");
    };
    ends("many --max-states 3", "the limit of 3 states was reached");
    ends("many --max-memory 3k", "the memory limit of 3000 bytes was reached");
    ends("many --max-time 0.0000001", "the time limit of 0.0000001 s was reached");
    let said = bundled("token_ring --n 10 --max-time 100ms");
    assert!(said.ended(3).ends_with("inconclusive: the time limit of 0.1 s was reached\n"));
    let said = bundled("token_ring --n 10 --max-memory 5M");
    assert!(said.ended(3).ends_with("inconclusive: the memory limit of 5 MB was reached\n"));
    // A limit that is not reached changes nothing.
    tiny("many --check fits --max-states 10 --max-memory 1G --max-time 1h").ended(0);
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for (option, reason) in [
        ("--max-states=0", "0 is not in 1.."),
        ("--max-memory=0", "write a number above 0 with K, M, G or T, as in 8G"),
        ("--max-memory=-1G", "write a number above 0"),
        ("--max-memory=8X", "write a number with K, M, G or T, as in 8G"),
        ("--max-memory=", "write a number above 0"),
        ("--max-time=0", "write a number above 0 with s, m or h, as in 90s or 10m"),
        ("--max-time=soon", "write seconds, or a number with s, m or h, as in 10m"),
        ("--max-time=99999999999999999999999h", "nobody waits so long"),
        ("--all-errors=0", "0 is not in 1.."),
        ("--reduction=some", "[possible values: stubborn, full]"),
        ("--order=random", "[possible values: backward, forward]"),
        ("--check=smal", "many has no check 'smal'; it has small, fits, back_to_zero, on_to_nine"),
    ] {
        let said = tiny(&format!("many {option}"));
        assert!(said.refused().contains(reason), "{}", said.stderr);
    }
    assert_eq!(tiny("lamp --check x").refused(), "lamp has no check 'x'; it has none\n");
}

#[test]
fn a_reduction_needs_rules() {
    for subcommand in ["check", "graph"] {
        let said = tiny(&format!("many {subcommand} --reduction stubborn"));
        assert!(said.refused().starts_with("many has no stubborn set rules"), "{}", said.stderr);
    }
}

#[test]
fn order_reduction_and_paranoia_are_honoured() {
    let states = |options: &str| {
        let object = json(&bundled(&format!("peterson --n 2 --json {options}")), 0);
        object["states"].as_u64().expect("a number")
    };
    assert_eq!(states("--reduction full"), 574);
    assert_eq!(states("--reduction stubborn"), 378);
    assert_eq!(states("--reduction stubborn"), states("--order backward"));
    let ring = |order: &str| {
        let object = json(&bundled(&format!("token_ring --n 4 --json --order {order}")), 0);
        (object["order"].clone(), object["states"].clone())
    };
    assert_eq!(ring("forward"), ("forward".into(), 1117.into()));
    assert_eq!(ring("backward"), ("backward".into(), 1158.into()));
    assert_eq!(states("--reduction full --paranoid"), 574);
    tiny("sloppy").ended(0);
    let said = tiny("sloppy --paranoid");
    assert!(
        said.refused().starts_with(
            "model error: firing Press: it returned false after changing the state; \
             is `true` missing at the end?\n"
        ),
        "{}",
        said.stderr
    );
}

#[test]
fn all_errors_are_as_many_as_were_asked_for() {
    let violations = |n: usize| {
        let object = json(&tiny(&format!("many --all-errors {n} --json")), 1);
        let list = object["violations"].as_array().cloned();
        list.unwrap_or_else(|| vec![object["violation"].clone()])
    };
    let names = |n: usize| -> Vec<String> {
        let check = |v: &serde_json::Value| v["check"].as_str().expect("a name").to_owned();
        violations(n).iter().map(check).collect()
    };
    assert_eq!(names(1), ["small"]);
    assert_eq!(names(2), ["small", "small"]);
    assert_eq!(violations(2)[1]["trace"].as_array().map(Vec::len), Some(9));
    assert_eq!(names(9), ["small", "small", "small", "back_to_zero"]);
    let object = json(&tiny("many --all-errors 9 --json"), 1);
    let results: Vec<_> =
        (0..4).map(|i| object["checks"][i]["result"].as_str().expect("a word")).collect();
    // A state is charged with one check, so nothing is claimed of the second.
    assert_eq!(results, ["violated", "inconclusive", "violated", "holds"]);
    assert_eq!(
        object["checks"][1]["reason"],
        "not evaluated in states that violate small; --check fits does that"
    );
    tiny("many --check fits").ended(0);
}

#[test]
fn a_parameter_with_the_name_of_an_option_is_refused() {
    for subcommand in ["list", "check", "graph"] {
        assert_eq!(
            tiny(&format!("clash {subcommand}")).refused(),
            "the parameter 'max-nodes' of clash has the name of the option --max-nodes; \
             give its constant another\n"
        );
    }
}

/// None of their parameters has the name of an option, in any command.
#[test]
fn every_bundled_model_has_a_command_line() {
    for family in models::all() {
        let listed = bundled(&format!("{} list", family.name));
        assert!(listed.ended(0).contains(family.name));
        for param in family.params {
            let checked =
                format!("{} --{} {} --max-states 10", family.name, param.name, param.default);
            assert!(matches!(bundled(&checked).code, Some(0 | 1 | 3)), "{checked}");
        }
    }
}
