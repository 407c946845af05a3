//! A `fire_transition` that forgets to say that it fired.
//!
//! The compiler would complain about each arm of its `match` instead.

use crate::ast::is_assignment;
use crate::errors::Errors;
use syn::{Block, Expr, ItemFn, Stmt};

/// Complains if the function ends with a `match` that is not an answer.
pub fn check(function: &ItemFn, errors: &mut Errors) {
    let Some(Stmt::Expr(Expr::Match(last), None)) = function.block.stmts.last() else {
        return;
    };
    let arms: Vec<Gives> = last.arms.iter().map(|arm| of_expr(&arm.body)).collect();
    if arms.contains(&Gives::Nothing) && !arms.contains(&Gives::Something) {
        let message = "this `match` gives no answer: add `true` after it, for what has fired";
        errors.at(last.match_token, message);
    }
}

/// What an expression is worth, as far as one can see.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// `()`.
    Nothing,
    /// Nothing, or it never ends normally.
    Unclear,
    /// It may be an answer.
    Something,
}

fn of_expr(expr: &Expr) -> Gives {
    match expr {
        Expr::Assign(_) | Expr::ForLoop(_) | Expr::While(_) => Gives::Nothing,
        Expr::Binary(binary) if is_assignment(&binary.op) => Gives::Nothing,
        Expr::Block(block) => of_block(&block.block),
        Expr::If(choice) => match &choice.else_branch {
            None => Gives::Nothing,
            Some((_, other)) => both(of_block(&choice.then_branch), of_expr(other)),
        },
        Expr::Return(_) => Gives::Unclear,
        _ => Gives::Something,
    }
}

fn both(a: Gives, b: Gives) -> Gives {
    match (a, b) {
        (Gives::Something, _) | (_, Gives::Something) => Gives::Something,
        (Gives::Nothing, _) | (_, Gives::Nothing) => Gives::Nothing,
        _ => Gives::Unclear,
    }
}

fn of_block(block: &Block) -> Gives {
    match block.stmts.last() {
        None => Gives::Nothing,
        Some(Stmt::Expr(last, None)) => of_expr(last),
        Some(Stmt::Expr(last, Some(_))) if of_expr(last) == Gives::Nothing => Gives::Nothing,
        Some(_) => Gives::Unclear,
    }
}
