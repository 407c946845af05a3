//! Names that lead nowhere, where the compiler would say so more than once or
//! would add what only the expansion knows of.

use super::items::is_test_only;
use super::names::Names;
use super::signature;
use crate::ast::{MarkKind, Module};
use crate::errors::Errors;
use crate::parse::EXISTENCE;
use crate::text::{nearest, shown};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Field, ItemEnum, Path, Type, TypeArray, Variant};

/// Complains about constants that ranges and lengths of arrays name and that
/// are not there.
pub fn constants(module: &Module, errors: &mut Errors) {
    let names = Names::of(module.items.iter().map(|item| &item.syn));
    for item in &module.items {
        let is_type = |kind: &MarkKind| {
            matches!(kind, MarkKind::State | MarkKind::StateVar | MarkKind::Transitions)
        };
        // The parameters of a generic type are names too; it is refused anyway.
        if item.marks.iter().any(|mark| is_type(&mark.kind)) && !is_generic(&item.syn) {
            Constants { names: &names, errors }.visit_item(&item.syn);
        }
    }
}

fn is_generic(item: &syn::Item) -> bool {
    match item {
        syn::Item::Struct(item) => !item.generics.params.is_empty(),
        syn::Item::Enum(item) => !item.generics.params.is_empty(),
        _ => false,
    }
}

/// Whether an expression names a constant that the compiler cannot find.
pub fn leads_nowhere(expr: &Expr, names: &Names) -> bool {
    let mut errors = Errors::default();
    Constants { names, errors: &mut errors }.visit_expr(expr);
    !errors.is_empty()
}

struct Constants<'a> {
    names: &'a Names,
    errors: &'a mut Errors,
}

impl<'ast> Visit<'ast> for Constants<'_> {
    fn visit_field(&mut self, field: &'ast Field) {
        for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("range")) {
            if let Ok(range) = attr.parse_args::<Expr>() {
                self.visit_expr(&range);
            }
        }
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident(EXISTENCE)) {
            if let Ok(condition) = attr.parse_args::<Expr>() {
                self.visit_expr(&condition);
            }
        }
        visit::visit_variant(self, variant);
    }

    fn visit_type_array(&mut self, array: &'ast TypeArray) {
        self.visit_type(&array.elem);
        self.visit_expr(&array.len);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(path) => self.path(&path.path),
            // What these bind are names too.
            Expr::Block(_) | Expr::Closure(_) | Expr::Match(_) | Expr::If(_) => {}
            other => visit::visit_expr(self, other),
        }
    }
}

impl Constants<'_> {
    fn path(&mut self, path: &Path) {
        // Functions and values of the language have other names than constants.
        if let Some(name) = path.get_ident()
            && !name.to_string().contains(char::is_lowercase)
            && !self.names.has_globs
            && !self.names.contains(&name.to_string())
        {
            let message = format!(
                "there is no constant `{name}` in this module: write the number, define it as in \
                 `const {name}: usize = 3;`, or import it as in `use super::{name};`"
            );
            self.errors.at(name, message);
        }
        if let Some(first) = path.segments.first().filter(|first| first.ident == "Self")
            && let Some(last) = path.segments.last().filter(|_| path.segments.len() > 1)
        {
            let message = format!(
                "`{}` cannot stand here: write `{}` and define it in the module",
                first.ident, last.ident
            );
            self.errors.at(path, message);
        }
    }
}

/// Complains about transitions that nobody declared, wherever they are named.
pub fn transitions(module: &Module, names: &signature::Names, errors: &mut Errors) {
    let Some(declared) = module.items.iter().find_map(|item| match &item.syn {
        syn::Item::Enum(item) if item.ident == names.transition => Some(item),
        _ => None,
    }) else {
        return;
    };
    let mut known: Vec<String> = declared.variants.iter().map(|v| shown(&v.ident)).collect();
    for item in &module.items {
        if let syn::Item::Impl(item) = &item.syn
            && matches!(&*item.self_ty, Type::Path(path) if path.path.is_ident(&declared.ident))
        {
            known.extend(item.items.iter().filter_map(associated_name));
        }
    }
    for item in module.items.iter().filter(|item| !is_test_only(&item.syn)) {
        undeclared(item.syn.to_token_stream(), declared, &known, errors);
    }
}

fn associated_name(item: &syn::ImplItem) -> Option<String> {
    match item {
        syn::ImplItem::Const(item) => Some(shown(&item.ident)),
        syn::ImplItem::Fn(item) => Some(shown(&item.sig.ident)),
        syn::ImplItem::Type(item) => Some(shown(&item.ident)),
        _ => None,
    }
}

/// Looks for `Transition::Name` in tokens, and so also inside of macros.
fn undeclared(tokens: TokenStream, declared: &ItemEnum, known: &[String], errors: &mut Errors) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for token in &tokens {
        if let TokenTree::Group(group) = token {
            undeclared(group.stream(), declared, known, errors);
        }
    }
    for (i, four) in tokens.windows(4).enumerate() {
        let [
            TokenTree::Ident(first),
            TokenTree::Punct(a),
            TokenTree::Punct(b),
            TokenTree::Ident(name),
        ] = four
        else {
            continue;
        };
        let before = i.checked_sub(1).map(|before| &tokens[before]);
        let is_elsewhere = matches!(before, Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let is_path = a.as_char() == ':' && b.as_char() == ':' && !is_elsewhere;
        if *first == declared.ident && is_path && is_variant_like(name) {
            let text = shown(name);
            if !known.contains(&text) {
                errors.at(name, unknown_transition(&text, declared));
            }
        }
    }
}

/// Whether the name is written as variants are, and not as a function's or a
/// constant's.
fn is_variant_like(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

fn unknown_transition(name: &str, declared: &ItemEnum) -> String {
    let variants: Vec<String> = declared.variants.iter().map(|v| shown(&v.ident)).collect();
    let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
    match nearest(name, &variants) {
        Some(meant) => format!("there is no transition `{name}`: did you mean `{meant}`?"),
        None => format!(
            "there is no transition `{name}`: add it to `{}`, or use what that has: `{}`",
            declared.ident,
            variants.join("`, `")
        ),
    }
}
