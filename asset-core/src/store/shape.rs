//! Where keys go in a table of lines: from a state to its key, and from a key to
//! its home line and what remains of it there.

use super::line::{LINE, WIDE_LINE};

/// Bits of a slot that tell how far from home it is; 0 is an empty slot.
pub(super) const AWAY_BITS: u32 = 3;
/// Lines in which a key may stand, from its home line on.
pub(super) const REACH: usize = (1 << AWAY_BITS) - 1;
/// Keys are at least so long, so that a table for any number of states that
/// can be numbered has bits left to choose a line by.
const MIN_KEY_BITS: u32 = 40;
/// Bits of a key beyond `k` that help to choose one of `m << k` lines.
const SPREAD_BITS: u32 = 8;
/// Up to so many bytes, a table is small: memory does not count there.
const SMALL: usize = 256 << 20;
/// Up to so many lines (four megabytes), a table becomes four times as large when it grows.
/// That takes a third of the time of doubling twice.
const QUADRUPLE_UP_TO: usize = 1 << 16;
/// Up to so many bytes, it doubles.
const DOUBLE_UP_TO: usize = 32 << 20;

/// From states of one word to keys: a permutation of the numbers of some bits.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    bits: u32,
    mask: u64,
    half: u32,
}

const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// The inverse of an odd number modulo 2^64, hence modulo smaller powers, too.
/// Newton's method: every step doubles the number of correct bits, from three.
const fn inverse(x: u64) -> u64 {
    let mut y = x;
    let mut i = 0;
    while i < 5 {
        y = y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y)));
        i += 1;
    }
    y
}

/// A way from states of one word to keys, and back.
pub trait Keys: Copy {
    /// How long keys are.
    fn bits(&self) -> u32;

    /// The key of a state.
    fn key(&self, state: u64) -> u64;

    /// The state of a key.
    fn state(&self, key: u64) -> u64;

    /// The permutation that gives the key of every state, if it is that alone.
    fn permutation(&self) -> Option<Permutation>;

    /// For longer states, if these are too long for a key; given is what any of them
    /// has in its bits.
    fn widened(&self, states: u64) -> Option<Self> {
        let _ = states;
        None
    }
}

impl Permutation {
    /// For states of `bits` bits.
    pub(super) fn new(bits: u32) -> Self {
        let bits = bits.max(MIN_KEY_BITS);
        Permutation { bits, mask: u64::MAX >> (64 - bits), half: bits / 2 }
    }
}

impl Keys for Permutation {
    fn bits(&self) -> u32 {
        self.bits
    }

    #[inline(always)]
    fn permutation(&self) -> Option<Permutation> {
        Some(*self)
    }

    /// The key of a state. High bits of a product depend on all bits of its factor;
    /// they are folded into the low ones, and multiplied again. Only the high bits
    /// of a key must be spread well: they choose the line. With one multiplication
    /// Peterson-4 takes a twentieth less time, but there are models whose keys
    /// crowd in few lines.
    #[inline(always)]
    fn key(&self, state: u64) -> u64 {
        let Permutation { mask, half, .. } = *self;
        let x = state.wrapping_mul(FACTORS[0]) & mask;
        (x ^ (x >> half)).wrapping_mul(FACTORS[1]) & mask
    }

    #[inline(always)]
    fn state(&self, key: u64) -> u64 {
        let x = key.wrapping_mul(INVERSES[1]) & self.mask;
        // Three terms undo `x ^ (x >> half)`: a third shift leaves nothing.
        let shift = |x: u64| x >> self.half;
        (x ^ shift(x) ^ shift(shift(x))).wrapping_mul(INVERSES[0]) & self.mask
    }
}

/// Keys of states that become longer while they are found: first those that take
/// [`Widening::LEAST_BITS`], and later some that take more.
///
/// The low bits of a state are permuted, and the others stand below them, byte by
/// byte, the highest at the end: so to make room for one more is to shift all keys. They
/// stay in the same order, and a table can be made wider in place. Where the high bits
/// are the high parts of numbers that count up, few states have the same low bits.
#[derive(Clone, Copy, Debug)]
pub struct Widening {
    low: Permutation,
    n_high: u32,
}

impl Widening {
    /// The length of the first states.
    pub(super) const LEAST_BITS: u32 = MIN_KEY_BITS;

    /// For states of `bits` bits, which are some bytes more than
    /// [`Widening::LEAST_BITS`].
    pub(super) fn new(bits: u32) -> Self {
        debug_assert!((bits - Self::LEAST_BITS).is_multiple_of(u8::BITS));
        Widening { low: Permutation::new(Self::LEAST_BITS), n_high: bits - Self::LEAST_BITS }
    }
}

impl Keys for Widening {
    fn bits(&self) -> u32 {
        Self::LEAST_BITS + self.n_high
    }

