//! Models that break their contract: one sentence, the way there, exit code 2.

use crate::tiny;

/// What is said first, and the last line of the trace.
fn fault(arguments: &str) -> (String, Option<String>) {
    let said = tiny(&format!("faulty {arguments}"));
    let mut lines = said.refused().lines().map(str::to_owned);
    let sentence = lines.next().expect("a sentence");
    (sentence, lines.next_back())
}

/// The sentence of a panic, with its place in the source left out.
fn panic(arguments: &str) -> (String, Option<String>) {
    let (sentence, last) = fault(arguments);
    let (before, after) = sentence.split_once(" at ").expect("a place");
    let (place, message) = after.split_once(": ").expect("a message");
    let (file, line) = place.rsplit_once(':').expect("a line");
    assert!(file.ends_with("tiny.rs") && line.parse::<u32>().is_ok(), "{sentence}");
    (format!("{before}: {message}"), last)
}

#[test]
fn a_value_out_of_range() {
    for reduction in ["full", "stubborn"] {
        let (sentence, last) = fault(&format!("--fault range --reduction {reduction}"));
        assert_eq!(
            sentence,
            "model error: firing Up: `n` received 200, which is outside its range 0..=5"
        );
        assert!(last.is_some_and(|last| last.ends_with("n: 2→3")));
    }
    for subcommand in ["check", "graph", "simulate", "audit"] {
        let (sentence, last) = fault(&format!("{subcommand} --fault init-range"));
        assert_eq!(
            sentence,
            "model error: in an initial state: `n` received 6, which is outside its range 0..=5"
        );
        assert_eq!(last, None);
    }
}

#[test]
fn a_panic_in_every_part() {
    let three = |what: &str| {
        let (sentence, last) = panic(what);
        assert!(last.is_some_and(|last| last.ends_with("n: 2→3")), "{what}: {sentence}");
        sentence
    };
    for command in
        ["check", "check --reduction full", "livelock", "audit", "graph", "simulate --typical"]
    {
        assert_eq!(
            three(&format!("{command} --fault fire")),
            "model error: firing Up: the model panicked: three is too much"
        );
    }
    for command in [
        "check --fault rule",
        "check --fault state",
        "check --fault state --reduction full",
        "simulate --fault state --typical",
        "check --fault may",
        "check --fault may --reduction full",
        "check --fault must --reduction full",
        "check --fault must",
        "audit --fault rule",
        "audit --fault state",
    ] {
        assert_eq!(three(command), "model error: the model panicked: three is too much");
    }
    for reduction in ["full", "stubborn"] {
        let (sentence, last) = panic(&format!("--fault deadlock --reduction {reduction}"));
        assert_eq!(sentence, "model error: the model panicked: the end is too much");
        assert!(last.is_some_and(|last| last.ends_with("n: 4→5")));
    }
    for subcommand in ["check", "graph", "simulate", "audit"] {
        let (sentence, last) = panic(&format!("{subcommand} --fault init"));
        assert_eq!(sentence, "model error: in an initial state: the model panicked: no start");
        assert_eq!(last, None);
    }
    for subcommand in ["livelock", "livelock --reduction c2t", "audit"] {
        let (sentence, last) = panic(&format!("{subcommand} --fault label"));
        let label = "model error: the progress label of Up: the model panicked: no label";
        assert_eq!((sentence.as_str(), last), (label, None));
    }
    assert_eq!(
        three("--fault index"),
        "model error: firing Up: the model panicked: index out of bounds: \
         the len is 3 but the index is 3"
    );
}

#[test]
fn a_model_without_initial_states_claims_nothing() {
    for subcommand in ["check", "graph", "simulate", "audit"] {
        let (sentence, last) = fault(&format!("{subcommand} --fault no-init"));
        assert_eq!(sentence, "model error: #[init] gives no initial state");
        assert_eq!(last, None);
    }
}

#[test]
fn the_place_is_that_of_the_panic_that_ended_the_run() {
    let [(fire, _), (both, _)] =
        ["fire", "fire-and-display"].map(|f| fault(&format!("--fault {f}")));
    assert_eq!(fire, both);
}

#[test]
fn a_panic_in_display_loses_nothing_else() {
    let said = tiny("faulty simulate --typical --fault display");
    let text = said.ended(0);
    let line = "{n=3 other=yes} (in #[display], the model panicked: three is too much)";
    assert!(text.contains(line) && text.contains("5 other"), "{text}");
    assert!(tiny("faulty graph --fault display").ended(0).contains(line));
    tiny("faulty --fault display --reduction full").ended(0);
}
