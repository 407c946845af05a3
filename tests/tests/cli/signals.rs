//! Ctrl-C and its kin end a run with what it knows.

use crate::{BUNDLED, folder};
use asset_tests::cli::{Said, command, names_in};
use std::process::{Child, Command, Stdio};

/// Starts a run that would take long, and waits until it listens to signals.
fn started(arguments: &str) -> Child {
    let mut child = command(BUNDLED, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let listens = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.map(|mask| u64::from_str_radix(mask.trim(), 16).expect("a mask"));
        // Both SIGINT, number 2, and SIGTERM, number 15.
        mask.is_some_and(|mask| mask >> 1 & mask >> 14 & 1 != 0)
    };
    let path = format!("/proc/{}/status", child.id());
    while !std::fs::read_to_string(&path).is_ok_and(listens) {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    child
}

fn ended_by(signal: &str, child: Child) -> Said {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn an_interrupted_check_says_what_it_knows() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let said = ended_by(signal, started("token_ring --n 10 --reduction full"));
        let text = said.ended(3);
        assert!(text.ends_with("\nverdict: inconclusive: it was interrupted\n"), "{text}");
        assert!(text.contains(" states, ") && text.contains("? "), "{text}");
        assert_eq!(said.stderr, "");
    }
    let said = ended_by("-INT", started("token_ring --n 10 --reduction full --json"));
    let object: serde_json::Value = serde_json::from_str(said.ended(3)).expect("JSON");
    assert_eq!(
        (&object["verdict"], &object["reason"]),
        (&"inconclusive".into(), &"it was interrupted".into())
    );
}

#[test]
fn an_interrupted_graph_is_not_written() {
    let folder = folder("graph_interrupted");
    let path = folder.join("graph.dot");
    let arguments = format!("token_ring graph --n 10 --max-nodes 1000000000 -o {}", path.display());
    let said = ended_by("-INT", started(&arguments));
    assert_eq!(said.ended(3), "");
    assert_eq!(said.stderr, "error: nothing to show: it was interrupted\n");
    assert!(names_in(&folder).is_empty());
}