    #[inline(always)]
    fn permutation(&self) -> Option<Permutation> {
        (self.n_high == 0).then_some(self.low)
    }

    #[inline(always)]
    fn widened(&self, states: u64) -> Option<Self> {
        // Twice, as a shift by 64 is none.
        if states >> 1 >> (self.bits() - 1) == 0 {
            return None;
        }
        let bits = u64::BITS - states.leading_zeros();
        Some(Widening::new(bits.next_multiple_of(u8::BITS)))
    }

    #[inline(always)]
    fn key(&self, state: u64) -> u64 {
        if self.n_high == 0 {
            return self.low.key(state);
        }
        let high = (state >> Self::LEAST_BITS).swap_bytes();
        self.low.key(state) << self.n_high | high >> (64 - self.n_high)
    }

    #[inline(always)]
    fn state(&self, key: u64) -> u64 {
        let high = key & ((1 << self.n_high) - 1);
        let high = (high << 1 << (63 - self.n_high)).swap_bytes();
        self.low.state(key >> self.n_high) | high << Self::LEAST_BITS
    }
}

/// What stands in a slot for a key in its home line. In the lines after that, it
/// is one more each.
#[inline(always)]
fn slot_at_home(remainder: u64) -> u64 {
    remainder << AWAY_BITS | 1
}

/// Where keys go in a table of `m << k` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    key_bits: u32,
    k: u32,
    /// 4 or 6.
    m: u64,
    /// Bits of a key below the `k + SPREAD_BITS` ones that choose its line.
    low_bits: u32,
    /// The reciprocal of `m` with 16 binary places, rounded up.
    reciprocal: u64,
    /// Slots of four bytes instead of eight.
    pub(super) is_narrow: bool,
}

impl Shape {
    pub(super) fn new(key_bits: u32, k: u32, m: u64, is_narrow: bool) -> Shape {
        let low_bits = key_bits - k - SPREAD_BITS;
        Shape { key_bits, k, m, low_bits, reciprocal: (1 << 16) / m + 1, is_narrow }
    }

    pub(super) fn n_lines(&self) -> usize {
        (self.m as usize) << self.k
    }

    /// The home line of a key: its high bits, scaled to the number of lines.
    #[inline(always)]
    pub(super) fn line(&self, key: u64) -> usize {
        (((key >> self.low_bits) * self.m) >> SPREAD_BITS) as usize
    }

    /// The home line of a key, and its remainder there: by how much it exceeds
    /// the line's least key.
    ///
    /// Scaling leaves a fraction below the line, of `SPREAD_BITS` bits. It grows
    /// by `m` from one value of the high bits to the next, so that divided by
    /// `m` it counts them from the first of the line. Division is by a
    /// reciprocal, which is exact for numbers so small.
    ///
    #[inline(always)]
    pub(super) fn split(&self, key: u64) -> (usize, u64) {
        let scaled = (key >> self.low_bits) * self.m;
        let fraction = scaled & ((1 << SPREAD_BITS) - 1);
        let high = (fraction * self.reciprocal) >> 16;
        let low = key & ((1 << self.low_bits) - 1);
        ((scaled >> SPREAD_BITS) as usize, high << self.low_bits | low)
    }

    /// How narrow slots split a key where that is just a cut: where the number of lines is
    /// a power of two.
    #[inline(always)]
    pub(super) fn cut(&self) -> Option<Cut> {
        let n_rest = self.low_bits + SPREAD_BITS - 2;
        (self.is_narrow && self.m == 4).then_some(Cut { n_rest, rest: (1 << n_rest) - 1 })
    }

    /// Where to look for a key: its home line and what stands in its slot there,
    /// worked out once, when the line is asked for, if both fit a word. Otherwise
    /// it is the key. Worth nothing in another shape.
    #[inline(always)]
    pub(super) fn ticket(&self, key: u64) -> u64 {
        if !self.is_narrow {
            return key;
        }
        if let Some(cut) = self.cut() {
            return cut.ticket(key);
        }
        let (home, remainder) = self.split(key);
        (home as u64) << 32 | slot_at_home(remainder)
    }

    /// The home line that a ticket is for.
    #[inline(always)]
    pub(super) fn home(&self, ticket: u64) -> usize {
        if self.is_narrow { (ticket >> 32) as usize } else { self.line(ticket) }
    }

    /// The home line that a ticket is for, and what stands in a slot there.
    #[inline(always)]
    pub(super) fn home_and_slot(&self, ticket: u64) -> (usize, u64) {
        if self.is_narrow {
            return ((ticket >> 32) as usize, ticket & u64::from(u32::MAX));
        }
        let (home, remainder) = self.split(ticket);
        (home, slot_at_home(remainder))
    }

