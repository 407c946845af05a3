//! Runs command lines as a user does, and keeps what they say.

use std::path::PathBuf;
use std::process::{Command, Output};

/// What a program said, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The exit code; `None` if a signal ended the program.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Said {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Said {
    /// Asserts an exit code, and returns standard output.
    #[track_caller]
    pub fn ended(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        &self.stdout
    }

    /// Asserts exit code 2, nothing on standard output and no word of Rust's
    /// own about panics; returns what stands on standard error.
    #[track_caller]
    pub fn refused(&self) -> &str {
        assert_eq!((self.code, &*self.stdout), (Some(2), ""), "{}", self.stderr);
        for word in ["thread '", "RUST_BACKTRACE", "stack backtrace", "internal error"] {
            assert!(!self.stderr.contains(word), "{}", self.stderr);
        }
        self.stderr.strip_prefix("error: ").unwrap_or_else(|| panic!("{}", self.stderr))
    }
}

/// A command with arguments that contain no spaces.
pub fn command(program: &str, arguments: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.split_whitespace()).env("RUST_BACKTRACE", "1");
    command
}

/// Runs a program to its end.
pub fn run(program: &str, arguments: &str) -> Said {
    command(program, arguments).output().expect("the program starts").into()
}

/// An empty folder of this name below `parent`, the build's folder for tests.
pub fn empty_folder(parent: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(parent).join(name);
    // It is there only after an earlier run of the tests.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

/// The names in a folder, in order.
pub fn names_in(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
