//! State variables of the language itself: `bool`, the integers, arrays.

use super::{Layout, Shape, StateVar};

// SAFETY: a `bool` is one initialised byte that holds 0 or 1, and images hold
// only values that were written, so reading it back yields a valid `bool`.
unsafe impl StateVar for bool {
    const LAYOUT: Layout = Layout::scalar(1, false, 0, 1, true);
    const SHAPE: Shape = Shape::Bool;

    fn write_image(&self, image: &mut [u8]) {
        image[0] = u8::from(*self);
    }

    fn read_image(image: &[u8]) -> Self {
        image[0] != 0
    }

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

            fn write_image(&self, image: &mut [u8]) {
                image[..size_of::<$integer>()].copy_from_slice(&self.to_le_bytes());
            }

            fn read_image(image: &[u8]) -> Self {
                let mut bytes = [0; size_of::<$integer>()];
                bytes.copy_from_slice(&image[..size_of::<$integer>()]);
                <$integer>::from_le_bytes(bytes)
            }

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

    fn write_image(&self, image: &mut [u8]) {
        for (element, part) in self.iter().zip(image.chunks_mut(T::LAYOUT.size.max(1))) {
            element.write_image(part);
        }
    }

    fn read_image(image: &[u8]) -> Self {
        std::array::from_fn(|i| T::read_image(&image[i * T::LAYOUT.size..]))
    }

    fn zero() -> Self {
        [T::zero(); N]
    }
}