    /// The least key of a line.
    #[inline(always)]
    pub(super) fn least_key(&self, line: usize) -> u64 {
        let scaled = (line as u64) << SPREAD_BITS;
        // Divisors that the compiler knows: this is done for every key when the
        // table grows.
        let high = if self.m == 4 { scaled / 4 } else { scaled.div_ceil(6) };
        high << self.low_bits
    }

    /// The key that stands in a slot of a line.
    #[inline(always)]
    pub(super) fn key(&self, line: usize, slot: u64) -> u64 {
        let away = (slot & ((1 << AWAY_BITS) - 1)) as usize - 1;
        self.least_key(line - away) + (slot >> AWAY_BITS)
    }

    /// Slots of a line.
    #[inline(always)]
    pub(super) fn line_len(&self) -> usize {
        if self.is_narrow { LINE } else { WIDE_LINE }
    }

    /// Number of slots, with those that are no key's home.
    pub(super) fn n_slots(&self) -> usize {
        (self.n_lines() + REACH) * self.line_len()
    }

    /// The number of a slot.
    #[inline(always)]
    pub(super) fn place(&self, line: usize, at: usize) -> usize {
        line * self.line_len() + at
    }

    /// The line of a slot, and where it is there.
    #[inline(always)]
    pub(super) fn line_of_place(&self, place: usize) -> (usize, usize) {
        match self.is_narrow {
            true => (place / LINE, place % LINE),
            false => (place / WIDE_LINE, place % WIDE_LINE),
        }
    }

    /// Bits of the largest remainder: a line takes at most a quarter of the
    /// values of the spread bits.
    #[cfg(test)]
    fn remainder_bits(&self) -> u32 {
        self.low_bits + SPREAD_BITS - 2
    }

    /// How many states the table takes before it must grow.
    pub(super) fn capacity(&self) -> usize {
        match self.is_narrow {
            true => self.n_lines() * LINE / 32 * 27,
            false => self.n_lines() * WIDE_LINE / 32 * 24,
        }
    }

    /// The next size.
    pub(super) fn grown(self) -> Shape {
        let doubles = !self.is_narrow || self.bytes() <= DOUBLE_UP_TO;
        let (k, m) = match self.m {
            _ if self.n_lines() <= QUADRUPLE_UP_TO => (self.k + 2, 4),
            4 if !doubles => (self.k, 6),
            _ => (self.k + 1, 4),
        };
        Shape::fitting(self.key_bits, k, m)
    }

    /// A size at which there is room for the same keys with `more` bits below each.
    pub(super) fn widened(self, more: u32) -> Shape {
        let mut wider = Shape::fitting(self.key_bits + more, self.k, self.m);
        while wider.capacity() < self.capacity() {
            wider = wider.grown();
        }
        wider
    }

    /// For at least so many lines. As soon as narrow slots can hold a remainder, or
    /// cost no more memory than wide ones, they are used; in a small table already
    /// when they cost twice as much.
    fn fitting(key_bits: u32, k: u32, m: u64) -> Shape {
        let wide = Shape::new(key_bits, k, m, false);
        let narrow_k =
            (key_bits + AWAY_BITS + SPREAD_BITS - 2).saturating_sub(u32::BITS + SPREAD_BITS);
        let least_narrow = Shape::new(key_bits, narrow_k, 4, true);
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

    pub(super) fn bytes(&self) -> usize {
        (self.n_lines() + REACH) * WIDE_LINE * 8
    }
}

/// Where narrow slots cut a key: a third of the instructions of [`Shape::split`].
#[derive(Clone, Copy)]
pub(super) struct Cut {
    n_rest: u32,
    /// As many bits.
    rest: u64,
}

impl Cut {
    /// As [`Shape::ticket`].
    #[inline(always)]
    pub(super) fn ticket(self, key: u64) -> u64 {
        (key >> self.n_rest) << 32 | slot_at_home(key & self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gives_its_state_back() {
        for bits in 1..=64 {
            let permutation = Permutation::new(bits);
            let mut x = 1u64;
            for _ in 0..500 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
                let state = x >> (64 - bits);
                let key = permutation.key(state);
                assert!(permutation.state(key) == state && key & !permutation.mask == 0);
            }
        }
    }

    #[test]
    fn keys_widen_by_shifting() {
        let mut x = 1u64;
        for _ in 0..500 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(12345);
            for bits in [40, 48, 56, 64] {
                let state = x >> (64 - bits);
                let key = Widening::new(bits).key(state);
                assert!(key.checked_shr(bits).unwrap_or(0) == 0);
                assert_eq!(Widening::new(bits).state(key), state);
                if bits < 64 {
                    assert_eq!(Widening::new(bits + 8).key(state), key << 8);
                }
            }
        }
    }

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
                    let ticket = shape.ticket(key);
                    assert_eq!(shape.home_and_slot(ticket), (line, slot_at_home(remainder)));
                    assert_eq!(shape.home(ticket), line);
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
}
