//! `simulate`, `graph`, `list` and `completions`.

use crate::{TINY, bundled, folder, json, tiny};
use asset_tests::cli::{command, names_in};
use std::fs;

#[test]
fn a_random_walk_can_be_repeated() {
    // In this variant nobody ever stops.
    let first = bundled("peterson simulate --n 3 --variant questionable --max-steps 30");
    let text = first.ended(0);
    let last = text.lines().last().expect("a line");
    let seed = last.split([' ', ':']).nth(1).expect("the seed");
    assert_eq!(last, format!("seed {seed}: --seed {seed} repeats this run"));
    let again = bundled(&format!(
        "peterson simulate --n 3 --variant questionable --max-steps 30 --seed {seed}"
    ));
    assert_eq!(again, first);
    assert!(text.contains("\nstopped after 30 steps\n"), "{text}");
    let object = json(
        &bundled(&format!("peterson simulate --n 3 --variant questionable --seed {seed} --json")),
        0,
    );
    assert_eq!(object["seed"].to_string(), seed);
    assert_eq!(object["params"]["n"], 3);
    let trace = object["trace"].as_array().expect("a trace");
    let line = |i: usize| trace[i]["line"].as_str().expect("a line");
    assert!(trace.len() == 51 && (0..=30).all(|i| text.contains(line(i))));
}

#[test]
fn the_typical_run_is_always_the_same() {
    let first = bundled("peterson simulate --n 2 --typical");
    assert_eq!(bundled("peterson simulate --n 2 --typical"), first);
    let forward = bundled("peterson simulate --n 2 --typical --order forward");
    let text = forward.ended(0);
    assert_ne!(first, forward);
    assert!(
        text.ends_with("\nthe run repeats itself from here on\n") && text.contains("leads back")
    );
    let said = tiny("many simulate --typical");
    assert!(said.ended(1).ends_with("n: 6→7\n\nsmall fails in the last state\n"));
    for options in ["--typical --seed 1", "--order forward", "--max-steps 100001"] {
        tiny(&format!("many simulate {options}")).refused();
    }
}

#[test]
fn a_graph_for_graphviz() {
    let said = tiny("many graph");
    let text = said.ended(0);
    assert!(text.starts_with("digraph {\n") && text.ends_with("}\n"), "{text}");
    assert_eq!(text.matches(" -> ").count(), 10);
    assert!(text.contains("0 [ label=\"{n=0}\", penwidth=2]"), "{text}");
    assert!(text.contains("8 -> 9 [ label=\"Up\"]"), "{text}");
}

#[test]
fn long_states_are_short_labels_and_tooltips() {
    let said = bundled("token_ring graph --n 3 --max-rank 1000000");
    let text = said.ended(0);
    let labels = text.lines().filter_map(|line| line.split("label=\"").nth(1)?.split('"').next());
    for label in labels {
        let lines: Vec<_> = label.split("\\n").collect();
        assert!(lines.len() <= 4 && lines.iter().all(|l| l.chars().count() <= 41), "{label}");
    }
    assert!(text.contains("label=\"#1\\n") && text.contains("tooltip=\"{"), "{text}");
}

#[test]
fn a_wide_graph_is_refused_with_advice() {
    let said = bundled("token_ring graph --n 3 --max-rank 2");
    assert!(said.refused().contains("at the same distance, too many to stand side by side"));
    bundled("token_ring graph --n 3 --max-rank 2 --format aut").ended(0);
}

#[test]
fn a_graph_for_other_tools() {
    let folder = folder("graph_aut");
    let path = folder.join("graph.aut");
    let said = bundled(&format!("peterson graph --n 2 --format aut -o {}", path.display()));
    assert_eq!(said.ended(0), format!("574 states and 1,148 edges in {}\n", path.display()));
    let text = fs::read_to_string(&path).expect("the graph");
    assert!(text.starts_with("des (0, 1148, 574)\n(0, \"Stop(1)\", 1)\n"), "{}", &text[..60]);
    assert_eq!((text.lines().count(), names_in(&folder)), (1149, vec!["graph.aut".to_owned()]));
    let said = bundled("peterson graph --n 2 --format aut --reduction stubborn");
    assert!(said.ended(0).starts_with("des (0, 522, 378)\n"));
    let said = bundled("peterson graph --n 2 --format aut --order forward");
    assert!(said.ended(0).starts_with("des (0, 1148, 574)\n(0, \"Step(0)\", 1)\n"));
}

