//! Writes down what the command line answers, so that two commits can be compared byte for byte
//! with `diff -r`. See CONTRIBUTING.md.

use asset_tests::answers;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    // This program is also the one that it asks.
    if let [_, command, row, folder] = &arguments[..]
        && command == "row"
    {
        answers::answer(&row.to_string_lossy(), Path::new(folder));
        return ExitCode::SUCCESS;
    }
    let [program, folder] = &arguments[..] else {
        eprintln!("usage: answers FOLDER");
        return ExitCode::from(2);
    };
    let folder = Path::new(folder);
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        eprintln!("error: {} is not empty", folder.display());
        return ExitCode::from(2);
    }
    let hashes = answers::write(&program.to_string_lossy(), folder);
    println!("{} rows are in {}", hashes.lines().count() - 1, folder.display());
    ExitCode::SUCCESS
}
