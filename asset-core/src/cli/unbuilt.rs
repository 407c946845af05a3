//! What is said of an instance that was not built, with the command that builds it.

use crate::machine::Family;
use std::env;
use std::path::Path;

/// A sentence about the instance with these values, if it exists and was not built.
pub fn sentence(family: &Family, chosen: &[(String, String)]) -> Option<String> {
    let (what, named) = family.unbuilt(chosen)?;
    let program = env::current_exe().ok();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let command = program.and_then(|program| run(&program, &arguments));
    let command = command.unwrap_or_else(|| "cargo build".to_owned());
    Some(format!(
        "{what}\nto build it and run it:\n  {named} {command}\n\
         to have it always, name it in the source, as in #[model(instances({}))]",
        in_source(&named)
    ))
}

/// How an instance is named that is not built, by some parameter's last value.
pub fn example(family: &Family) -> String {
    let param = family.params.iter().find(|param| param.values.len() > 1);
    let pair = param.and_then(|param| {
        let other = param.values.iter().rev().find(|value| **value != param.default)?;
        Some(format!("{}={other}", param.name))
    });
    format!("ASSET_INSTANCES='{}'", pair.unwrap_or_default())
}

/// What stands in quotes behind the variable, as it stands in the source.
fn in_source(named: &str) -> String {
    let values = named.split('\'').nth(1).unwrap_or_default();
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let is_number = value.starts_with(|c: char| !c.is_alphabetic());
        let value = if is_number { value.to_owned() } else { value.replace('-', "_") };
        format!("{} = {value}", name.replace('-', "_"))
    };
    values.split(',').map(pair).collect::<Vec<String>>().join(", ")
}

/// How cargo runs this program, as far as its place tells.
fn run(program: &Path, arguments: &[String]) -> Option<String> {
    let name = program.file_stem()?.to_str()?;
    let mut folder = program.parent()?;
    let mut kind = "--bin";
    if folder.file_name()? == "examples" {
        (kind, folder) = ("--example", folder.parent()?);
    }
    let profile = match folder.file_name()?.to_str()? {
        "debug" => String::new(),
        "release" => " --release".to_owned(),
        // Where cargo has built something, it is a profile's name.
        other if folder.join("deps").is_dir() => format!(" --profile {other}"),
        _ => return None,
    };
    let mut command = format!("cargo run{profile} {kind} {name}");
    if !arguments.is_empty() {
        command += " --";
    }
    for argument in arguments {
        let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,".contains(c);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            command += &format!(" {argument}");
        } else {
            command += &format!(" '{}'", argument.replace('\'', r"'\''"));
        }
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_from_where_it_lies() {
        let check = |program: &str, arguments: &[&str], expected: &str| {
            let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
            assert_eq!(run(Path::new(program), &arguments).as_deref(), Some(expected));
        };
        check("/t/release/examples/lamp", &[], "cargo run --release --example lamp");
        check("/t/debug/lamp", &["--n", "4"], "cargo run --bin lamp -- --n 4");
        check("/t/debug/lamp", &["--check", "a b"], "cargo run --bin lamp -- --check 'a b'");
        assert_eq!(run(Path::new("/home/me/lamp"), &[]), None);
    }
}
