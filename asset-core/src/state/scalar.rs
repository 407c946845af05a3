//! State variables of the language itself: `bool`, the integers, arrays.

use super::same::{same_bytes, same_image};
use super::{Layout, Shape, StateVar};

// SAFETY: a `bool` is one initialised byte that holds 0 or 1, and images hold
// only values that were written, so reading it back yields a valid `bool`.
unsafe impl StateVar for bool {
    const LAYOUT: Layout = Layout::scalar(1, false, 0, 1, true);
    const SHAPE: Shape = Shape::Bool;

    #[inline]
    fn write_image(&self, image: &mut [u8]) {
        image[0] = u8::from(*self);
    }

    #[inline]
    fn read_image(image: &[u8]) -> Self {
        image[0] != 0
    }

    #[inline]
    fn zero() -> Self {
        false
    }
}

macro_rules! integer {
    ($($integer:ty),*) => {$(
        // SAFETY: an integer's memory is its lane, and every bit pattern is a
        // value; images are little-endian only where memory is (see `packing`).
        unsafe impl StateVar for $integer {
            const LAYOUT: Layout = Layout::scalar(
                size_of::<$integer>(),
                <$integer>::MIN != 0,
                <$integer>::MIN as i128,
                <$integer>::MAX as i128,
                true,
            );
            const SHAPE: Shape = Shape::Int;

            #[inline]
            fn write_image(&self, image: &mut [u8]) {
                *image.first_chunk_mut().expect("room for the lane") = self.to_le_bytes();
            }

            #[inline]
            fn read_image(image: &[u8]) -> Self {
                <$integer>::from_le_bytes(*image.first_chunk().expect("a whole lane"))
            }

            #[inline]
            fn zero() -> Self {
                0
            }
        }
    )*};
}

integer!(u8, u16, u32, u64, i8, i16, i32, i64);

// SAFETY: an array's memory is its elements' without gaps, and an image of an
// array is made of its elements' images at multiples of their size.
unsafe impl<T: StateVar, const N: usize> StateVar for [T; N] {
    const LAYOUT: Layout = Layout::array(T::LAYOUT, N);
    const SHAPE: Shape = Shape::List(&T::SHAPE, N);

    // Plain loops: iterators would be compiled apart and called for each element.

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        let mut i = 0;
        while i < N {
            self[i].write_image(&mut image[i * T::LAYOUT.size..]);
            i += 1;
        }
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        let mut array = [T::zero(); N];
        let mut i = 0;
        while i < N {
            array[i] = T::read_image(&image[i * T::LAYOUT.size..]);
            i += 1;
        }
        array
    }

    #[inline(always)]
    fn update_image(&self, old: &Self, image: &mut [u8]) {
        let mut i = 0;
        while i < N {
            if !same_bytes(&self[i], &old[i]) {
                self[i].update_image(&old[i], &mut image[i * T::LAYOUT.size..]);
            }
            i += 1;
        }
    }

    #[inline(always)]
    fn update(&mut self, old_image: &[u8], image: &[u8]) {
        let mut i = 0;
        while i < N {
            let (old, new) = (&old_image[i * T::LAYOUT.size..], &image[i * T::LAYOUT.size..]);
            if !same_image(old, new, T::LAYOUT.size) {
                self[i].update(old, new);
            }
            i += 1;
        }
    }

    #[inline]
    fn zero() -> Self {
        [T::zero(); N]
    }
}
