//! Every name that an expansion writes, tried as each kind of name that an author gives:
//! the model compiles and says what it says under names that nobody else has.
//!
//! The usual run takes the names that the macro itself writes, with each of them in some
//! places of each kind. `ASSET_NAMES=all` takes the bundled models' own names as well, and
//! puts each in each place.

use super::lower;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A model with slots for names: a letter for the role, and a number.
const TEMPLATE: &str = include_str!("names/template.rs.txt");

/// The program that runs the models that stand in `models.rs` beside it.
const MAIN: &str = r#"
#![allow(warnings)]
include!("models.rs");
fn report(name: &str, family: asset_core::Family) {
    use asset_core::explorer::Explorer;
    use asset_core::expand::Choice;
    for n in 0..2 {
        let value = family.params[0].values[n];
        for choice in [Choice::Full, Choice::Stubborn] {
            for first in [true, false] {
                let run = Explorer::new(family.clone()).param(family.params[0].name, value);
                let checks = family.instances[0].machine.description().checks.iter();
                let checks: Vec<_> = checks.map(|c| (c.name.to_owned(), c.kind)).collect();
                let kept = if first { &checks[..1] } else { &checks[..] };
                let kept = kept.iter().filter(|(_, kind)| choice == Choice::Full || !kind.is_temporal());
                let outcome = run.reduction(choice).max_violations(99);
                let outcome = outcome.checks(kept.map(|(name, _)| name.clone())).run().unwrap();
                let said: Vec<&str> = outcome.checks.iter().map(|c| c.outcome.name()).collect();
                let s = &outcome.statistics;
                print!("{} {} {said:?};", s.n_states, s.n_edges);
            }
        }
        print!("{};", family.instances[n].machine.layout().bits());
    }
    println!(" {name}");
}
fn main() { run() }
"#;

/// The words in some tokens, without `r#`; keywords are none.
fn words(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if syn::parse2::<Ident>(ident.to_token_stream()).is_ok() => {
                words.insert(crate::text::shown(&ident));
            }
            TokenTree::Group(group) => self::words(group.stream(), words),
            _ => {}
        }
    }
}

/// The attribute's arguments and the module of each model in a file's text.
fn models(text: &str) -> Vec<(TokenStream, TokenStream)> {
    let file = syn::parse_file(text).expect("a file that parses");
    let models = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Mod(mut module) => {
            let at = module.attrs.iter().position(|attr| attr.path().is_ident("model"))?;
            let args = match module.attrs.remove(at).meta {
                syn::Meta::List(list) => list.tokens,
                _ => TokenStream::new(),
            };
            Some((args, module.to_token_stream()))
        }
        _ => None,
    });
    models.collect()
}

/// The words that the macro writes for these models; with `own`, also those that stood
/// there before.
fn written(text: &str, own: bool) -> BTreeSet<String> {
    let (mut after, mut before) = (BTreeSet::new(), BTreeSet::new());
    for (args, module) in models(text) {
        words(module.clone(), &mut before);
        words(crate::model_tokens(args, module, None), &mut after);
    }
    if own { after } else { after.difference(&before).cloned().collect() }
}

/// The slots of the template, without the module's own.
fn slots() -> Vec<&'static str> {
    let slots: BTreeSet<&str> =
        TEMPLATE.split('«').skip(1).map(|rest| rest.split_once('»').expect("an end").0).collect();
    slots.into_iter().filter(|slot| *slot != "mod").collect()
}

fn filled(module: &str, name: impl Fn(&str) -> String) -> String {
    let mut text = TEMPLATE.replace("«mod»", module);
    for slot in slots() {
        text = text.replace(&format!("«{slot}»"), &name(slot));
    }
    text
}

/// Names that nobody else has.
fn ordinary(slot: &str) -> String {
    format!("ordinary_{slot}")
}

