//! The values of a type, numbered: each by its scalars, of which the last counts fastest.
//!
//! Collections hold numbers in their images and not values: the number of a value takes
//! as many bits as there are values, and what a collection holds is a number again.

use super::layout::MAX_IMAGE_BYTES;
use super::{Layout, StateVar};

/// The most values that something in a collection can have, and the most contents that
/// one scalar of a collection tells apart.
pub const MAX_NUMBERED: u128 = 1 << 62;

/// Number of values of a type, if it can be numbered.
pub const fn n_values<T: StateVar>() -> Option<u64> {
    let n = T::LAYOUT.n_values();
    if n <= MAX_NUMBERED { Some(n as u64) } else { None }
}

/// The number of a value, or `None` if one of its scalars is out of its range.
#[inline(always)]
pub fn number<T: StateVar>(value: &T) -> Option<u64> {
    let layout = const { &T::LAYOUT };
    // Only as much is cleared as is likely to be needed.
    if const { T::LAYOUT.size } <= 8 {
        let mut image = [0; 8];
        value.write_image(&mut image[..const { T::LAYOUT.size }]);
        return layout.number(&image);
    }
    let mut image = [0; MAX_IMAGE_BYTES];
    value.write_image(&mut image[..const { T::LAYOUT.size }]);
    layout.number(&image)
}

/// The value with this number.
///
/// # Panics
///
/// If there is none.
#[inline(always)]
pub fn value<T: StateVar>(number: u64) -> T {
    assert!(u128::from(number) < const { T::LAYOUT.n_values() }, "no value has this number");
    let layout = const { &T::LAYOUT };
    if const { T::LAYOUT.size } <= 8 {
        let mut image = [0; 8];
        layout.write_numbered(number, &mut image);
        return T::read_image(&image[..const { T::LAYOUT.size }]);
    }
    let mut image = [0; MAX_IMAGE_BYTES];
    layout.write_numbered(number, &mut image);
    T::read_image(&image[..const { T::LAYOUT.size }])
}

/// Stands in a scalar for contents that are too many: more than all its legal values.
pub const TOO_MANY: u64 = u64::MAX;
/// Stands in a scalar for contents of which one is out of its range.
pub const OUT_OF_RANGE: u64 = u64::MAX - 1;

/// Bytes of a scalar with so many values, and with room for the two that are none.
pub const fn bytes_for(n_values: u64) -> usize {
    if n_values < 1 << 8 {
        1
    } else if n_values < 1 << 16 {
        2
    } else if n_values < 1 << 32 {
        4
    } else {
        8
    }
}

/// The layout of a scalar that holds one of so many numbers.
pub const fn scalar(n_values: u64) -> Layout {
    // One more, as two numbers must be left that are not legal.
    Layout::scalar(bytes_for(n_values + 1), false, 0, n_values as i128 - 1, false)
}

/// Writes a number to a scalar of so many bytes.
#[inline(always)]
pub fn write(number: u64, image: &mut [u8]) {
    let mut i = 0;
    while i < image.len() {
        image[i] = (number >> (8 * i)) as u8;
        i += 1;
    }
}

/// Reads a number from a scalar of so many bytes.
#[inline(always)]
pub fn read(image: &[u8]) -> u64 {
    let (mut number, mut i) = (0, 0);
    while i < image.len() {
        number |= u64::from(image[i]) << (8 * i);
        i += 1;
    }
    number
}

/// What an illegal number in a scalar of this layout stands for.
pub fn is_too_many(value: i128, bytes: u8) -> bool {
    value as u64 == TOO_MANY >> (64 - 8 * u32::from(bytes))
}
