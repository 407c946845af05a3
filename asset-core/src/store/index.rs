//! A hash table of state numbers: lines of sixteen slots, one cache line each.
//!
//! A slot holds a number plus one, so that zero means empty, and above it as
//! many bits of the hash as fit, so that few states are compared in vain. A
//! line that is full flows over into the next. Nothing is ever removed.
//!
//! The number of lines is arbitrary (a multiplication maps a hash to a line),
//! so that the table grows by half and is never less than 58 % full. It is
//! rebuilt in place from the states themselves, without a second copy.

use super::Id;
use super::line::{LINE, positions, tagged};
use crate::memory::{Region, prefetch};

/// Lines of a new table.
const FIRST_LINES: usize = 64;
/// Up to so many lines the table doubles, then it grows by half.
const DOUBLE_UP_TO: usize = 1 << 18;
/// Numbers are inserted anew so many at a time, to overlap their misses.
const BATCH: usize = 64;

pub struct Index {
    slots: Region<u32>,
    n_lines: usize,
    /// The low bits of a slot hold the number, the others the tag.
    id_bits: u32,
    /// From so many states on, the table must grow.
    capacity: usize,
}

impl Index {
    pub fn new() -> Self {
        let mut index = Index { slots: Region::new(), n_lines: 0, id_bits: 0, capacity: 0 };
        index.set_lines(FIRST_LINES);
        index
    }

    fn set_lines(&mut self, n_lines: usize) {
        self.n_lines = n_lines;
        self.slots.reset(n_lines * LINE);
        self.capacity = n_lines * LINE / 8 * 7;
        self.id_bits = usize::BITS - (self.capacity + 1).leading_zeros();
    }

    #[inline(always)]
    fn line_of(&self, hash: u64) -> usize {
        (((hash >> 32) * self.n_lines as u64) >> 32) as usize
    }

    #[inline(always)]
    fn next_line(&self, line: usize) -> usize {
        if line + 1 == self.n_lines { 0 } else { line + 1 }
    }

    /// The tag of a hash, in its place above the number.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u32 {
        ((hash as u32 as u64) << self.id_bits) as u32
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.slots.as_ptr().wrapping_add(self.line_of(hash) * LINE));
    }

    /// The first number in the home line of a hash that may be the one looked
    /// for. Worth asking between a prefetch and a look-up.
    #[inline(always)]
    pub fn candidate(&self, hash: u64) -> Option<Id> {
        let id_mask = ((1u64 << self.id_bits) - 1) as u32;
        let line = self.line(self.line_of(hash));
        let same = tagged(line, self.tag(hash), id_mask);
        let slot = line.get(same.trailing_zeros() as usize)?;
        Some((slot & id_mask).wrapping_sub(1))
    }

    /// The number with this hash for which `is_it` holds, or the empty slot
    /// where it would go.
    #[inline(always)]
    pub fn find(&self, hash: u64, is_it: impl Fn(Id) -> bool) -> Result<Id, usize> {
        let tag = self.tag(hash);
        let id_mask = ((1u64 << self.id_bits) - 1) as u32;
        let mut line = self.line_of(hash);
        loop {
            let mut same = tagged(self.line(line), tag, id_mask);
            while same != 0 {
                let slot = line * LINE + same.trailing_zeros() as usize;
                let id = (self.slots[slot] & id_mask).wrapping_sub(1);
                if is_it(id) {
                    return Ok(id);
                }
                same &= same - 1;
            }
            let empty = positions(self.line(line), 0);
            if empty != 0 {
                return Err(line * LINE + empty.trailing_zeros() as usize);
            }
            line = self.next_line(line);
        }
    }

    #[inline(always)]
    fn line(&self, line: usize) -> &[u32; LINE] {
        let slots = &self.slots[line * LINE..line * LINE + LINE];
        slots.try_into().expect("a line has sixteen slots")
    }

    /// Puts a number into the empty slot that `find` has returned.
    #[inline(always)]
    pub fn fill(&mut self, slot: usize, hash: u64, id: Id) {
        self.slots[slot] = self.tag(hash) | (id + 1);
    }

    #[inline(always)]
    pub fn must_grow(&self, n_states: usize) -> bool {
        n_states >= self.capacity
    }

    /// Grows and inserts the numbers `0 .. n_states` anew.
    pub fn grow(&mut self, n_states: usize, hash_of: impl Fn(Id) -> u64) {
        self.set_lines(grown(self.n_lines));
        let mut hashes = [0; BATCH];
        let mut start = 0;
        while start < n_states {
            let n = BATCH.min(n_states - start);
            for (i, hash) in hashes[..n].iter_mut().enumerate() {
                *hash = hash_of((start + i) as Id);
                self.prefetch(*hash);
            }
            for (i, &hash) in hashes[..n].iter().enumerate() {
                let slot = self.empty_slot(hash);
                self.fill(slot, hash, (start + i) as Id);
            }
            start += n;
        }
    }

    /// Where a number that is not in the table goes.
    fn empty_slot(&self, hash: u64) -> usize {
        let mut line = self.line_of(hash);
        loop {
            let empty = positions(self.line(line), 0);
            if empty != 0 {
                return line * LINE + empty.trailing_zeros() as usize;
            }
            line = self.next_line(line);
        }
    }

    pub fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    pub fn bytes_after_growth(&self) -> usize {
        grown(self.n_lines) * LINE * size_of::<u32>()
    }
}

fn grown(n_lines: usize) -> usize {
    if n_lines < DOUBLE_UP_TO { 2 * n_lines } else { n_lines + n_lines / 2 }
}
