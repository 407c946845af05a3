//! A bag: unordered, duplicates counted.

use super::super::same::same_image;
use super::super::{Layout, Shape, StateVar, number};
use super::{Multisets, Sequences, queue};
use std::fmt;
use std::marker::PhantomData;

/// A bag of at most `CAP` elements: their order does not matter, and how many are equal
/// does. A channel that reorders messages, and loses none that was sent twice.
///
/// An insertion into a full bag is a model error that names the variable; use
/// [`Bag::try_insert`] where a full bag means that the sender waits. The packed state holds
/// what is in the bag and nothing else.
///
/// ```
/// use asset_core::prelude::*;
///
/// let mut bag: Bag<bool, 3> = Bag::new();
/// bag.insert(true);
/// bag.insert(false);
/// bag.insert(true);
/// assert_eq!((bag.len(), bag.count(&true)), (3, 2));
/// assert!(bag.remove(&true) && bag.contains(&true) && !bag.is_full());
/// assert!(bag.iter().eq([false, true]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bag<T, const CAP: usize> {
    /// The numbers of the elements, sorted, and zeros behind them.
    numbers: [u64; CAP],
    /// How many there are; [`OVERFULL`] and [`SPOILT`] are none.
    length: u16,
    of: PhantomData<T>,
}

/// The length of a bag into which too much was put.
const OVERFULL: u16 = u16::MAX;
/// The length of a bag into which something was put that is out of its range.
const SPOILT: u16 = u16::MAX - 1;

impl<T: StateVar, const CAP: usize> Bag<T, CAP> {
    /// The most elements.
    pub const CAPACITY: usize = CAP;

    const N: u64 = match number::n_values::<T>() {
        Some(n) => n,
        None => 1,
    };
    const MULTISETS: Multisets = Multisets { n: Self::N, capacity: CAP };
    /// How a bag with too many contents for one scalar is packed: sorted, as a queue.
    const SORTED: Option<Sequences> = match Self::MULTISETS.n_values() {
        None if CAP > 0 && CAP < SPOILT as usize => Some(Sequences::new(Self::N, CAP)),
        _ => None,
    };

    /// An empty bag.
    #[inline]
    pub fn new() -> Self {
        Bag { numbers: [0; CAP], length: 0, of: PhantomData }
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        usize::from(self.length).min(CAP)
    }

    /// Whether there is no element.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether there is room for no more.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len() == CAP
    }

    #[inline(always)]
    fn numbers(&self) -> &[u64] {
        &self.numbers[..self.len()]
    }

    /// How many elements are equal to this.
    #[inline]
    pub fn count(&self, element: &T) -> usize {
        let number = number::number(element);
        self.numbers().iter().filter(|&&other| Some(other) == number).count()
    }

    /// Whether this is among the elements.
    #[inline]
    pub fn contains(&self, element: &T) -> bool {
        self.count(element) > 0
    }

    /// The elements, in the order in which values are numbered: of an enum the first
    /// variant first. Equal ones come as often as they are there.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.numbers().iter().map(|&number| number::value(number))
    }

    /// Puts an element in. If there is no room the variable is out of its range, which is
    /// a model error unless the firing is disabled in the end.
    #[inline]
    pub fn insert(&mut self, element: T) {
        if !self.try_insert(element) {
            self.length = OVERFULL;
        }
    }

    /// Puts an element in, if there is room. Whether there was.
    #[inline]
    pub fn try_insert(&mut self, element: T) -> bool {
        if usize::from(self.length) >= CAP {
            return false;
        }
        let Some(number) = number::number(&element) else {
            self.length = SPOILT;
            return true;
        };
        let n = self.len();
        let place = self.numbers().partition_point(|&other| other <= number);
        self.numbers.copy_within(place..n, place + 1);
        self.numbers[place] = number;
        self.length += 1;
        true
    }

    /// Takes one of the elements that are equal to this out. Whether there was one.
    #[inline]
    pub fn remove(&mut self, element: &T) -> bool {
        let Some(number) = number::number(element) else { return false };
        let n = self.len();
        let Some(place) = self.numbers().iter().position(|&other| other == number) else {
            return false;
        };
        self.numbers.copy_within(place + 1..n, place);
        self.numbers[n - 1] = 0;
        if usize::from(self.length) <= CAP {
            self.length -= 1;
        }
        true
    }

    /// Takes all elements out.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// What stands in the scalars instead of contents, if something is wrong.
    #[inline(always)]
    fn fault(&self) -> Option<u64> {
        match self.length {
            OVERFULL => Some(number::TOO_MANY),
            SPOILT => Some(number::OUT_OF_RANGE),
            _ => None,
        }
    }
}

