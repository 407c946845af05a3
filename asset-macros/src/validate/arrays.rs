//! Lists of a fixed length for variables whose length depends on a parameter.
//!
//! The compiler would complain once for each instance, and about numbers that
//! the author does not see.

use super::items::is_test_only;
use super::signature::Names;
use crate::ast::Module;
use crate::errors::Errors;
use crate::ir::Param;
use quote::ToTokens;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ExprArray, ExprAssign, ExprBinary, ExprField, ExprRepeat, ExprStruct, FnArg,
    Ident, ItemFn, Member, Pat, PatIdent, Type,
};

/// Complains about lists that do not fit in some instance.
pub fn check(module: &Module, names: &Names, params: &[Param], errors: &mut Errors) {
    let mut lengths = HashMap::new();
    for item in &module.items {
        let syn::Item::Struct(item) = &item.syn else {
            continue;
        };
        for field in item.fields.iter().filter(|_| item.ident == names.state) {
            if let (Some(name), Type::Array(array)) = (&field.ident, &field.ty)
                && let Expr::Path(length) = &array.len
                && let Some(length) = length.path.get_ident()
            {
                lengths.insert(name.to_string(), length.clone());
            }
        }
    }
    let mut lists = Lists { state: &names.state, lengths, params, states: Vec::new(), errors };
    // Tests see one instance only, and know its parameters.
    for item in module.items.iter().filter(|item| !is_test_only(&item.syn)) {
        lists.visit_item(&item.syn);
    }
}

struct Lists<'a> {
    /// The name of the state's type.
    state: &'a Ident,
    /// The variables whose length is a name, with that name.
    lengths: HashMap<String, Ident>,
    params: &'a [Param],
    /// What the function in hand calls its states.
    states: Vec<Ident>,
    errors: &'a mut Errors,
}

/// How many elements a list has, if one can see it.
fn length(list: &Expr) -> Option<usize> {
    match list {
        Expr::Array(ExprArray { elems, .. }) => Some(elems.len()),
        Expr::Repeat(ExprRepeat { len, .. }) => {
            super::types::literal(len).and_then(|n| usize::try_from(n).ok())
        }
        _ => None,
    }
}

/// What to write instead, with the length that it should have.
fn remedy(list: &Expr, length: &Ident) -> String {
    let first = match list {
        Expr::Array(array) => array.elems.first(),
        Expr::Repeat(repeat) => Some(&*repeat.expr),
        _ => None,
    };
    let text = |expr: &Expr| expr.to_token_stream().to_string();
    let is_uniform = match (list, first) {
        (Expr::Array(array), Some(first)) => array.elems.iter().all(|e| text(e) == text(first)),
        _ => true,
    };
    match first.map(text) {
        Some(first) if is_uniform => format!("[{first}; {length}]"),
        _ => "std::array::from_fn(|i| …)".to_owned(),
    }
}

/// Whether the function gives this name to something else on the way.
fn rebinds(function: &ItemFn, name: &Ident) -> bool {
    struct Bindings<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Bindings<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.1 |= pattern.ident == *self.0;
        }
    }
    let mut bindings = Bindings(name, false);
    bindings.visit_block(&function.block);
    bindings.1
}

impl Lists<'_> {
    fn compare(&mut self, variable: &Member, list: &Expr) {
        let Member::Named(variable) = variable else {
            return;
        };
        let (Some(length), Some(n)) = (self.lengths.get(&variable.to_string()), length(list))
        else {
            return;
        };
        let name = crate::text::option_name(&crate::text::shown(length));
        let Some(param) = self.params.iter().find(|param| param.name == name) else {
            return;
        };
        let n_text = n.to_string();
        if let Some(other) = param.values.iter().find(|value| value.text != n_text) {
            let message = format!(
                "this has {n} elements and `{variable}` has `{length}`, which can be {}: write `{}`",
                other.text,
                remedy(list, length)
            );
            self.errors.at(list, message);
        }
    }

    /// The variable, if this is one of a state that the function was given.
    fn variable<'e>(&self, expr: &'e Expr) -> Option<&'e Member> {
        let Expr::Field(ExprField { base, member, .. }) = expr else {
            return None;
        };
        let Expr::Path(base) = &**base else {
            return None;
        };
        self.states.iter().any(|state| base.path.is_ident(state)).then_some(member)
    }
}

impl<'ast> Visit<'ast> for Lists<'_> {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let states = function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => {
                let ty = match &*input.ty {
                    Type::Reference(reference) => &*reference.elem,
                    other => other,
                };
                let is_state = matches!(ty, Type::Path(path) if path.path.is_ident(self.state));
                match &*input.pat {
                    Pat::Ident(name) if is_state => Some(name.ident.clone()),
                    _ => None,
                }
            }
            FnArg::Receiver(_) => None,
        });
        self.states = states.filter(|name| !rebinds(function, name)).collect();
        visit::visit_item_fn(self, function);
        self.states.clear();
    }

    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        if let Some(variable) = self.variable(&assign.left) {
            self.compare(variable, &assign.right);
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if let (BinOp::Eq(_) | BinOp::Ne(_), Some(variable)) =
            (binary.op, self.variable(&binary.left))
        {
            self.compare(variable, &binary.right);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_struct(&mut self, literal: &'ast ExprStruct) {
        if literal.path.is_ident(self.state) {
            for field in &literal.fields {
                self.compare(&field.member, &field.expr);
            }
        }
        visit::visit_expr_struct(self, literal);
    }
}
