//! A set of keys that stores only what a slot's position does not tell: four
//! bytes a key at three quarters full.
//!
//! The high part of a key chooses its home line, the rest, its *remainder*, is
//! stored. Nothing is lost: position and remainder give the key back. (Cleary
//! 1984; the idea of the `quot` yardstick.) A full line flows over into the next;
//! a slot says how many lines it is from home. Few keys find no slot within
//! reach; they are kept in a *stash*.
//!
//! Every key has a *place*: the number of its slot, or for one in the stash, a
//! number above them. Places stay as they are until the table grows. It grows in
//! place, from its last line to its first: keys are ordered by their home lines,
//! so every key moves up. It becomes four times as large while it is small, doubles for a
//! while and where slots are wide, and grows by half or a third when memory counts.

use super::NewStates;
use super::line::{
    LINE, WIDE_LINE, contains_and_empty, positions, positions_and_empty, wide_positions,
};
use super::shape::{Keys, REACH, Shape};
use crate::memory::{Region, prefetch};
use hashbrown::HashMap;
use std::hint::select_unpredictable;

/// Lines that are taken out at a time when the table changes, and gone through upwards:
/// those that go to the same line as before, and find it full, would come last otherwise.
const CHUNK: usize = 256;

/// The set of keys.
pub(super) struct KeyTable {
    shape: Shape,
    capacity: usize,
    table: Region<u64>,
    /// Keys for which there was no slot within reach: next to none.
    stash: Vec<u64>,
    /// Where in the stash a key is.
    stashed: HashMap<u64, usize>,
    /// Where a slot is written that must not change the table.
    nowhere: u32,
}

impl KeyTable {
    /// An empty set of keys of `key_bits` bits.
    pub(super) fn new(key_bits: u32) -> Self {
        let shape = Shape::new(key_bits, 4, 4, false);
        let mut table = Region::new();
        table.grow_to(shape.bytes() / 8);
        let (stash, stashed) = (Vec::new(), HashMap::new());
        KeyTable { shape, capacity: shape.capacity(), table, stash, stashed, nowhere: 0 }
    }

    /// Where to look for a key, until the table grows.
    #[inline(always)]
    pub(super) fn ticket(&self, key: u64) -> u64 {
        self.shape.ticket(key)
    }

