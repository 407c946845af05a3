//! Names that expressions are, and names that patterns bind.

use std::collections::HashSet;
use syn::Expr;
use syn::visit::{self, Visit};

/// Whether an expression is just a name.
pub fn is_simple(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(_))
}

/// Whether an expression is just this name.
pub fn is_name(expr: &Expr, name: Option<&String>) -> bool {
    let Expr::Path(path) = expr else { return false };
    let ident = path.path.get_ident().filter(|_| path.qself.is_none());
    ident.is_some_and(|ident| name.is_some_and(|name| ident == name))
}

/// All names that patterns bind.
#[derive(Default)]
pub struct Bound {
    pub names: HashSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}
