//! Refuses what could make a model give two answers for the same state, as
//! far as tokens tell; `--paranoid` looks for the rest while the model runs.
//!
//! Works on tokens, not on syntax, so that it also sees the arguments of
//! macros. A name that the module itself defines or imports is judged where it
//! is defined or imported, so a model may well have its own `Mutex`.

use super::items::is_test_only;
use super::names::Names;
use crate::ast::Module;
use crate::errors::Errors;
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;

const TRUST: &str = "; if it cannot change an answer, write `#[model(trust(impure))]`";

const INTERIOR: &str = "interior mutability is state that the packing does not see: make it a \
                        field of the state";
const CLOCK: &str = "a clock makes the same state behave differently: model time as a variable";
const CHANCE: &str = "chance makes the same state behave differently: make each outcome a \
                      transition";
const OUTPUT: &str = "a model is run millions of times in any order and must not do input or \
                      output: use `#[display]` to print states";
const HASHED: &str = "hash collections have a different order in every run: use an array, \
                      `BTreeMap` or `BTreeSet`";
const THREADS: &str = "a model must not start threads: make each process's step a transition";
const STATIC: &str = "a `static` can outlive a call: use `const`, or make it a field of the state";
const UNSAFE: &str = "`unsafe` code could see or change what is not in the state: write it safely";

/// What is refused: the path in the standard library where it lives, and the
/// names by which it is known when it was imported somehow.
const REFUSED: &[(&str, &str, &str)] = &[
    ("cell", "Cell", INTERIOR),
    ("cell", "RefCell", INTERIOR),
    ("cell", "UnsafeCell", INTERIOR),
    ("cell", "OnceCell", INTERIOR),
    ("cell", "LazyCell", INTERIOR),
    ("sync", "Mutex", INTERIOR),
    ("sync", "RwLock", INTERIOR),
    ("sync", "OnceLock", INTERIOR),
    ("sync", "LazyLock", INTERIOR),
    ("sync", "Condvar", INTERIOR),
    ("sync", "mpsc", THREADS),
    ("sync", "atomic", INTERIOR),
    ("sync", "AtomicBool", INTERIOR),
    ("sync", "AtomicU8", INTERIOR),
    ("sync", "AtomicU16", INTERIOR),
    ("sync", "AtomicU32", INTERIOR),
    ("sync", "AtomicU64", INTERIOR),
    ("sync", "AtomicUsize", INTERIOR),
    ("sync", "AtomicI8", INTERIOR),
    ("sync", "AtomicI16", INTERIOR),
    ("sync", "AtomicI32", INTERIOR),
    ("sync", "AtomicI64", INTERIOR),
    ("sync", "AtomicIsize", INTERIOR),
    ("time", "Instant", CLOCK),
    ("time", "SystemTime", CLOCK),
    ("hash", "RandomState", CHANCE),
    ("collections", "HashMap", HASHED),
    ("collections", "HashSet", HASHED),
    ("collections", "hash_map", HASHED),
    ("collections", "hash_set", HASHED),
    ("fs", "File", OUTPUT),
];

/// Modules of the standard library that are refused as a whole.
const REFUSED_MODULES: &[(&str, &str)] = &[
    ("cell", INTERIOR),
    ("fs", OUTPUT),
    ("io", OUTPUT),
    ("net", OUTPUT),
    ("env", OUTPUT),
    ("process", OUTPUT),
    ("thread", THREADS),
];

/// Crates that are refused as a whole.
const REFUSED_CRATES: &[(&str, &str)] = &[
    ("rand", CHANCE),
    ("fastrand", CHANCE),
    ("getrandom", CHANCE),
    ("thread_rng", CHANCE),
    ("chrono", CLOCK),
];

const REFUSED_MACROS: &[(&str, &str)] = &[
    ("println", OUTPUT),
    ("print", OUTPUT),
    ("eprintln", OUTPUT),
    ("eprint", OUTPUT),
    ("dbg", OUTPUT),
    ("thread_local", INTERIOR),
];

