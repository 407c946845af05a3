//! Where a stubborn set rule writes which transitions it needs.

/// Stands for "all transitions" in a list of obligations.
pub(crate) const ALL: u32 = u32::MAX;
/// Stands behind a list where several stand one after the other.
pub(crate) const END: u32 = u32::MAX - 1;

/// Something that names a transition: a model's `Transition`, or its number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a transition",
    label = "not a transition",
    note = "write a transition with its parameters, as in `Transition::Step(i)`, or its number as a \
            `usize`"
)]
pub trait TransitionNumber {
    /// The transition's number.
    ///
    /// # Panics
    ///
    /// If a parameter of a model's transition is out of its range.
    fn number(self) -> usize;
}

impl TransitionNumber for usize {
    fn number(self) -> usize {
        self
    }
}

/// The transitions that a rule obliges, in the order in which it names them.
#[derive(Debug, Default)]
pub struct Obligations {
    pub(crate) list: Vec<u32>,
}

impl Obligations {
    /// An empty list.
    pub fn new() -> Self {
        Obligations::default()
    }

    /// One transition must be in the set.
    #[inline]
    pub fn add(&mut self, transition: impl TransitionNumber) {
        // There are never so many that a number could be taken for one of the marks.
        self.list.push(transition.number().min(END as usize - 1) as u32);
    }

    /// All transitions must be in the set: nothing can be left out.
    #[inline]
    pub fn all(&mut self) {
        self.list.push(ALL);
    }

    /// The numbers listed since the last call, in order, out of `n_transitions`.
    pub fn take(&mut self, n_transitions: usize) -> Vec<usize> {
        let list = std::mem::take(&mut self.list);
        list.into_iter()
            .flat_map(|t| if t == ALL { 0..n_transitions } else { t as usize..t as usize + 1 })
            .collect()
    }
}
