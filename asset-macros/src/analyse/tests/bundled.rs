//! What is found in the bundled models, pinned in `bundled.txt`. Where something is no
//! longer told, or is told anew, the difference says what. To write the file again, run the
//! test with `OVERWRITE=1` in the environment.

use super::{lowered_with, shown_in};
use crate::analyse;
use crate::ir::{Model, Shape, Transitions};
use quote::ToTokens;
use std::fmt::Write as _;
use std::path::Path;
use syn::Item;

/// The models of a file, as the macro gets them.
fn models(path: &Path) -> Vec<Model> {
    let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
    let model = |item: Item| {
        let Item::Mod(mut module) = item else { return None };
        let at = module.attrs.iter().position(|attr| attr.path().is_ident("model"))?;
        let args = match module.attrs.remove(at).meta {
            syn::Meta::List(list) => list.tokens,
            _ => Default::default(),
        };
        Some(lowered_with(args, module.to_token_stream()))
    };
    file.items.into_iter().filter_map(model).collect()
}

/// What is found in a model, line by line.
fn found(model: &Model) -> String {
    let analysis = analyse::model(model, false);
    let state = model.vars.iter().find(|var| var.ident == model.state).unwrap();
    let Shape::Struct(fields) = &state.shape else { panic!("a struct") };
    let fields: Vec<String> =
        fields.iter().map(|field| field.member.to_token_stream().to_string()).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let variants: Vec<String> = match &model.transitions {
        Transitions::Enum { variants, .. } => {
            variants.iter().map(|v| v.ident.to_string()).collect()
        }
        Transitions::Count(_) => vec!["transition".to_owned()],
    };
    let mut text = format!("{}\n", model.head.ident);
    for (name, of) in variants.iter().zip(&analysis.transitions) {
        let choice = of.choice.as_ref().map(|(place, _)| {
            format!(" by {}", shown_in(&fields, &analyse::Touches::Places(vec![place.clone()])))
        });
        let _ = writeln!(text, "  {name}{}", choice.unwrap_or_default());
        let each = of.touches.iter().zip(&of.rules).zip(&of.accesses).enumerate();
        for (value, ((touches, rules), accesses)) in each {
            let (touches, rules) = (shown_in(&fields, touches), shown_in(&fields, rules));
            let _ = writeln!(text, "    {value}: {touches} | {rules}");
            let list = |places: &[analyse::Place]| {
                shown_in(&fields, &analyse::Touches::Places(places.to_vec()))
            };
            let (reads, writes) = (list(&accesses.reads), list(&accesses.writes));
            let _ = writeln!(text, "      reads {reads}\n      writes {writes}");
        }
    }
    for (check, looks_at) in model.checks.iter().zip(&analysis.checks) {
        let _ = writeln!(text, "  {}: {}", check.function, shown_in(&fields, looks_at));
    }
    for (proposition, looks_at) in model.propositions.iter().zip(&analysis.propositions) {
        let _ = writeln!(text, "  {}: {}", proposition.function, shown_in(&fields, looks_at));
    }
    text
}

#[test]
fn what_is_found_in_the_bundled_models() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::fs::read_dir(here.join("../models/src")).expect("the models are there");
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let found: String = paths.iter().flat_map(|path| models(path)).map(|m| found(&m)).collect();
    let pinned = here.join("src/analyse/tests/bundled.txt");
    if std::env::var_os("OVERWRITE").is_some() {
        std::fs::write(&pinned, &found).unwrap();
    }
    let pinned = std::fs::read_to_string(pinned).unwrap();
    for (found, pinned) in found.lines().zip(pinned.lines()) {
        assert_eq!(found, pinned);
    }
    assert_eq!(found.lines().count(), pinned.lines().count());
}
