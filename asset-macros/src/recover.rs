//! What can be read of a module with a syntax error in it: its names.
//!
//! The compiler has parsed the module before the macro sees it, and has said
//! what is wrong. So nothing is reported here. The items that are in order are
//! kept, and of the others what they define, so that nothing else is missed.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Item, ItemMod, parse2};

/// The module with what could be read of its items; `None` if it is no inline
/// module.
pub fn module(tokens: TokenStream) -> Option<ItemMod> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop() else {
        return None;
    };
    let head: TokenStream = tokens.into_iter().collect();
    let mut module: ItemMod = parse2(quote!(#head {})).ok()?;
    let body: Vec<TokenTree> = body.stream().into_iter().collect();
    let items = chunks(without_inner_attributes(&body))
        .into_iter()
        .filter_map(|chunk| item(&chunk))
        .collect();
    module.content = module.content.map(|(brace, _)| (brace, items));
    Some(module)
}

/// What comes after `#![…]` and inner documentation.
fn without_inner_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    while let [TokenTree::Punct(hash), TokenTree::Punct(mark), TokenTree::Group(_), rest @ ..] =
        tokens
        && hash.as_char() == '#'
        && mark.as_char() == '!'
    {
        tokens = rest;
    }
    tokens
}

/// The tokens cut into items: after braces, after a semicolon, and where an
/// item can only begin.
fn chunks(tokens: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut chunks = Vec::new();
    let mut chunk: Vec<TokenTree> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if begins_item(&tokens[i..]) && keyword(&chunk).is_some() {
            chunks.push(std::mem::take(&mut chunk));
        }
        chunk.push(token.clone());
        let is_value = matches!(keyword(&chunk), Some((word, _)) if is_value(&word));
        let is_end = match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_value,
            _ => false,
        };
        if is_end {
            chunks.push(std::mem::take(&mut chunk));
        }
    }
    chunks.push(chunk);
    chunks
}

/// Whether these tokens can stand at the start of an item and nowhere within.
fn begins_item(tokens: &[TokenTree]) -> bool {
    const WORDS: [&str; 6] = ["pub", "struct", "enum", "mod", "static", "type"];
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Group(_), ..] => hash.as_char() == '#',
        [TokenTree::Ident(word), TokenTree::Ident(_), ..] if *word == "fn" => true,
        [TokenTree::Ident(word), ..] => WORDS.iter().any(|known| word == known),
        _ => false,
    }
}

/// Whether an item of this kind goes on after braces, up to its semicolon.
fn is_value(keyword: &Ident) -> bool {
    ["const", "static", "type", "use"].iter().any(|known| keyword == known)
}

/// The word that says what the item is, and the name after it.
fn keyword(chunk: &[TokenTree]) -> Option<(Ident, Option<Ident>)> {
    const WORDS: [&str; 10] =
        ["const", "static", "type", "use", "struct", "enum", "union", "fn", "trait", "impl"];
    let words: Vec<&Ident> = chunk
        .iter()
        .filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word),
            _ => None,
        })
        .collect();
    let at = words.iter().position(|word| WORDS.iter().any(|known| word == known))?;
    // A constant function is a function.
    let at =
        at + usize::from(*words[at] == "const" && words.get(at + 1).is_some_and(|w| *w == "fn"));
    Some((words[at].clone(), words.get(at + 1).map(|name| (*name).clone())))
}

/// The item as it is, or without what is wrong in it, or another one of its
/// name.
fn item(chunk: &[TokenTree]) -> Option<Item> {
    let whole: TokenStream = chunk.iter().cloned().collect();
    if let Ok(item) = parse2::<Item>(whole.clone()) {
        return Some(item);
    }
    let (keyword, name) = keyword(chunk)?;
    let without_end: TokenStream = chunk[..chunk.len() - 1].iter().cloned().collect();
    if keyword == "fn" || keyword == "impl" {
        return parse2(quote!(#without_end {})).ok();
    }
    let name = name?;
    let ended = quote!(#whole ;);
    let stub = match keyword.to_string().as_str() {
        "const" => quote!(pub const #name: usize = 1;),
        "type" => quote!(pub type #name = ();),
        "struct" => quote!(pub struct #name;),
        "enum" => quote!(pub enum #name {}),
        "trait" => quote!(pub trait #name {}),
        _ => return None,
    };
    parse2(ended).or_else(|_| parse2(stub)).ok()
}

/// Whether this is a constant without a value or a function without a body,
/// which the compiler parses and then refuses.
pub fn lacks_its_end(item: &Item) -> bool {
    let Item::Verbatim(tokens) = item else {
        return false;
    };
    let last = tokens.clone().into_iter().last();
    matches!(last, Some(TokenTree::Punct(punct)) if punct.as_char() == ';')
}

/// Such an item without its attributes: nobody is left to read them.
pub fn without_attributes(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let after_hash = matches!(kept.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        if after_hash && matches!(token, TokenTree::Group(_)) {
            kept.pop();
        } else {
            kept.push(token);
        }
    }
    kept.iter().map(ToTokens::to_token_stream).collect()
}
