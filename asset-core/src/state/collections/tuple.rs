//! Tuples as state variables: as structs whose fields have no names.

use super::super::same::same_bytes;
use super::super::{Layout, Shape, StateVar};

/// The layout of these fields. It is not dense: where they are in memory is the compiler's
/// choice.
const fn layout(fields: &[Layout]) -> Layout {
    let (mut layout, mut i) = (Layout::EMPTY, 0);
    while i < fields.len() {
        layout = layout.append(fields[i]);
        i += 1;
    }
    layout.finish(usize::MAX)
}

macro_rules! tuples {
    ($(($($name:ident $position:tt),+);)*) => {$(
        // SAFETY: what is written and read are the fields' images at the offsets of
        // their lanes, and the layout is not dense.
        unsafe impl<$($name: StateVar),+> StateVar for ($($name,)+) {
            const LAYOUT: Layout = layout(&[$($name::LAYOUT),+]);
            const SHAPE: Shape = Shape::Tuple(&[$(&$name::SHAPE),+]);

            #[inline(always)]
            fn write_image(&self, image: &mut [u8]) {
                let mut at = 0;
                $(
                    at = usize::next_multiple_of(at, const { $name::LAYOUT.align });
                    self.$position.write_image(&mut image[at..]);
                    at += const { $name::LAYOUT.size };
                )+
                let _ = at;
            }

            #[inline(always)]
            fn read_image(image: &[u8]) -> Self {
                let mut at = 0;
                let tuple = ($({
                    at = usize::next_multiple_of(at, const { $name::LAYOUT.align });
                    at += const { $name::LAYOUT.size };
                    $name::read_image(&image[at - const { $name::LAYOUT.size }..])
                },)+);
                let _ = at;
                tuple
            }

            #[inline(always)]
            fn update_image(&self, old: &Self, image: &mut [u8]) {
                if !same_bytes(self, old) {
                    self.write_image(image);
                }
            }

            fn zero() -> Self {
                ($($name::zero(),)+)
            }
        }
    )*};
}

tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}
