//! Builds the programs that are compared, each as its users would.

use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The directory of this package.
pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    package().parent().unwrap_or(package()).to_owned()
}

/// A directory for what is built besides the workspace: next to this program.
fn scratch() -> Result<PathBuf, String> {
    let exe = env::current_exe().map_err(|e| e.to_string())?;
    let target = exe.ancestors().nth(2).ok_or("this program stands nowhere")?;
    Ok(target.join("yardsticks"))
}

/// Builds examples of the bundled models in release mode; their executables.
pub fn examples(names: &[&str]) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut command = cargo();
    command.current_dir(root()).args(["build", "--release"]);
    for name in names {
        command.args(["--example", name]);
    }
    executables(&mut command)
}

/// Builds an example of this package; its executable.
pub fn own_example(name: &str) -> Result<PathBuf, String> {
    let mut command = cargo();
    command.current_dir(root()).args(["build", "--release", "-p", "compare", "--example", name]);
    executables(&mut command)?.remove(name).ok_or_else(|| format!("{name} was not built"))
}

/// Builds a yardstick, a package that is not in the workspace.
///
/// It is built from its own directory: there may be compiler flags for it.
pub fn yardstick(name: &str) -> Result<PathBuf, String> {
    let mut command = cargo();
    command.current_dir(package().join("yardsticks").join(name));
    command.args(["build", "--release", "--locked", "--target-dir"]).arg(scratch()?);
    executables(&mut command)?.remove(name).ok_or_else(|| format!("{name} was not built"))
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a build; the executables by the names of their targets.
fn executables(command: &mut Command) -> Result<BTreeMap<String, PathBuf>, String> {
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = command.output().map_err(|e| format!("cargo: {e}"))?;
    if !output.status.success() {
        return Err("the build failed".to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let built = messages.filter_map(|m| {
        Some((m["target"]["name"].as_str()?.to_owned(), m["executable"].as_str()?.into()))
    });
    Ok(built.collect())
}

/// How to make a verifier from Promela.
#[derive(Clone, Debug)]
pub struct Spin {
    /// The name of the verifier.
    pub name: &'static str,
    /// Options of `spin -a`.
    pub generate: Vec<String>,
    /// Options of the C compiler.
    pub compile: Vec<&'static str>,
}

/// Makes a verifier from `peterson_pc.pml`.
pub fn spin(spin: &Spin) -> Result<PathBuf, String> {
    let directory = scratch()?.join(spin.name);
    fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
    let model = "peterson_pc.pml";
    fs::copy(package().join("yardsticks/spin").join(model), directory.join(model))
        .map_err(|e| e.to_string())?;
    let mut generate = Command::new("spin");
    generate.arg("-a").args(&spin.generate).arg(model);
    let mut compile = Command::new("cc");
    compile.args(&spin.compile).args(["-o", "pan", "pan.c"]);
    for command in [&mut generate, &mut compile] {
        let name = command.get_program().to_string_lossy().into_owned();
        let output =
            command.current_dir(&directory).output().map_err(|e| format!("{name}: {e}"))?;
        if !output.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
    }
    Ok(directory.join("pan"))
}
