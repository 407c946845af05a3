//! From a typed state to its packed words and back, by a plan made at compile
//! time: eight bytes of the image at a time, one gather each.

use super::StateVar;
use super::layout::{Layout, MAX_IMAGE_BYTES};
use crate::memory::bits;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

pub use crate::memory::bits::fast;

pub(super) const MAX_IMAGE_WORDS: usize = MAX_IMAGE_BYTES / 8;
/// Words of the largest packed state: it is no longer than its image.
pub const MAX_WORDS: usize = MAX_IMAGE_WORDS;

/// What to do with eight bytes of an image. Lanes never straddle such words.
#[derive(Clone, Copy)]
struct WordPlan {
    /// The bits that are kept, after `lo` has been subtracted lane by lane.
    mask: u64,
    /// The least legal value of every lane.
    lo: u64,
    /// What to add to the low bits of a lane so that its top bit tells
    /// "larger than legal".
    excess: u64,
    /// The top bit of every lane.
    top: u64,
    /// The top bit of every lane whose largest legal value has it set.
    wide: u64,
    /// How many bits are kept.
    width: u32,
    /// Where the kept bits go in the packed form.
    at: u32,
}

/// The whole plan of a layout. Built in a `const`.
struct Plan {
    words: [WordPlan; MAX_IMAGE_WORDS],
    n_words: usize,
}

impl Plan {
    const fn new(layout: &Layout) -> Plan {
        let idle = WordPlan { mask: 0, lo: 0, excess: 0, top: 0, wide: 0, width: 0, at: 0 };
        let mut plan = Plan { words: [idle; MAX_IMAGE_WORDS], n_words: layout.size.div_ceil(8) };
        let lanes = layout.lanes();
        let mut i = 0;
        while i < lanes.len() {
            let lane = lanes[i];
            let word = &mut plan.words[lane.offset as usize / 8];
            let shift = (lane.offset as u32 % 8) * 8;
            let width = lane.bytes as u32 * 8;
            let ones = u64::MAX >> (64 - width);
            let top = 1u64 << (width - 1);
            let span = (lane.hi - lane.lo) as u64;
            let kept = if lane.bits() == 0 { 0 } else { u64::MAX >> (64 - lane.bits()) };
            word.mask |= kept << shift;
            word.lo |= (lane.lo as u64 & ones) << shift;
            word.excess |= ((top - 1) - (span & (top - 1))) << shift;
            word.top |= top << shift;
            word.wide |= (span & top) << shift;
            i += 1;
        }
        let mut at = 0;
        let mut i = 0;
        while i < plan.n_words {
            plan.words[i].at = at;
            plan.words[i].width = plan.words[i].mask.count_ones();
            at += plan.words[i].width;
            i += 1;
        }
        plan
    }

    /// Packs an image, of which `image_word` gives eight bytes at a time. False
    /// if some lane is out of its range.
    #[inline(always)]
    fn pack(
        &self,
        image_word: impl Fn(usize) -> u64,
        packed: &mut [u64],
        gather: impl Fn(u64, u64) -> u64,
    ) -> bool {
        let mut bad = 0;
        let (mut word, mut filled, mut n) = (0u64, 0u32, 0usize);
        for i in 0..self.n_words {
            let plan = &self.words[i];
            let x = plan.subtract_lo(image_word(i));
            bad |= plan.too_large(x);
            let kept = gather(x, plan.mask);
            if plan.width == 0 {
                continue;
            }
            word |= kept << filled;
            if filled + plan.width >= 64 {
                packed[n] = word;
                n += 1;
                word = if filled == 0 { 0 } else { kept >> (64 - filled) };
                filled = filled + plan.width - 64;
            } else {
                filled += plan.width;
            }
        }
        if n < packed.len() {
            packed[n] = word;
        }
        bad == 0
    }

