//! A set of one-word states that stores only what a slot's position does not
//! tell: four bytes a state at three quarters full.
//!
//! A state of `B` bits is mapped to a key by a permutation of `B`-bit numbers.
//! The high part of a key chooses its home line, the rest, its *remainder*, is
//! stored. Nothing is lost: position and remainder give the key back, and the
//! key the state. (Cleary 1984; the idea of the `quot` yardstick.) A full line
//! flows over into the next; a slot says how many lines it is from home.
//!
//! States are numbered in the order of insertion, but the table does not keep
//! the numbers. The words of a state can be had until they are released: a
//! breadth-first search needs them only until the state has been expanded.
//!
//! The table grows in place, from its last line to its first: keys are ordered
//! by their home lines, so every key moves up. It doubles while slots are wide
//! and grows by half or a third once they are narrow, when memory counts.

use super::line::{LINE, WIDE_LINE, contains, positions, prefetch, wide_positions};
use super::region::Region;
use super::window::Window;
use super::{Id, StateSet};
use hashbrown::HashSet;

/// Bits of a slot that tell how far from home it is; 0 is an empty slot.
const AWAY_BITS: u32 = 3;
/// Lines in which a key may stand, from its home line on.
const REACH: usize = (1 << AWAY_BITS) - 1;
/// Keys are at least so long, so that a table for any number of states that
/// can be numbered has bits left to choose a line by.
const MIN_KEY_BITS: u32 = 40;
/// Bits of a key beyond `k` that help to choose one of `m << k` lines.
const SPREAD_BITS: u32 = 8;
/// Up to so many bytes, a table is small: memory does not count there.
const SMALL: usize = 256 << 20;
/// Lines that are taken out at a time while growing.
const CHUNK: usize = 256;

/// Where keys go in a table of `m << k` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    key_bits: u32,
    k: u32,
    /// 4 or 6.
    m: u64,
    /// Bits of a key below the `k + SPREAD_BITS` ones that choose its line.
    low_bits: u32,
    /// The reciprocal of `m` with 16 binary places, rounded up.
    reciprocal: u64,
    /// Slots of four bytes instead of eight.
    is_narrow: bool,
}

impl Shape {
    fn new(key_bits: u32, k: u32, m: u64, is_narrow: bool) -> Shape {
        let low_bits = key_bits - k - SPREAD_BITS;
        Shape { key_bits, k, m, low_bits, reciprocal: (1 << 16) / m + 1, is_narrow }
    }

    fn n_lines(&self) -> usize {
        (self.m as usize) << self.k
    }

    /// The home line of a key: its high bits, scaled to the number of lines.
    #[inline(always)]
    fn line(&self, key: u64) -> usize {
        (((key >> self.low_bits) * self.m) >> SPREAD_BITS) as usize
    }

    /// The home line of a key, and its remainder there: by how much it exceeds
    /// the line's least key.
    ///
    /// Scaling leaves a fraction below the line, of `SPREAD_BITS` bits. It grows
    /// by `m` from one value of the high bits to the next, so that divided by
    /// `m` it counts them from the first of the line. Division is by a
    /// reciprocal, which is exact for numbers so small.
    #[inline(always)]
    fn split(&self, key: u64) -> (usize, u64) {
        let scaled = (key >> self.low_bits) * self.m;
        let fraction = scaled & ((1 << SPREAD_BITS) - 1);
        let high = (fraction * self.reciprocal) >> 16;
        let low = key & ((1 << self.low_bits) - 1);
        ((scaled >> SPREAD_BITS) as usize, high << self.low_bits | low)
    }

    /// The least key of a line.
    #[inline(always)]
    fn least_key(&self, line: usize) -> u64 {
        let scaled = (line as u64) << SPREAD_BITS;
        // Divisors that the compiler knows: this is done for every key when the
        // table grows.
        let high = if self.m == 4 { scaled / 4 } else { scaled.div_ceil(6) };
        high << self.low_bits
    }

    /// Bits of the largest remainder: a line takes at most a quarter of the
    /// values of the spread bits.
    #[cfg(test)]
    fn remainder_bits(&self) -> u32 {
        self.low_bits + SPREAD_BITS - 2
    }

