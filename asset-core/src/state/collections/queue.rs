//! A queue: first in, first out.

use super::super::same::same_image;
use super::super::{Layout, Shape, StateVar, number};
use super::Sequences;
use std::fmt;

/// A queue of at most `CAP` elements, first in, first out: an ordered channel.
///
/// A push into a full queue is a model error that names the variable; where a full queue
/// means that the sender waits, use [`Queue::try_push`]. The packed state holds what is in
/// the queue and nothing else, in as many bits as there are contents.
///
/// ```
/// use asset_core::prelude::*;
///
/// let mut queue: Queue<bool, 2> = Queue::new();
/// queue.push(true);
/// assert!(queue.try_push(false) && !queue.try_push(false));
/// assert_eq!((queue.pop(), queue.front(), queue.len()), (Some(true), Some(&false), 1));
/// ```
#[derive(Clone, Copy)]
pub struct Queue<T, const CAP: usize> {
    /// The elements, the oldest first, and behind them the zero value.
    elements: [T; CAP],
    /// How many there are; [`OVERFULL`] if there was no room for one.
    length: u16,
}

/// The length of a queue into which too much was pushed.
const OVERFULL: u16 = u16::MAX;

impl<T: StateVar, const CAP: usize> Queue<T, CAP> {
    /// The most elements.
    pub const CAPACITY: usize = CAP;

    /// How contents are numbered. One that cannot be packed is refused by its layout.
    const PLAN: Sequences = match number::n_values::<T>() {
        Some(n) if CAP > 0 && CAP < OVERFULL as usize => Sequences::new(n, CAP),
        _ => Sequences { n: 1, capacity: 0, per_scalar: 1 },
    };

    /// An empty queue.
    #[inline]
    pub fn new() -> Self {
        Queue { elements: [T::zero(); CAP], length: 0 }
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

    /// The oldest element, which comes out next.
    #[inline(always)]
    pub fn front(&self) -> Option<&T> {
        self.as_slice().first()
    }

    /// The youngest element, which went in last.
    #[inline(always)]
    pub fn back(&self) -> Option<&T> {
        self.as_slice().last()
    }

    /// The element in this place, counted from the oldest.
    #[inline(always)]
    pub fn get(&self, place: usize) -> Option<&T> {
        self.as_slice().get(place)
    }

    /// The elements, the oldest first.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        &self.elements[..self.len()]
    }

    /// The elements, the oldest first.
    #[inline(always)]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Whether this is among the elements.
    #[inline]
    pub fn contains(&self, element: &T) -> bool
    where
        T: PartialEq,
    {
        self.as_slice().contains(element)
    }

    /// Puts an element at the end. If there is no room the variable is out of its range,
    /// which is a model error unless the firing is disabled in the end.
    #[inline(always)]
    pub fn push(&mut self, element: T) {
        if !self.try_push(element) {
            self.length = OVERFULL;
        }
    }

    /// Puts an element at the end, if there is room. Whether there was.
    #[inline(always)]
    pub fn try_push(&mut self, element: T) -> bool {
        let length = usize::from(self.length);
        let has_room = length < CAP;
        if has_room {
            self.elements[length] = element;
            self.length += 1;
        }
        has_room
    }

    /// Takes the oldest element out.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.remove(0)
    }

    /// Takes the element in this place out, counted from the oldest: the others keep
    /// their order.
    #[inline(always)]
    pub fn remove(&mut self, place: usize) -> Option<T> {
        let n = self.len();
        if place >= n {
            return None;
        }
        let element = self.elements[place];
        // A plain loop: as many steps as the type says.
        let mut i = place;
        while i + 1 < n {
            self.elements[i] = self.elements[i + 1];
            i += 1;
        }
        self.elements[n - 1] = T::zero();
        if self.length != OVERFULL {
            self.length -= 1;
        }
        Some(element)
    }

    /// Takes all elements out.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

