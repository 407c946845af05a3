//! Types with few values, of which something can be kept for each.

use super::super::same::same_bytes;
use super::super::{Layout, Shape, StateVar};

/// The most values that a type can have of which a set or the keys of a map are made: a
/// state has no more scalars.
pub const MAX_KEYS: usize = 512;

/// A type with so few values that a set can keep a flag, or a map a value, for
/// each of them: [`number`](super::super::number) tells which is whose.
///
/// `#[derive(StateVar)]` implements it, and it is implemented for `bool`, `u8`, `i8`, and
/// options and tuples of such types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a set or be the key of a map",
    label = "its values cannot be counted one by one",
    note = "use `bool`, a type of your own that derives `StateVar`, or an option or a tuple of such; an \
            integer goes into one with its range, as in `struct Id(#[range(0..N)] u8);`"
)]
pub trait Finite: Sized + 'static {
    /// Number of values; 0 if there are more than [`MAX_KEYS`].
    const N_VALUES: usize;

    /// One `V` for each value, with lanes in the order of the values.
    type Each<V: StateVar>: StateVar;

    /// The same for each value.
    fn each<V: StateVar>(all: V) -> Self::Each<V>;

    /// What is kept for the value with this number.
    fn of<V: StateVar>(each: &Self::Each<V>, number: usize) -> &V;

    /// As [`Finite::of`].
    fn of_mut<V: StateVar>(each: &mut Self::Each<V>, number: usize) -> &mut V;
}

/// Number of values of a type that has `n_values`, as far as they can be counted.
pub const fn countable(n_values: u128) -> usize {
    if n_values <= MAX_KEYS as u128 { n_values as usize } else { 0 }
}

/// Implements `Finite` by an array.
macro_rules! finite {
    ($($ty:ty),*) => {$(
        impl Finite for $ty {
            const N_VALUES: usize = countable(<$ty>::LAYOUT.n_values());
            type Each<V: StateVar> = [V; countable(<$ty>::LAYOUT.n_values())];

            #[inline(always)]
            fn each<V: StateVar>(all: V) -> Self::Each<V> {
                [all; countable(<$ty>::LAYOUT.n_values())]
            }

            #[inline(always)]
            fn of<V: StateVar>(each: &Self::Each<V>, number: usize) -> &V {
                &each[number]
            }

            #[inline(always)]
            fn of_mut<V: StateVar>(each: &mut Self::Each<V>, number: usize) -> &mut V {
                &mut each[number]
            }
        }
    )*};
}

finite!(bool, u8, i8);

/// What is kept for `None`, and for each value of a type.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct WithNone<V, R>(V, R);

// SAFETY: the struct is `repr(C)`, and the layout is made of the fields' in their order;
// `finish` calls it dense only if it is the memory.
#[diagnostic::do_not_recommend]
unsafe impl<V: StateVar, R: StateVar> StateVar for WithNone<V, R> {
    const LAYOUT: Layout =
        Layout::EMPTY.append(V::LAYOUT).append(R::LAYOUT).finish(size_of::<Self>());
    // Nobody looks at it: it is part of sets and maps, which have shapes of their own.
    const SHAPE: Shape = Shape::Tuple(&[&V::SHAPE, &R::SHAPE]);

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        self.0.write_image(image);
        self.1.write_image(&mut image[const { V::LAYOUT.offset_of_next(&R::LAYOUT) }..]);
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        let rest = &image[const { V::LAYOUT.offset_of_next(&R::LAYOUT) }..];
        WithNone(V::read_image(image), R::read_image(rest))
    }

    #[inline(always)]
    fn update_image(&self, old: &Self, image: &mut [u8]) {
        if !same_bytes(self, old) {
            self.write_image(image);
        }
    }

    fn zero() -> Self {
        WithNone(V::zero(), R::zero())
    }
}

impl<T: Finite> Finite for Option<T> {
    const N_VALUES: usize =
        countable(if T::N_VALUES == 0 { u128::MAX } else { T::N_VALUES as u128 + 1 });
    type Each<V: StateVar> = WithNone<V, T::Each<V>>;

    #[inline(always)]
    fn each<V: StateVar>(all: V) -> Self::Each<V> {
        WithNone(all, T::each(all))
    }

    #[inline(always)]
    fn of<V: StateVar>(each: &Self::Each<V>, number: usize) -> &V {
        if number == 0 { &each.0 } else { T::of(&each.1, number - 1) }
    }

    #[inline(always)]
    fn of_mut<V: StateVar>(each: &mut Self::Each<V>, number: usize) -> &mut V {
        if number == 0 { &mut each.0 } else { T::of_mut(&mut each.1, number - 1) }
    }
}

/// Implements `Finite` for a tuple by arrays of arrays.
macro_rules! tuples {
    ($(($first:ident, $($rest:ident),+ => $tail:ty);)*) => {$(
        impl<$first: Finite, $($rest: Finite),+> Finite for ($first, $($rest),+) {
            const N_VALUES: usize = countable($first::N_VALUES as u128 $(* $rest::N_VALUES as u128)+);
            type Each<V: StateVar> = $first::Each<<$tail as Finite>::Each<V>>;

            #[inline(always)]
            fn each<V: StateVar>(all: V) -> Self::Each<V> {
                $first::each(<$tail>::each(all))
            }

            #[inline(always)]
            fn of<V: StateVar>(each: &Self::Each<V>, number: usize) -> &V {
                let n = const { 1 $(* $rest::N_VALUES)+ };
                <$tail>::of($first::of(each, number / n), number % n)
            }

            #[inline(always)]
            fn of_mut<V: StateVar>(each: &mut Self::Each<V>, number: usize) -> &mut V {
                let n = const { 1 $(* $rest::N_VALUES)+ };
                <$tail>::of_mut($first::of_mut(each, number / n), number % n)
            }
        }
    )*};
}

tuples! {
    (A, B => B);
    (A, B, C => (B, C));
    (A, B, C, D => (B, C, D));
}

/// Whether something is in a set: 0 or 1. What else it may be is not legal, and stands for
/// a member that is out of its range.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Flag(pub(super) u8);

impl Flag {
    pub(super) const OUT_OF_RANGE: Flag = Flag(2);
}

// SAFETY: its memory is its lane, and every byte is a value.
#[diagnostic::do_not_recommend]
unsafe impl StateVar for Flag {
    const LAYOUT: Layout = Layout::scalar(1, false, 0, 1, true);
    const SHAPE: Shape = Shape::Bool;

    #[inline(always)]
    fn write_image(&self, image: &mut [u8]) {
        image[0] = self.0;
    }

    #[inline(always)]
    fn read_image(image: &[u8]) -> Self {
        Flag(image[0])
    }

    #[inline(always)]
    fn zero() -> Self {
        Flag(0)
    }
}
