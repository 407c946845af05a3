//! Which items depend on which parameters: instances that agree on the values of
//! those share one copy.
//!
//! An item depends on a parameter if it mentions it, or mentions an item that
//! does. To mention is to contain the word, whatever it means there: that errs
//! towards more copies, never towards fewer.

use crate::ast::name_of;
use crate::ir::{Field, Item, Model, Shape, Transitions};
use crate::validate::reserved::WIDTHS;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{Expr, Ident, ImplItem, TraitItem};

type Words = HashSet<String>;

/// Which items are shared, and by which instances.
///
/// A *level* is how many parameters of `order` have to be chosen before
/// something can be written: instances that agree on so many share it.
pub struct Sharing {
    /// The parameters, those on which the state depends first.
    pub order: Vec<usize>,
    /// The level of each item. Whatever it mentions has the same or a lower one.
    pub levels: Vec<usize>,
}

impl Sharing {
    /// The sharing of all items of a model.
    pub fn new(model: &Model) -> Sharing {
        let nodes: Vec<Node> = model.items.iter().map(|item| Node::new(model, item)).collect();
        let params = 0..model.params.len();
        let dependants: Vec<Vec<bool>> =
            params.clone().map(|param| dependants(model, &nodes, param)).collect();
        let mut order: Vec<usize> = params.collect();
        let states = named(model, &model.state);
        order.sort_by_key(|&param| !states.iter().any(|&state| dependants[param][state]));
        let level = |item: usize| {
            let last = order.iter().rposition(|&param| dependants[param][item]);
            last.map_or(0, |position| position + 1)
        };
        let levels = (0..nodes.len()).map(level).collect();
        Sharing { order, levels }
    }

    /// The level of what the author has given this name.
    pub fn level_of(&self, model: &Model, name: &Ident) -> usize {
        let levels = named(model, name).into_iter().map(|item| self.levels[item]);
        levels.max().unwrap_or(self.order.len())
    }
}

/// The items of this name. There are several if they differ in kind, or in the
/// conditions under which they are compiled.
fn named(model: &Model, name: &Ident) -> Vec<usize> {
    let name = word(name);
    let is_named =
        |&item: &usize| name_of(&model.items[item].syn).is_some_and(|known| word(known) == name);
    (0..model.items.len()).filter(is_named).collect()
}

/// Which items depend on this parameter.
fn dependants(model: &Model, nodes: &[Node], param: usize) -> Vec<bool> {
    let is_param = |item: &Item| item.param == Some(param);
    let mut depends: Vec<bool> = model.items.iter().map(is_param).collect();
    let mut words = Words::new();
    loop {
        let mut is_open = false;
        for (depends, node) in depends.iter().zip(nodes) {
            if *depends {
                words.extend(node.names.iter().chain(&node.tied).cloned());
                is_open |= node.is_open;
            }
        }
        let mut is_done = true;
        for (depends, node) in depends.iter_mut().zip(nodes) {
            let does = is_open || node.is_unknown || !words.is_disjoint(&node.mentions);
            is_done &= *depends || !does;
            *depends |= does;
        }
        if is_done {
            return depends;
        }
    }
}

/// What an item has to do with others.
struct Node {
    /// The names under which others reach it.
    names: Words,
    /// All words in it.
    mentions: Words,
    /// The words in the head of an implementation. Types and traits exist as
    /// often as it does: else one could be implemented twice for another.
    tied: Words,
    /// Whether it may define names that do not stand in it.
    is_open: bool,
    /// Whether it is of a kind about which nothing is known, or calls a macro
    /// that may write any word.
    is_unknown: bool,
}