/// Whether Rust and the guide leave this name to things of the slot's kind.
fn is_free(slot: &str, name: &str) -> bool {
    const PRIMITIVES: [&str; 17] = [
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128",
        "u16", "u32", "u64", "u8", "usize",
    ];
    let fixed = ["fire_transition", "model"].contains(&name);
    // Patterns of these names are those of the standard library.
    let of_patterns = ["Some", "None", "Ok", "Err"].contains(&name);
    // Formulas know these.
    let of_formulas = ["X", "F", "G", "U", "W", "R", "forall", "exists", "true", "false"];
    if ["o4", "o5"].contains(&slot) && of_formulas.contains(&name) {
        return false;
    }
    match &slot[..1] {
        "t" => !PRIMITIVES.contains(&name),
        "a" | "c" | "n" | "o" => !fixed,
        "p" | "q" | "r" | "l" => !of_patterns,
        _ => true,
    }
}

/// Whether the name is refused wherever it stands.
fn is_reserved(name: &str) -> bool {
    name.starts_with("__asset")
}

/// Models in which each name stands in each slot once, or in every `stride`-th, many names
/// in one model.
fn sources(names: &[String], stride: usize) -> Vec<String> {
    let slots = slots();
    // Two slots of one model never get the same name: they are less than a round apart.
    assert!(names.len() >= slots.len());
    let source = |turn: usize| {
        filled(&format!("m{turn}"), |slot| {
            let at = slots.iter().position(|known| *known == slot).expect("a slot");
            let name = &names[(turn + at) % names.len()];
            if is_free(slot, name) { name.clone() } else { ordinary(slot) }
        })
    };
    (0..names.len()).step_by(stride).map(source).collect()
}

/// Builds a program of these models and returns what it prints.
fn run(crate_name: &str, sources: &[String]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let target: PathBuf = match env::var_os("CARGO_TARGET_DIR") {
        Some(target) => target.into(),
        None => root.join("target"),
    };
    let folder = target.join("tmp").join(crate_name);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{crate_name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nasset-core = {{ path = {:?} }}\n\n\
         [profile.dev]\ndebug = false\n\n[profile.dev.package.\"*\"]\nopt-level = 1\n\n\
         [workspace]\n",
        root.join("asset-core")
    );
    let mut models = String::from("use asset_core::prelude::*;\n");
    for (i, source) in sources.iter().enumerate() {
        write!(models, "mod in_{i} {{ use asset_core::prelude::*;\n{source}}}\n").expect("text");
    }
    models.push_str("fn run() {\n");
    for (i, source) in sources.iter().enumerate() {
        let name = source.split_once("pub mod ").expect("a module").1;
        let name = name.split_once(' ').expect("a name").0;
        writeln!(models, "report(\"{name}\", in_{i}::{name}::model());").expect("text");
    }
    models.push_str("}\n");
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/main.rs"), MAIN).expect("written");
    fs::write(folder.join("src/models.rs"), models).expect("written");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("copied");
    let cargo = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target.join("tmp/names"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&cargo.stderr);
    assert!(cargo.status.success(), "in {}:\n{said}", folder.display());
    String::from_utf8_lossy(&cargo.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn no_name_means_another_thing_to_the_macro() {
    let all = env::var("ASSET_NAMES").is_ok_and(|which| which == "all");
    let mut names = written(&filled("ordinary", ordinary), false);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src");
    for file in fs::read_dir(folder).expect("the bundled models") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("text");
        names.extend(written(&text, all));
    }
    let (reserved, names): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| is_reserved(name));
    assert!(reserved.len() > 20 && names.len() > 80, "{reserved:?} {names:?}");
    for name in &reserved {
        for slot in slots() {
            let other = |known: &str| if known == slot { name.clone() } else { ordinary(known) };
            let (args, module) = models(&filled("lamp", other)).swap_remove(0);
            let messages = lower(args, module).1;
            assert_eq!(messages.len(), 1, "{name} as {slot}: {messages:?}");
        }
    }
    let mut sources = sources(&names, if all { 1 } else { 5 });
    sources.insert(0, filled("ordinary", ordinary));
    let said = run("names", &sources);
    assert_eq!(said.len(), sources.len());
    let answer = |line: &str| line.rsplit_once(' ').expect("a name").0.to_owned();
    let expected = answer(&said[0]);
    assert!(expected.contains("violated") && expected.contains("holds"), "{expected}");
    for line in &said {
        assert_eq!(answer(line), expected, "{line}");
    }
}
