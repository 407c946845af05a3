//! In which order transitions are fired.

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

    /// The transition tried first of `n`, and what to add, modulo 2^64, to get
    /// from each to the next.
    #[inline(always)]
    pub fn start_and_step(self, n: usize) -> (usize, usize) {
        match self {
            Order::Backward => (n.wrapping_sub(1), usize::MAX),
            Order::Forward => (0, 1),
        }
    }

    /// The order in a word.
    pub fn name(self) -> &'static str {
        match self {
            Order::Backward => "backward",
            Order::Forward => "forward",
        }
    }
}
