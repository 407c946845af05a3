//! Names that a model cannot give away or go by: those of generated items, those of
//! Rust's own types, and paths that would lead every instance to the same one.

use super::items::is_param;
use super::names::Names;
use crate::ast::{Module, name_of};
use crate::errors::Errors;
use crate::text::shown;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Fields, Item, Macro, PatIdent, UseTree};

/// How every generated name begins, but for those that a model shows.
const PREFIX: &str = "__asset";

/// Rust's own types.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

/// The constants that a model shows, unless it has its own of these names.
pub const WIDTHS: [&str; 2] = ["BITS_PER_STATE", "WORDS_PER_STATE"];

/// Complains about each such name.
pub fn check(module: &Module, errors: &mut Errors) {
    let mut known = HashSet::new();
    let names = std::iter::once(module.head.ident.to_token_stream());
    for tokens in names.chain(items(module).map(ToTokens::to_token_stream)) {
        generated(tokens, &mut known, errors);
    }
    for item in items(module) {
        let Some(name) = name_of(item) else { continue };
        if PRIMITIVES.contains(&&*shown(name)) && is_type(item) {
            let message = format!("`{name}` is a type of Rust's own: choose another name");
            errors.at(name, message);
        }
        if *name == "model" && is_value(item) {
            let message = "`#[model]` itself defines `model` here: choose another name";
            errors.at(name, message);
        }
    }
    widths_from_elsewhere(module, errors);
    if module.items.iter().any(is_param) {
        let own = shown(&module.head.ident);
        let names = Names::of(items(module));
        items(module).for_each(|item| paths_to_itself(item, &own, &names, errors));
    }
}

/// Whether the module has something of its own by this name where a value is sought: an
/// item, an import, or what a pattern binds.
pub fn has_value(module: &Module, name: &str) -> bool {
    let mut bound = Bound { name, is_bound: false };
    items(module).for_each(|item| bound.visit_item(item));
    bound.is_bound
        || items(module).any(|item| match item {
            Item::Use(item) => paths(&item.tree).iter().any(|path| path.imports(name)),
            item => is_value(item) && name_of(item).is_some_and(|known| shown(known) == name),
        })
}

/// Whether a pattern, or a formula that speaks of several values, binds a name.
struct Bound<'n> {
    name: &'n str,
    is_bound: bool,
}

impl<'ast> Visit<'ast> for Bound<'_> {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.is_bound |= shown(&pat.ident) == self.name;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.is_bound |= is_quantified(mac.tokens.clone(), self.name);
    }
}

/// Whether `forall` or `exists` stands before a name.
fn is_quantified(tokens: TokenStream, name: &str) -> bool {
    let mut is_next = false;
    tokens.into_iter().any(|token| {
        let is_bound = is_next && token.to_string() == name;
        is_next = ["forall", "exists"].contains(&&*token.to_string());
        is_bound || matches!(token, TokenTree::Group(group) if is_quantified(group.stream(), name))
    })
}

fn items(module: &Module) -> impl Iterator<Item = &Item> {
    module.items.iter().map(|item| &item.syn)
}

/// Whether the item is found where a type is sought.
fn is_type(item: &Item) -> bool {
    use Item::{Enum, Mod, Struct, Trait, Type, Union};
    matches!(item, Enum(_) | Mod(_) | Struct(_) | Trait(_) | Type(_) | Union(_))
}

/// Whether the item is found where a value is sought.
fn is_value(item: &Item) -> bool {
    match item {
        Item::Const(_) | Item::Fn(_) | Item::Static(_) => true,
        Item::Struct(item) => !matches!(item.fields, Fields::Named(_)),
        _ => false,
    }
}

/// Complains once about each word that looks like a generated name.
fn generated(tokens: TokenStream, known: &mut HashSet<String>, errors: &mut Errors) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                let word = shown(&name);
                if word.starts_with(PREFIX) && known.insert(word) {
                    let message = format!(
                        "names that begin with `{PREFIX}` are those of generated items: choose \
                         another name"
                    );
                    errors.at(name, message);
                }
            }
            TokenTree::Group(group) => generated(group.stream(), known, errors),
            _ => {}
        }
    }
}