// SAFETY: the layout has the scalars that are written and read, and is not dense.
unsafe impl<T: StateVar, const CAP: usize> StateVar for Bag<T, CAP> {
    const LAYOUT: Layout = match (Self::MULTISETS.n_values(), number::n_values::<T>()) {
        (Some(n_values), Some(_)) if CAP > 0 && CAP < SPOILT as usize => number::scalar(n_values),
        _ => {
            let plan = match Self::SORTED {
                Some(plan) => plan,
                None => Sequences { n: 1, capacity: 0, per_scalar: 1 },
            };
            queue::layout::<T, CAP>(&plan)
        }
    };
    const SHAPE: Shape = Shape::Bag(&T::SHAPE, &T::LAYOUT, CAP);

    #[inline]
    fn write_image(&self, image: &mut [u8]) {
        let Some(plan) = Self::SORTED else {
            let number = self
                .fault()
                .unwrap_or_else(|| Self::MULTISETS.number(self.len(), |i| self.numbers[i]));
            return number::write(number, &mut image[..const { Self::LAYOUT.size }]);
        };
        let (mut first, mut at) = (0, 0);
        for scalar in 0..plan.n_scalars() {
            let places = plan.places(scalar);
            let n_bytes = number::bytes_for(plan.n_values(scalar).saturating_add(1));
            at = usize::div_ceil(at, n_bytes) * n_bytes;
            let length = self.len().saturating_sub(first).min(places);
            let number = plan.number(length, |i| self.numbers[first + i]);
            number::write(self.fault().unwrap_or(number), &mut image[at..at + n_bytes]);
            (first, at) = (first + places, at + n_bytes);
        }
    }

    #[inline]
    fn read_image(image: &[u8]) -> Self {
        let mut bag = Self::new();
        let Some(plan) = Self::SORTED else {
            let number = number::read(&image[..const { Self::LAYOUT.size }]);
            let length = Self::MULTISETS.elements(number, |i, number| bag.numbers[i] = number);
            bag.length = length as u16;
            return bag;
        };
        let (mut first, mut at) = (0, 0);
        for scalar in 0..plan.n_scalars() {
            let places = plan.places(scalar);
            let n_bytes = number::bytes_for(plan.n_values(scalar).saturating_add(1));
            at = usize::div_ceil(at, n_bytes) * n_bytes;
            let (length, number) = plan.length(places, number::read(&image[at..at + n_bytes]));
            plan.elements(length, number, |i, number| bag.numbers[first + i] = number);
            bag.length += length as u16;
            (first, at) = (first + places, at + n_bytes);
        }
        bag
    }

    #[inline(always)]
    fn update(&mut self, old_image: &[u8], image: &[u8]) {
        if !same_image(old_image, image, const { Self::LAYOUT.size }) {
            *self = Self::read_image(image);
        }
    }

    fn zero() -> Self {
        Self::new()
    }
}

impl<T: StateVar, const CAP: usize> Default for Bag<T, CAP> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: StateVar + fmt::Debug, const CAP: usize> fmt::Debug for Bag<T, CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: StateVar, const CAP: usize> Extend<T> for Bag<T, CAP> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.insert(element));
    }
}

impl<T: StateVar, const CAP: usize> FromIterator<T> for Bag<T, CAP> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut bag = Self::new();
        bag.extend(elements);
        bag
    }
}