    /// Asks the processor to fetch the home line of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        let home = self.shape.home(self.shape.ticket(key));
        prefetch(self.table.as_ptr().wrapping_add(home * WIDE_LINE));
    }

    /// Appends the tickets of states, and asks the processor to fetch their lines.
    #[inline(always)]
    pub(super) fn tickets_of(&self, keys: impl Keys, states: &[u64], tickets: &mut Vec<u64>) {
        match keys.permutation() {
            Some(keys) => self.tickets(states.iter().map(|&state| keys.key(state)), tickets),
            None => self.tickets(states.iter().map(|&state| keys.key(state)), tickets),
        }
    }

    /// Appends the tickets of keys, and asks the processor to fetch their lines.
    #[inline(always)]
    pub(super) fn tickets(&self, keys: impl Iterator<Item = u64>, tickets: &mut Vec<u64>) {
        // Copies, in registers.
        let (shape, start) = (self.shape, self.table.as_ptr());
        let fetch = |home: usize| prefetch(start.wrapping_add(home * WIDE_LINE));
        match shape.cut() {
            Some(cut) => tickets.extend(keys.map(|key| {
                let ticket = cut.ticket(key);
                fetch((ticket >> 32) as usize);
                ticket
            })),
            None => tickets.extend(keys.map(|key| {
                let ticket = shape.ticket(key);
                fetch(shape.home(ticket));
                ticket
            })),
        }
    }

    /// Adds keys, given by their tickets, and tells which were added.
    #[inline(always)]
    pub(super) fn add_all(&mut self, tickets: &[u64], new: &mut NewStates) {
        if !self.shape.is_narrow {
            return new.tell_while(tickets, |&ticket| Some(self.find_or_add(ticket).1));
        }
        self.add_to_home_lines(tickets, new);
        while let Some(&ticket) = tickets.get(new.n_told()) {
            new.tell(self.find_or_add(ticket).1);
            self.add_to_home_lines(&tickets[new.n_told()..], new);
        }
    }

    /// Adds keys to a table of narrow slots, up to the first one whose home line is
    /// full and does not hold it, nor does the next line, which is full, too. Without a
    /// jump that depends on whether a key is a member: that cannot be guessed.
    #[inline(always)]
    fn add_to_home_lines(&mut self, tickets: &[u64], new: &mut NewStates) {
        let lines = self.table.as_chunks_mut::<WIDE_LINE>().0;
        let nowhere = &mut self.nowhere;
        new.tell_while(tickets, |&ticket| {
            let (home, slot) = ((ticket >> 32) as usize, ticket as u32);
            let line = as_narrow_mut(&mut lines[home]);
            let (is_member, empty) = contains_and_empty(line, slot);
            if empty == 0 {
                return match is_member {
                    true => Some(false),
                    false => {
                        find_or_add_in_line(&mut lines[home + 1], slot + 1).map(|found| found.1)
                    }
                };
            }
            let free = &mut line[empty.trailing_zeros() as usize % LINE];
            *select_unpredictable(is_member, &mut *nowhere, free) = slot;
            Some(!is_member)
        });
    }

    /// As [`KeyTable::add_all`], and appends the place of each.
    #[inline(always)]
    pub(super) fn find_or_add_all(
        &mut self,
        tickets: &[u64],
        places: &mut Vec<u32>,
        new: &mut NewStates,
    ) {
        loop {
            if self.shape.is_narrow {
                self.find_or_add_in_home_lines(&tickets[new.n_told()..], places, new);
            }
            let Some(&ticket) = tickets.get(new.n_told()) else { return };
            let (place, is_new) = self.find_or_add(ticket);
            places.push(place as u32);
            new.tell(is_new);
        }
    }

    /// As `add_to_home_lines`, and appends the place of each.
    #[inline(always)]
    fn find_or_add_in_home_lines(
        &mut self,
        tickets: &[u64],
        places: &mut Vec<u32>,
        new: &mut NewStates,
    ) {
        let lines = self.table.as_chunks_mut::<WIDE_LINE>().0;
        let nowhere = &mut self.nowhere;
        new.tell_while(tickets, |&ticket| {
            let (home, slot) = ((ticket >> 32) as usize, ticket as u32);
            let line = as_narrow_mut(&mut lines[home]);
            let (own, empty) = positions_and_empty(line, slot);
            if own | empty == 0 {
                let (at, is_new) = find_or_add_in_line(&mut lines[home + 1], slot + 1)?;
                places.push(((home + 1) * LINE + at) as u32);
                return Some(is_new);
            }
            let is_member = own != 0;
            let at = select_unpredictable(is_member, own, empty).trailing_zeros() as usize % LINE;
            *select_unpredictable(is_member, &mut *nowhere, &mut line[at]) = slot;
            places.push((home * LINE + at) as u32);
            Some(!is_member)
        });
    }

    /// The place of a key, which is added if it was no member, and whether it
    /// was added.
    #[inline(always)]
    pub(super) fn find_or_add(&mut self, ticket: u64) -> (usize, bool) {
        let (home, slot) = self.shape.home_and_slot(ticket);
        let is_narrow = self.shape.is_narrow;
        let words = line_of(&mut self.table, home);
        if let Some(at) = position(words, slot, is_narrow) {
            return (self.shape.place(home, at), false);
        }
        match place(words, slot, is_narrow) {
            Some(at) => (self.shape.place(home, at), true),
            None => self.add_away(home, slot),
        }
    }

    /// As [`KeyTable::find_or_add`], for a key whose home line is full and does
    /// not hold it.
    #[inline(never)]
    fn add_away(&mut self, home: usize, slot: u64) -> (usize, bool) {
        for away in 1..REACH {
            let slot = slot + away as u64;
            let words = line_of(&mut self.table, home + away);
            if let Some(at) = position(words, slot, self.shape.is_narrow) {
                return (self.shape.place(home + away, at), false);
            }
            if let Some(at) = place(words, slot, self.shape.is_narrow) {
                return (self.shape.place(home + away, at), true);
            }
        }
        self.add_to_stash(self.shape.key(home, slot))
    }

    #[cold]
    fn add_to_stash(&mut self, key: u64) -> (usize, bool) {
        let next = self.stash.len();
        let at = *self.stashed.entry(key).or_insert(next);
        if at == next {
            self.stash.push(key);
        }
        (self.shape.n_slots() + at, at == next)
    }

    /// The place of a member.
    #[inline(always)]
    pub(super) fn find(&self, ticket: u64) -> Option<usize> {
        let (home, slot) = self.shape.home_and_slot(ticket);
        for away in 0..REACH {
            let words = line_at(&self.table, home + away);
            if let Some(at) = position(words, slot + away as u64, self.shape.is_narrow) {
                return Some(self.shape.place(home + away, at));
            }
        }
        let key = self.shape.key(home, slot);
        self.stashed.get(&key).map(|at| self.shape.n_slots() + at)
    }

    /// The key with this place.
    #[inline(always)]
    pub(super) fn key_at(&self, place: usize) -> u64 {
        if let Some(at) = place.checked_sub(self.shape.n_slots()) {
            return self.stash[at];
        }
        let (line, at) = self.shape.line_of_place(place);
        let words = line_at(&self.table, line);
        let slot = if self.shape.is_narrow { u64::from(as_narrow(words)[at]) } else { words[at] };
        self.shape.key(line, slot)
    }

    /// Asks the processor to fetch the line of a place.
    #[inline(always)]
    pub(super) fn prefetch_place(&self, place: usize) {
        let line = self.shape.line_of_place(place).0;
        prefetch(self.table.as_ptr().wrapping_add(line * WIDE_LINE));
    }

    /// Shows all members with their places.
    pub(super) fn for_each(&self, mut show: impl FnMut(usize, u64)) {
        let n = self.shape.n_slots() / self.shape.line_len();
        for line in 0..n {
            for (at, slot) in slots(line_at(&self.table, line), self.shape.is_narrow) {
                show(self.shape.place(line, at), self.shape.key(line, slot));
            }
        }
        (self.shape.n_slots()..).zip(&self.stash).for_each(|(place, &key)| show(place, key));
    }

    /// From so many keys on, the table must grow.
    #[inline(always)]
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Places are below this number.
    pub(super) fn n_places(&self) -> usize {
        self.shape.n_slots() + self.stash.len()
    }

    /// Most places are below this number: those in home lines.
    pub(super) fn usual_places(&self) -> usize {
        self.shape.n_lines() * self.shape.line_len()
    }

    /// Number of places after the table has grown, but for those of a stash.
    pub(super) fn n_places_after_growth(&self) -> usize {
        self.shape.grown().n_slots()
    }

    /// Moves to the next larger shape, in place. Tells of every key its old place
    /// and its new one. Tickets that were worked out before are worth nothing.
    pub(super) fn grow(&mut self, moved: impl FnMut(usize, usize)) {
        self.change_shape(self.shape.grown(), 0, moved);
    }

    /// Makes room for keys that are `more` bits longer; all that are in the table get
    /// as many zeros below. Otherwise as [`KeyTable::grow`].
    pub(super) fn widen(&mut self, more: u32, moved: impl FnMut(usize, usize)) {
        self.change_shape(self.shape.widened(more), more, moved);
    }

    #[cold]
    #[inline(never)]
    fn change_shape(&mut self, shape: Shape, more: u32, mut moved: impl FnMut(usize, usize)) {
        let old = std::mem::replace(&mut self.shape, shape);
        self.capacity = self.shape.capacity();
        self.table.grow_to(self.shape.bytes() / 8);
        self.stashed.clear();
        let stash = std::mem::take(&mut self.stash).into_iter().map(|key| key << more);
        let mut waiting: Vec<_> = stash.zip(old.n_slots()..).collect();
        let (mut end, mut lines) = (old.n_slots() / old.line_len(), Vec::new());
        while end > 0 {
            let start = end.saturating_sub(CHUNK);
            let taken = &mut self.table[start * WIDE_LINE..end * WIDE_LINE];
            lines.clear();
            lines.extend_from_slice(taken.as_chunks::<WIDE_LINE>().0);
            taken.fill(0);
            waiting.retain(|&(key, place)| !self.move_key(start, key, place, &mut moved));
            for (line, words) in (start..end).zip(&lines) {
                for (at, slot) in slots(words, old.is_narrow) {
                    let (key, place) = (old.key(line, slot) << more, old.place(line, at));
                    if !self.move_key(start, key, place, &mut moved) {
                        waiting.push((key, place));
                    }
                }
            }
            end = start;
        }
    }

    /// Adds a key that had this place before the table changed, if the lines from `start`
    /// on have been taken out, and it goes there. A key goes up, unless it stood away from
    /// home: then it may have to wait until lines below have been taken out, too.
    #[inline(always)]
    fn move_key(
        &mut self,
        start: usize,
        key: u64,
        place: usize,
        moved: &mut impl FnMut(usize, usize),
    ) -> bool {
        let ticket = self.shape.ticket(key);
        let goes = self.shape.home(ticket) >= start;
        if goes {
            moved(place, self.add_new(ticket));
        }
        goes
    }

    /// Adds a key that is not a member. Returns its place.
    #[inline(always)]
    fn add_new(&mut self, ticket: u64) -> usize {
        let (home, slot) = self.shape.home_and_slot(ticket);
        match place(line_of(&mut self.table, home), slot, self.shape.is_narrow) {
            Some(at) => self.shape.place(home, at),
            None => self.add_away(home, slot).0,
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.stash.len() * 32
    }

    /// Bytes in use after the table has grown.
    pub(super) fn bytes_after_growth(&self) -> usize {
        self.bytes() - self.table.bytes() + self.shape.grown().bytes()
    }
}

