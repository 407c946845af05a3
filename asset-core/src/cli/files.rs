//! Files that are whole or not there.

use super::CliError;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes a file next to its place and moves it there when it is complete.
pub fn write_whole(path: &Path, text: &str) -> Result<(), CliError> {
    let fail = |error: std::io::Error| {
        CliError::Sentence(format!("cannot write {}: {error}", path.display()))
    };
    if path.exists() && !path.is_file() {
        // A device or a pipe cannot be replaced, only written to.
        return fs::write(path, text).map_err(fail);
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let written = fs::File::create(&partial)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // Best effort: the sentence below is what matters.
        let _ = fs::remove_file(&partial);
        fail(error)
    })
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, CliError> {
    fs::read_to_string(path)
        .map_err(|error| CliError::Sentence(format!("cannot read {}: {error}", path.display())))
}
