//! Which state variables a transition touches, and at which a state check looks, as
//! far as the author's code tells.
//!
//! What a firing does is then a function of those variables alone, and the engine
//! need not work it out twice for the same values. The same goes for what its rule
//! obliges, for what a check says, and for the variables at which those look. So this
//! must never leave one out. It errs towards all of them: they are
//! [`Touches::Everything`], with a reason, wherever the state appears other than as
//! `s.field…` or as an argument of a function of the module, which is looked into. A
//! mention counts, whether it reads or writes, and
//! whether or not it is reached.
//!
//! Of an array, `s.field[i]` touches one element if `i` can be worked out from the
//! transition's parameters alone; otherwise it touches all.
//!
//! What cannot be seen is a macro with the name `matches`, `assert` or `PartialEq` that
//! stands before the module, or comes from a glob import, and is another one than that of
//! the standard library. So those names are imported from there ([`Trusted`]), and if there
//! is another one the compiler says that the name is ambiguous.
//!
//! Most transitions begin with a choice: `match s.at[i] { … }`, or, if there is none
//! such, a condition: `s.at[i] == At::Idle && …`. What is touched is told for each value
//! of such a variable, which is then one of fewer variables in most of them. That value is the one before the firing only if nothing could
//! have changed it, so it must be the first mention of the field, and not in a loop
//! or a closure.

mod closed;
mod module;
mod operations;
mod patterns;
mod questions;
mod reason;
mod summary;
mod value;
mod walk;

use crate::ir::Model;
use module::Module;
use quote::ToTokens;
use summary::Summaries;
use syn::Ident;
use walk::PLAIN_MACROS;

pub use reason::Reason;
pub use value::{Formula, Value, operand};

/// What the analysis found. It stands beside the model and changes nothing in it.
pub struct Analysis {
    /// What the transitions of each variant touch, or one entry if they are just
    /// numbered. Empty if that is not to be used.
    pub transitions: Vec<OfVariant>,
    /// What each check looks at, of whatever kind. Empty if that is not to be used.
    pub checks: Vec<Touches>,
    /// What each proposition looks at, where indices may depend on its parameters. Empty if
    /// that is not to be used.
    pub propositions: Vec<Touches>,
    /// The names in the module that are taken to be those of the standard library, each
    /// where it is used.
    pub trusted: Vec<Trusted>,
}

/// A name that is taken to be that of the standard library.
pub enum Trusted {
    /// A macro's.
    Macro(Ident),
    /// That of `PartialEq`.
    Equality(Ident),
}

/// Looks into a model's functions. Where the author vouches for what cannot be seen
/// (`is_vouched_for`), that is not relied on.
pub fn model(model: &Model, is_vouched_for: bool) -> Analysis {
    let (module, summaries) = (Module::new(model), Summaries::default());
    let (mut transitions, mut checks, mut propositions) = (Vec::new(), Vec::new(), Vec::new());
    if !is_vouched_for {
        transitions = questions::of_transitions(model, &module, &summaries);
        checks = questions::of_checks(model, &module, &summaries);
        propositions = questions::of_propositions(model, &module, &summaries);
    }
    Analysis { transitions, checks, propositions, trusted: trusted(model, &module) }
}

/// The names in the module that are taken to be those of the standard library.
fn trusted(model: &Model, module: &Module) -> Vec<Trusted> {
    if module.strange.is_some() {
        return Vec::new();
    }
    let used = |name: &str| {
        let mut items = model.items.iter().map(|item| item.syn.to_token_stream());
        items.find_map(|tokens| module::word(tokens, &|word| word == name))
    };
    let macros = ["matches"].into_iter().chain(PLAIN_MACROS).filter_map(used);
    let equality = used("PartialEq").filter(|_| !module.has_own_equality);
    macros.map(Trusted::Macro).chain(equality.map(Trusted::Equality)).collect()
}

/// What the transitions of a variant touch.
#[derive(Clone, Debug, PartialEq)]
pub struct OfVariant {
    /// A variable of an enum without data, by whose value the variant chooses first
    /// what to do, with the number of values.
    pub choice: Option<(Place, usize)>,
    /// For each value of the choice what is touched; one entry if there is none.
    pub touches: Vec<Touches>,
    /// For each of them, what of that may be read, and what may be written.
    pub accesses: Vec<Accesses>,
    /// For each of them, what the rules look at besides.
    pub rules: Vec<Touches>,
}

/// What a transition may read and what it may write, of what it touches; nothing is told
/// where it touches everything. Of an element that is written at an index which is not known,
/// all elements may be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accesses {
    /// What may be read.
    pub reads: Vec<Place>,
    /// What may be written. What is not written keeps its value.
    pub writes: Vec<Place>,
}

/// The state variables that a transition touches, or at which a check looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Touches {
    /// Perhaps all of them, for this reason.
    Everything(Reason),
    /// At most these.
    Places(Vec<Place>),
}

impl Touches {
    /// Why it may be all of them.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Touches::Everything(reason) => Some(reason),
            Touches::Places(_) => None,
        }
    }

    /// What is touched besides something else.
    fn without(self, told: &Touches) -> Touches {
        match (self, told) {
            (Touches::Places(mut places), Touches::Places(told)) => {
                places.retain(|place| !told.contains(place));
                Touches::Places(places)
            }
            (touches, _) => touches,
        }
    }
}

/// A state variable, or an element of one that is an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The position of the field.
    pub field: usize,
    /// The element's index; `None` is all.
    pub element: Option<Value>,
}

#[cfg(test)]
mod tests;