    /// Gives the image of a packed state to `put`, two words at a time with the
    /// position of the first; the last one may be alone, with a zero beside it.
    /// Panics then if the words are no packed state.
    #[inline(always)]
    fn unpack(
        &self,
        packed: &[u64],
        scatter: impl Fn(u64, u64) -> u64 + Copy,
        mut put: impl FnMut(usize, [u64; 2]),
    ) {
        let (mut bad, mut i) = (0, 0);
        // With iterators instead, the plan is read at run time: half as fast.
        while i < self.n_words {
            let first = self.words[i].unpack(packed, scatter, &mut bad);
            let second = match i + 1 < self.n_words {
                true => self.words[i + 1].unpack(packed, scatter, &mut bad),
                false => 0,
            };
            put(i, [first, second]);
            i += 2;
        }
        assert!(bad == 0, "these words are not a packed state of this model");
    }
}

impl WordPlan {
    /// One word of the image of a packed state. Adds a bit to `bad` if it is none.
    #[inline(always)]
    fn unpack(&self, packed: &[u64], scatter: impl Fn(u64, u64) -> u64, bad: &mut u64) -> u64 {
        let (at, shift) = (self.at as usize / 64, self.at % 64);
        let mut kept = if self.width == 0 { 0 } else { packed[at] >> shift };
        if shift + self.width > 64 {
            kept |= packed[at + 1] << (64 - shift);
        }
        let x = scatter(kept, self.mask);
        *bad |= self.too_large(x);
        self.add_lo(x).to_le()
    }

    /// Lane-wise `x - lo`.
    #[inline(always)]
    const fn subtract_lo(&self, x: u64) -> u64 {
        if self.lo == 0 {
            return x;
        }
        ((x | self.top) - (self.lo & !self.top)) ^ ((x ^ !self.lo) & self.top)
    }

    /// Lane-wise `x + lo`.
    #[inline(always)]
    const fn add_lo(&self, x: u64) -> u64 {
        if self.lo == 0 {
            return x;
        }
        ((x & !self.top) + (self.lo & !self.top)) ^ ((x ^ self.lo) & self.top)
    }

    /// Non-zero iff some lane of `x`, a difference to `lo`, is too large.
    #[inline(always)]
    const fn too_large(&self, x: u64) -> u64 {
        if self.wide == 0 {
            // A carry into the next lane comes only from a lane whose top bit
            // is set, and such a lane is too large here.
            return (x.wrapping_add(self.excess) | x) & self.top;
        }
        let low_exceeds = (x & !self.top).wrapping_add(self.excess);
        ((low_exceeds | x) & self.top & !self.wide) | (low_exceeds & x & self.wide)
    }
}

/// [`StateVar::update`].
type Update<S> = fn(&mut S, &[u8], &[u8]);

/// [`Packing::pack`].
type Pack<S> = fn(&S, &mut [u64], bool) -> bool;

/// Packs and unpacks states of type `S`.
pub struct Packing<S>(PhantomData<S>);

impl<S: StateVar> Packing<S> {
    const PLAN: Plan = Plan::new(&S::LAYOUT);
    /// The value's memory serves as its image: no gaps, little-endian.
    pub(crate) const DIRECT: bool = S::LAYOUT.dense && cfg!(target_endian = "little");

    /// How to write an image where memory is none. As a value, because a plain
    /// call would be compiled for every type, and for most of them in vain.
    const WRITE: Option<fn(&S, &mut [u8])> = if Self::DIRECT { None } else { Some(S::write_image) };
    /// How to pack where memory is no image. As a value for the same reason.
    const PACK: Option<Pack<S>> = if Self::DIRECT { None } else { Some(Self::pack_written) };
    /// How to read an image where memory is none.
    pub(super) const READ: Option<fn(&[u8]) -> S> =
        if Self::DIRECT { None } else { Some(S::read_image) };
    /// How to read an image where another was read before.
    pub(super) const UPDATE: Option<Update<S>> = if Self::DIRECT { None } else { Some(S::update) };

