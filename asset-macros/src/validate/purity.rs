//! Refuses what could make a model give two answers for the same state, as
//! far as tokens tell; `--paranoid` looks for the rest while the model runs.
//!
//! Works on tokens, not on syntax, so that it also sees the arguments of
//! macros. A name that the module itself defines or imports is judged where it
//! is defined or imported, so a model may well have its own `Mutex`.

use super::items::is_test_only;
use super::names::Names;
use super::types::leaf_name;
use crate::ast::Module;
use crate::errors::Errors;
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::Visit;

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
const STATIC: &str =
    "a `static` lives on between calls: use `const`, or make it a field of the state";
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
const REFUSED_CRATES: &[(&str, &str)] =
    &[("rand", CHANCE), ("fastrand", CHANCE), ("getrandom", CHANCE), ("chrono", CLOCK)];

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
    let fields = module.items.iter().filter(|item| !item.marks.is_empty()).map(|item| &item.syn);
    let mut scan = Scan {
        defined: Names::of(items()),
        collections: collections(fields),
        reported: HashSet::new(),
        errors,
    };
    for item in items() {
        scan.tokens(item.to_token_stream(), &[]);
    }
}

/// The hash collections among the types of fields: those are refused as types,
/// and an order is the least of what is wrong with them.
fn collections<'a>(items: impl Iterator<Item = &'a syn::Item>) -> HashSet<String> {
    struct Fields(HashSet<String>);
    impl<'ast> Visit<'ast> for Fields {
        fn visit_field(&mut self, field: &'ast syn::Field) {
            self.0.extend(leaf_name(&field.ty).filter(|name| name.starts_with("Hash")));
        }
    }
    let mut fields = Fields(HashSet::new());
    items.for_each(|item| fields.visit_item(item));
    fields.0
}

struct Scan<'a> {
    defined: Names,
    /// Hash collections that are refused already.
    collections: HashSet<String>,
    /// Names that came from elsewhere are reported where they occur first.
    reported: HashSet<String>,
    errors: &'a mut Errors,
}

/// Why the name is refused, if it is.
fn find(refused: &[(&str, &'static str)], ident: &Ident) -> Option<&'static str> {
    refused.iter().find(|(name, _)| ident == name).map(|(_, why)| *why)
}

/// Whether the tokens end with a refused macro's name and `!`.
fn is_refused_macro(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Ident(name), TokenTree::Punct(p)] if p.as_char() == '!' => {
            find(REFUSED_MACROS, name).is_some()
        }
        _ => false,
    }
}

impl Scan<'_> {
    /// Scans tokens that stand behind `prefix::`, as in an import's braces.
    fn tokens(&mut self, tokens: TokenStream, prefix: &[Ident]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut path = prefix.to_vec();
        let mut joined = true;
        let mut in_static = false;
        for (i, token) in tokens.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|at| tokens.get(at));
            match token {
                // What a static is made of need not be refused again.
                TokenTree::Punct(p) if p.as_char() == ';' => {
                    in_static = false;
                    path.clear();
                    joined = false;
                }
                _ if in_static => {}
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
                        in_static = ident == "static";
                        self.word(ident, tokens.get(i + 1));
                        self.path(&path);
                    }
                }
                TokenTree::Punct(p) if p.as_char() == ':' && p.spacing() == Spacing::Joint => {}
                TokenTree::Punct(p) if p.as_char() == ':' => {
                    joined = matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == ':');
                }
                // What is inside a refused macro need not be refused again.
                TokenTree::Group(_) if is_refused_macro(&tokens[..i]) => {}
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
            && !self.is_defined(ident)
            && let Some(why) = find(REFUSED_MACROS, ident)
        {
            self.refuse(ident, why);
        }
    }

    /// The path so far; it is reported as soon as it is refused.
    fn path(&mut self, path: &[Ident]) {
        let is_std = |first: &Ident| ["std", "core", "alloc"].iter().any(|name| first == name);
        let module = |ident: &Ident| find(REFUSED_MODULES, ident);
        let item = |home: &Ident, name: &Ident| {
            let found = REFUSED.iter().find(|(h, n, _)| home == h && name == n);
            found.map(|(.., why)| *why)
        };
        let refused = match path {
            [first, home] if is_std(first) => module(home).map(|why| (home, why)),
            [first, home, name] if is_std(first) && module(home).is_none() => {
                item(home, name).map(|why| (name, why))
            }
            [first, ..] if is_std(first) => None,
            [first, _] if find(REFUSED_CRATES, first).is_some() && !self.is_defined(first) => {
                find(REFUSED_CRATES, first).map(|why| (first, why))
            }
            // `time::Instant` after `use std::time`, whichever way that came.
            [.., home, name] if module(home).is_none() => item(home, name).map(|why| (name, why)),
            [name] if !self.is_defined(name) => {
                let found = REFUSED.iter().find(|(_, known, _)| name == known);
                let found = found.filter(|_| self.reported.insert(name.to_string()));
                found.map(|(.., why)| (name, *why))
            }
            _ => None,
        };
        if let Some((ident, why)) = refused {
            self.refuse(ident, why);
        }
    }

    fn is_defined(&self, ident: &Ident) -> bool {
        self.defined.contains(&ident.to_string())
    }

    fn refuse(&mut self, ident: &Ident, why: &str) {
        if why == HASHED && self.collections.contains(&ident.to_string()) {
            return;
        }
        self.errors.at(ident, format!("{why}{TRUST}"));
    }
}
