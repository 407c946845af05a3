//! Where a stubborn set rule writes which transitions it needs.

use std::fmt;

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
pub trait TransitionNumber: Sized {
    /// The transition's number, or why it has none.
    fn find(self) -> Result<usize, NoTransition>;

    /// The transition's number.
    ///
    /// # Panics
    ///
    /// If there is no such transition.
    #[track_caller]
    fn number(self) -> usize {
        self.find().unwrap_or_else(|why| panic!("{why}"))
    }
}

impl TransitionNumber for usize {
    #[inline]
    fn find(self) -> Result<usize, NoTransition> {
        Ok(self)
    }
}

/// Why something that names a transition is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTransition {
    /// The variant has an `#[only_if]` that is false for these parameters of the model.
    Absent,
    /// A parameter has a value outside of its range.
    OutOfRange(Box<OutOfRange>),
    /// The number is that of no transition.
    Number(usize),
}

/// A transition with a parameter outside of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfRange {
    /// The transition with its parameters.
    transition: String,
    /// The parameter's name or position.
    parameter: String,
    value: String,
    /// The first legal value, and how many there are.
    first: i128,
    n_values: u128,
}

impl NoTransition {
    /// What is said of a transition of which this parameter is not one of its `n_values`
    /// values, of which the first is given.
    #[cold]
    #[inline(never)]
    pub fn out_of_range(
        transition: &dyn fmt::Debug,
        parameter: &str,
        value: &dyn fmt::Debug,
        first: i128,
        n_values: u128,
    ) -> NoTransition {
        let (transition, value) = (format!("{transition:?}"), format!("{value:?}"));
        let parameter = parameter.to_owned();
        NoTransition::OutOfRange(Box::new(OutOfRange {
            transition,
            parameter,
            value,
            first,
            n_values,
        }))
    }
}

impl fmt::Display for NoTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTransition::Absent => f.write_str("there is no such transition in this instance"),
            NoTransition::Number(number) => write!(f, "there is no transition number {number}"),
            NoTransition::OutOfRange(wrong) => {
                let OutOfRange { transition, parameter, value, first, n_values } = &**wrong;
                let whose = match parameter.parse::<usize>() {
                    Ok(position) => format!("its parameter number {}", position + 1),
                    Err(_) => format!("its parameter `{parameter}`"),
                };
                write!(f, "{transition}, but {whose} cannot be {value}: ")?;
                match n_values {
                    0 => f.write_str("its range is empty"),
                    n => write!(f, "its range is {first}..={}", first + *n as i128 - 1),
                }
            }
        }
    }
}

/// The transitions that a rule obliges, in the order in which it names them.
#[derive(Debug)]
pub struct Obligations {
    /// Their numbers, all of which are below `n_transitions`, and [`ALL`].
    pub(crate) list: Vec<u32>,
    n_transitions: usize,
    /// The first that a rule has named though there is no such transition.
    beyond: Option<NoTransition>,
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

    /// Lets a rule add to the list, in a model with so many transitions. An error is what it
    /// named and is none of theirs.
    #[inline(always)]
    pub(crate) fn ask(
        &mut self,
        n_transitions: usize,
        rule: impl FnOnce(&mut Self),
    ) -> Result<(), NoTransition> {
        self.n_transitions = n_transitions.min(END as usize);
        rule(self);
        match self.beyond.take() {
            None => Ok(()),
            Some(named) => Err(named),
        }
    }

    /// One transition must be in the set. One that does not exist for these parameters of
    /// the model is passed over: nothing has to be done before it.
    #[inline]
    pub fn add(&mut self, transition: impl TransitionNumber) {
        match transition.find() {
            Ok(number) if number < self.n_transitions => self.list.push(number as u32),
            Ok(number) => self.note_beyond(NoTransition::Number(number)),
            Err(NoTransition::Absent) => {}
            Err(wrong) => self.note_beyond(wrong),
        }
    }

    /// Each of these transitions must be in the set: a list, or anything that gives them one
    /// after the other.
    #[inline]
    pub fn extend<T: TransitionNumber>(&mut self, transitions: impl IntoIterator<Item = T>) {
        transitions.into_iter().for_each(|transition| self.add(transition));
    }

    #[cold]
    fn note_beyond(&mut self, named: NoTransition) {
        self.beyond.get_or_insert(named);
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
