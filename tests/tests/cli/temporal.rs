//! Formulas, automata and fairness on the command line.

use crate::{bundled, folder, json};
use serde_json::json as value;
use std::fs;

const SERVED: &str = "peterson_enter --n 2 --check EVERYBODY_IS_SERVED";

#[test]
fn a_formula_of_the_model_is_decided_under_its_fairness() {
    let said = bundled(SERVED);
    let text = said.ended(0);
    assert!(text.contains("+ EVERYBODY_IS_SERVED     ltl           holds"), "{text}");
    assert!(text.contains("runs are weakly fair to customer(0), customer(1)"), "{text}");
}

#[test]
fn fairness_is_taken_away_aloud() {
    let said = bundled(&format!("{SERVED} --fairness none"));
    let text = said.ended(1);
    assert!(text.contains("no fairness was assumed: --fairness none leaves out"), "{text}");
    assert!(text.contains("\n----------\n") && text.contains("leads back to state"), "{text}");
    let said = bundled("alternating_bit --check VALUES_GET_THROUGH --fairness weak");
    let text = said.ended(1);
    assert!(text.contains("--fairness weak makes weak what the model calls strongly"), "{text}");
    // What the model does not say cannot be taken away.
    let said = bundled("token_ring --n 2 --ltl F(terminal) --fairness none --reduction full");
    assert!(said.ended(1).contains("no fairness was assumed)"), "{}", said.stdout);
}

#[test]
fn a_formula_of_the_command_line_is_decided_beside_the_checks() {
    let said = bundled("peterson_enter --n 2 --ltl G(trying(0)->F(critical(0))) --json");
    let object = json(&said, 0);
    let checks = object["checks"].as_array().unwrap();
    let of = |name: &str| checks.iter().find(|check| check["name"] == name).unwrap();
    assert_eq!(of("G(trying(0)->F(critical(0)))")["result"], "holds");
    assert_eq!(of("mutual_exclusion")["result"], "holds");
    // Names of checks and `terminal` are propositions, too.
    let said = bundled("peterson_enter --n 2 --ltl G(mutual_exclusion) --check deadlock");
    assert_eq!(said.code, Some(2), "{}{}", said.stdout, said.stderr);
    let said = bundled("peterson_enter --n 2 --ltl G(customer_0_is_served->F(terminal))");
    said.ended(1);
}

