//! What must be known of a module before its functions are looked into.

use super::reason::Reason;
use super::walk::PLAIN_MACROS;
use crate::ast::name_of;
use crate::ir::{Field, Item, Model, Shape, Transitions, Variant};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{GenericArgument, Ident, ItemFn, PathArguments, Type};

/// The types of the prelude, and of Rust's, whose operations are known.
const COLLECTIONS: [&str; 5] = ["Queue", "Bag", "Set", "Map", "Option"];

/// What must be known of a module.
pub struct Module<'m> {
    /// The functions by name, or why it is not certain what one does.
    pub functions: HashMap<String, Result<&'m ItemFn, Reason>>,
    /// The constants that are integers.
    pub constants: HashSet<String>,
    /// The name of the state's type, and that of the transitions', if it is an enum.
    pub state: &'m Ident,
    pub transition: Option<&'m Ident>,
    /// The fields of the state.
    pub fields: &'m [Field],
    /// Why something may not be what it seems.
    pub strange: Option<Reason>,
    pub variants: &'m [Variant],
    /// Whether `==` may be the author's.
    pub has_own_equality: bool,
    /// Whether methods of Rust's own types may be the author's.
    pub has_own_methods: bool,
    /// Where `asset_core` is.
    pub krate: &'m syn::Path,
    /// The types that can be state variables, and their shapes.
    pub vars: HashMap<String, &'m Shape>,
    /// Whether the names of the prelude's collections may be the author's.
    pub has_own_collections: bool,
    /// The enums without data that can be state variables, and their values.
    pub names: HashMap<String, &'m [Ident]>,
}

impl<'m> Module<'m> {
    /// What is known of a model's module.
    pub fn new(model: &'m Model) -> Self {
        let (mut functions, mut constants) = (HashMap::new(), HashSet::new());
        let (mut strange, mut has_own_equality, mut has_own_methods) = (None, false, false);
        let is_test = |item: &Item| item.test_only && matches!(item.syn, syn::Item::Mod(_));
        // Macros of an inner module that hold here too, by whatever name.
        let lets_out = |item: &Item| match &item.syn {
            syn::Item::Mod(inner) => inner.attrs.iter().any(|a| a.path().is_ident("macro_use")),
            _ => false,
        };
        if let Some(item) = model.items.iter().find(|item| lets_out(item)) {
            strange = Some(Reason::new("macros of an inner module hold outside of it", &item.syn));
        }
        for item in model.items.iter().filter(|item| !is_test(item)) {
            // Names are compared as they are written, and `r#x` is `x`. What `cfg`
            // leaves out has not been left out yet.
            let is_strange =
                |word: &str| word.starts_with("r#") || word == "cfg" || word == "cfg_attr";
            let found = word(item.syn.to_token_stream(), &is_strange);
            let found =
                found.map(|word| Reason::new(format!("`{word}` stands in the module"), &word));
            strange = strange.or(found);
            has_own_equality |= names_equality(&item.syn);
            has_own_methods |= matches!(item.syn, syn::Item::Trait(_) | syn::Item::Use(_));
            match &item.syn {
                syn::Item::Fn(function) => {
                    let name = function.sig.ident.to_string();
                    let known = what_it_does(function, functions.contains_key(&name));
                    functions.insert(name, known);
                }
                syn::Item::Const(constant) if is_integer(&constant.ty) => {
                    constants.insert(constant.ident.to_string());
                }
                // It might define anything, functions of the same names included.
                syn::Item::Macro(_) | syn::Item::Verbatim(_) => {
                    let why = "a macro, or syntax that is not known, stands among the items";
                    strange = strange.or(Some(Reason::new(why, &item.syn)));
                }
                syn::Item::Use(item) => {
                    let is_known = |word: &str| word == "matches" || PLAIN_MACROS.contains(&word);
                    let found = word(item.to_token_stream(), &is_known);
                    let why = |word: Ident| Reason::new(format!("`{word}` is imported"), &word);
                    strange = strange.or(found.map(why));
                }
                syn::Item::Struct(item) if item.ident == model.state => {
                    let mut attributes = item.fields.iter().flat_map(|field| &field.attrs);
                    let found = attributes.find(|attribute| !is_harmless(attribute));
                    let why = |at| Reason::new("a field has an attribute of another kind", at);
                    strange = strange.or(found.map(why));
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
        let is_collection = |name: &Ident| COLLECTIONS.iter().any(|known| name == known);
        let mut defined = model.items.iter().filter_map(|item| name_of(&item.syn));
        let has_own_collections = has_own_methods || defined.any(is_collection);
        Module {
            functions,
            constants,
            state: &model.state,
            transition,
            fields,
            strange,
            has_own_equality,
            has_own_methods,
            variants,
            krate: &model.krate,
            vars: model.vars.iter().map(|var| (var.ident.to_string(), &var.shape)).collect(),
            has_own_collections,
            names: names.collect(),
        }
    }
}

impl Module<'_> {
    /// If this type is a collection of the prelude's, or an option, its name, and the
    /// first of the types that it is made of.
    pub fn collection<'t>(&self, ty: &'t Type) -> Option<(String, &'t Type)> {
        let Type::Path(path) = ty else { return None };
        let (None, [part]) = (&path.qself, &*path.path.segments.iter().collect::<Vec<_>>()) else {
            return None;
        };
        let PathArguments::AngleBracketed(arguments) = &part.arguments else { return None };
        let is_known = COLLECTIONS.iter().any(|name| part.ident == name);
        match arguments.args.first() {
            Some(GenericArgument::Type(first)) if is_known && !self.has_own_collections => {
                Some((part.ident.to_string(), first))
            }
            _ => None,
        }
    }
}

/// A function, if it does what it seems to do.
fn what_it_does(function: &ItemFn, is_second: bool) -> Result<&ItemFn, Reason> {
    let name = &function.sig.ident;
    if is_second {
        return Err(Reason::new(format!("there are two functions `{name}`"), name));
    }
    if let Some(attribute) = function.attrs.iter().find(|attribute| !is_harmless(attribute)) {
        return Err(Reason::new(format!("`{name}` has an attribute of another kind"), attribute));
    }
    // Items hold in the whole block, before they are met as well.
    let mut items = Items(false);
    items.visit_block(&function.block);
    match items.0 {
        true => Err(Reason::new(format!("an item is defined inside of `{name}`"), name)),
        false => Ok(function),
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
