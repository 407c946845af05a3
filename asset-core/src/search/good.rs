//! A set of stored states that grows while paths are followed backwards.

use crate::store::{BitSet, Id, Kept};

/// States, marked by number, in the order of which they are swept over, and by
/// place, which is what a look-up tells.
#[derive(Clone, Debug)]
pub struct Good {
    places: BitSet,
    /// `None` where places are numbers.
    numbers: Option<BitSet>,
}

impl Good {
    /// No state of the set.
    pub fn none_of<S: Kept>(set: &S) -> Self {
        let numbers = (!S::PLACES_ARE_NUMBERS).then(|| BitSet::with_room(set.len()));
        Good { places: BitSet::with_room(set.n_places()), numbers }
    }

    /// Adds the states at the places that `tell` tells.
    pub fn add_places<S: Kept, E>(
        &mut self,
        set: &S,
        tell: impl FnOnce(&mut dyn FnMut(Id)) -> Result<(), E>,
    ) -> Result<(), E> {
        let places = &mut self.places;
        tell(&mut |place| {
            places.insert(place);
        })?;
        if let Some(numbers) = &mut self.numbers {
            for id in 0..set.len() as Id {
                if self.places.contains(set.place(id)) {
                    numbers.insert(id);
                }
            }
        }
        Ok(())
    }

    /// Adds a state; true if it was not a member.
    #[inline(always)]
    pub fn insert<S: Kept>(&mut self, set: &S, id: Id) -> bool {
        self.insert_at(id, set.place(id))
    }

    /// The same, for a state whose place is known.
    #[inline(always)]
    pub fn insert_at(&mut self, id: Id, place: Id) -> bool {
        if let Some(numbers) = &mut self.numbers {
            numbers.insert(id);
        }
        self.places.insert(place)
    }

    /// Adds by their numbers those of the 64 states from `start` on that are marked.
    /// By their places they are to be added by [`Good::insert_places`].
    #[inline(always)]
    pub fn insert_numbers(&mut self, start: usize, marked: u64) {
        self.numbers.as_mut().unwrap_or(&mut self.places).insert_word(start / 64, marked);
    }

    /// Adds states by their places.
    #[inline(always)]
    pub fn insert_places(&mut self, places: &[Id]) {
        for &place in places {
            self.places.insert_word(place as usize / 64, 1 << (place % 64));
        }
    }

    /// Whether the state at this place is a member.
    #[inline(always)]
    pub fn has_place(&self, place: Id) -> bool {
        self.places.contains(place)
    }

    /// Asks the processor to fetch what asking about a place will touch.
    #[inline(always)]
    pub fn prefetch(&self, place: Id) {
        self.places.prefetch(place);
    }

    /// The numbers of the members.
    #[inline(always)]
    pub fn numbers(&self) -> &BitSet {
        self.numbers.as_ref().unwrap_or(&self.places)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.places.bytes() + self.numbers.as_ref().map_or(0, BitSet::bytes)
    }
}

/// For sets where places are numbers.
impl From<BitSet> for Good {
    fn from(places: BitSet) -> Self {
        Good { places, numbers: None }
    }
}