#[test]
fn a_step_says_what_the_automaton_and_fairness_see() {
    let run = "philosophers --n 3 --check NOBODY_STARVES --fairness weak --explain";
    let said = bundled(run);
    let text = said.ended(1);
    for part in [
        "· automaton: from ",
        ", in acceptance set 0",
        "· weak fairness of philosopher(",
        "): taken\n",
        "): disabled\n",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let object = json(&bundled(&format!("{run} --json")), 1);
    let trace = object["violation"]["trace"].as_array().unwrap();
    let start = object["violation"]["cycle_start"].as_u64().unwrap() as usize;
    assert!(trace.iter().all(|step| step["notes"][0].as_str().unwrap().starts_with("automaton")));
    assert_eq!(trace[start]["notes"].as_array().unwrap().len(), 4);
    // Nothing is said that was not asked for.
    let said = bundled(run.strip_suffix(" --explain").unwrap());
    assert!(!said.ended(1).contains('·'), "{}", said.stdout);
}

#[test]
fn searches_agree_and_refuse_what_they_cannot_decide() {
    let said = bundled(&format!("{SERVED} --search ndfs"));
    assert!(said.ended(0).contains("ndfs search"), "{}", said.stdout);
    bundled(&format!("{SERVED} --search ndfs --fairness none")).ended(1);
    let refused = |arguments: &str, reason: &str| {
        let said = bundled(arguments);
        assert!(said.refused().contains(reason), "{arguments}: {}", said.stderr);
    };
    refused("alternating_bit --search ndfs", "decides no strong fairness: use --search scc");
    refused("peterson --n 2 --search dfs --ltl F(terminal)", "--search scc decides formulas");
    refused("peterson --n 2 --max-depth 5", "add --search dfs or --search stateless");
    refused("peterson --n 2 --shorten", "add --search dfs");
    refused("peterson --n 2 --search stateless", "--max-depth");
    refused(
        "peterson_enter --n 2 --reduction stubborn --ltl F(terminal)",
        "stubborn sets are not proven to keep",
    );
    bundled("peterson --n 2 --search dfs --check mutual_exclusion").ended(0);
    bundled("peterson --n 2 --search stateless --max-depth 3 --check mutual_exclusion").ended(3);
    let said = bundled(
        "peterson --n 2 --variant mutex-violating --search dfs --max-depth 60 --shorten \
         --check mutual_exclusion",
    );
    said.ended(1);
}

#[test]
fn what_is_wrong_with_a_formula_is_said_with_its_place() {
    let refused = |formula: &str, reason: &str, place: &str| {
        let said = bundled(&format!("peterson_enter --n 2 --ltl {formula}"));
        let text = said.refused();
        assert!(text.contains(reason), "{formula}: {text}");
        assert!(text.contains(&format!("\n  {formula}\n  {place}\n")), "{formula}: {text}");
    };
    refused("G(trying(0)", "this `(` is not closed", " ^");
    refused("F(crticial(0))", "there is no proposition `crticial`; there are trying(i)", "  ^");
    refused("F(critical)", "takes 1 argument and is given 0: write `critical(i)`", "  ^");
    refused("F(critical(2))", "`i` of `critical` is 2, and its values are 0..=1", "  ^");
    refused("trying(0)+trying(1)", "`+` is no operator", "         ^");
}

#[test]
fn an_automaton_is_read_from_a_file() {
    let folder = folder("temporal_hoa");
    let never = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        bundled(&format!("peterson_enter --n 2 --hoa {}", path.display()))
    };
    // Sometime customer 0 tries and is never served from then on.
    let automaton = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"trying(0)\" \"critical(0)\"\n\
                     acc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n\
                     [0 & !1] 1\nState: 1 {0}\n[!1] 1\n--END--\n";
    never("served.hoa", automaton).ended(0);
    let unfair = format!(
        "peterson_enter --n 2 --fairness none --hoa {}",
        folder.join("served.hoa").display()
    );
    bundled(&unfair).ended(1);
    let refused = |name: &str, text: &str, reason: &str| {
        let said = never(name, text);
        let told = said.refused();
        assert!(told.contains(name) && told.contains(reason), "{name}: {told}");
    };
    refused("empty.hoa", "", "HOA: v1");
    refused("rabin.hoa", &automaton.replace("1 Inf(0)", "2 Fin(0)&Inf(1)"), "line 6");
    refused("unknown.hoa", &automaton.replace("critical(0)", "eating(0)"), "`eating`");
    refused("cut.hoa", automaton.split("--END--").next().unwrap(), "--END--");
    let said = bundled("peterson_enter --n 2 --hoa /no/such/file.hoa");
    assert!(said.refused().starts_with("cannot read /no/such/file.hoa"), "{}", said.stderr);
}

#[test]
fn a_list_shows_propositions_formulas_and_fairness() {
    let said = bundled("philosophers list");
    let text = said.ended(0);
    for line in [
        "  hungry(i in 0..=4)               Whether a philosopher holds one fork and waits for the other.\n",
        "  strong   philosopher(4): TakeSecond(4), PutSecond(4), PutFirst(4)\n",
        "  NOBODY_STARVES                   ltl                      Nobody starves.\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(
        text.contains("  NOBODY_STARVES                   (((G (hungry(0) -> F eating(0))"),
        "{text}"
    );
    let object = json(&bundled("alternating_bit list --json"), 0);
    assert_eq!(object["propositions"][0]["name"], "under_way");
    let strong = value!({ "kind": "strong", "group": null, "transitions": ["Send"] });
    assert_eq!(object["fairness"][0], strong);
    let checks = object["checks"].as_array().unwrap();
    let formula = checks.iter().find(|check| check["name"] == "VALUES_GET_THROUGH").unwrap();
    assert_eq!(formula["formula"], "G (under_way -> F !under_way)");
    // Nothing is said of what there is nothing of.
    assert!(!bundled("token_ring list").ended(0).contains("fairness"));
}
