//! The names that a module defines or imports.

use crate::ast::name_of;
use crate::text::shown;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Item, UseTree, Variant};

/// The names of a module's items and variants, and those that it imports.
#[derive(Default)]
pub struct Names {
    names: HashSet<String>,
    /// Whether it imports names without naming them.
    pub has_globs: bool,
}

impl Names {
    /// The names in these items.
    pub fn of<'a>(items: impl Iterator<Item = &'a Item>) -> Names {
        let mut names = Names::default();
        items.for_each(|item| names.visit_item(item));
        names
    }

    /// Whether the name is among them, as it is or with `r#` before it.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name.strip_prefix("r#").unwrap_or(name))
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        self.names.extend(name_of(item).map(shown));
        // A macro may define anything.
        self.has_globs |= matches!(item, Item::Macro(_));
        visit::visit_item(self, item);
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.names.insert(shown(&variant.ident));
        visit::visit_variant(self, variant);
    }

    fn visit_use_tree(&mut self, tree: &'ast UseTree) {
        match tree {
            UseTree::Name(name) => {
                self.names.insert(shown(&name.ident));
            }
            UseTree::Rename(name) => {
                self.names.insert(shown(&name.rename));
            }
            UseTree::Glob(_) => self.has_globs = true,
            _ => {}
        }
        visit::visit_use_tree(self, tree);
    }
}