impl Node {
    fn new(model: &Model, item: &Item) -> Node {
        let mut names: Words = name_of(&item.syn).into_iter().map(word).collect();
        let mut mentions = words(item.syn.to_token_stream());
        for range in fields(model, &names).into_iter().filter_map(|field| field.range.as_ref()) {
            mentions.extend(words(range.lo.to_token_stream()));
            mentions.extend(words(range.hi.to_token_stream()));
        }
        mentions
            .extend(conditions(model, &names).flat_map(|only_if| words(only_if.to_token_stream())));
        if let Some(param) = item.param {
            let values = model.params[param].values.iter();
            mentions.extend(values.flat_map(|value| words(value.expr.to_token_stream())));
        }
        for proposition in model.propositions.iter().filter(|p| names.contains(&word(&p.function)))
        {
            let ranges = proposition.parameters.iter().filter_map(|p| p.range.as_ref());
            for range in ranges {
                mentions.extend(words(range.lo.to_token_stream()));
                mentions.extend(words(range.hi.to_token_stream()));
            }
        }
        if names.contains(&word(&model.state)) {
            names.extend(WIDTHS.map(str::to_owned));
        }
        let mut tied = Words::new();
        let (mut is_open, mut is_unknown) = (false, false);
        match &item.syn {
            syn::Item::Const(_)
            | syn::Item::Enum(_)
            | syn::Item::Fn(_)
            | syn::Item::Struct(_)
            | syn::Item::Type(_) => {}
            syn::Item::Impl(implementation) => {
                let mut head = implementation.clone();
                head.items.clear();
                tied = words(head.to_token_stream());
                names.extend(implementation.items.iter().filter_map(|item| match item {
                    ImplItem::Const(item) => Some(word(&item.ident)),
                    ImplItem::Fn(item) => Some(word(&item.sig.ident)),
                    ImplItem::Type(item) => Some(word(&item.ident)),
                    _ => None,
                }));
            }
            syn::Item::Trait(item) => {
                names.extend(item.items.iter().filter_map(|item| match item {
                    TraitItem::Const(item) => Some(word(&item.ident)),
                    TraitItem::Fn(item) => Some(word(&item.sig.ident)),
                    TraitItem::Type(item) => Some(word(&item.ident)),
                    _ => None,
                }));
            }
            syn::Item::Use(item) => {
                names = words(item.tree.to_token_stream());
                is_open = item.tree.to_token_stream().to_string().contains('*');
            }
            _ => (is_open, is_unknown) = (true, true),
        }
        is_unknown |= has_foreign_macro(item.syn.to_token_stream());
        Node { names, mentions, tied, is_open, is_unknown }
    }
}

/// The fields of the types of these names, as far as they can have ranges.
fn fields<'a>(model: &'a Model, names: &Words) -> Vec<&'a Field> {
    let is_named = |ident: &Ident| names.contains(&word(ident));
    let mut fields = Vec::new();
    for var in model.vars.iter().filter(|var| is_named(&var.ident)) {
        match &var.shape {
            Shape::Struct(own) => fields.extend(own),
            Shape::Names(_) => {}
            Shape::Data(variants) => fields.extend(variants.iter().flat_map(|v| &v.fields)),
        }
    }
    if let Transitions::Enum { ident, variants } = &model.transitions
        && is_named(ident)
    {
        fields.extend(variants.iter().flat_map(|variant| &variant.fields));
    }
    fields
}

/// The conditions under which transitions exist, if the enum of these names has them.
fn conditions<'a>(model: &'a Model, names: &Words) -> impl Iterator<Item = &'a Expr> {
    let variants = match &model.transitions {
        Transitions::Enum { ident, variants } if names.contains(&word(ident)) => &variants[..],
        _ => &[],
    };
    variants.iter().filter_map(|variant| variant.only_if.as_ref())
}

/// A word as it is compared: `r#x` is `x`.
fn word(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// All words but those of the documentation. In texts they count too, as
/// `"{N}"` shows the constant.
fn words(tokens: TokenStream) -> Words {
    let mut words = Words::new();
    collect(tokens, &mut words);
    words
}

fn collect(tokens: TokenStream, words: &mut Words) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(words.insert(word(&ident))),
            TokenTree::Group(group) if is_doc(&group) => {}
            TokenTree::Group(group) => collect(group.stream(), words),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                words.extend(text.split(|c| !is_word(c)).map(str::to_owned));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// Macros that write no name of their own.
const KNOWN_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "format",
    "format_args",
    "ltl",
    "matches",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether a macro is called that is not one of the standard library's.
fn has_foreign_macro(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_call = |tokens: &[TokenTree]| match tokens {
        [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(_)] => {
            // Keywords are no names: `if !(a)`.
            let is_name = syn::parse2::<Ident>(name.to_token_stream()).is_ok();
            mark.as_char() == '!' && is_name && !KNOWN_MACROS.contains(&word(name).as_str())
        }
        _ => false,
    };
    let is_inside = |token: &TokenTree| match token {
        TokenTree::Group(group) => has_foreign_macro(group.stream()),
        _ => false,
    };
    tokens.windows(3).any(is_call) || tokens.iter().any(is_inside)
}

/// Whether this is what stands behind the `#` of documentation.
fn is_doc(group: &proc_macro2::Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(word)) if word == "doc")
}
