//! Conditions that are known to hold, or not to, where a variable has an assumed
//! value: `s.at[i] == At::Idle && …`, `if s.at[i] != At::Idle { return false; }`.
//!
//! What is not evaluated then is not walked through. The variable is the choice, as
//! in a `match`, and must be found in the same way: it is mentioned for the first
//! time. Everything else may hold or not.

use super::Walk;
use super::macros::Matches;
use crate::analyse::Place;
use crate::analyse::module::is_any_word;
use crate::analyse::patterns::may_be;
use syn::parse::Parser;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprIf, ExprReturn, Ident, Pat, Stmt, UnOp};

impl<'m> Walk<'m> {
    /// Whether [`Walk::truth`] knows more of such an expression than `visit_expr`.
    pub(super) fn is_condition(expr: &Expr) -> bool {
        match expr {
            Expr::Binary(binary) => {
                matches!(binary.op, BinOp::And(_) | BinOp::Or(_) | BinOp::Eq(_) | BinOp::Ne(_))
            }
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::If(_) => true,
            _ => false,
        }
    }

    /// Walks through an expression as far as it is evaluated. Tells its value, if it
    /// is a condition of which that is known.
    pub(super) fn truth(&mut self, expr: &Expr) -> Option<bool> {
        match expr {
            Expr::Paren(inner) => self.truth(&inner.expr),
            Expr::Group(inner) => self.truth(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.truth(&unary.expr).map(|value| !value)
            }
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) => self.both(&binary.left, &binary.right, false),
                BinOp::Or(_) => self.both(&binary.left, &binary.right, true),
                BinOp::Eq(_) => self.comparison(&binary.left, &binary.right),
                BinOp::Ne(_) => self.comparison(&binary.left, &binary.right).map(|value| !value),
                _ => self.unknown(expr),
            },
            Expr::If(branch) => {
                self.branch(branch);
                None
            }
            Expr::Call(call) if self.is_call_with_state(call) => self.call_with_state(call),
            Expr::Macro(call) if call.mac.path.is_ident("matches") => {
                let value = self.matching(&call.mac);
                self.visit_macro(&call.mac);
                value
            }
            _ => self.unknown(expr),
        }
    }

    fn unknown(&mut self, expr: &Expr) -> Option<bool> {
        self.visit_expr(expr);
        None
    }

    /// `left && right`, which is false if one is, or `left || right`, which is true
    /// if one is: `decisive` then decides, and what comes after is not evaluated.
    fn both(&mut self, left: &Expr, right: &Expr, decisive: bool) -> Option<bool> {
        let left = self.truth(left);
        if left == Some(decisive) {
            return left;
        }
        match (left, self.truth(right)) {
            (Some(_), right) => right,
            (None, right) => right.filter(|&right| right == decisive),
        }
    }

    /// `left == right`.
    fn comparison(&mut self, left: &Expr, right: &Expr) -> Option<bool> {
        let tested = [(left, right), (right, left)].into_iter().find_map(|(place, value)| {
            let (place, name) = self.first_chooser(place)?;
            let value = self.value_of(value, &name)?;
            Some((place, name, value))
        });
        let equal = tested.and_then(|(place, name, value)| {
            let values = self.choose(place, &name);
            self.assumed.map(|assumed| values[assumed] == value)
        });
        self.visit_expr(left);
        self.visit_expr(right);
        equal
    }

    /// Whether `matches!` is known to say no.
    fn matching(&mut self, call: &syn::Macro) -> Option<bool> {
        let Matches(expr, rest) = syn::parse2(call.tokens.clone()).ok()?;
        let pattern = |input: syn::parse::ParseStream| {
            input.parse::<syn::Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok(pattern)
        };
        let pattern = pattern.parse2(rest).ok()?;
        let (place, name) = self.first_chooser(&expr)?;
        let values = self.choose(place, &name);
        let value = &values[self.assumed?];
        (!may_be(&pattern, None, &name, value, values)).then_some(false)
    }

    /// [`Walk::chooser`], if nothing has been chosen by before.
    fn first_chooser(&self, expr: &Expr) -> Option<(Place, String)> {
        let found = self.chooser(expr)?;
        (self.choice.is_none() && !self.module.has_own_equality).then_some(found)
    }

    fn choose(&mut self, place: Place, name: &str) -> &'m [Ident] {
        let values = self.module.names[name];
        self.choice = Some((place, values.len()));
        values
    }

    /// The value of an enum that an expression names.
    fn value_of(&self, expr: &Expr, name: &str) -> Option<Ident> {
        let Expr::Path(path) = expr else { return None };
        let segments: Vec<&Ident> = path.path.segments.iter().map(|part| &part.ident).collect();
        match &*segments {
            [owner, value] if path.qself.is_none() && path.path.leading_colon.is_none() => {
                let is_value = *owner == name && self.module.names[name].contains(value);
                is_value.then(|| (*value).clone())
            }
            _ => None,
        }
    }

    /// Walks through those sides of a branch that may be taken. Tells the condition.
    fn branch(&mut self, branch: &ExprIf) -> Option<bool> {
        let condition = self.truth(&branch.cond);
        if condition != Some(false) {
            self.visit_block(&branch.then_branch);
        }
        if let Some((_, otherwise)) =
            branch.else_branch.as_ref().filter(|_| condition != Some(true))
        {
            self.visit_expr(otherwise);
        }
        condition
    }

    /// Walks through a function's body, up to where it is known to return. Tells
    /// what it returns, if that is known.
    pub(super) fn body(&mut self, body: &Block) -> Option<bool> {
        if let [Stmt::Expr(expr, None)] = &*body.stmts {
            return self.truth(expr).filter(|_| !may_return(expr));
        }
        for statement in &body.stmts {
            match statement {
                Stmt::Expr(Expr::If(branch), _) => {
                    if self.branch(branch) == Some(true) && ends_in_return(&branch.then_branch) {
                        break;
                    }
                }
                _ => self.visit_stmt(statement),
            }
        }
        None
    }
}

/// Whether the last thing that a block does is to return.
fn ends_in_return(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(Expr::Return(_), _)))
}

/// Whether an expression may return from the function, or leave it otherwise.
fn may_return(expr: &Expr) -> bool {
    let mut returns = Returns(false);
    returns.visit_expr(expr);
    returns.0
}

/// Whether something was found that returns.
struct Returns(bool);

impl<'ast> Visit<'ast> for Returns {
    fn visit_expr_return(&mut self, _: &'ast ExprReturn) {
        self.0 = true;
    }

    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.0 = true;
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let parsed = syn::parse2(call.tokens.clone());
        match parsed.ok().filter(|_| call.path.is_ident("matches")) {
            // A guard may be anything.
            Some(Matches(expr, rest)) if !is_any_word(rest.clone(), &|word| word == "if") => {
                self.0 |= may_return(&expr);
            }
            _ => self.0 = true,
        }
    }
}