/// Where in a line a narrow slot is, which is added if it is not there, and whether it was
/// added. `None` if it is not there, and there is no room.
#[inline(never)]
fn find_or_add_in_line(words: &mut [u64; WIDE_LINE], slot: u32) -> Option<(usize, bool)> {
    let line = as_narrow_mut(words);
    let (own, empty) = positions_and_empty(line, slot);
    if own != 0 {
        return Some((own.trailing_zeros() as usize, false));
    }
    let at = empty.trailing_zeros() as usize;
    *line.get_mut(at)? = slot;
    Some((at, true))
}

/// The words of a line.
#[inline(always)]
fn line_of(table: &mut [u64], line: usize) -> &mut [u64; WIDE_LINE] {
    let words = &mut table[line * WIDE_LINE..(line + 1) * WIDE_LINE];
    words.try_into().expect("a line has eight words")
}

/// The words of a line, to be read.
#[inline(always)]
fn line_at(table: &[u64], line: usize) -> &[u64; WIDE_LINE] {
    let words = &table[line * WIDE_LINE..(line + 1) * WIDE_LINE];
    words.try_into().expect("a line has eight words")
}

/// Where in a line a slot is.
#[inline(always)]
fn position(words: &[u64; WIDE_LINE], slot: u64, is_narrow: bool) -> Option<usize> {
    let found = match is_narrow {
        true => positions(as_narrow(words), slot as u32),
        false => wide_positions(words, slot),
    };
    let at = found.trailing_zeros() as usize;
    (found != 0).then_some(if is_narrow { at } else { at / 2 })
}