// SAFETY: the layout has the scalars that are written and read, and is not dense.
unsafe impl<T: StateVar, const CAP: usize> StateVar for Queue<T, CAP> {
    const LAYOUT: Layout = layout::<T, CAP>(&Self::PLAN);
    const SHAPE: Shape = Shape::Queue(&T::SHAPE, &T::LAYOUT, CAP);

    #[inline]
    fn write_image(&self, image: &mut [u8]) {
        let plan = const { Self::PLAN };
        let (mut scalar, mut first, mut at) = (0, 0, 0);
        while scalar < const { Self::PLAN.n_scalars() } {
            let places = plan.places(scalar);
            let n_bytes = number::bytes_for(plan.n_values(scalar).saturating_add(1));
            at = usize::div_ceil(at, n_bytes) * n_bytes;
            let length = self.len().saturating_sub(first).min(places);
            let mut is_legal = true;
            let number = plan.number(length, |i| {
                let number = number::number(&self.elements[first + i]);
                is_legal_or(number, &mut is_legal)
            });
            let number = match is_legal {
                _ if self.length == OVERFULL => number::TOO_MANY,
                false => number::OUT_OF_RANGE,
                true => number,
            };
            number::write(number, &mut image[at..at + n_bytes]);
            (scalar, first, at) = (scalar + 1, first + places, at + n_bytes);
        }
    }

    #[inline]
    fn read_image(image: &[u8]) -> Self {
        let plan = const { Self::PLAN };
        let mut queue = Self::new();
        let (mut scalar, mut first, mut at) = (0, 0, 0);
        while scalar < const { Self::PLAN.n_scalars() } {
            let places = plan.places(scalar);
            let n_bytes = number::bytes_for(plan.n_values(scalar).saturating_add(1));
            at = usize::div_ceil(at, n_bytes) * n_bytes;
            let (length, number) = plan.length(places, number::read(&image[at..at + n_bytes]));
            plan.elements(length, number, |i, number| {
                queue.elements[first + i] = number::value(number);
            });
            queue.length += length as u16;
            (scalar, first, at) = (scalar + 1, first + places, at + n_bytes);
        }
        queue
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

/// The number of an element, or any and a note that there is none.
#[inline(always)]
fn is_legal_or(number: Option<u64>, is_legal: &mut bool) -> u64 {
    *is_legal &= number.is_some();
    number.unwrap_or(0)
}

/// The layout of the scalars of sequences.
pub(super) const fn layout<T: StateVar, const CAP: usize>(plan: &Sequences) -> Layout {
    let mut layout = Layout::EMPTY;
    if T::LAYOUT.too_large {
        return layout.unusable(T::LAYOUT.flaw);
    }
    if number::n_values::<T>().is_none() {
        return layout.unusable(Some(
            "an element of a collection has at most 2^62 values: give its integers a `#[range]`",
        ));
    }
    if CAP == 0 || CAP >= OVERFULL as usize {
        return layout.unusable(Some("a collection has room for 1 to 65534 elements"));
    }
    let mut scalar = 0;
    while scalar < plan.n_scalars() {
        let field = number::scalar(plan.n_values(scalar));
        layout = layout.append(field);
        scalar += 1;
    }
    layout.finish(usize::MAX)
}

impl<T: StateVar, const CAP: usize> Default for Queue<T, CAP> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: StateVar + PartialEq, const CAP: usize> PartialEq for Queue<T, CAP> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.as_slice() == other.as_slice()
    }
}

impl<T: StateVar + Eq, const CAP: usize> Eq for Queue<T, CAP> {}

impl<T: StateVar + fmt::Debug, const CAP: usize> fmt::Debug for Queue<T, CAP> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl<T: StateVar, const CAP: usize> Extend<T> for Queue<T, CAP> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T: StateVar, const CAP: usize> FromIterator<T> for Queue<T, CAP> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut queue = Self::new();
        queue.extend(elements);
        queue
    }
}

impl<'q, T: StateVar, const CAP: usize> IntoIterator for &'q Queue<T, CAP> {
    type Item = &'q T;
    type IntoIter = std::slice::Iter<'q, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
