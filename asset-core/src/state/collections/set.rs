//! A set: a flag for each value of a type.

use super::super::same::same_bytes;
use super::super::{Layout, Shape, StateVar, number};
use super::{Finite, Flag};
use std::fmt;

/// A set of values of a type with at most 512 of them: who has voted, or which messages
/// are under way where it does not matter how often.
///
/// It takes one bit for each value of the type. Each of them is a variable of its own to
/// the engine: `s.votes.insert(voter)` touches the bit of `voter` and no other, if it can
/// be worked out from the transition who that is.
///
/// ```
/// use asset_core::prelude::*;
///
/// let mut set: Set<(bool, bool)> = Set::new();
/// assert!(set.insert((true, false)) && !set.insert((true, false)));
/// set.insert((false, true));
/// assert!(set.iter().eq([(false, true), (true, false)]));
/// assert!(set.remove(&(true, false)) && set.len() == 1);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Set<T: Finite>(T::Each<Flag>);

/// What cannot be packed is empty, and says so.
const TOO_MANY: Layout = Layout::EMPTY.unusable(Some(
    "a set or the keys of a map are of a type with at most 512 values, as each of them is a \
     scalar of the state: give its integers a smaller `#[range]`",
));

/// The layout of what is kept for each value of `K`.
pub(super) const fn layout<K: Finite, V: StateVar>() -> Layout {
    if K::N_VALUES == 0 { TOO_MANY } else { <K::Each<V>>::LAYOUT }
}

impl<T: Finite + StateVar> Set<T> {
    /// An empty set.
    #[inline]
    pub fn new() -> Self {
        Set(T::each(Flag(0)))
    }

    /// The set of all values that the type has.
    #[inline]
    pub fn all() -> Self {
        Set(T::each(Flag(1)))
    }

    #[inline(always)]
    fn has(&self, number: usize) -> bool {
        T::of(&self.0, number).0 != 0
    }

    /// Number of members.
    #[inline]
    pub fn len(&self) -> usize {
        (0..T::N_VALUES).filter(|&number| self.has(number)).count()
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        !(0..T::N_VALUES).any(|number| self.has(number))
    }

    /// Whether this is a member.
    #[inline(always)]
    pub fn contains(&self, member: &T) -> bool {
        number::number(member).is_some_and(|number| self.has(number as usize))
    }

    /// The members, in the order in which values are numbered: of an enum the first
    /// variant first, and of several fields the last one fastest.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let members = (0..T::N_VALUES).filter(|&number| self.has(number));
        members.map(|number| number::value(number as u64))
    }

    /// Makes this a member. Whether it was none before.
    ///
    /// If it is out of its range, so is the variable, which is a model error unless the
    /// firing is disabled in the end.
    #[inline(always)]
    pub fn insert(&mut self, member: T) -> bool {
        let Some(number) = number::number(&member) else {
            *T::of_mut(&mut self.0, 0) = Flag::OUT_OF_RANGE;
            return true;
        };
        let flag = T::of_mut(&mut self.0, number as usize);
        let is_new = flag.0 == 0;
        if is_new {
            flag.0 = 1;
        }
        is_new
    }

    /// Makes this no member. Whether it was one before.
    #[inline(always)]
    pub fn remove(&mut self, member: &T) -> bool {
        let Some(number) = number::number(member) else { return false };
        let flag = T::of_mut(&mut self.0, number as usize);
        let was_member = flag.0 != 0;
        if flag.0 == 1 {
            flag.0 = 0;
        }
        was_member
    }

    /// Makes all members none.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

// SAFETY: the set is what is kept for each value, and nothing else.
unsafe impl<T: Finite + StateVar> StateVar for Set<T> {
    const LAYOUT: Layout = layout::<T, Flag>();
    const SHAPE: Shape = Shape::Set(&T::SHAPE, &T::LAYOUT, T::N_VALUES);

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        self.0.write_image(image);
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        Set(<T::Each<Flag>>::read_image(image))
    }

    #[inline(always)]
    fn update_image(&self, old: &Self, image: &mut [u8]) {
        if !same_bytes(self, old) {
            self.0.update_image(&old.0, image);
        }
    }

    #[inline(always)]
    fn update(&mut self, old_image: &[u8], image: &[u8]) {
        self.0.update(old_image, image);
    }

    fn zero() -> Self {
        Self::new()
    }
}

impl<T: Finite + StateVar> Default for Set<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Finite + StateVar> PartialEq for Set<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (0..T::N_VALUES).all(|number| T::of(&self.0, number) == T::of(&other.0, number))
    }
}

impl<T: Finite + StateVar> Eq for Set<T> {}

impl<T: Finite + StateVar + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Finite + StateVar> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<T: Finite + StateVar> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::new();
        set.extend(members);
        set
    }
}
