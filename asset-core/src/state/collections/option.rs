//! `Option` as a state variable: one more value than the type in it.

use super::super::{Layout, Shape, StateVar, VariantShape, number};

// SAFETY: the layout has the scalar that is written and read, and is not dense.
unsafe impl<T: StateVar> StateVar for Option<T> {
    const LAYOUT: Layout = match number::n_values::<T>() {
        Some(n) => number::scalar(n + 1),
        None if T::LAYOUT.too_large => Layout::EMPTY.unusable(T::LAYOUT.flaw),
        None => Layout::EMPTY.unusable(Some(
            "what is in an `Option` has at most 2^62 values: give its integers a `#[range]`",
        )),
    };
    const SHAPE: Shape = Shape::Variants(&[
        VariantShape { name: "None", fields: &[], layout: &Layout::EMPTY },
        VariantShape { name: "Some", fields: &[("", &T::SHAPE)], layout: &T::LAYOUT },
    ]);

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        let number = match self {
            None => 0,
            Some(value) => number::number(value).map_or(number::OUT_OF_RANGE, |n| n + 1),
        };
        number::write(number, &mut image[..const { Self::LAYOUT.size }]);
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        let number = number::read(&image[..const { Self::LAYOUT.size }]);
        number.checked_sub(1).map(number::value)
    }

    fn zero() -> Self {
        None
    }
}