    /// How many states the table takes before it must grow.
    fn capacity(&self) -> usize {
        match self.is_narrow {
            true => self.n_lines() * LINE / 32 * 27,
            false => self.n_lines() * WIDE_LINE / 32 * 24,
        }
    }

    /// The next size. As soon as narrow slots can hold a remainder, or cost no
    /// more memory than wide ones, they are used; in a small table already when
    /// they cost twice as much.
    fn grown(self) -> Shape {
        let (k, m) = if self.m == 4 && self.is_narrow { (self.k, 6) } else { (self.k + 1, 4) };
        let wide = Shape::new(self.key_bits, k, m, false);
        let narrow_k =
            (self.key_bits + AWAY_BITS + SPREAD_BITS - 2).saturating_sub(u32::BITS + SPREAD_BITS);
        let least_narrow = Shape::new(self.key_bits, narrow_k, 4, true);
        let is_small =
            least_narrow.bytes() <= SMALL && 2 * wide.n_lines() >= least_narrow.n_lines();
        if wide.n_lines() < least_narrow.n_lines() && !is_small {
            wide
        } else if k < narrow_k {
            least_narrow
        } else {
            Shape { is_narrow: true, ..wide }
        }
    }

    fn bytes(&self) -> usize {
        (self.n_lines() + REACH) * WIDE_LINE * 8
    }
}

/// The set of states.
pub struct Compact {
    shape: Shape,
    /// The ones of a key, and half their number.
    mask: u64,
    half: u32,
    capacity: usize,
    table: Region<u64>,
    /// Keys for which there was no slot within reach: next to none.
    stash: HashSet<u64>,
    states: Window,
}

impl Compact {
    /// An empty set of states of `bits` bits.
    pub fn new(bits: u32) -> Self {
        let key_bits = bits.max(MIN_KEY_BITS);
        let shape = Shape::new(key_bits, 4, 4, false);
        let mut set = Compact {
            shape,
            mask: u64::MAX >> (64 - key_bits),
            half: key_bits / 2,
            capacity: shape.capacity(),
            table: Region::new(),
            stash: HashSet::new(),
            states: Window::default(),
        };
        set.table.grow_to(shape.bytes() / 8);
        set
    }

    /// Adds a key; false if it was a member.
    #[inline(always)]
    fn add(&mut self, key: u64) -> bool {
        let (home, remainder) = self.shape.split(key);
        match put(&mut self.table, home, remainder << AWAY_BITS | 1, self.shape.is_narrow) {
            Put::Found => false,
            Put::Added => true,
            Put::Full => self.add_away(home, remainder, key),
        }
    }

    /// Adds a key whose home line is full.
    #[inline(never)]
    fn add_away(&mut self, home: usize, remainder: u64, key: u64) -> bool {
        for away in 1..REACH {
            let slot = remainder << AWAY_BITS | (away as u64 + 1);
            match put(&mut self.table, home + away, slot, self.shape.is_narrow) {
                Put::Found => return false,
                Put::Added => return true,
                Put::Full => {}
            }
        }
        self.stash.insert(key)
    }

    /// Adds a key that is not a member.
    #[inline(always)]
    fn add_new(&mut self, key: u64) {
        let (home, remainder) = self.shape.split(key);
        for away in 0..REACH {
            let slot = remainder << AWAY_BITS | (away as u64 + 1);
            let words = line_of(&mut self.table, home + away);
            if place(words, slot, self.shape.is_narrow) {
                return;
            }
        }
        self.stash.insert(key);
    }

    /// Numbers a state whose key has just been added.
    #[inline(always)]
    fn number(&mut self, state: u64) -> Id {
        let id = self.len() as Id;
        self.states.push(state);
        if self.len() >= self.capacity {
            self.grow();
        }
        id
    }

    /// Moves to the next larger shape, in place.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let old = self.shape;
        self.shape = old.grown();
        self.capacity = self.shape.capacity();
        self.table.grow_to(self.shape.bytes() / 8);
        let mut keys: Vec<u64> = std::mem::take(&mut self.stash).into_iter().collect();
        let mut end = old.n_lines() + REACH;
        while end > 0 {
            let start = end.saturating_sub(CHUNK);
            for line in start..end {
                take_line(&mut self.table, old, line, &mut keys);
            }
            // A key goes up, unless it stood away from home: then it may have
            // to wait until the lines below have been taken out too.
            keys.retain(|&key| {
                let waits = self.shape.line(key) < start;
                if !waits {
                    self.add_new(key);
                }
                waits
            });
            end = start;
        }
    }
}

