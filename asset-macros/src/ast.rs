//! What the author wrote: the module with its marks, on the author's tokens.

use syn::{Attribute, Expr, Ident, ItemMod, Meta, Path};

/// A module under `#[model]`.
#[derive(Debug)]
pub struct Module {
    /// Where `asset_core` is.
    pub krate: Path,
    /// Whether the author vouches for what the purity rules refuse.
    pub trust_impure: bool,
    /// The instances that the author names.
    pub instances: Vec<Named>,
    /// Whether the compiler has found a syntax error in it, or will: then the
    /// items are those that could be read.
    pub is_broken: bool,
    /// The module without its items.
    pub head: ItemMod,
    /// The items in the order of declaration.
    pub items: Vec<Item>,
}

/// Instances that the author names, as in `instances(n = 3)`.
#[derive(Debug)]
pub struct Named {
    /// The argument, to point at.
    pub argument: Meta,
    /// The values of some parameters.
    pub choice: Choice,
}

/// Which instances are meant.
#[derive(Debug)]
pub enum Choice {
    /// All that there are.
    All,
    /// One, in which these parameters have these values, and the others their defaults.
    One(Vec<(Ident, Expr)>),
}

/// An item with the marks that stood on it.
#[derive(Debug)]
pub struct Item {
    /// The marks, in order.
    pub marks: Vec<Mark>,
    /// The item without its marks; those of fields are still there.
    pub syn: syn::Item,
}

/// An attribute of the model language on an item.
#[derive(Debug)]
pub struct Mark {
    /// What it says.
    pub kind: MarkKind,
    /// The attribute itself, to point at.
    pub attr: Attribute,
}

/// The attributes of the model language that stand on items.
#[derive(Debug)]
pub enum MarkKind {
    /// `#[param(…)]` with the expressions in it.
    Param(Vec<Expr>),
    /// `#[state]`.
    State,
    /// `StateVar` in a `#[derive(…)]`.
    StateVar,
    /// `#[transitions]`.
    Transitions,
    /// `#[init]`.
    Init,
    /// `#[stubborn]`.
    Stubborn,
    /// `#[check(…)]`.
    Check(CheckKind),
    /// `#[proposition]`.
    Proposition,
    /// `#[progress]`, or `#[progress(state)]`.
    Progress {
        /// Whether it marks states, not transitions.
        of_states: bool,
    },
    /// `#[display]`.
    Display,
}

/// The kinds of checks, as in `asset_core`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// `state`.
    State,
    /// `deadlock`.
    Deadlock,
    /// `reachable`.
    Reachable,
    /// `may_progress`.
    MayProgress {
        /// `(strict)`: termination is not progress.
        strict: bool,
    },
    /// `must_progress`.
    MustProgress {
        /// `(strict)`: termination is not progress.
        strict: bool,
    },
    /// `ltl`.
    Ltl,
    /// `never_without`.
    NeverWithout,
}

/// The ends of a range: constant expressions.
#[derive(Debug)]
pub struct Range {
    /// The least value.
    pub lo: Expr,
    /// The largest value if `closed`, otherwise one more.
    pub hi: Expr,
    /// Whether the end belongs to it.
    pub closed: bool,
    /// Whether it may have no values.
    pub can_be_empty: bool,
}

/// A formula of linear temporal logic that asks for `A`s.
#[derive(Debug)]
pub enum Formula<A> {
    /// `true` or `false`.
    Constant(bool),
    /// A proposition.
    Ask(A),
    /// An operator before a formula.
    One(Unary, Box<Formula<A>>),
    /// An operator between two.
    Two(Binary, Box<[Formula<A>; 2]>),
    /// A formula for each value of a variable.
    Each {
        /// `forall` or `exists`.
        quantifier: Quantifier,
        /// The variable.
        variable: Ident,
        /// Its values.
        range: Box<Range>,
        /// The formula.
        body: Box<Formula<A>>,
    },
}

/// A proposition in a formula, as it is written.
#[derive(Debug)]
pub struct Asked {
    /// Its name.
    pub name: Ident,
    /// Its arguments.
    pub arguments: Vec<Expr>,
}

/// The operators before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

/// The operators between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

/// How the values of a variable are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    All,
    /// `exists`
    Any,
}

impl<A> Formula<A> {
    /// An operator between two formulas.
    pub fn two(operator: Binary, left: Self, right: Self) -> Self {
        Formula::Two(operator, Box::new([left, right]))
    }
}

/// The tokens of a constant that is a formula: those of its `ltl!(…)`.
pub fn stated(item: &syn::Item) -> Option<&syn::Macro> {
    match item {
        syn::Item::Const(item) => match &*item.expr {
            Expr::Macro(call) if call.mac.path.is_ident("ltl") => Some(&call.mac),
            _ => None,
        },
        _ => None,
    }
}

impl MarkKind {
    /// The attribute's name.
    pub fn name(&self) -> &'static str {
        match self {
            MarkKind::Param(_) => "param",
            MarkKind::State => "state",
            MarkKind::StateVar => "derive(StateVar)",
            MarkKind::Transitions => "transitions",
            MarkKind::Init => "init",
            MarkKind::Stubborn => "stubborn",
            MarkKind::Check(_) => "check",
            MarkKind::Proposition => "proposition",
            MarkKind::Progress { .. } => "progress",
            MarkKind::Display => "display",
        }
    }
}

/// The attributes of an item, if it is of a kind that has any.
pub fn attrs_mut(item: &mut syn::Item) -> Option<&mut Vec<Attribute>> {
    use syn::Item;
    match item {
        Item::Const(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        Item::ExternCrate(item) => Some(&mut item.attrs),
        Item::Fn(item) => Some(&mut item.attrs),
        Item::ForeignMod(item) => Some(&mut item.attrs),
        Item::Impl(item) => Some(&mut item.attrs),
        Item::Macro(item) => Some(&mut item.attrs),
        Item::Mod(item) => Some(&mut item.attrs),
        Item::Static(item) => Some(&mut item.attrs),
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Trait(item) => Some(&mut item.attrs),
        Item::TraitAlias(item) => Some(&mut item.attrs),
        Item::Type(item) => Some(&mut item.attrs),
        Item::Union(item) => Some(&mut item.attrs),
        Item::Use(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// The name that an item defines, if it defines one.
pub fn name_of(item: &syn::Item) -> Option<&Ident> {
    use syn::Item;
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// Whether this is `+=` or the like.
pub fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
