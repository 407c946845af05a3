//! Names that expressions are, and names that patterns bind.

use super::places::is_usize_from;
use crate::analyse::module::is_integer;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

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
    /// Whether one of them is a reference by which what is matched may be changed.
    pub lends: bool,
    /// How often each is bound, and those that a `let` binds to an integer.
    n_bound: HashMap<String, usize>,
    to_integer: HashSet<String>,
}

impl Bound {
    /// The names that are bound once, to an integer.
    pub fn integers(&self) -> HashSet<String> {
        let is_bound_once = |name: &&String| self.n_bound[*name] == 1;
        self.to_integer.iter().filter(is_bound_once).cloned().collect()
    }
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) {
            let is_integer = match &*init.expr {
                Expr::Call(call) => is_usize_from(&call.func),
                Expr::Cast(cast) => is_integer(&cast.ty),
                _ => false,
            };
            if is_integer && name.mutability.is_none() && name.subpat.is_none() {
                self.to_integer.insert(name.ident.to_string());
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.insert(pat.ident.to_string());
        *self.n_bound.entry(pat.ident.to_string()).or_default() += 1;
        self.lends |= pat.by_ref.is_some() && pat.mutability.is_some();
        visit::visit_pat_ident(self, pat);
    }
}
