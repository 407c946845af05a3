//! One cache line, looked at as a whole: sixteen slots of four bytes, or eight
//! of eight.
//!
//! With SSE2, which every x86-64 has. A second form of the search for AVX2 and
//! BMI2, chosen at run time, had 9 % fewer instructions and was no faster.

/// Slots of a line of narrow slots.
pub const LINE: usize = 16;
/// Slots of a line of wide slots.
pub const WIDE_LINE: usize = 8;

#[cfg(target_arch = "x86_64")]
mod imp {
    use super::{LINE, WIDE_LINE};
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpeq_epi32, _mm_loadu_si128,
        _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32,
        _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_epi32,
    };

    /// Which slots hold `x`. Two halves of a slot are compared each for itself,
    /// as SSE2 can do no more, and a slot is equal if both are.
    #[inline(always)]
    pub fn wide_positions(line: &[u64; WIDE_LINE], x: u64) -> u32 {
        // SAFETY: SSE2 is part of x86-64, and the four unaligned loads of two
        // slots each stay within the eight of the line.
        unsafe {
            let x = _mm_set1_epi64x(x as i64);
            let slots = line.as_ptr().cast::<__m128i>();
            let c = [0, 1, 2, 3].map(|i| {
                let halves = _mm_cmpeq_epi32(_mm_loadu_si128(slots.add(i)), x);
                _mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves))
            });
            let packed = _mm_packs_epi16(_mm_packs_epi32(c[0], c[1]), _mm_packs_epi32(c[2], c[3]));
            _mm_movemask_epi8(packed) as u32
        }
    }

    /// Which bytes of four parts of a line are set where `slot & mask` is `x`.
    #[inline(always)]
    fn compare(line: &[u32; LINE], x: u32, mask: u32) -> [__m128i; 4] {
        // SAFETY: SSE2 is part of x86-64, and the four unaligned loads of four
        // slots each stay within the sixteen of the line.
        unsafe {
            let (x, mask) = (_mm_set1_epi32(x as i32), _mm_set1_epi32(mask as i32));
            let slots = line.as_ptr().cast::<__m128i>();
            [0, 1, 2, 3]
                .map(|i| _mm_cmpeq_epi32(_mm_and_si128(_mm_loadu_si128(slots.add(i)), mask), x))
        }
    }

    /// Which slots hold `x`, as bytes of four parts of a line, and which are empty,
    /// as a bit mask: two questions, one set of loads.
    #[inline(always)]
    fn same_and_empty(line: &[u32; LINE], x: u32) -> ([__m128i; 4], u32) {
        // SAFETY: SSE2 is part of x86-64, and the four unaligned loads of four
        // slots each stay within the sixteen of the line.
        unsafe {
            let x = _mm_set1_epi32(x as i32);
            let slots = line.as_ptr().cast::<__m128i>();
            let l = [0, 1, 2, 3].map(|i| _mm_loadu_si128(slots.add(i)));
            // Packing saturates: what is not zero stays so.
            let halves = (_mm_packs_epi32(l[0], l[1]), _mm_packs_epi32(l[2], l[3]));
            let bytes = _mm_packs_epi16(halves.0, halves.1);
            let empty = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
            (l.map(|l| _mm_cmpeq_epi32(l, x)), _mm_movemask_epi8(empty) as u32)
        }
    }

    #[inline(always)]
    pub fn contains_and_empty(line: &[u32; LINE], x: u32) -> (bool, u32) {
        let (c, empty) = same_and_empty(line, x);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let any = _mm_or_si128(_mm_or_si128(c[0], c[1]), _mm_or_si128(c[2], c[3]));
            (_mm_movemask_epi8(any) != 0, empty)
        }
    }

    #[inline(always)]
    pub fn positions_and_empty(line: &[u32; LINE], x: u32) -> (u32, u32) {
        let (c, empty) = same_and_empty(line, x);
        (mask(c), empty)
    }

    /// Four parts of a line as a bit mask.
    #[inline(always)]
    fn mask(c: [__m128i; 4]) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let halves = (_mm_packs_epi32(c[0], c[1]), _mm_packs_epi32(c[2], c[3]));
            _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32
        }
    }

    #[inline(always)]
    pub fn positions(line: &[u32; LINE], x: u32, id_mask: u32) -> u32 {
        mask(compare(line, x, id_mask))
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    use super::{LINE, WIDE_LINE};

    pub fn wide_positions(line: &[u64; WIDE_LINE], x: u64) -> u32 {
        let bits = |(i, &slot): (usize, &u64)| (u32::from(slot == x) * 3) << (2 * i);
        line.iter().enumerate().map(bits).sum()
    }

    pub fn contains_and_empty(line: &[u32; LINE], x: u32) -> (bool, u32) {
        (line.contains(&x), positions(line, 0, u32::MAX))
    }

    pub fn positions_and_empty(line: &[u32; LINE], x: u32) -> (u32, u32) {
        (positions(line, x, u32::MAX), positions(line, 0, u32::MAX))
    }

    pub fn positions(line: &[u32; LINE], x: u32, mask: u32) -> u32 {
        let bit = |(i, &slot): (usize, &u32)| u32::from(slot & mask == x) << i;
        line.iter().enumerate().map(bit).sum()
    }
}

