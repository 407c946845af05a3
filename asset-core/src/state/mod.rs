//! Packing: how a model's typed state variables become a few machine words.
//!
//! A state variable has a *lane image*: its bytes, one aligned lane per
//! scalar. A [`Layout`] describes the lanes and the values each may take, and
//! [`packing`] squeezes an image into as many bits as those values need.
//!
//! Invariant: nothing here knows about transitions, searches or storage.

pub mod collections;
mod halves;
mod layout;
pub mod number;
pub mod packing;
mod same;
mod scalar;
mod shape;
mod shown;
pub(crate) mod slot;

pub(crate) use halves::first_half;
pub use layout::{Lane, Layout, MAX_IMAGE_BYTES, MAX_LANES};
pub use same::same_bytes;
pub use shape::{Shape, VariantShape};
pub use shown::Shown;

/// A type that can be a state variable: finitely many values, known widths.
///
/// Implemented for `bool`, the integers and arrays; `#[derive(StateVar)]`
/// implements it for enums and structs. Write it by hand only if you must.
///
/// # Safety
///
/// The engine reads a variable through its lane image and builds it back from
/// one. Implementations guarantee that
///
/// - `LAYOUT` describes exactly the image that `write_image` writes and that
///   `read_image` reads;
/// - if `LAYOUT.dense` is true, the image is the value's memory: every byte of
///   the type is initialised and belongs to a lane at the same offset;
/// - `read_image` (and, for a dense type, reinterpreting the image) is sound
///   for every image whose lanes all hold legal values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a state variable",
    label = "this type does not implement `StateVar`",
    note = "an enum or a struct of your own needs `#[derive(StateVar)]`; outside of a model it needs \
            `#[derive(StateVar, Clone, Copy, PartialEq, Eq, Debug)]`, and `#[repr(u8)]` (an enum) or \
            `#[repr(C)]` (a struct)",
    note = "instead of a text, a collection of the standard library or a float, use an enum, a \
            `Queue`, `Bag`, `Set` or `Map` of the prelude, or an integer of fixed width such as \
            `u8`, best with a `#[range(..)]`"
)]
pub unsafe trait StateVar: Copy + Send + Sync + 'static {
    /// The lanes of this type's image.
    const LAYOUT: Layout;

    /// How values look to people, lane by lane.
    const SHAPE: Shape;

    /// Writes the lane image to the first `LAYOUT.size` bytes of `image`.
    fn write_image(&self, image: &mut [u8]);

    /// Builds a value from the first `LAYOUT.size` bytes of `image`.
    fn read_image(image: &[u8]) -> Self;

    /// As `write_image`, where the image of `old` stands in `image` already:
    /// what is the same in both need not be written.
    #[inline(always)]
    fn update_image(&self, old: &Self, image: &mut [u8]) {
        let _ = old;
        self.write_image(image);
    }

    /// As `read_image`, where this value is the one of `old_image`: what is the
    /// same in both images need not be read.
    #[inline(always)]
    fn update(&mut self, old_image: &[u8], image: &[u8]) {
        let _ = old_image;
        *self = Self::read_image(image);
    }

    /// The all-zero value, or the value nearest to it: the initial value of a
    /// variable to which no `#[init]` function gives another.
    fn zero() -> Self;
}
