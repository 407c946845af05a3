//! Which transitions must not be put off for ever, and the colours that say so.

use super::Wanted;

/// A fairness condition: one or more transitions that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What it is called in messages.
    pub name: String,
    /// Strong: enabled again and again, it is fired again and again. Weak: enabled for ever
    /// from some time on, it is.
    pub is_strong: bool,
}

/// The fairness conditions of a run. A condition is enabled where one of its transitions is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fairness {
    /// The conditions: first the weak ones, then the strong.
    pub conditions: Vec<Condition>,
    /// For each transition its conditions, one bit each.
    pub of_transition: Vec<u64>,
}

impl Fairness {
    /// Number of weak conditions.
    pub fn n_weak(&self) -> u32 {
        self.conditions.iter().filter(|condition| !condition.is_strong).count() as u32
    }

    fn n_strong(&self) -> u32 {
        self.conditions.len() as u32 - self.n_weak()
    }

    /// Number of colours that it takes.
    pub fn n_colours(&self) -> u32 {
        self.n_weak() + 2 * self.n_strong()
    }

    /// What all edges of a state have in common in which these conditions are enabled: a
    /// colour for each weak condition that is not, and for each strong one that is.
    #[inline]
    pub fn of_state(&self, enabled: u64) -> u64 {
        let n_weak = self.n_weak();
        let weak = (1 << n_weak) - 1;
        (!enabled & weak) | (enabled & !weak)
    }

    /// What an edge has beside that: a colour for each condition that it is of.
    #[inline]
    pub fn of_firing(&self, transition: u32) -> u64 {
        let conditions = self.of_transition.get(transition as usize).copied().unwrap_or(0);
        let weak = (1 << self.n_weak()) - 1;
        conditions & weak | (conditions & !weak) << self.n_strong()
    }

    /// The cycles that are fair, if the colours stand from bit `shift` on.
    pub fn wanted(&self, shift: u32) -> Wanted {
        let (n_weak, n_strong) = (self.n_weak(), self.n_strong());
        let weak = (1u64 << n_weak) - 1;
        let pair = |i: u32| {
            let enabled = 1u64 << (shift + n_weak + i);
            (enabled, enabled << n_strong)
        };
        Wanted { all: weak << shift, pairs: (0..n_strong).map(pair).collect() }
    }
}