/// Whether a slot of the line holds `x`, and which ones are empty, as a bit mask.
#[inline(always)]
pub fn contains_and_empty(line: &[u32; LINE], x: u32) -> (bool, u32) {
    imp::contains_and_empty(line, x)
}

/// Which slots of the line hold `x`, and which ones are empty, as bit masks.
#[inline(always)]
pub fn positions_and_empty(line: &[u32; LINE], x: u32) -> (u32, u32) {
    imp::positions_and_empty(line, x)
}

/// Which slots of the line hold `x`, as a bit mask.
#[inline(always)]
pub fn positions(line: &[u32; LINE], x: u32) -> u32 {
    imp::positions(line, x, u32::MAX)
}

/// Which slots of a line of wide slots hold `x`: two bits for each slot.
#[inline(always)]
pub fn wide_positions(line: &[u64; WIDE_LINE], x: u64) -> u32 {
    imp::wide_positions(line, x)
}

/// Which slots of the line that are not empty have the bits `tag` outside of
/// `id_mask`, as a bit mask.
#[inline(always)]
pub fn tagged(line: &[u32; LINE], tag: u32, id_mask: u32) -> u32 {
    let same = imp::positions(line, tag, !id_mask);
    // Only with an all-zero tag can an empty slot look like one that has it.
    if tag == 0 { same & !positions(line, 0) } else { same }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_found_where_they_are() {
        // What is not zero counts as such, wherever its bits are.
        let bits: [u32; 2 * LINE] = std::array::from_fn(|i| 1 << i);
        for half in [0, LINE] {
            let line = std::array::from_fn(|i| bits[half + i]);
            assert_eq!(contains_and_empty(&line, 1 << half), (true, 0));
        }
        let mut line = [0; LINE];
        for (i, slot) in line.iter_mut().enumerate().take(11) {
            *slot = (i as u32 % 3) << 20 | (i as u32 + 1);
        }
        for x in 0..30u32 {
            let expected: u32 = (0..LINE).map(|i| u32::from(line[i] == x) << i).sum();
            assert_eq!(positions(&line, x), expected);
            let empty: u32 = (0..LINE).map(|i| u32::from(line[i] == 0) << i).sum();
            assert_eq!(contains_and_empty(&line, x), (expected != 0, empty));
            assert_eq!(positions_and_empty(&line, x), (expected, empty));
        }
        let wide: [u64; WIDE_LINE] = std::array::from_fn(|i| (i as u64 % 3) << 32 | (i as u64 / 4));
        for x in (0..3).flat_map(|high| [high << 32, high << 32 | 1, high << 32 | 2]) {
            let expected: u32 =
                (0..WIDE_LINE).map(|i| (u32::from(wide[i] == x) * 3) << (2 * i)).sum();
            assert_eq!(wide_positions(&wide, x), expected);
        }
        for tag in 0..4u32 {
            let is = |i: &usize| line[*i] != 0 && line[*i] >> 20 == tag;
            let expected: u32 = (0..LINE).filter(is).map(|i| 1 << i).sum();
            assert_eq!(tagged(&line, tag << 20, (1 << 20) - 1), expected);
        }
    }
}