    /// Words that an image takes.
    pub(super) const N_IMAGE_WORDS: usize = Self::PLAN.n_words;

    /// Number of words of a packed state.
    pub const WORDS: usize = S::LAYOUT.words();

    /// Writes the packed form of `state` to the first [`Self::WORDS`] words of
    /// `packed`. Returns false if some variable is out of its range; the words
    /// are then meaningless and [`Self::image`] tells which.
    #[inline(always)]
    #[must_use]
    pub fn pack(state: &S, packed: &mut [u64], fast: bool) -> bool {
        if let Some(pack) = Self::PACK {
            return pack(state, packed, fast);
        }
        let word = |i: usize| {
            let (start, rest) = (std::ptr::from_ref(state).cast::<u8>(), size_of::<S>() - 8 * i);
            // SAFETY: every byte of a dense value is initialised, and the read
            // stays within the value: the image is as long as it is.
            unsafe { read_le(start.add(8 * i), rest) }
        };
        Self::pack_image(word, packed, fast)
    }

    /// Packs a state by way of an image that is written for it.
    #[inline(always)]
    fn pack_written(state: &S, packed: &mut [u64], fast: bool) -> bool {
        // Only what the image takes is cleared, not room for the largest.
        let mut image = [const { MaybeUninit::<u64>::uninit() }; MAX_IMAGE_WORDS];
        let image = &mut image[..Self::PLAN.n_words];
        let mut i = 0;
        while i < image.len() {
            image[i] = MaybeUninit::new(0);
            i += 1;
        }
        // SAFETY: the words have just been initialised, bytes need no
        // alignment, and every pattern of them is a word.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(image.as_mut_ptr().cast::<u8>(), 8 * image.len())
        };
        state.write_image(bytes);
        // SAFETY: as above.
        let word = |i: usize| u64::from_le(unsafe { image[i].assume_init() });
        Self::pack_image(word, packed, fast)
    }

    /// Packs an image, of which `image_word` gives eight bytes at a time.
    #[inline(always)]
    pub(super) fn pack_image(
        image_word: impl Fn(usize) -> u64,
        packed: &mut [u64],
        fast: bool,
    ) -> bool {
        let packed = &mut packed[..Self::WORDS];
        #[cfg(target_arch = "x86_64")]
        if fast {
            // SAFETY: `fast` is what `bits::fast` returned.
            let gather = |x, mask| unsafe { bits::gather_fast(x, mask) };
            return Self::PLAN.pack(image_word, packed, gather);
        }
        let _ = fast;
        let mut image = [0; MAX_IMAGE_WORDS];
        for (i, word) in image.iter_mut().enumerate().take(Self::N_IMAGE_WORDS) {
            *word = image_word(i);
        }
        pack_portably(&Self::PLAN, &image, packed)
    }

    /// Builds the state whose packed form stands in `packed`.
    ///
    /// # Panics
    ///
    /// If the words are not the packed form of a state. The test costs two
    /// nanoseconds and makes every caller safe, whatever words it has.
    #[inline(always)]
    pub fn unpack(packed: &[u64], fast: bool) -> S {
        let image = Self::unpack_image(packed, fast);
        if let Some(read) = Self::READ {
            return read(image.bytes());
        }
        // SAFETY: a dense type's image is its memory, which is no longer than
        // the largest image, and every lane holds a legal value.
        unsafe { std::ptr::from_ref(&image).cast::<S>().read_unaligned() }
    }

    /// The image of the state whose packed form stands in `packed`.
    #[inline(always)]
    pub(super) fn unpack_image(packed: &[u64], fast: bool) -> Image {
        let mut image = Image([0; MAX_IMAGE_WORDS]);
        Self::unpack_words(packed, fast, |i, two| image.put(i, two));
        image
    }

    /// Gives the image of the state whose packed form stands in `packed` to `put`,
    /// as [`Plan::unpack`] does.
    #[inline(always)]
    pub(super) fn unpack_words(packed: &[u64], fast: bool, put: impl FnMut(usize, [u64; 2])) {
        let packed = &packed[..Self::WORDS];
        #[cfg(target_arch = "x86_64")]
        if fast {
            // SAFETY: `fast` is what `bits::fast` returned.
            let scatter = |x, mask| unsafe { bits::scatter_fast(x, mask) };
            return Self::PLAN.unpack(packed, scatter, put);
        }
        let _ = fast;
        unpack_portably(&Self::PLAN, packed, put);
    }

    /// The lane image of a state, for what is not on the hot path.
    #[cold]
    pub fn image(state: &S) -> Image {
        let mut image = Image([0; MAX_IMAGE_WORDS]);
        if let Some(write) = Self::WRITE {
            write(state, image.bytes_mut());
            return image;
        }
        // SAFETY: every byte of a dense value is initialised, and a dense value
        // is its image, which is no longer than the largest.
        let bytes = unsafe {
            std::slice::from_raw_parts(std::ptr::from_ref(state).cast::<u8>(), size_of::<S>())
        };
        image.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        image
    }
}

