//! What is said of a function once, for all that call it with arguments of one kind.
//!
//! Its places are told by its own arguments ([`Value::Argument`]), and who calls it puts in
//! what it passes. So a function is walked through a few times, and not as often as there
//! are ways that lead to it: with helpers that each call the next one twice, those are
//! exponentially many.

use super::Place;
use super::reason::Reason;
use super::value::Value;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The most elements of an array that are told one by one, constant ones aside. There
/// are exponentially many values, too, where functions pass on sums of what they got.
const MAX_ELEMENTS: usize = 32;

/// On what it depends what is said of a function.
#[derive(PartialEq, Eq, Hash)]
pub struct Key {
    /// The function.
    pub function: String,
    /// What its arguments are, but for values.
    pub arguments: Vec<String>,
    /// The variant of the transition that it gets, if it gets one.
    pub variant: Option<usize>,
    /// What matters as long as nothing has been chosen by; `None` afterwards, and where
    /// something may be evaluated more than once.
    pub open: Option<Open>,
}

/// What matters as long as nothing has been chosen by.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Open {
    /// The value by which the choice is assumed to be made.
    pub assumed: Option<usize>,
    /// Whether it is looked for in conditions, and not in a `match`.
    pub by_condition: bool,
    /// The fields that have been mentioned before.
    pub mentioned: BTreeSet<usize>,
}

/// What is said of a function.
#[derive(Default)]
pub struct Summary {
    /// What it touches, in the order of first mention.
    pub places: Places,
    /// What of that it may read, and what it may write.
    pub reads: Places,
    pub writes: Places,
    /// Why it may touch everything.
    pub unclear: Option<Reason>,
    /// The fields that have been mentioned after it.
    pub mentioned: BTreeSet<usize>,
    /// The choice that it makes, if it is the first one, and the number of values.
    pub choice: Option<(Place, usize)>,
    /// What it returns, if that is known.
    pub returned: Option<bool>,
}

/// All that has been said of functions.
#[derive(Default)]
pub struct Summaries {
    known: RefCell<HashMap<Key, Rc<Summary>>>,
    #[cfg(test)]
    pub n_made: std::cell::Cell<usize>,
}

impl Summaries {
    /// What has been said of a function.
    pub fn known(&self, key: &Key) -> Option<Rc<Summary>> {
        self.known.borrow().get(key).cloned()
    }

    /// Keeps what is said of a function.
    pub fn note(&self, key: Key, summary: Summary) -> Rc<Summary> {
        #[cfg(test)]
        self.n_made.set(self.n_made.get() + 1);
        self.known.borrow_mut().entry(key).or_insert(Rc::new(summary)).clone()
    }
}

/// State variables without repetition, in the order of first mention.
#[derive(Clone, Default)]
pub struct Places {
    list: Vec<Place>,
    /// The fields of which all elements count, as there were too many.
    whole: BTreeSet<usize>,
}

impl Places {
    /// Adds a place. Of a field with too many elements, all count.
    pub fn add(&mut self, place: Place) {
        if self.list.contains(&place) || self.whole.contains(&place.field) && place.varies() {
            return;
        }
        let is_like_it = |p: &&Place| p.field == place.field && p.varies();
        if place.varies() && self.list.iter().filter(is_like_it).count() >= MAX_ELEMENTS {
            return self.add_whole(place.field);
        }
        self.list.push(place);
    }

    /// Adds all elements of a field, in the place of those that are told one by one.
    fn add_whole(&mut self, field: usize) {
        self.list.retain(|place| place.field != field || !place.varies());
        self.whole.insert(field);
        self.add(Place { field, element: None });
    }

    /// Adds those of a function that is called with these arguments.
    pub fn add_all(&mut self, other: &Places, arguments: &[Option<Value>]) {
        other.list.iter().for_each(|place| self.add(place.with(arguments)));
        other.whole.iter().for_each(|&field| self.add_whole(field));
    }

    /// The places.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.list.iter()
    }
}

impl Place {
    /// Whether it is an element that may be another one for another transition or call.
    fn varies(&self) -> bool {
        self.element.as_ref().is_some_and(|element| !element.is_constant())
    }

    /// The place for these arguments; all elements if the index cannot be told.
    pub fn with(&self, arguments: &[Option<Value>]) -> Place {
        let element = self.element.as_ref().and_then(|value| value.with(arguments));
        Place { field: self.field, element }
    }
}
