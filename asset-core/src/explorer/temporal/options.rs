//! What is asked of infinite runs beside the model's own checks, and how it is searched.

/// Which of the model's fairness conditions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairnessLevel {
    /// None.
    None,
    /// All, and strong ones as if they were weak.
    Weak,
    /// All, as they are.
    Strong,
}

impl FairnessLevel {
    /// The level in a word.
    pub fn name(self) -> &'static str {
        match self {
            FairnessLevel::None => "none",
            FairnessLevel::Weak => "weak",
            FairnessLevel::Strong => "strong",
        }
    }
}

/// How temporal properties are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemporalSearch {
    /// Strong components on the fly.
    #[default]
    Components,
    /// Nested depth-first search; no strong fairness.
    Nested,
}

impl TemporalSearch {
    /// The search in a word.
    pub fn name(self) -> &'static str {
        match self {
            TemporalSearch::Components => "scc",
            TemporalSearch::Nested => "ndfs",
        }
    }
}

/// A property that is no check of the model's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// A formula as text.
    Formula(String),
    /// The runs that must not be, as an automaton in the Hanoi format; first the name of the
    /// file, for messages.
    Automaton(String, String),
}

/// What is asked of infinite runs, and how.
#[derive(Clone, Debug, Default)]
pub struct Temporal {
    /// Properties beside those of the model.
    pub extra: Vec<Extra>,
    /// Default: what the model says.
    pub fairness: Option<FairnessLevel>,
    /// The search. Default: components.
    pub search: TemporalSearch,
    /// Tell why a lasso is accepted and fair. Default: no.
    pub explain: bool,
}

impl Temporal {
    /// Whether anything is asked that is not so by default.
    pub(in crate::explorer) fn asks_for_anything(&self) -> bool {
        let Temporal { extra, fairness, search, explain } = self;
        !extra.is_empty() || fairness.is_some() || *search != TemporalSearch::default() || *explain
    }
}
