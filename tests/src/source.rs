//! The engine's own source as tokens, for tests of how it is built.
//!
//! Tokens and not syntax trees, since paths inside of macros count, too; and not text, since
//! comments do not.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_owned()
}

/// The files of the engine, by their paths below `asset-core/src`, and what they say.
pub fn engine() -> BTreeMap<String, String> {
    let folder = root().join("asset-core/src");
    let (mut files, mut open) = (BTreeMap::new(), vec![folder.clone()]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of sources");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(&folder).expect("a file below it").components();
            let name: Vec<_> = name.map(|c| c.as_os_str().to_string_lossy()).collect();
            files.insert(name.join("/"), fs::read_to_string(&path).expect("a source"));
        }
    }
    files
}

/// The module that a file is: `["machine", "memo"]` for `machine/memo.rs`.
pub fn module(file: &str) -> Vec<&str> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let mut module: Vec<&str> = path.split('/').collect();
    if matches!(module.last(), Some(&("mod" | "lib"))) {
        module.pop();
    }
    module
}

/// The tokens of a source.
pub fn tokens(text: &str) -> Vec<TokenTree> {
    let stream: TokenStream = text.parse().expect("a source that compiles");
    stream.into_iter().collect()
}

/// All identifiers, those inside of macros and of groups included.
pub fn words(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(words.insert(word.to_string())),
            TokenTree::Group(group) => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                words.append(&mut self::words(&inner));
            }
            _ => {}
        }
    }
    words
}

/// The modules at the crate's root that a file of `depth` modules uses: what follows
/// `crate::`, and what follows `super::` that leads there.
pub fn modules_used(tokens: &[TokenTree], depth: usize) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut i = 0;
    while i < tokens.len() {
        match &tokens[i] {
            TokenTree::Ident(word)
                if (word == "crate" || word == "super") && is_path(tokens, i) =>
            {
                let mut up = if word == "crate" { depth } else { 1 };
                let mut at = i + 3;
                while matches!(&tokens[at], TokenTree::Ident(w) if w == "super") {
                    (up, at) = (up + 1, at + 3);
                }
                if up == depth {
                    used.append(&mut heads(&tokens[at]));
                }
                // The group of `use super::{super::x, y}` begins a module further out.
                if let (TokenTree::Group(group), true) = (&tokens[at], up < depth) {
                    let inner: Vec<_> = group.stream().into_iter().collect();
                    used.append(&mut modules_used(&inner, depth - up));
                }
                i = at;
            }
            TokenTree::Group(group) => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                let is_module = i >= 2
                    && group.delimiter() == Delimiter::Brace
                    && matches!(&tokens[i - 2], TokenTree::Ident(word) if word == "mod");
                used.append(&mut modules_used(&inner, depth + usize::from(is_module)));
            }
            _ => {}
        }
        i += 1;
    }
    used
}

/// Whether `::` and something more follow.
fn is_path(tokens: &[TokenTree], i: usize) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(i + 1)) && is_colon(tokens.get(i + 2)) && tokens.len() > i + 3
}

/// The first words of what stands behind `::`, one or a group.
fn heads(token: &TokenTree) -> BTreeSet<String> {
    match token {
        TokenTree::Ident(word) => BTreeSet::from([word.to_string()]),
        TokenTree::Group(group) => {
            let inner: Vec<_> = group.stream().into_iter().collect();
            let parts = inner.split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ','));
            parts.filter_map(|part| part.first()).flat_map(heads).collect()
        }
        _ => BTreeSet::new(),
    }
}