/// Complains where one of [`WIDTHS`] is named and may come from a glob import: the
/// model's own would be taken for it without a word.
fn widths_from_elsewhere(module: &Module, errors: &mut Errors) {
    let names = Names::of(items(module));
    let mut imports = items(module).filter_map(|item| match item {
        Item::Use(item) => Some(paths(&item.tree)),
        _ => None,
    });
    let is_open = |path: &UsePath| match path.segments.first() {
        Some(first) if path.is_glob => *first != "self" && !names.contains(&shown(first)),
        _ => false,
    };
    if !imports.any(|paths| paths.iter().any(is_open)) {
        return;
    }
    for name in WIDTHS.into_iter().filter(|name| !has_value(module, name)) {
        let mut words = items(module).filter_map(|item| first_word(item.to_token_stream(), name));
        if let Some(word) = words.next() {
            let message = format!(
                "this may be the model's own `{name}` or one that a glob import brings: import \
                 what is meant by its name, or import no globs"
            );
            errors.at(word, message);
        }
    }
}

/// The first place of a word.
fn first_word(tokens: TokenStream, word: &str) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => (shown(&ident) == word).then_some(ident),
        TokenTree::Group(group) => first_word(group.stream(), word),
        _ => None,
    })
}

/// A path that a `use` brings into scope.
struct UsePath {
    segments: Vec<Ident>,
    /// The name that it has in the module.
    name: Option<Ident>,
    is_glob: bool,
}

impl UsePath {
    fn imports(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|known| shown(known) == name)
    }
}

fn paths(tree: &UseTree) -> Vec<UsePath> {
    match tree {
        UseTree::Path(path) => {
            let mut inner = paths(&path.tree);
            inner.iter_mut().for_each(|inner| inner.segments.insert(0, path.ident.clone()));
            inner
        }
        UseTree::Name(name) => {
            let ident = name.ident.clone();
            vec![UsePath { segments: vec![ident.clone()], name: Some(ident), is_glob: false }]
        }
        UseTree::Rename(name) => {
            let (ident, name) = (name.ident.clone(), name.rename.clone());
            vec![UsePath { segments: vec![ident], name: Some(name), is_glob: false }]
        }
        UseTree::Glob(_) => vec![UsePath { segments: Vec::new(), name: None, is_glob: true }],
        UseTree::Group(group) => group.items.iter().flat_map(paths).collect(),
    }
}

/// Complains about paths that lead from a model with parameters to the module that it
/// stands in: to the default instance, whichever instance they are in.
fn paths_to_itself(item: &Item, own: &str, names: &Names, errors: &mut Errors) {
    if let Item::Use(item) = item {
        for path in paths(&item.tree) {
            let at = path.segments.iter().position(|segment| shown(segment) == own);
            let is_own_type = |first: &Ident| names.contains(&shown(first));
            if let Some(at) = at
                && (at == 0 || !is_own_type(&path.segments[0]))
            {
                refuse_path(&path.segments[at], errors);
            }
        }
    } else {
        paths_in(item.to_token_stream(), own, names, errors);
    }
}

/// Looks for such paths in tokens, and so also inside of macros.
fn paths_in(tokens: TokenStream, own: &str, names: &Names, errors: &mut Errors) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_path = |at: usize| {
        let is_colon =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
        is_colon(at) && is_colon(at + 1)
    };
    let mut first: Option<&Ident> = None;
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => paths_in(group.stream(), own, names, errors),
            TokenTree::Ident(ident) => {
                let is_first = i < 2 || !is_path(i - 2);
                if is_first {
                    first = Some(ident);
                }
                let starts_here = first.is_none_or(|first| names.contains(&shown(first)));
                if shown(ident) == own && is_path(i + 1) && !starts_here {
                    refuse_path(ident, errors);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn refuse_path(segment: &Ident, errors: &mut Errors) {
    let message = format!(
        "a path through `{segment}` leads to the default instance in every instance of this model: \
         name what stands in the module without a path, and what stands beside it by `super::`"
    );
    errors.at(segment, message);
}
