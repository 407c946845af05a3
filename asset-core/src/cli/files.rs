//! Files that are whole or not there.

use super::CliError;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file next to its place and moves it there when it is complete.
pub fn write_whole(path: &Path, text: &str) -> Result<(), CliError> {
    if path.exists() && !path.is_file() {
        // A device or a pipe cannot be replaced, only written to.
        return fs::write(path, text).map_err(|error| cannot_write(path, &error));
    }
    // A link stays, and the file that it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let partial = partial(&target);
    let written = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, &target));
    written.map_err(|error| {
        // Best effort: the sentence below is what matters.
        let _ = fs::remove_file(&partial);
        cannot_write(path, &error)
    })
}

/// Refuses a path that [`write_whole`] cannot write to, before a long run is
/// made in vain. Leaves nothing behind.
pub fn try_place(path: &Path) -> Result<(), CliError> {
    if path.is_dir() {
        return Err(cannot_write(path, &std::io::ErrorKind::IsADirectory.into()));
    }
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    let partial = partial(&fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    let tried = fs::File::create(&partial).and_then(|_| fs::remove_file(&partial));
    tried.map_err(|error| cannot_write(path, &error))
}

/// Where a file is written before it is complete.
fn partial(path: &Path) -> PathBuf {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    partial.into()
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CliError {
    CliError::Sentence(format!("cannot write {}: {error}", path.display()))
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path)
        .map_err(|error| CliError::Sentence(format!("cannot read {}: {error}", path.display())))
}
