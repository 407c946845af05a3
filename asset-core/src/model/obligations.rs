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
#[derive(Debug)]
pub struct Obligations {
    /// Their numbers, all of which are below `n_transitions`, and [`ALL`].
    pub(crate) list: Vec<u32>,
    n_transitions: usize,
    /// The first number that a rule has named though there is no such transition.
    beyond: Option<usize>,
}

impl Default for Obligations {
    fn default() -> Self {
        Obligations::new()
    }
}

impl Obligations {
    /// An empty list, of a model of which it is not known how many transitions it has.
    pub fn new() -> Self {
        // There are never so many that a number could be taken for one of the marks.
        Obligations { list: Vec::new(), n_transitions: END as usize, beyond: None }
    }

    /// Lets a rule add to the list, in a model with so many transitions. An error is a number
    /// that it named and that is none of theirs.
    #[inline(always)]
    pub(crate) fn ask(
        &mut self,
        n_transitions: usize,
        rule: impl FnOnce(&mut Self),
    ) -> Result<(), usize> {
        self.n_transitions = n_transitions.min(END as usize);
        rule(self);
        match self.beyond.take() {
            None => Ok(()),
            Some(number) => Err(number),
        }
    }

    /// One transition must be in the set.
    #[inline]
    pub fn add(&mut self, transition: impl TransitionNumber) {
        let number = transition.number();
        if number < self.n_transitions {
            self.list.push(number as u32);
        } else {
            self.note_beyond(number);
        }
    }

    /// Each of these transitions must be in the set: a list, or anything that gives them one
    /// after the other.
    #[inline]
    pub fn extend<T: TransitionNumber>(&mut self, transitions: impl IntoIterator<Item = T>) {
        transitions.into_iter().for_each(|transition| self.add(transition));
    }

    #[cold]
    fn note_beyond(&mut self, number: usize) {
        self.beyond.get_or_insert(number);
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
