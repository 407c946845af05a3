//! The searches for livelocks and the reductions that keep them, by name.

use crate::expand::{Choice, Recipe};
use crate::machine::Progress;

/// How livelocks are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Livelock {
    /// The search. Default: [`LivelockSearch::DfsFifo`].
    pub search: LivelockSearch,
    /// The reduction. Default: [`LivelockReduction::Auto`].
    pub reduction: LivelockReduction,
}

/// The searches for livelocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LivelockSearch {
    /// One pass, with the fewest progresses before the cycle.
    #[default]
    DfsFifo,
    /// The older nested search; full space.
    Nested,
    /// Nested search of the product with a never claim; full space.
    NeverClaim,
    /// Starts over with one progress more each time; full space.
    Incremental,
}

impl LivelockSearch {
    /// All of them.
    pub const ALL: [LivelockSearch; 4] = [
        LivelockSearch::DfsFifo,
        LivelockSearch::Nested,
        LivelockSearch::NeverClaim,
        LivelockSearch::Incremental,
    ];

    /// The search in a word.
    pub fn name(self) -> &'static str {
        match self {
            LivelockSearch::DfsFifo => "dfs-fifo",
            LivelockSearch::Nested => "nested",
            LivelockSearch::NeverClaim => "never-claim",
            LivelockSearch::Incremental => "incremental",
        }
    }
}

/// The reductions that keep livelocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LivelockReduction {
    /// The strongest that is sound for the model: `terminating` for labels on
    /// transitions, and `c2t` if the model turns out not to be always
    /// may-terminating or has a livelock, so that the lasso has the fewest
    /// progresses; `c2s` for labels on states; `full` without rules.
    #[default]
    Auto,
    /// All enabled transitions are fired.
    Full,
    /// Stubborn sets where they fire no progress transition.
    C2t,
    /// Stubborn sets where neither the state nor a successor is a progress
    /// state, and no progress transition is fired.
    C2s,
    /// Stubborn sets everywhere; that there is no livelock is said only if the
    /// model is always may-terminating.
    Terminating,
}

impl LivelockReduction {
    /// All of them.
    pub const ALL: [LivelockReduction; 5] = [
        LivelockReduction::Auto,
        LivelockReduction::Full,
        LivelockReduction::C2t,
        LivelockReduction::C2s,
        LivelockReduction::Terminating,
    ];

    /// The reduction in a word.
    pub fn name(self) -> &'static str {
        match self {
            LivelockReduction::Auto => "auto",
            LivelockReduction::Full => "full",
            LivelockReduction::C2t => "c2t",
            LivelockReduction::C2s => "c2s",
            LivelockReduction::Terminating => "terminating",
        }
    }

    /// What fires in this way, given what fires everything; `Auto` counts as full.
    pub(super) fn recipe<'m>(self, full: &Recipe<'m>, progress: &Progress) -> Recipe<'m> {
        match self {
            LivelockReduction::Auto | LivelockReduction::Full => full.clone(),
            LivelockReduction::Terminating => full.with_choice(Choice::Stubborn),
            LivelockReduction::C2t | LivelockReduction::C2s => full.keeping(progress.clone()),
        }
    }
}
