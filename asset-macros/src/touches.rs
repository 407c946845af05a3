//! Which state variables a transition touches, and at which a state check looks, as
//! far as the author's code tells.
//!
//! What a firing does is then a function of those variables alone, and the engine
//! need not work it out twice for the same values. The same goes for what its rule
//! obliges, for what a check says, and for the variables at which those look. So this
//! must never leave one out. It errs towards all of them: they are [`Touches::Everything`] wherever the
//! state appears other than as `s.field…` or as an argument of a function of the
//! module, which is looked into. A mention counts, whether it reads or writes, and
//! whether or not it is reached.
//!
//! Of an array, `s.field[i]` touches one element if `i` can be worked out from the
//! transition's parameters alone; otherwise it touches all.
//!
//! What cannot be seen is a macro with the name `matches`, `assert` or `PartialEq` that
//! stands before the module, or comes from a glob import, and is another one than that of
//! the standard library. So those names are imported from there ([`trusted`]), and if there
//! is another one the compiler says that the name is ambiguous.
//!
//! Most transitions begin with a choice: `match s.at[i] { … }`, or, if there is none
//! such, a condition: `s.at[i] == At::Idle && …`. What is touched is told for each value of such a variable, which is then one of fewer variables
//! in most of them. That value is the one before the firing only if nothing could
//! have changed it, so it must be the first mention of the field, and not in a loop
//! or a closure.

mod closed;
mod patterns;
mod summary;
mod value;
mod walk;

use crate::ast::CheckKind;
use crate::ir::{Check, Field, Item, Model, Shape, Transitions, Variant};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, HashSet};
use summary::{Open, Summaries};
use syn::visit::Visit;
use syn::{Ident, ItemFn, Type};
pub use value::{Formula, Value, operand};
use walk::{PLAIN_MACROS, Walk};