#[test]
fn a_large_graph_is_refused() {
    let folder = folder("graph_large");
    let out = folder.join("graph.dot");
    for options in ["--n 3".to_owned(), format!("--n 4 -o {}", out.display())] {
        let said = bundled(&format!("peterson graph {options}"));
        assert_eq!(
            said.refused(),
            "the graph has more than 2000 states, too many to look at; \
             --max-nodes raises the limit\n"
        );
    }
    assert!(names_in(&folder).is_empty());
    let said = tiny("many graph --max-nodes 9");
    assert!(said.refused().starts_with("the graph has more than 9 states"));
    tiny("many graph --max-nodes 10").ended(0);
}

#[test]
fn a_list_of_what_there_is() {
    let said = bundled("peterson list");
    let text = said.ended(0);
    for part in [
        "peterson: Peterson's mutual exclusion for N customers.\n",
        "  --n 2, 3, 4, 5  (default 3)  Number of customers.\n",
        "  n=4 variant=correct ",
        " 50 bits,  8 bytes per state,   8 transitions\n",
        "mutual_exclusion ",
        "stubborn set rules: yes\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let said = tiny("lamp list");
    assert!(
        said.ended(0).contains("     1 bit,  8 bytes per state,    1 transition\n"),
        "{said:?}"
    );
    let object = json(&bundled("peterson list --json"), 0);
    assert_eq!(object["model"], "peterson");
    assert_eq!(object["params"][0]["values"], serde_json::json!([2, 3, 4, 5]));
    assert_eq!(object["instances"].as_array().map(Vec::len), Some(16));
    assert_eq!(object["checks"][1]["kind"], "may progress");
    for variable in object["variables"].as_array().expect("variables") {
        assert!(variable["name"].is_string() && variable["bits"].is_u64());
    }
    for instance in object["instances"].as_array().expect("instances") {
        assert!(instance["bytes_per_state"].is_u64() && instance["bits"].is_u64());
    }
}

#[test]
fn a_list_of_what_is_not_understood() {
    let source = include_str!("../../src/bin/tiny.rs");
    let line = |code: &str| {
        let found = source.lines().position(|line| line.trim() == code);
        found.expect("the line is there") + 1
    };
    let said = tiny("opaque list");
    let expected = format!(
        "progress labels: none\n\n\
         `Step`: not understood: the state is passed to `is_low`, a closure or another value \
         (line {}); firings are not remembered\n\
         `Reset`: not understood: the state is used as a whole (line {}); firings are not \
         remembered\n\
         `Plain`: not understood: a method of the state is called, `is_low` (line {}); what \
         rules oblige is not remembered\n\
         `is_unknown`: not understood: the state is used as a whole (line {}); every state is \
         checked anew\n",
        line("let fires = is_low(s);"),
        line("*s = State { n: 0, ..*s };"),
        line("if s.is_low() {"),
        line("let State { n, .. } = s;"),
    );
    assert!(said.ended(0).ends_with(&expected), "{said:?}");
    let object = json(&tiny("opaque list --json"), 0);
    assert_eq!(object["not_understood"].as_array().map(Vec::len), Some(4));
    assert_eq!(object["not_understood"][1]["name"], "Reset");
    assert_eq!(object["not_understood"][1]["line"], line("*s = State { n: 0, ..*s };"));
    tiny("opaque check --reduction full").ended(0);
    // Nothing is said where there is nothing to say.
    for family in models::all() {
        let said = bundled(&format!("{} list", family.name));
        let text = said.ended(0);
        assert!(!text.contains("not understood") && !text.ends_with("\n\n"), "{text}");
        let object = json(&bundled(&format!("{} list --json", family.name)), 0);
        assert!(object.get("not_understood").is_none());
    }
}

#[test]
fn completions_know_the_parameters() {
    for shell in ["bash", "zsh", "fish"] {
        let said = bundled(&format!("peterson completions {shell}"));
        let text = said.ended(0);
        assert!(text.contains("peterson") && text.contains("variant"), "{shell}: {text}");
        assert!(text.contains("mutex-violating"), "{shell}: {text}");
    }
    tiny("many completions").refused();
    tiny("many completions tcsh").refused();
}

#[test]
fn help_is_a_result() {
    let output = command(TINY, "many --help").output().expect("it runs");
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("Exit codes: 0 holds, 1 violated, 2 usage or model error, 3 inconcl"));
}
