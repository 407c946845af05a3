//! An instance of a model with parameters says the same whether it is a copy or the
//! default, and whatever stands around the model.
//!
//! Each bundled model is compiled again in two ways: with all its instances, among traits,
//! macros, types and functions of names that it uses; and, for each instance of at most
//! 100,000 states, alone, as the default with no other value listed. Both must give the
//! counts of the bundled one.

use asset_core::Family;
use asset_tests::cli;
use asset_tests::sources::SURROUNDINGS;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The largest instances that are compared.
const MAX_STATES: u64 = 100_000;

/// What prints the counts of an instance; the generated program has the same text.
macro_rules! counting {
    ($($item:item)*) => {
        $($item)*
        /// The items as text.
        const COUNTING: &str = concat!($(stringify!($item), "\n"),*);
    };
}

counting! {
    /// The counts of the family's instances, one line each; nothing of large ones.
    fn counts(family: asset_core::Family, max_states: u64) -> Vec<(Vec<String>, String)> {
        use asset_core::explorer::Explorer;
        use asset_core::expand::Choice;
        let mut all = Vec::new();
        for instance in family.instances {
            let mut counts = String::new();
            let has_rules = instance.machine.description().has_rules;
            for choice in [Choice::Full, Choice::Stubborn] {
                if choice == Choice::Stubborn && !has_rules {
                    continue;
                }
                let mut run = Explorer::new(family).reduction(choice).max_states(max_states);
                for (param, value) in family.params.iter().zip(instance.values) {
                    run = run.param(param.name, value);
                }
                let outcome = run.run().expect("a run");
                let s = &outcome.statistics;
                let checks: Vec<&str> = outcome.checks.iter().map(|c| c.outcome.name()).collect();
                if s.n_states >= max_states {
                    counts.clear();
                    break;
                }
                counts += &format!("{} {} {} {checks:?} ", s.n_states, s.n_edges, s.n_terminal);
            }
            if !counts.is_empty() {
                all.push((instance.values.iter().map(|v| v.to_string()).collect(), counts));
            }
        }
        all
    }
}

/// A file of the bundled models: the file's name and the text of the model's module.
fn files() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src");
    let files = fs::read_dir(folder).expect("the bundled models").filter_map(|file| {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("text");
        let from = text.find("\n#[model]")?;
        let to = from + text[from..].find("\n}\n")? + 3;
        let name = path.file_stem()?.to_str()?.to_owned();
        Some((name, text[from..to].to_owned()))
    });
    files.collect()
}

/// A value of the command line as it is written in Rust, for a parameter of this type.
fn in_rust(ty: &str, value: &str) -> String {
    if ty.chars().next().is_some_and(char::is_lowercase) {
        return value.to_owned();
    }
    let words = value.split('-').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    format!("{ty}::{}", words.collect::<String>())
}

/// The model with just this instance, as its default.
fn alone(text: &str, values: &[String]) -> String {
    let mut values = values.iter();
    let mut listed = false;
    let lines = text.lines().map(|line| {
        if line.trim_start().starts_with("#[param") {
            listed = true;
            return String::new();
        }
        if !std::mem::take(&mut listed) {
            return line.to_owned();
        }
        let (head, _) = line.split_once(" = ").expect("a constant with its value");
        let ty = head.rsplit_once(": ").expect("a type").1;
        let value = in_rust(ty, values.next().expect("a value for each parameter"));
        format!("#[param({value})]\n{head} = {value};")
    });
    let text = lines.collect::<Vec<String>>().join("\n");
    assert!(values.next().is_none());
    text
}

/// Builds and runs a program with these modules and returns the lines that it prints.
fn run(modules: &[(String, String)]) -> Vec<String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let folder = cli::empty_folder(env!("CARGO_TARGET_TMPDIR"), "surroundings");
    let manifest = format!(
        "[package]\nname = \"surroundings\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nasset-core = {{ path = {:?} }}\n\n[profile.dev]\ndebug = false\n\
         opt-level = 1\n\n[workspace]\n",
        workspace.join("asset-core")
    );
    let mut main = format!("#![allow(warnings)]\n{COUNTING}\n");
    for (name, text) in modules {
        writeln!(main, "mod {name} {{\n{text}\n}}").expect("text");
    }
    main.push_str("fn main() {\n");
    for (name, text) in modules {
        let model = text.split_once("pub mod ").expect("a module").1;
        let model = model.split_once(' ').expect("a name").0;
        writeln!(
            main,
            "for (values, counts) in counts({name}::{model}::model(), {MAX_STATES}) {{
                println!(\"{name} {{}}: {{counts}}\", values.join(\" \"));
            }}"
        )
        .expect("text");
    }
    main.push_str("}\n");
    fs::create_dir(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/main.rs"), main).expect("written");
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    let cargo = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("own_crate"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    String::from_utf8_lossy(&cargo.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn an_instance_is_the_same_as_a_copy_as_the_default_and_among_strangers() {
    let (mut modules, mut expected) = (Vec::new(), Vec::new());
    let files = files();
    let families: Vec<Family> = models::all();
    for family in families.iter().filter(|family| !family.params.is_empty()) {
        let (name, text) = (family.name, &files[family.name]);
        let around = format!("use asset_core::prelude::model;{SURROUNDINGS}");
        modules.push((format!("among_{name}"), format!("{around}{text}")));
        let known = counts(*family, MAX_STATES);
        assert!(!known.is_empty(), "{name} has no small instance");
        for (values, counts) in &known {
            expected.push(format!("among_{name} {}: {counts}", values.join(" ")));
        }
        for (i, (values, counts)) in known.iter().enumerate() {
            let text = format!("use asset_core::prelude::*;{}", alone(text, values));
            modules.push((format!("alone_{name}_{i}"), text));
            expected.push(format!("alone_{name}_{i} {}: {counts}", values.join(" ")));
        }
    }
    assert!(expected.len() > 100, "{}", expected.len());
    let said = run(&modules);
    let differ = said.iter().zip(&expected).find(|(said, expected)| said != expected);
    assert_eq!(differ, None);
    assert_eq!(said.len(), expected.len());
}