/// Imports of the names in the module that are taken to be those of the standard library.
pub fn trusted(model: &Model) -> TokenStream {
    let module = Module::new(model);
    if !module.is_plain {
        return TokenStream::new();
    }
    // With the span of a use: that is where the compiler finds fault with it.
    let used = |name: &str| {
        let mut items = model.items.iter().map(|item| item.syn.to_token_stream());
        items.find_map(|tokens| word(tokens, &|word| word == name))
    };
    let macros = ["matches"].into_iter().chain(PLAIN_MACROS).filter_map(used);
    let macros = macros.map(|name| (name.span(), quote_spanned!(name.span()=> #name)));
    let derived = used("PartialEq").filter(|_| !module.has_own_equality);
    let derived = derived.map(|name| (name.span(), quote_spanned!(name.span()=> cmp::#name)));
    let import = |(span, path)| quote_spanned!(span=> #[allow(unused_imports)] use ::std::#path;);
    macros.chain(derived).map(import).collect()
}

/// What the transitions of a variant touch.
#[derive(Clone, Debug, PartialEq)]
pub struct OfVariant {
    /// A variable of an enum without data, by whose value the variant chooses first
    /// what to do, with the number of values.
    pub choice: Option<(Place, usize)>,
    /// For each value of the choice what is touched; one entry if there is none.
    pub touches: Vec<Touches>,
    /// For each of them, what the rules look at besides.
    pub rules: Vec<Touches>,
}

/// The state variables that a transition touches, or at which a check looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Touches {
    /// Perhaps all of them.
    Everything,
    /// At most these.
    Places(Vec<Place>),
}

impl Touches {
    /// What is touched besides something else.
    fn without(self, told: &Touches) -> Touches {
        match (self, told) {
            (Touches::Places(mut places), Touches::Places(told)) => {
                places.retain(|place| !told.contains(place));
                Touches::Places(places)
            }
            (touches, _) => touches,
        }
    }
}

/// A state variable, or an element of one that is an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The position of the field.
    pub field: usize,
    /// The element's index; `None` is all.
    pub element: Option<Value>,
}

/// What the transitions of each variant touch; one entry if they are just numbered.
pub fn touches(model: &Model) -> Vec<OfVariant> {
    touches_by(model, &Summaries::default())
}

/// The same, with what has been said of functions.
fn touches_by(model: &Model, summaries: &Summaries) -> Vec<OfVariant> {
    let module = Module::new(model);
    let walk = |(function, n): (&Ident, usize), variant, assumed, by_condition| {
        let open = Open { assumed, by_condition, ..Open::default() };
        let mut walk = Walk::new(&module, summaries, variant, Some(&open));
        walk.function_of_transition(function, n);
        walk
    };
    // A choice by `match` tells more than one by a condition that comes before it.
    let choose = |function: (&Ident, usize), variant| {
        let walks = [false, true]
            .map(|by_condition| (walk(function, variant, None, by_condition), by_condition));
        let [by_match, by_condition] = walks;
        if by_match.0.choice.is_some() { by_match } else { by_condition }
    };
    let of = |variant: Option<usize>| {
        let fire = (&model.fire, 0);
        let (first, by_condition) = choose(fire, variant);
        let choice = first.choice.clone();
        let touches: Vec<Touches> = match &choice {
            Some((_, n)) => (0..*n)
                .map(|value| walk(fire, variant, Some(value), by_condition).found())
                .collect(),
            None => vec![first.found()],
        };
        let rules = match &model.rules {
            None => vec![Touches::Places(Vec::new()); touches.len()],
            Some(rules) => {
                let rules = (rules, 1);
                let (first, by_condition) = choose(rules, variant);
                // They may choose by another variable, or none.
                let is_same = choice.is_some() && first.choice == choice;
                let anywhere = first.found();
                let looked_at = |value: usize| match is_same {
                    true => walk(rules, variant, Some(value), by_condition).found(),
                    false => anywhere.clone(),
                };
                let besides = |(value, told)| looked_at(value).without(told);
                touches.iter().enumerate().map(besides).collect()
            }
        };
        OfVariant { choice, touches, rules }
    };
    match &model.transitions {
        Transitions::Enum { variants, .. } => {
            (0..variants.len()).map(|variant| of(Some(variant))).collect()
        }
        Transitions::Count(_) => vec![of(None)],
    }
}

/// What each check looks at, as far as it is a state check; nobody asks about others.
pub fn of_checks(model: &Model) -> Vec<Touches> {
    let (module, summaries) = (Module::new(model), Summaries::default());
    let looks_at = |check: &Check| match check.kind {
        CheckKind::State => {
            let mut walk = Walk::new(&module, &summaries, None, None);
            walk.function_of_state(&check.function);
            walk.found()
        }
        _ => Touches::Everything,
    };
    model.checks.iter().map(looks_at).collect()
}

/// What must be known of a module.
struct Module<'m> {
    /// The functions by name; `None` where it is not certain which one is meant.
    functions: HashMap<String, Option<&'m ItemFn>>,
    /// The constants that are integers.
    constants: HashSet<String>,
    /// The name of the state's type, and that of the transitions', if it is an enum.
    state: &'m Ident,
    transition: Option<&'m Ident>,
    /// The fields of the state.
    fields: &'m [Field],
    /// Whether they are what they seem.
    is_plain: bool,
    variants: &'m [Variant],
    /// Whether `==` may be the author's.
    has_own_equality: bool,
    /// The enums without data that can be state variables, and their values.
    names: HashMap<String, &'m [Ident]>,
}

impl<'m> Module<'m> {
    fn new(model: &'m Model) -> Self {
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
fn is_any_word(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> bool {
    word(tokens, is_it).is_some()
}

/// The first word in the tokens that is of this kind.
fn word(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> Option<Ident> {
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
fn is_integer(ty: &Type) -> bool {
    let name = ty.to_token_stream().to_string();
    ["usize", "u8", "u16", "u32", "u64", "isize", "i8", "i16", "i32", "i64"].contains(&&*name)
}

#[cfg(test)]
mod tests;
