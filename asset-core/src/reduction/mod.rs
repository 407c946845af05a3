//! Which of a state's transitions are fired: the part that slides between a
//! model and a search, and that no search knows about.
//!
//! Invariant: nothing here knows the store or the order of the search.

mod closure;

pub(crate) use closure::Local;
pub use closure::{Closure, RuleStatistics};

/// In which order transitions and starting points are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the highest number down, so that unusual events, which are
    /// declared last, come first. The tool's default.
    #[default]
    Backward,
    /// From 0 up.
    Forward,
}

impl Order {
    /// The transition tried in place `i` of `n`.
    #[inline(always)]
    pub fn nth(self, i: usize, n: usize) -> usize {
        match self {
            Order::Backward => n - 1 - i,
            Order::Forward => i,
        }
    }
}

/// Which of the enabled transitions are fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// All of them.
    #[default]
    Full,
    /// Those in the state's strong stubborn set.
    Stubborn,
}

/// How to expand a state, with the memory that takes.
#[derive(Debug, Default)]
pub struct Selector {
    /// The order of firing.
    pub order: Order,
    /// What is fired.
    pub choice: Choice,
    pub(crate) closure: Closure,
}

impl Selector {
    /// Expands in this way.
    pub fn new(order: Order, choice: Choice) -> Self {
        Selector { order, choice, closure: Closure::default() }
    }

    /// What the rules did so far.
    pub fn rule_statistics(&self) -> &RuleStatistics {
        self.closure.statistics()
    }
}
