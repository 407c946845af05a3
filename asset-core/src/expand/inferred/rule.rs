//! What a transition obliges in one of its situations.

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Everything.
    All,
    /// Any one of these lists is enough.
    OneOf(Vec<Vec<Obliged>>),
}

/// A transition that is obliged, perhaps only in some states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obliged {
    /// The transition.
    pub transition: usize,
    /// A lane, and the values of it, as bits, for which it is. Always, if there is none.
    pub alive: Option<(usize, u64)>,
}
