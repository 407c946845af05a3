//! Files that are whole or not there, full disks and readers that go away.

use crate::{TINY, folder, tiny};
use asset_tests::cli::{Said, command, names_in};
use std::fs::{self, File};
use std::process::Stdio;

#[test]
fn a_trace_is_written_whole_and_only_if_there_is_one() {
    let folder = folder("trace_whole");
    let path = folder.join("trace.json");
    let said = tiny(&format!("many --trace {}", path.display()));
    assert!(said.ended(1).ends_with(&format!("\nthe trace is in {}\n", path.display())));
    assert_eq!(names_in(&folder), ["trace.json"]);
    let first = fs::read_to_string(&path).expect("the trace");

    // A second run replaces it; one that has nothing to write leaves it.
    fs::write(&path, "something old").expect("written");
    let said = tiny(&format!("many --quiet --trace {}", path.display()));
    assert_eq!((said.ended(1), fs::read_to_string(&path).ok()), ("", Some(first.clone())));
    let said = tiny(&format!("many --check fits --trace {}", path.display()));
    let there_is_none = format!("there is no trace, so {} was not written\n", path.display());
    assert!(said.ended(0).ends_with(&there_is_none), "{}", said.stdout);
    assert_eq!(fs::read_to_string(&path).ok(), Some(first));
    assert_eq!(names_in(&folder), ["trace.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = folder("trace_link");
    let (link, target) = (folder.join("link"), folder.join("target"));
    fs::write(&target, "something old").expect("written");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    tiny(&format!("many --trace {}", link.display())).ended(1);
    assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    assert!(fs::read_to_string(&target).expect("the trace").contains("asset-trace-1"));
    assert_eq!(names_in(&folder), ["link", "target"]);
}

#[test]
fn a_path_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder("unwritable");
    for option in ["check --trace", "graph --output"] {
        let said = tiny(&format!("many {option} {}", folder.join("no/such.json").display()));
        let reason = said.refused();
        assert!(
            reason.starts_with("cannot write ") && reason.contains("no/such.json: "),
            "{reason}"
        );
        assert_eq!(reason.lines().count(), 1);
        let said = tiny(&format!("many {option} {}", folder.display()));
        assert!(said.refused().contains(": is a directory"), "{}", said.stderr);
    }
    assert!(names_in(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_the_verdict_is_not_lost() {
    let said = tiny("many --trace /dev/full");
    assert!(said.ended(2).contains("verdict: violated"), "{}", said.stdout);
    assert_eq!(
        said.stderr,
        "error: cannot write /dev/full: No space left on device (os error 28)\n"
    );
    assert!(tiny("many graph -o /dev/full").refused().starts_with("cannot write /dev/full: "));
    for arguments in ["many", "many --json", "many list", "many graph", "many --help"] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let mut command = command(TINY, arguments);
        let said: Said = command
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .and_then(std::process::Child::wait_with_output)
            .expect("it runs")
            .into();
        assert!(said.refused().starts_with("cannot write the result: No space"), "{arguments}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for (arguments, code) in [("many", 1), ("many graph", 0), ("many list", 0), ("many --help", 0)]
    {
        let mut child = command(TINY, arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // Nobody reads: whatever is written from now on meets a closed pipe.
        drop(child.stdout.take());
        let said: Said = child.wait_with_output().expect("it ends").into();
        assert_eq!((said.code, &*said.stderr), (Some(code), ""), "{arguments}");
    }
}