/// Looks through all items that are not for tests.
pub fn check(module: &Module, errors: &mut Errors) {
    let items = || module.items.iter().map(|item| &item.syn).filter(|item| !is_test_only(item));
    let mut scan = Scan { defined: Names::of(items()), reported: HashSet::new(), errors };
    for item in items() {
        scan.tokens(item.to_token_stream(), &[]);
    }
}

struct Scan<'a> {
    defined: Names,
    /// Names that came from elsewhere are reported where they occur first.
    reported: HashSet<String>,
    errors: &'a mut Errors,
}

impl Scan<'_> {
    /// Scans tokens that stand behind `prefix::`, as in an import's braces.
    fn tokens(&mut self, tokens: TokenStream, prefix: &[Ident]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut path = prefix.to_vec();
        let mut joined = true;
        for (i, token) in tokens.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|at| tokens.get(at));
            match token {
                TokenTree::Ident(ident) => {
                    if !joined {
                        path = Vec::new();
                    }
                    path.push(ident.clone());
                    joined = false;
                    let is_lifetime =
                        matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == '\'');
                    let is_field =
                        matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == '.');
                    if !is_lifetime && !is_field {
                        self.word(ident, tokens.get(i + 1));
                        self.path(&path);
                    }
                }
                TokenTree::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Joint => {}
                TokenTree::Punct(p) if p.as_char() == ':' => {
                    joined = matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == ':');
                }
                TokenTree::Group(group) => {
                    let is_import = joined && group.delimiter() == Delimiter::Brace;
                    self.tokens(group.stream(), if is_import { &path } else { &[] });
                    path.clear();
                    joined = false;
                }
                TokenTree::Punct(p) if p.as_char() == ',' && !prefix.is_empty() => {
                    path = prefix.to_vec();
                    joined = true;
                }
                _ => {
                    path.clear();
                    joined = false;
                }
            }
        }
    }

    /// Keywords and macros.
    fn word(&mut self, ident: &Ident, next: Option<&TokenTree>) {
        if ident == "static" {
            self.refuse(ident, STATIC);
        } else if ident == "unsafe" {
            self.refuse(ident, UNSAFE);
        } else if matches!(next, Some(TokenTree::Punct(p)) if p.as_char() == '!' && p.spacing() == Spacing::Alone)
            && !self.defined.contains(&ident.to_string())
            && let Some((_, why)) = REFUSED_MACROS.iter().find(|(name, _)| ident == name)
        {
            self.refuse(ident, why);
        }
    }

    /// The path so far; it is reported as soon as it is refused.
    fn path(&mut self, path: &[Ident]) {
        let Some(last) = path.last() else {
            return;
        };
        let is_std = ["std", "core", "alloc"].iter().any(|name| path[0] == name);
        let why = match path {
            [_, module] if is_std => {
                REFUSED_MODULES.iter().find(|(name, _)| module == name).map(|(_, why)| *why)
            }
            [_, module, rest @ ..] if is_std => {
                let already = REFUSED_MODULES.iter().any(|(name, _)| module == name);
                let found = REFUSED.iter().find(|(home, name, _)| module == home && last == name);
                found.filter(|_| !already && rest.len() == 1).map(|(.., why)| *why)
            }
            // `time::Instant` after `use std::time`, whichever way that came.
            [.., home, name] => {
                let already = REFUSED_MODULES.iter().any(|(module, _)| home == module);
                let found = REFUSED.iter().find(|(h, n, _)| home == h && name == n);
                found.filter(|_| !already).map(|(.., why)| *why)
            }
            [first] if self.defined.contains(&first.to_string()) => None,
            [first] => {
                let name = first.to_string();
                let crates = REFUSED_CRATES.iter().map(|(known, why)| (*known, *why));
                let known = REFUSED.iter().map(|(_, known, why)| (*known, *why)).chain(crates);
                let found = known.into_iter().find(|(known, _)| *known == name);
                found.filter(|_| self.reported.insert(name)).map(|(_, why)| why)
            }
            [] => None,
        };
        if let Some(why) = why {
            self.refuse(last, why);
        }
    }

    fn refuse(&mut self, ident: &Ident, why: &str) {
        self.errors.at(ident, format!("{why}{TRUST}"));
    }
}
