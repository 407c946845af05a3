//! Whether it is worth it to remember something.

/// How often something was asked for in a window, and how often it was not known. It is given
/// up where the share of what was not known is too large.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub n_asked: u64,
    pub n_missed: u64,
    window: u64,
    /// At most one of so many may be missed.
    worth: u64,
}

impl Trial {
    /// At most one of `worth` may be missed among `window` that are asked for.
    pub const fn new(window: u64, worth: u64) -> Self {
        Trial { n_asked: 0, n_missed: 0, window, worth }
    }

    /// For firings, or what a rule obliges, one by one.
    pub const fn of_firings() -> Self {
        Trial::new(1 << 20, 16)
    }

    /// Whether it is worth going on.
    #[inline(always)]
    pub fn is_worth_it(&mut self) -> bool {
        self.n_asked < self.window || self.was_worth_it()
    }

    #[cold]
    fn was_worth_it(&mut self) -> bool {
        let was_worth_it = self.n_missed < self.n_asked / self.worth;
        (self.n_asked, self.n_missed) = (0, 0);
        was_worth_it
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_given_up_where_little_is_met_again() {
        let mut trial = Trial::new(100, 10);
        (trial.n_asked, trial.n_missed) = (100, 9);
        assert!(trial.is_worth_it(), "most were met before");
        assert_eq!((trial.n_asked, trial.n_missed), (0, 0));
        (trial.n_asked, trial.n_missed) = (99, 99);
        assert!(trial.is_worth_it(), "it is too early to tell");
        trial.n_asked = 100;
        assert!(!trial.is_worth_it());
    }
}
