//! A model that cannot be wrong: what [`expand`](crate::expand) writes out.

use crate::ast::CheckKind;
use syn::{Expr, Ident, Member, Path, Type};

pub use crate::ast::{Formula, Range};

/// A whole model.
pub struct Model {
    /// Where `asset_core` is.
    pub krate: Path,
    /// The module without its items.
    pub head: syn::ItemMod,
    /// The module's documentation.
    pub doc: String,
    /// The author's items as they are emitted, in order.
    pub items: Vec<Item>,
    /// The parameters, in the order of declaration.
    pub params: Vec<Param>,
    /// The instances that are built.
    pub instances: Instances,
    /// The state variables: the state itself, then other types.
    pub vars: Vec<Var>,
    /// The name of the state's type.
    pub state: Ident,
    /// Which of the constants that tell a state's width the model shows: those of which
    /// it has none of its own.
    pub shows: [bool; 2],
    /// The transitions.
    pub transitions: Transitions,
    /// The function that fires a transition.
    pub fire: Ident,
    /// Where initial states come from, in order; none means the zero state.
    pub inits: Vec<Init>,
    /// The stubborn set rules.
    pub rules: Option<Ident>,
    /// The checks, in the order of declaration.
    pub checks: Vec<Check>,
    /// The propositions, in the order of declaration.
    pub propositions: Vec<Proposition>,
    /// The formulas of the checks that have one, with the index of the check.
    pub formulas: Vec<(usize, Formula<Asked>)>,
    /// The fairness mark of each variant.
    pub fairness: Vec<Option<Fair>>,
    /// Progress marks.
    pub progress: Vec<Progress>,
    /// How a state is printed.
    pub display: Option<Display>,
}

/// An item without attributes of the model language.
pub struct Item {
    /// The item.
    pub syn: syn::Item,
    /// The parameter that this constant is.
    pub param: Option<usize>,
    /// Whether it is compiled only for tests, and so only once.
    pub test_only: bool,
}

/// A parameter.
pub struct Param {
    /// Name on the command line.
    pub name: String,
    /// The constant's documentation.
    pub doc: String,
    /// The constant's type.
    pub ty: Type,
    /// Its values, at least one.
    pub values: Vec<Value>,
    /// Index of the default value.
    pub default: usize,
}

/// The instances of a model.
pub struct Instances {
    /// How many combinations of values there are.
    pub n_listed: u128,
    /// Those that are built: for each parameter the index of its value. They are in order,
    /// the last parameter running fastest.
    pub built: Vec<Vec<usize>>,
    /// Which of them is the default one.
    pub default: usize,
    /// The environment variable that has chosen, if one was asked.
    pub variable: Option<&'static str>,
}

/// A value of a parameter.
#[derive(Clone)]
pub struct Value {
    /// As it is written on the command line.
    pub text: String,
    /// As it is written in Rust.
    pub expr: Expr,
}

/// A type that is a state variable.
pub struct Var {
    /// Its name.
    pub ident: Ident,
    /// What it is made of.
    pub shape: Shape,
    /// Whether it is the state itself.
    pub is_state: bool,
}

/// What a state variable's type is made of.
pub enum Shape {
    /// A struct's fields.
    Struct(Vec<Field>),
    /// The variants of an enum without data.
    Names(Vec<Ident>),
    /// The variants of an enum with data.
    Data(Vec<Variant>),
}

/// A field of a struct or of a variant.
pub struct Field {
    /// Its name or position.
    pub member: Member,
    /// Its type.
    pub ty: Type,
    /// The legal values of its integers, if they are cut.
    pub range: Option<Range>,
}

/// A variant with any number of fields.
pub struct Variant {
    /// Its name.
    pub ident: Ident,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The condition, a constant, under which this transition exists.
    pub only_if: Option<Expr>,
}

/// The transitions.
pub enum Transitions {
    /// Named and typed.
    Enum {
        /// The enum's name.
        ident: Ident,
        /// Its variants.
        variants: Vec<Variant>,
    },
    /// Just numbered, up to a constant.
    Count(Ident),
}

/// An `#[init]` function.
pub struct Init {
    /// Its name.
    pub function: Ident,
    /// What it does.
    pub form: InitForm,
}

/// What an `#[init]` function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitForm {
    /// Changes the zero state.
    Changes,
    /// Returns one state.
    One,
    /// Returns several states.
    Several,
}

/// A predicate of states that formulas can name.
pub struct Proposition {
    /// The function's name.
    pub function: Ident,
    /// First paragraph of its documentation.
    pub doc: String,
    /// The parameters behind the state.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a proposition.
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its values; a `bool` has none.
    pub range: Option<Range>,
}

/// A proposition in a formula, with as many arguments as it has parameters.
pub struct Asked {
    /// Its index.
    pub proposition: usize,
    /// Its arguments.
    pub arguments: Vec<Expr>,
}

/// A fairness mark.
pub struct Fair {
    /// Strong, not weak.
    pub is_strong: bool,
    /// Transitions of this name are one condition.
    pub group: Option<String>,
    /// Those with the same value of the parameter in this position are.
    pub by: Option<usize>,
}

/// A check.
pub struct Check {
    /// The function's name, or the constant's.
    pub function: Ident,
    /// First paragraph of its documentation.
    pub doc: String,
    /// Its kind.
    pub kind: CheckKind,
}

/// A progress mark.
pub struct Progress {
    /// The function's name.
    pub function: Ident,
    /// What it marks.
    pub kind: ProgressKind,
}

/// What a progress function marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressKind {
    /// Transitions, wherever they are fired.
    Transitions,
    /// States.
    States,
    /// Transitions, depending on the state.
    Edges,
}

/// How a state is printed.
pub struct Display {
    /// The function's name.
    pub function: Ident,
    /// Whether it writes to a formatter; otherwise it returns a `String`.
    pub to_formatter: bool,
}
