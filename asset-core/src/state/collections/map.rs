//! A map: a value for each value of a type.

use super::super::{Layout, Shape, StateVar, number};
use super::{Finite, set};
use std::fmt;
use std::ops::{Index, IndexMut};

/// A value for each key of a type with at most 512 of them: an array whose index is not a
/// number but, say, an enum. Where keys may have no value, take a map of options.
///
/// It takes as many bits as its values do. Like the elements of an array, its values are
/// variables of their own to the engine.
///
/// ```
/// use asset_core::prelude::*;
///
/// let mut map: Map<bool, Option<bool>> = Map::new(None);
/// map[true] = Some(false);
/// assert!(map.iter().eq([(false, &None), (true, &Some(false))]));
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Map<K: Finite, V: StateVar>(K::Each<V>);

impl<K: Finite + StateVar, V: StateVar> Map<K, V> {
    /// The map with this value for each key.
    #[inline]
    pub fn new(value: V) -> Self {
        Map(K::each(value))
    }

    /// The keys with their values, in the order in which keys are numbered: of an enum
    /// the first variant first, and of several fields the last one fastest.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> + '_ {
        (0..K::N_VALUES).map(|number| (number::value(number as u64), K::of(&self.0, number)))
    }

    /// The values, in the order of their keys.
    #[inline]
    pub fn values(&self) -> impl Iterator<Item = &V> + '_ {
        (0..K::N_VALUES).map(|number| K::of(&self.0, number))
    }
}

/// The number of a key.
#[inline(always)]
#[track_caller]
fn number_of<K: Finite + StateVar>(key: &K) -> usize {
    number::number(key).expect("a key of a map is out of its range") as usize
}

impl<K: Finite + StateVar, V: StateVar> Index<K> for Map<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// If the key is out of its range.
    #[inline(always)]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        K::of(&self.0, number_of(&key))
    }
}

impl<K: Finite + StateVar, V: StateVar> IndexMut<K> for Map<K, V> {
    /// # Panics
    ///
    /// If the key is out of its range.
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        K::of_mut(&mut self.0, number_of(&key))
    }
}

// SAFETY: the map is what is kept for each key, and nothing else.
unsafe impl<K: Finite + StateVar, V: StateVar> StateVar for Map<K, V> {
    const LAYOUT: Layout = set::layout::<K, V>();
    const SHAPE: Shape = Shape::Map(&K::SHAPE, &K::LAYOUT, &V::SHAPE, K::N_VALUES);

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        self.0.write_image(image);
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        Map(<K::Each<V>>::read_image(image))
    }

    #[inline(always)]
    fn update_image(&self, old: &Self, image: &mut [u8]) {
        self.0.update_image(&old.0, image);
    }

    #[inline(always)]
    fn update(&mut self, old_image: &[u8], image: &[u8]) {
        self.0.update(old_image, image);
    }

    fn zero() -> Self {
        Self::new(V::zero())
    }
}

impl<K: Finite + StateVar, V: StateVar + Default> Default for Map<K, V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<K: Finite + StateVar, V: StateVar + PartialEq> PartialEq for Map<K, V> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.values().eq(other.values())
    }
}

impl<K: Finite + StateVar, V: StateVar + Eq> Eq for Map<K, V> {}

impl<K: Finite + StateVar + fmt::Debug, V: StateVar + fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
