//! Values that can be worked out from a transition's parameters.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use std::rc::Rc;
use syn::{Expr, Ident, Type};

/// The most formulas in a value, one within another. Where functions pass on sums of
/// what they got, values double with every call.
const MAX_SIZE: usize = 256;

/// A value that can be worked out from a transition's parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The transition's parameter in this position.
    Parameter(usize),
    /// The argument in this position of the function of which something is said.
    Argument(usize),
    /// What is worked out from others.
    Formula(Rc<Formula>),
}

/// An expression over other values.
#[derive(Debug)]
pub struct Formula {
    /// The expression, in which the operands are called [`operand`]s.
    pub expr: Rc<Expr>,
    /// The operands, with their types.
    pub operands: Vec<(TokenStream, Value)>,
    /// Expression and types as text, by which formulas are compared.
    text: Rc<str>,
    size: usize,
}

/// The name of a formula's operand in this position.
pub fn operand(i: usize) -> Ident {
    format_ident!("__asset_known_{i}")
}

impl Value {
    /// The value of an expression over [`operand`]s.
    pub fn formula(expr: Expr, operands: Vec<(TokenStream, Value)>) -> Value {
        let mut text = expr.to_token_stream().to_string();
        for (ty, _) in &operands {
            text.push_str(&format!("; {ty}"));
        }
        Value::Formula(Rc::new(Formula::new(Rc::new(expr), operands, text.into())))
    }

    /// The value with these arguments, or `None` if one is not known, or if the value
    /// becomes too large to be written out.
    pub fn with(&self, arguments: &[Option<Value>]) -> Option<Value> {
        match self {
            Value::Parameter(_) => Some(self.clone()),
            Value::Argument(i) => arguments[*i].clone(),
            Value::Formula(formula) if formula.operands.is_empty() => Some(self.clone()),
            Value::Formula(formula) => {
                let operand = |(ty, value): &(_, Value)| {
                    Some((TokenStream::clone(ty), value.with(arguments)?))
                };
                let operands = formula.operands.iter().map(operand).collect::<Option<_>>()?;
                let formula = Formula::new(formula.expr.clone(), operands, formula.text.clone());
                (formula.size <= MAX_SIZE).then(|| Value::Formula(Rc::new(formula)))
            }
        }
    }

    /// Whether it is the same for all transitions and all calls.
    pub fn is_constant(&self) -> bool {
        match self {
            Value::Parameter(_) | Value::Argument(_) => false,
            Value::Formula(formula) => {
                formula.operands.iter().all(|(_, value)| value.is_constant())
            }
        }
    }

    fn size(&self) -> usize {
        match self {
            Value::Parameter(_) | Value::Argument(_) => 1,
            Value::Formula(formula) => formula.size,
        }
    }
}

impl Formula {
    fn new(expr: Rc<Expr>, operands: Vec<(TokenStream, Value)>, text: Rc<str>) -> Formula {
        let size = 1 + operands.iter().map(|(_, value)| value.size()).sum::<usize>();
        Formula { expr, operands, text, size }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        // The text tells how many operands there are.
        let mut operands = self.operands.iter().zip(&other.operands);
        self.size == other.size
            && self.text == other.text
            && operands.all(|((_, one), (_, other))| one == other)
    }
}

/// What is known of a name.
#[derive(Clone)]
pub struct Known {
    /// Its type.
    pub ty: TokenStream,
    /// Whether that is an integer's.
    pub is_integer: bool,
    /// Its value.
    pub value: Value,
}

impl Known {
    /// The transition's parameter in this position.
    pub fn parameter(i: usize, ty: &Type) -> Known {
        let is_integer = super::module::is_integer(ty);
        Known { ty: ty.to_token_stream(), is_integer, value: Value::Parameter(i) }
    }
}
