//! Lane layouts, computed at compile time by the types of the state variables.

/// The largest image of a state, in bytes.
pub const MAX_IMAGE_BYTES: usize = 512;

/// The largest number of scalars in a state.
pub const MAX_LANES: usize = 512;

/// One scalar of an image: where it stands and which values it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Offset in the image, a multiple of `bytes`.
    pub offset: u16,
    /// Size in the image: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether the scalar is a signed integer.
    pub signed: bool,
    /// The smallest legal value.
    pub lo: i128,
    /// The largest legal value.
    pub hi: i128,
}

impl Lane {
    /// Number of bits that tell the legal values apart.
    pub const fn bits(&self) -> u32 {
        128 - (self.hi - self.lo).leading_zeros()
    }

    #[inline(always)]
    fn read(&self, image: &[u8]) -> u64 {
        let (mut x, mut i) = (0, 0);
        while i < self.bytes as usize {
            x |= (image[self.offset as usize + i] as u64) << (8 * i);
            i += 1;
        }
        x
    }

    /// The value of this scalar in an image.
    pub fn value(&self, image: &[u8]) -> i128 {
        let x = self.read(image);
        if self.signed {
            let unused = 64 - 8 * u32::from(self.bytes);
            i128::from((x << unused) as i64 >> unused)
        } else {
            i128::from(x)
        }
    }

    /// The largest difference of a value to the least, modulo 2^64.
    #[inline(always)]
    fn span(&self) -> u64 {
        (self.hi - self.lo) as u64
    }
}

/// The lanes of a type's image, in the order of declaration.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    lanes: [Lane; MAX_LANES],
    n_lanes: usize,
    /// Bytes of the image.
    pub size: usize,
    /// Alignment of the image, at most 8.
    pub align: usize,
    /// Whether the image is the value's memory.
    pub dense: bool,
    /// Whether something did not fit and was left out. Such a layout can be
    /// asked about but not used, so that whoever knows the author's type can
    /// say so there.
    pub too_large: bool,
    /// Why something was left out, if it is not for its size; empty if that has been said.
    pub flaw: Option<&'static str>,
}

const NO_LANE: Lane = Lane { offset: 0, bytes: 1, signed: false, lo: 0, hi: 0 };

impl Layout {
    /// The layout of a type without any variable; start of a struct's layout.
    pub const EMPTY: Layout = Layout {
        lanes: [NO_LANE; MAX_LANES],
        n_lanes: 0,
        size: 0,
        align: 1,
        dense: true,
        too_large: false,
        flaw: None,
    };

    /// A single scalar of `bytes` bytes with the legal values `lo ..= hi`.
    pub const fn scalar(bytes: usize, signed: bool, lo: i128, hi: i128, dense: bool) -> Layout {
        assert!(lo <= hi, "a range must not be empty");
        let mut layout = Layout::EMPTY;
        layout.lanes[0] = Lane { offset: 0, bytes: bytes as u8, signed, lo, hi };
        layout.n_lanes = 1;
        layout.size = bytes;
        layout.align = bytes;
        layout.dense = dense;
        layout
    }

    /// `n` copies side by side: the image of an array.
    pub const fn array(element: Layout, n: usize) -> Layout {
        let mut layout = Layout::EMPTY;
        layout.align = element.align;
        let mut i = 0;
        while i < n {
            layout = layout.append(element);
            i += 1;
        }
        layout.dense = element.dense && !layout.too_large;
        layout
    }

    /// This layout with something left out of it, and why if it is not for its size.
    pub const fn unusable(mut self, flaw: Option<&'static str>) -> Layout {
        self.too_large = true;
        self.dense = false;
        self.flaw = flaw;
        self
    }

    /// Offset at which a field of layout `field` goes after the fields so far.
    pub const fn offset_of_next(&self, field: &Layout) -> usize {
        self.size.div_ceil(field.align) * field.align
    }

    /// This struct layout with one more field. A gap makes it not dense.
    pub const fn append(mut self, field: Layout) -> Layout {
        let offset = self.offset_of_next(&field);
        let fits =
            offset + field.size <= MAX_IMAGE_BYTES && self.n_lanes + field.n_lanes <= MAX_LANES;
        self.too_large = self.too_large || field.too_large || !fits;
        if self.flaw.is_none() {
            self.flaw = field.flaw;
        }
        if !fits {
            self.dense = false;
            return self;
        }
        self.dense = self.dense && field.dense && offset == self.size;
        let mut i = 0;
        while i < field.n_lanes {
            let mut lane = field.lanes[i];
            lane.offset += offset as u16;
            self.lanes[self.n_lanes + i] = lane;
            i += 1;
        }
        self.n_lanes += field.n_lanes;
        self.size = offset + field.size;
        if field.align > self.align {
            self.align = field.align;
        }
        self
    }

    /// Ends a struct of `memory_size` bytes: the image is padded to its
    /// alignment, and it is dense only if it is exactly the struct's memory.
    pub const fn finish(mut self, memory_size: usize) -> Layout {
        let padded = self.size.div_ceil(self.align) * self.align;
        self.dense = self.dense && padded == self.size && memory_size == self.size;
        self.size = padded;
        self
    }