enum Put {
    Found,
    Added,
    Full,
}

/// Looks for a slot in a line of the table, and adds it if there is room.
#[inline(always)]
fn put(table: &mut [u64], line: usize, slot: u64, is_narrow: bool) -> Put {
    let words = line_of(table, line);
    let is_found = match is_narrow {
        true => contains(as_narrow(words), slot as u32),
        false => wide_positions(words, slot) != 0,
    };
    if is_found {
        return Put::Found;
    }
    match place(words, slot, is_narrow) {
        true => Put::Added,
        false => Put::Full,
    }
}

/// The words of a line.
#[inline(always)]
fn line_of(table: &mut [u64], line: usize) -> &mut [u64; WIDE_LINE] {
    let words = &mut table[line * WIDE_LINE..(line + 1) * WIDE_LINE];
    words.try_into().expect("a line has eight words")
}

/// Adds a slot to a line if there is room.
#[inline(always)]
fn place(words: &mut [u64; WIDE_LINE], slot: u64, is_narrow: bool) -> bool {
    if is_narrow {
        let slots = as_narrow(words);
        let empty = positions(slots, 0).trailing_zeros() as usize;
        return slots.get_mut(empty).map(|empty| *empty = slot as u32).is_some();
    }
    let empty = wide_positions(words, 0).trailing_zeros() as usize / 2;
    words.get_mut(empty).map(|empty| *empty = slot).is_some()
}

/// The sixteen narrow slots of a line.
#[inline(always)]
fn as_narrow(words: &mut [u64; WIDE_LINE]) -> &mut [u32; LINE] {
    // SAFETY: the same memory as twice as many numbers of half the size, which
    // need less alignment; every bit pattern is a number.
    unsafe { &mut *std::ptr::from_mut(words).cast::<[u32; LINE]>() }
}

/// Empties a line and appends the keys that stood in it.
fn take_line(table: &mut [u64], shape: Shape, line: usize, keys: &mut Vec<u64>) {
    let words = line_of(table, line);
    let mut take = |slot: u64| {
        if slot != 0 {
            let away = (slot & ((1 << AWAY_BITS) - 1)) as usize - 1;
            keys.push(shape.least_key(line - away) + (slot >> AWAY_BITS));
        }
    };
    if shape.is_narrow {
        for slot in as_narrow(words) {
            take(u64::from(std::mem::take(slot)));
        }
    } else {
        for word in words {
            take(std::mem::take(word));
        }
    }
}

impl StateSet for Compact {
    const KEEPS_STATES: bool = false;

    #[inline(always)]
    fn n_words(&self) -> usize {
        1
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.states.len()
    }

    #[inline(always)]
    fn get(&self, id: Id) -> &[u64] {
        self.states.get(id as usize..id as usize + 1)
    }

    fn get_range(&self, ids: std::ops::Range<usize>) -> &[u64] {
        self.states.get(ids)
    }

