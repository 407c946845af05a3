//! A program of many random models that compares each with its naive search.

use super::{Model, SURROUNDINGS, plain};
use crate::cli;
use crate::random::Random;
use std::env;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// So many models are one program; programs are compiled side by side.
const MODELS_PER_PROGRAM: usize = 50;

/// The text of a program that compares the models of these seeds.
fn main_file(seeds: Range<u64>) -> String {
    let mut text = String::from("#![allow(warnings)]\nmod naive;\nuse asset_core::prelude::*;\n");
    let mut main = String::new();
    let strangers = format!("use asset_core::prelude::model;{SURROUNDINGS}");
    for seed in seeds {
        let model = Model::random(&mut Random::new(seed));
        let contents = model.text();
        // Every other model stands among strangers.
        let around = if seed % 2 == 0 { "use asset_core::prelude::*;" } else { &strangers };
        writeln!(text, "mod in_{seed} {{ {around}\n#[model]\npub mod m{seed} {{\n{contents}\n}}}}")
            .expect("text");
        for (i, &instance) in model.instances.iter().enumerate() {
            let plain = plain::text(&model, instance);
            writeln!(text, "mod p{seed}_{i} {{\n{plain}\n}}").expect("text");
            let mut params = String::new();
            if contents.contains("#[param(2..=3)]") {
                write!(params, "(\"n\", \"{}\".to_owned()), ", instance.0).expect("text");
            }
            if contents.contains("#[param]") {
                write!(params, "(\"flag\", \"{}\".to_owned()), ", instance.1).expect("text");
            }
            writeln!(
                main,
                "n.add(naive::compare(\"{seed} {instance:?}\", in_{seed}::m{seed}::model(), &[{params}], p{seed}_{i}::plain()));"
            )
            .expect("text");
        }
    }
    text + "fn main() { let mut n = naive::Tally::default();\n" + &main + "n.print(); }\n"
}

/// Builds and runs programs of the models of these seeds in a folder. Returns how many runs
/// held, were violated, were inconclusive, ended at an error of the model, and had fewer
/// states for their rules than in full.
///
/// # Panics
///
/// If a model does not compile, or an answer differs.
pub fn run(folder: &str, seeds: Range<u64>) -> [usize; 5] {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let target = Path::new(folder).join("own_crate");
    let folder = cli::empty_folder(folder, "sources");
    let manifest = format!(
        "[package]\nname = \"sources\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nasset-core = {{ path = {:?} }}\n\n[profile.dev]\ndebug = false\n\n\
         [workspace]\n",
        workspace.join("asset-core")
    );
    fs::create_dir_all(folder.join("src/bin")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    let mut programs = Vec::new();
    let mut first = seeds.start;
    while first < seeds.end {
        let next = seeds.end.min(first + MODELS_PER_PROGRAM as u64);
        let name = format!("from_{first}");
        let source = folder.join("src/bin").join(&name);
        fs::create_dir(&source).expect("a folder");
        fs::write(source.join("main.rs"), main_file(first..next)).expect("written");
        fs::write(source.join("naive.rs"), include_str!("naive.rs.txt")).expect("written");
        programs.push(name);
        first = next;
    }
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let mut tally = [0; 5];
    for name in programs {
        let program = target.join("debug").join(&name);
        let said = Command::new(&program).output().expect("it starts");
        assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        for (all, n) in tally.iter_mut().zip(text.split_whitespace()) {
            *all += n.parse::<usize>().expect("a number of runs");
        }
        // Some megabytes, which nobody needs again.
        let _ = fs::remove_file(program);
    }
    tally
}