    /// This layout with the legal values of every scalar cut to `lo ..= hi`.
    pub const fn ranged(mut self, lo: i128, hi: i128) -> Layout {
        assert!(lo <= hi, "a range must not be empty");
        let mut i = 0;
        while i < self.n_lanes {
            let lane = &mut self.lanes[i];
            assert!(lane.lo <= lo && hi <= lane.hi, "the range does not fit its integer type");
            lane.lo = lo;
            lane.hi = hi;
            i += 1;
        }
        self
    }

    /// The lanes, in the order of declaration.
    ///
    /// # Panics
    ///
    /// If it is too large.
    pub const fn lanes(&self) -> &[Lane] {
        assert!(!self.too_large, "a state has at most 512 scalars and 512 bytes");
        self.lanes_that_fit()
    }

    /// The lanes, without asking whether there should be more.
    pub(crate) const fn lanes_that_fit(&self) -> &[Lane] {
        self.lanes.split_at(self.n_lanes).0
    }

    /// Number of bits of the packed form.
    pub const fn bits(&self) -> u32 {
        let mut bits = 0;
        let mut i = 0;
        while i < self.n_lanes {
            bits += self.lanes[i].bits();
            i += 1;
        }
        bits
    }

    /// Number of 64-bit words of the packed form, at least 1.
    pub const fn words(&self) -> usize {
        let words = self.bits().div_ceil(64) as usize;
        if words == 0 { 1 } else { words }
    }

    /// Number of values, if it can be counted: the product over the lanes.
    pub const fn n_values(&self) -> u128 {
        if self.too_large {
            return u128::MAX;
        }
        let mut n: u128 = 1;
        let mut i = 0;
        while i < self.n_lanes {
            let span = (self.lanes[i].hi - self.lanes[i].lo) as u128 + 1;
            n = n.saturating_mul(span);
            i += 1;
        }
        n
    }

    /// The first lane of an image that holds no legal value: its position and
    /// what it holds.
    pub fn out_of_range(&self, image: &[u8]) -> Option<(usize, i128)> {
        let mut lanes = self.lanes().iter().map(|lane| (lane, lane.value(image)));
        let is_wrong = |(lane, value): (&Lane, i128)| value < lane.lo || value > lane.hi;
        let position = lanes.position(is_wrong)?;
        Some((position, self.lanes[position].value(image)))
    }

    /// The values of the lanes in a packed state. The packed form is the lanes
    /// one after the other, each as its difference to the least legal value.
    pub fn lane_values<'p>(&'p self, packed: &'p [u64]) -> impl Iterator<Item = i128> + 'p {
        let mut at = 0;
        self.lanes().iter().map(move |lane| {
            let (word, shift, width) = (at / 64, at % 64, lane.bits() as usize);
            at += width;
            if width == 0 {
                return lane.lo;
            }
            let mut bits = u128::from(packed[word]) >> shift;
            if shift + width > 64 {
                bits |= u128::from(packed[word + 1]) << (64 - shift);
            }
            lane.lo + (bits & (u128::MAX >> (128 - width))) as i128
        })
    }

    /// The number of the value whose image this is among all values of this
    /// layout, or `None` if a scalar is out of its range. Plain loops, as this is
    /// on the hot path of enums with data. Only for layouts with
    /// at most 2^62 values, as [`Self::write_numbered`].
    #[inline(always)]
    pub fn number(&self, image: &[u8]) -> Option<u64> {
        let (mut number, mut i) = (0, 0);
        while i < self.n_lanes {
            let lane = &self.lanes[i];
            let unused = 64 - 8 * lane.bytes as u32;
            let value = lane.read(image).wrapping_sub(lane.lo as u64) << unused >> unused;
            if value > lane.span() {
                return None;
            }
            number = number * (lane.span() + 1) + value;
            i += 1;
        }
        Some(number)
    }

    /// Writes the image that has this number among all values of this layout.
    #[inline(always)]
    pub fn write_numbered(&self, mut number: u64, image: &mut [u8]) {
        let mut i = self.n_lanes;
        while i > 0 {
            i -= 1;
            let lane = &self.lanes[i];
            let value = (number % (lane.span() + 1)).wrapping_add(lane.lo as u64);
            number /= lane.span() + 1;
            let mut byte = 0;
            while byte < lane.bytes as usize {
                image[lane.offset as usize + byte] = (value >> (8 * byte)) as u8;
                byte += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::StateVar;

    #[test]
    fn what_does_not_fit_is_known() {
        let fits = <[u64; 64]>::LAYOUT;
        assert!(!fits.too_large && fits.lanes().len() == 64);
        for layout in [<[u64; 65]>::LAYOUT, <[u8; 513]>::LAYOUT, Layout::array(fits, 2)] {
            assert!(layout.too_large && !layout.dense);
            assert!(Layout::EMPTY.append(layout).too_large);
            assert_eq!(layout.n_values(), u128::MAX);
        }
    }

    #[test]
    #[should_panic(expected = "at most 512 scalars")]
    fn what_does_not_fit_cannot_be_used() {
        let _ = <[u64; 65]>::LAYOUT.lanes();
    }
}