/// Adds a slot to a line if there is room. Returns where.
#[inline(always)]
fn place(words: &mut [u64; WIDE_LINE], slot: u64, is_narrow: bool) -> Option<usize> {
    if is_narrow {
        let at = positions(as_narrow(words), 0).trailing_zeros() as usize;
        *as_narrow_mut(words).get_mut(at)? = slot as u32;
        return Some(at);
    }
    let at = wide_positions(words, 0).trailing_zeros() as usize / 2;
    *words.get_mut(at)? = slot;
    Some(at)
}

/// The slots of a line that are not empty, with their positions.
#[inline(always)]
fn slots(words: &[u64; WIDE_LINE], is_narrow: bool) -> impl Iterator<Item = (usize, u64)> + '_ {
    // One bit for each slot, or two.
    let (empty, all, n_bits) = match is_narrow {
        true => (positions(as_narrow(words), 0), 0xffff, 1),
        false => (wide_positions(words, 0), 0x5555, 2),
    };
    let mut left = !empty & all;
    std::iter::from_fn(move || {
        let at = (left != 0).then_some(left.trailing_zeros() as usize / n_bits)?;
        left &= left - 1;
        Some((at, if is_narrow { u64::from(as_narrow(words)[at]) } else { words[at] }))
    })
}

/// The sixteen narrow slots of a line.
#[inline(always)]
fn as_narrow(words: &[u64; WIDE_LINE]) -> &[u32; LINE] {
    // SAFETY: the same memory as twice as many numbers of half the size, which
    // need less alignment; every bit pattern is a number.
    unsafe { &*std::ptr::from_ref(words).cast::<[u32; LINE]>() }
}

/// The sixteen narrow slots of a line, to be changed.
#[inline(always)]
fn as_narrow_mut(words: &mut [u64; WIDE_LINE]) -> &mut [u32; LINE] {
    // SAFETY: as above, and the borrow is exclusive.
    unsafe { &mut *std::ptr::from_mut(words).cast::<[u32; LINE]>() }
}

#[cfg(test)]
mod tests;
