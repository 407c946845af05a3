//! What must be known of a module before its functions are looked into.

use super::walk::PLAIN_MACROS;
use crate::ir::{Field, Item, Model, Shape, Transitions, Variant};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Ident, ItemFn, Type};

/// What must be known of a module.
pub struct Module<'m> {
    /// The functions by name; `None` where it is not certain which one is meant.
    pub functions: HashMap<String, Option<&'m ItemFn>>,
    /// The constants that are integers.
    pub constants: HashSet<String>,
    /// The name of the state's type, and that of the transitions', if it is an enum.
    pub state: &'m Ident,
    pub transition: Option<&'m Ident>,
    /// The fields of the state.
    pub fields: &'m [Field],
    /// Whether they are what they seem.
    pub is_plain: bool,
    pub variants: &'m [Variant],
    /// Whether `==` may be the author's.
    pub has_own_equality: bool,
    /// The enums without data that can be state variables, and their values.
    pub names: HashMap<String, &'m [Ident]>,
}

impl<'m> Module<'m> {
    /// What is known of a model's module.
    pub fn new(model: &'m Model) -> Self {
        let (mut functions, mut constants) = (HashMap::new(), HashSet::new());
        let (mut is_plain, mut has_own_equality) = (true, false);
        let is_test = |item: &Item| item.test_only && matches!(item.syn, syn::Item::Mod(_));
        // Macros of an inner module that hold here too, by whatever name.
        let lets_out = |item: &Item| match &item.syn {
            syn::Item::Mod(inner) => inner.attrs.iter().any(|a| a.path().is_ident("macro_use")),
            _ => false,
        };
        is_plain &= !model.items.iter().any(lets_out);
        for item in model.items.iter().filter(|item| !is_test(item)) {
            // Names are compared as they are written, and `r#x` is `x`. What `cfg`
            // leaves out has not been left out yet.
            let is_strange =
                |word: &str| word.starts_with("r#") || word == "cfg" || word == "cfg_attr";
            is_plain &= !is_any_word(item.syn.to_token_stream(), &is_strange);
            has_own_equality |= names_equality(&item.syn);
            match &item.syn {
                syn::Item::Fn(function) => {
                    let is_first = !functions.contains_key(&function.sig.ident.to_string());
                    // Items hold in the whole block, before they are met as well.
                    let mut items = Items(false);
                    items.visit_block(&function.block);
                    let is_plain = is_first && function.attrs.iter().all(is_harmless) && !items.0;
                    functions.insert(function.sig.ident.to_string(), is_plain.then_some(function));
                }
                syn::Item::Const(constant) if is_integer(&constant.ty) => {
                    constants.insert(constant.ident.to_string());
                }
                // It might define anything, functions of the same names included.
                syn::Item::Macro(_) | syn::Item::Verbatim(_) => is_plain = false,
                syn::Item::Use(item) => {
                    let is_known = |word: &str| word == "matches" || PLAIN_MACROS.contains(&word);
                    is_plain &= !is_any_word(item.to_token_stream(), &is_known);
                }
                syn::Item::Struct(item) if item.ident == model.state => {
                    is_plain &= item.fields.iter().all(|f| f.attrs.iter().all(is_harmless));
                }
                _ => {}
            }
        }
        let state = model.vars.iter().find(|var| var.ident == model.state);
        let fields = match state.map(|var| &var.shape) {
            Some(Shape::Struct(fields)) => &**fields,
            _ => &[],
        };
        let (variants, transition) = match &model.transitions {
            Transitions::Enum { variants, ident } => (&**variants, Some(ident)),
            Transitions::Count(_) => (&[] as &[_], None),
        };
        let names = model.vars.iter().filter_map(|var| match &var.shape {
            Shape::Names(names) => Some((var.ident.to_string(), &**names)),
            _ => None,
        });
        Module {
            functions,
            constants,
            state: &model.state,
            transition,
            fields,
            is_plain,
            has_own_equality,
            variants,
            names: names.collect(),
        }
    }
}

/// Whether there are items in a function.
struct Items(bool);

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.0 = true;
    }
}

/// Whether an item names `PartialEq` other than by deriving it by that name alone: it may
/// be an implementation of the author's, or another thing of that name.
fn names_equality(item: &syn::Item) -> bool {
    let is_equality = |word: &str| word == "PartialEq";
    let (attributes, ident) = match item {
        syn::Item::Enum(item) => (&item.attrs, &item.ident),
        syn::Item::Struct(item) => (&item.attrs, &item.ident),
        item => return is_any_word(item.to_token_stream(), &is_equality),
    };
    let is_by_path = |a: &syn::Attribute| a.to_token_stream().to_string().contains(":: PartialEq");
    is_equality(&ident.to_string()) || attributes.iter().any(is_by_path)
}

/// Whether some word in the tokens is of this kind.
pub fn is_any_word(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> bool {
    word(tokens, is_it).is_some()
}

/// The first word in the tokens that is of this kind.
pub fn word(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => is_it(&ident.to_string()).then_some(ident),
        TokenTree::Group(group) => word(group.stream(), is_it),
        _ => None,
    })
}

/// Whether an attribute changes nothing about what an item means.
fn is_harmless(attribute: &syn::Attribute) -> bool {
    ["doc", "inline", "allow", "expect", "must_use", "range", "cold"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

/// Whether this is the name of an integer's type.
pub fn is_integer(ty: &Type) -> bool {
    let name = ty.to_token_stream().to_string();
    ["usize", "u8", "u16", "u32", "u64", "isize", "i8", "i16", "i32", "i64"].contains(&&*name)
}
