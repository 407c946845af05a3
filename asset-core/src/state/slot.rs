//! States in memory while they are expanded: one that is, and copies of it in
//! which transitions are fired.
//!
//! If a type is *dense*, its memory is its image, and both are handled in whole
//! words. If not, as with enums that have data, the image has to be made value
//! by value. Then only what differs is: a state from the one expanded before it,
//! and a successor from the state it was fired in.

use super::StateVar;
use super::packing::{MAX_IMAGE_WORDS, Packing};
use std::mem::MaybeUninit;

/// Room for a state, of whole words.
///
/// Invariant: it holds a state, and if the type is dense, the words that its
/// image takes are initialised, what follows the state included. Those last
/// bytes are padding: a slot is filled in place and never moved.
#[repr(C, align(8))]
pub struct Slot<S: StateVar>(MaybeUninit<S>);

impl<S: StateVar> Slot<S> {
    /// Writes two words of the image of a dense state, or the last one alone.
    #[inline(always)]
    fn fill(slot: &mut MaybeUninit<Self>, i: usize, two: [u64; 2]) {
        assert!(i < Packing::<S>::N_IMAGE_WORDS);
        let words = slot.as_mut_ptr().cast::<u64>();
        // SAFETY: a dense type's image is as long as the type, and a slot is the
        // next whole number of words.
        unsafe {
            if i + 1 < Packing::<S>::N_IMAGE_WORDS {
                write_two(words.add(i), two[0], two[1]);
            } else {
                words.add(i).write(two[0]);
            }
        }
    }

    /// A word of the image of a dense state.
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        // SAFETY: the words of the image are initialised by the invariant.
        unsafe { std::ptr::from_ref(self).cast::<u64>().add(i).read() }
    }

    /// The state.
    #[inline(always)]
    pub fn state(&self) -> &S {
        // SAFETY: by the invariant.
        unsafe { self.0.assume_init_ref() }
    }

    /// The state, to be changed.
    #[inline(always)]
    pub fn state_mut(&mut self) -> &mut S {
        // SAFETY: by the invariant. Who changes a dense state through this
        // writes initialised bytes, and none behind it.
        unsafe { self.0.assume_init_mut() }
    }
}

/// Writes two words at once: who reads both at once soon after need not wait until
/// they have come together in the cache.
///
/// # Safety
///
/// There is room for two words.
#[inline(always)]
unsafe fn write_two(words: *mut u64, low: u64, high: u64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_set_epi64x, _mm_storeu_si128};
        // SAFETY: SSE2 is part of x86-64, and the caller grants the room.
        unsafe { _mm_storeu_si128(words.cast(), _mm_set_epi64x(high as i64, low as i64)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the caller grants the room.
    unsafe {
        words.write(low);
        words.add(1).write(high);
    }
}

/// [`Parent::pack`].
type Pack<S> = fn(&Parent<S>, &Slot<S>, &mut [u64], bool) -> bool;

/// The state that is being expanded.
pub struct Parent<S: StateVar> {
    slot: MaybeUninit<Slot<S>>,
    /// Whether there is a state that is not dense.
    is_filled: bool,
    /// The image of a state that is not dense. If there is one, as many words are
    /// initialised as the image takes.
    image: [MaybeUninit<u64>; MAX_IMAGE_WORDS],
}

impl<S: StateVar> Default for Parent<S> {
    /// No state yet.
    #[inline(always)]
    fn default() -> Self {
        let image = [const { MaybeUninit::uninit() }; MAX_IMAGE_WORDS];
        Parent { slot: MaybeUninit::uninit(), is_filled: false, image }
    }
}

impl<S: StateVar> Parent<S> {
    /// Takes the state whose packed form stands in `packed`, or panics as
    /// [`Packing::unpack`] does.
    #[inline(always)]
    pub fn unpack(&mut self, packed: &[u64], fast: bool) -> &S {
        if let (Some(read), Some(update)) = (Packing::<S>::READ, Packing::<S>::UPDATE) {
            let image = Packing::<S>::unpack_image(packed, fast);
            if self.is_filled {
                // SAFETY: it has been filled, and with it the words of the image.
                let (slot, old_image) = unsafe {
                    let start = self.image.as_ptr().cast::<u8>();
                    let n = 8 * Packing::<S>::N_IMAGE_WORDS;
                    (self.slot.assume_init_mut(), std::slice::from_raw_parts(start, n))
                };
                update(slot.state_mut(), old_image, image.bytes());
            } else {
                self.slot.write(Slot(MaybeUninit::new(read(image.bytes()))));
            }
            for i in 0..Packing::<S>::N_IMAGE_WORDS {
                self.image[i].write(image.0[i]);
            }
            self.is_filled = true;
        } else {
            // Straight from registers: an image in memory would be read sixteen
            // bytes at a time right after eight of them were written.
            let slot = &mut self.slot;
            Packing::<S>::unpack_words(packed, fast, |i, two| Slot::fill(slot, i, two));
        }
        // SAFETY: it has just been filled.
        unsafe { self.slot.assume_init_ref() }.state()
    }

    /// Makes a state that is not dense the same as another one, from which the
    /// next one is expected to differ little.
    #[inline(always)]
    pub fn resemble(&mut self, other: &Parent<S>) {
        if other.is_filled {
            other.copy(&mut self.slot);
            for i in 0..Packing::<S>::N_IMAGE_WORDS {
                self.image[i] = other.image[i];
            }
            self.is_filled = true;
        }
    }

    /// Copies the state, in whole words. A state must have been taken.
    #[inline(always)]
    pub fn copy(&self, slot: &mut MaybeUninit<Slot<S>>) {
        let n = size_of::<Slot<S>>() / 8;
        let from = self.slot.as_ptr().cast::<MaybeUninit<u64>>();
        let to = slot.as_mut_ptr().cast::<MaybeUninit<u64>>();
        // SAFETY: two slots, of a whole number of words, that do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(from, to, n) };
    }

    /// Packs a copy of the state in which something was fired, as
    /// [`Packing::pack`] does.
    #[inline(always)]
    #[must_use]
    pub fn pack(&self, next: &Slot<S>, packed: &mut [u64], fast: bool) -> bool {
        if let Some(pack) = Self::PACK {
            return pack(self, next, packed, fast);
        }
        Packing::<S>::pack_image(|i| u64::from_le(next.word(i)), packed, fast)
    }

    /// How to pack where memory is no image. As a value, because a plain call would
    /// be compiled for every type, and for most of them in vain.
    const PACK: Option<Pack<S>> =
        if Packing::<S>::DIRECT { None } else { Some(Self::pack_updated) };

    /// Packs by way of the image of this state, in which what differs is written.
    #[inline(always)]
    fn pack_updated(&self, next: &Slot<S>, packed: &mut [u64], fast: bool) -> bool {
        debug_assert!(self.is_filled);
        let n = Packing::<S>::N_IMAGE_WORDS;
        let mut image = [const { MaybeUninit::<u64>::uninit() }; MAX_IMAGE_WORDS];
        let mut i = 0;
        while i < n {
            image[i] = self.image[i];
            i += 1;
        }
        // SAFETY: as many words as are viewed as bytes have been initialised,
        // and a state has been taken.
        let (bytes, old) = unsafe {
            let bytes = std::slice::from_raw_parts_mut(image.as_mut_ptr().cast::<u8>(), 8 * n);
            (bytes, self.slot.assume_init_ref().state())
        };
        next.state().update_image(old, bytes);
        // SAFETY: as above.
        let word = |i: usize| u64::from_le(unsafe { image[i].assume_init() });
        Packing::<S>::pack_image(word, packed, fast)
    }
}
