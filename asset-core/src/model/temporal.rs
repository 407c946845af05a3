//! What a model says about infinite runs: propositions, formulas, fairness.

use asset_automata::Ltl;

/// What a formula can ask of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A proposition of the model, by its index in [`Temporal::propositions`], with its
    /// arguments.
    Proposition {
        /// The index.
        index: usize,
        /// One number for each parameter; a `bool` is 0 or 1.
        arguments: Vec<i64>,
    },
    /// Whether a check that looks at one state says yes, by its index in
    /// [`Description::checks`](super::Description::checks).
    Check(usize),
    /// Whether nothing is enabled.
    Terminal,
}

/// What an instance has for temporal properties, known without running it.
#[derive(Clone, Copy, Debug)]
pub struct Temporal {
    /// The propositions, in the order of declaration.
    pub propositions: &'static [Proposition],
}

impl Temporal {
    /// Nothing.
    pub const NONE: Temporal = Temporal { propositions: &[] };
}

/// A predicate of states that formulas can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// Its function's name.
    pub name: &'static str,
    /// The first paragraph of its documentation.
    pub doc: &'static str,
    /// The parameters behind the state.
    pub parameters: &'static [PropositionParameter],
}

/// A parameter of a proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropositionParameter {
    /// Its name.
    pub name: &'static str,
    /// Its least value.
    pub least: i128,
    /// Its largest value.
    pub largest: i128,
}

impl PropositionParameter {
    /// A parameter with its values.
    pub const fn new(name: &'static str, least: i128, largest: i128) -> Self {
        PropositionParameter { name, least, largest }
    }
}

/// Which fairness condition a transition belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fair {
    /// Strong: enabled again and again, it is fired again and again. Weak: enabled for ever
    /// from some time on, it is.
    pub is_strong: bool,
    /// Transitions with the same name here are one condition. Without one, each is its own.
    pub group: Option<String>,
}

/// What a `never_without` check says of a transition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeverWithout {
    /// It must not be fired again and again …
    pub is_watched: bool,
    /// … while none of these is.
    pub is_remedy: bool,
}

impl NeverWithout {
    /// It must not be fired again and again while no remedy is.
    pub const WATCHED: NeverWithout = NeverWithout { is_watched: true, is_remedy: false };
    /// Where it is fired again and again, so may be what is watched.
    pub const REMEDY: NeverWithout = NeverWithout { is_watched: false, is_remedy: true };
    /// Nothing is said of it.
    pub const OTHER: NeverWithout = NeverWithout { is_watched: false, is_remedy: false };
}

/// The fairness mark of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairMark {
    /// Strong, not weak.
    pub is_strong: bool,
    /// Transitions with the same name here are one condition, of whatever variant they are.
    pub group: Option<&'static str>,
    /// Only those with the same value of this parameter are.
    pub by: Option<usize>,
}

/// Gives the number of an atom by the index of its proposition and its arguments.
pub type Resolve<'r> = dyn FnMut(usize, &[i64]) -> usize + 'r;

/// The formula of a check, over the atoms that `Resolve` numbers.
pub type Formula = Option<Ltl>;