// For processors without the instructions: compiled once, not for every type.

#[cold]
#[inline(never)]
fn pack_portably(plan: &Plan, image: &[u64; MAX_IMAGE_WORDS], packed: &mut [u64]) -> bool {
    plan.pack(|i| image[i], packed, bits::gather)
}

/// What comes out is handed on in a loop of a few instructions.
#[inline(always)]
fn unpack_portably(plan: &Plan, packed: &[u64], mut put: impl FnMut(usize, [u64; 2])) {
    let image = portable_image(plan, packed);
    for i in (0..plan.n_words).step_by(2) {
        put(i, [image.0[i], image.0[i + 1]]);
    }
}

#[cold]
#[inline(never)]
fn portable_image(plan: &Plan, packed: &[u64]) -> Image {
    let mut image = Image([0; MAX_IMAGE_WORDS]);
    plan.unpack(packed, bits::scatter, |i, two| image.put(i, two));
    image
}

/// An image with room for the largest state, aligned for every lane. Its words
/// stand in the order of bytes in memory: little-endian.
#[repr(C, align(8))]
pub struct Image(pub(super) [u64; MAX_IMAGE_WORDS]);

impl Image {
    /// Writes two words.
    #[inline(always)]
    fn put(&mut self, i: usize, two: [u64; 2]) {
        self.0[i] = two[0];
        self.0[i + 1] = two[1];
    }

    /// The bytes of the image.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the words are initialised and bytes have no alignment.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), MAX_IMAGE_BYTES) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and every byte pattern is a valid word.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), MAX_IMAGE_BYTES) }
    }
}

/// Reads `min(rest, 8)` bytes as a little-endian number, in as few loads as
/// their number allows.
///
/// # Safety
///
/// `rest` bytes at `p` are readable and initialised.
#[inline(always)]
unsafe fn read_le(p: *const u8, rest: usize) -> u64 {
    let mut x = 0u64;
    // SAFETY: each load ends at most `rest` bytes behind `p`, by the caller's
    // grant.
    unsafe {
        if rest >= 8 {
            return u64::from_le(p.cast::<u64>().read_unaligned());
        }
        let mut done = 0;
        if rest & 4 != 0 {
            x = u64::from(u32::from_le(p.cast::<u32>().read_unaligned()));
            done = 4;
        }
        if rest & 2 != 0 {
            x |= u64::from(u16::from_le(p.add(done).cast::<u16>().read_unaligned())) << (8 * done);
            done += 2;
        }
        if rest & 1 != 0 {
            x |= u64::from(p.add(done).read()) << (8 * done);
        }
    }
    x
}

#[cfg(test)]
mod tests;