    /// The key: two rounds of multiplication and shift, each a permutation of
    /// the numbers of `key_bits` bits. With one round Peterson-4 takes a
    /// twentieth less time, but there are models whose keys crowd in few lines.
    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        let (mask, half) = (self.mask, self.half);
        let mut x = state[0] ^ (state[0] >> half);
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        x ^ (x >> half)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        prefetch(self.table.as_ptr().wrapping_add(self.shape.line(hash) * WIDE_LINE));
    }

    #[inline(always)]
    fn prefetch_state(&self, _: u64) {}

    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64) -> (Id, bool) {
        match self.add(hash) {
            true => (self.number(state[0]), true),
            false => (Id::MAX, false),
        }
    }

    #[inline(always)]
    fn insert_next(&mut self, states: &[u64], hashes: &[u64]) -> (usize, Option<(Id, bool)>) {
        for (i, (&state, &key)) in states.iter().zip(hashes).enumerate() {
            if self.add(key) {
                return (i + 1, Some((self.number(state), true)));
            }
        }
        (hashes.len(), None)
    }

    fn release(&mut self, before: usize) {
        self.states.release(before);
    }

    fn bytes(&self) -> usize {
        let stash = self.stash.capacity() * 9;
        self.table.bytes() + self.states.bytes() + stash
    }

    fn bytes_after_growth(&self) -> usize {
        self.bytes() - self.table.bytes() + self.shape.grown().bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_a_key_loses_nothing() {
        for key_bits in [40, 47, 50, 57, 63, 64] {
            let mut shape = Shape::new(key_bits, 4, 4, false);
            let mut x = 1u64;
            for _ in 0..22 {
                for _ in 0..200 {
                    x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
                    let key = x >> (64 - key_bits);
                    let (line, remainder) = shape.split(key);
                    assert!(line == shape.line(key) && line < shape.n_lines());
                    assert_eq!(key, shape.least_key(line) + remainder);
                    assert!(remainder >> shape.remainder_bits() == 0);
                    assert_eq!(shape.line(shape.least_key(line)), line);
                    assert!(line == 0 || shape.line(shape.least_key(line) - 1) == line - 1);
                }
                if shape.is_narrow {
                    assert!(shape.remainder_bits() + AWAY_BITS <= 32);
                }
                let grown = shape.grown();
                assert!(grown.n_lines() >= shape.n_lines() && grown.capacity() > shape.capacity());
                shape = grown;
            }
            assert!(shape.is_narrow || key_bits > 50);
        }
    }

    #[test]
    fn it_is_a_set_through_every_growth() {
        for bits in [20, 33, 44, 50, 64] {
            let mut set = Compact::new(bits);
            let mut known = std::collections::HashMap::new();
            let mut x = 1u64;
            for i in 0..400_000u64 {
                x = x
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                // Dense numbers and scattered ones, and many repetitions.
                let state = match i % 3 {
                    0 => i / 2,
                    1 => x >> (64 - bits),
                    _ => (x >> 40) << (bits / 3),
                };
                let state = [state & (u64::MAX >> (64 - bits))];
                let hash = set.hash(&state);
                let next = known.len() as Id;
                let (id, is_new) = set.insert(&state, hash);
                let first = *known.entry(state[0]).or_insert(next);
                assert_eq!(is_new, first == next && known.len() as Id == next + 1);
                assert_eq!(id, if is_new { first } else { Id::MAX });
            }
            assert_eq!(set.len(), known.len());
        }
    }

    /// Few values in each of several fields, as states have them, wherever the
    /// fields are.
    #[test]
    fn keys_of_states_spread() {
        for bits in [40, 50, 64] {
            for (n_fields, n_values) in [(2, 256), (3, 64), (6, 8), (16, 2)] {
                for stride in [2, 3, 5, 7, 8, 11, 16, 20, 25, 28, 32] {
                    let at = |field: u32| field * stride % (bits - 9);
                    let mut set = Compact::new(bits);
                    for i in 0..1u64 << 16 {
                        let mut rest = i;
                        let mut state = 0u64;
                        for field in 0..n_fields {
                            state = state.wrapping_add((rest % n_values) << at(field));
                            rest /= n_values;
                        }
                        let state = [state & (u64::MAX >> (64 - bits))];
                        set.insert(&state, set.hash(&state));
                    }
                    let n_stashed = set.stash.len();
                    assert!(
                        n_stashed <= 16 + set.len() / 1000,
                        "{bits} bits, {n_fields} fields {stride} apart: {n_stashed} of {}",
                        set.len()
                    );
                }
            }
        }
    }

    #[test]
    fn a_stash_takes_what_no_line_can() {
        let mut set = Compact::new(50);
        let shape = set.shape;
        let keys: Vec<u64> = (0..100).map(|r| shape.least_key(3) + r).collect();
        assert!(keys.iter().all(|&key| set.add(key)));
        assert!(!set.stash.is_empty());
        assert!(keys.iter().all(|&key| !set.add(key)));
        set.grow();
        assert!(keys.iter().all(|&key| !set.add(key)));
    }
}
