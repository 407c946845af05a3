//! What generated code calls. Not for people: it changes with the macros.

pub use crate::machine::{Compiled, Family, Instance, Machine, Param};
pub use crate::model::{
    Access, Aspect, Check, CheckKind, CheckSet, Description, Fair, FairMark, Fault, Formula, Model,
    NeverWithout, NoTransition, NotUnderstood, Obligations, ParameterShape, Place, Properties,
    Proposition, PropositionParameter, Resolve, Shown, Space, StatedFormula, Step, Steps, Temporal,
    TransitionEnum, TransitionNumber, TransitionShape, fairness, transition_name,
};
pub use crate::state::collections::{Finite, countable};
pub use crate::state::{Layout, Shape, StateVar, VariantShape, same_bytes};
pub use asset_automata::Ltl;

use crate::state::number;
use std::borrow::Cow;
use std::fmt;

/// One compiled instance of a model's family, by its index.
pub trait InstanceOf<const INDEX: usize> {
    /// The instance behind its vtable.
    const MACHINE: &'static dyn Machine;
}

/// The layout of a struct, or of a variant's data, with its fields' offsets.
#[derive(Clone, Copy)]
pub struct Parts<const N: usize> {
    /// The layout.
    pub layout: Layout,
    /// Offsets of the fields.
    pub offsets: [usize; N],
}

impl<const N: usize> Parts<N> {
    /// The layout of these fields, in a struct of `memory_size` bytes.
    pub const fn of(fields: [Layout; N], memory_size: usize) -> Self {
        let mut layout = Layout::EMPTY;
        let mut offsets = [0; N];
        let mut i = 0;
        while i < N {
            offsets[i] = layout.offset_of_next(&fields[i]);
            layout = layout.append(fields[i]);
            i += 1;
        }
        // It has been said where the field is.
        if layout.flaw.is_some() {
            layout.flaw = Some("");
        }
        Parts { layout: layout.finish(memory_size), offsets }
    }
}

/// A type of which every scalar is an integer: what `#[range]` applies to.
#[diagnostic::on_unimplemented(
    message = "only integers and arrays of them take a `#[range]`, not `{Self}`",
    label = "not an integer",
    note = "remove the `#[range]`, or choose an integer type such as `u8`"
)]
pub trait Ranged: Copy {
    /// The least value of a scalar.
    const LEAST: i128;
    /// The largest value of a scalar.
    const LARGEST: i128;

    /// The value all of whose scalars are `value`, which fits.
    fn filled(value: i128) -> Self;
}

impl<T: Ranged, const N: usize> Ranged for [T; N] {
    const LEAST: i128 = T::LEAST;
    const LARGEST: i128 = T::LARGEST;

    fn filled(value: i128) -> Self {
        [T::filled(value); N]
    }
}

macro_rules! ranged {
    ($($integer:ty),*) => {$(
        impl Ranged for $integer {
            const LEAST: i128 = <$integer>::MIN as i128;
            const LARGEST: i128 = <$integer>::MAX as i128;

            fn filled(value: i128) -> Self {
                value as $integer
            }
        }
    )*};
}

ranged!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Arithmetic that neither overflows nor panics: where the author has made sure that
/// it has a value, it is this one, and elsewhere it does not matter.
pub trait Arithmetic: Copy {
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self / other`.
    fn div(self, other: Self) -> Self;
    /// `self % other`.
    fn rem(self, other: Self) -> Self;
}

macro_rules! arithmetic {
    ($($integer:ty),*) => {$(
        impl Arithmetic for $integer {
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            fn div(self, other: Self) -> Self {
                self.checked_div(other).unwrap_or(Self::MAX)
            }

            fn rem(self, other: Self) -> Self {
                self.checked_rem(other).unwrap_or(Self::MAX)
            }
        }
    )*};
}

arithmetic!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Refuses to compile an empty range, and one with values that are not within
/// `least ..= largest`. It is called with the author's tokens; everything else
/// takes such a range as it comes, so that it is reported once.
#[track_caller]
pub const fn check_range(least: i128, largest: i128, lo: i128, hi: i128) {
    assert!(lo <= hi, "this range is empty: a variable needs at least one value");
    assert!(
        least <= lo && hi <= largest,
        "this range does not fit its integer type: use a wider type or a smaller range"
    );
}

/// An argument of a proposition, which does not compile if it is not among the values of its
/// parameter. It is called with the author's tokens.
#[track_caller]
pub const fn argument(value: i128, least: i128, largest: i128) -> i64 {
    assert!(
        least <= value && value <= largest,
        "this argument is not among the values of its parameter: let `forall` or `exists` run \
         through fewer, or give the parameter a wider `#[range]`"
    );
    value as i64
}

/// Refuses to compile a range with values that are not within `least ..= largest`. It may
/// have none at all.
#[track_caller]
pub const fn check_values(least: i128, largest: i128, lo: i128, hi: i128) {
    assert!(
        lo > hi || (least <= lo && hi <= largest),
        "this range does not fit its integer type: use a wider type or a smaller range"
    );
}

/// A number of values as something to divide by; of none or too many, some number, as
/// nothing is divided then.
pub const fn divisor(n_values: u128) -> usize {
    if n_values == 0 || n_values > usize::MAX as u128 { 1 } else { n_values as usize }
}

/// The layout with its legal values cut to a range that is in order.
pub const fn cut(layout: Layout, least: i128, largest: i128, lo: i128, hi: i128) -> Layout {
    if least <= lo && lo <= hi && hi <= largest { layout.ranged(lo, hi) } else { layout }
}

/// The value of `lo ..= hi` that is nearest to zero.
pub const fn nearest_to_zero(lo: i128, hi: i128) -> i128 {
    if lo > 0 {
        lo
    } else if hi < 0 {
        hi
    } else {
        0
    }
}

/// Number of values of a range that is in order; none of one that is not.
pub const fn n_values(lo: i128, hi: i128) -> u128 {
    if lo <= hi { hi.abs_diff(lo).saturating_add(1) } else { 0 }
}

/// `one + other`, or the largest number if that is more.
pub const fn sum(one: u128, other: u128) -> u128 {
    one.saturating_add(other)
}

/// The product of these numbers, or the largest number if that is more.
pub const fn product(factors: &[u128]) -> u128 {
    let (mut product, mut i) = (1u128, 0);
    while i < factors.len() {
        product = product.saturating_mul(factors[i]);
        i += 1;
    }
    // A factor of zero behind others whose product is too large.
    let mut i = 0;
    while i < factors.len() {
        if factors[i] == 0 {
            return 0;
        }
        i += 1;
    }
    product
}

/// The most transitions that a model can have. Each is tried in each state, so that
/// a model of more would take a second for some hundred states.
pub const MAX_TRANSITIONS: u128 = 1 << 20;

/// Refuses to compile a model with too many transitions.
#[track_caller]
pub const fn check_n_transitions(n_transitions: u128) {
    assert!(
        n_transitions <= MAX_TRANSITIONS,
        "a model has at most 2^20 = 1048576 transitions, and each value of a parameter is one: \
         give the parameters smaller ranges"
    );
}

/// A number of transitions; of too many, some number, as it does not compile.
pub const fn clamp(n_transitions: u128) -> usize {
    if n_transitions <= MAX_TRANSITIONS { n_transitions as usize } else { 0 }
}

/// The index of a parameter's value, which the author's code may have made up, or what is
/// wrong with it.
#[inline(always)]
pub fn in_range(
    index: usize,
    n_values: usize,
    wrong: impl FnOnce() -> NoTransition,
) -> Result<usize, NoTransition> {
    if index < n_values { Ok(index) } else { Err(wrong()) }
}

/// The index of a value of an enum with data.
///
/// # Panics
///
/// If there is none, as its data are out of range.
#[track_caller]
pub fn index_of_value(number: Option<u64>) -> usize {
    number.expect("data within their range") as usize
}

/// What happens if a number is asked for that nothing has.
#[cold]
#[track_caller]
pub fn no_such(what: &str, number: usize) -> ! {
    match what {
        "transition" => panic!("no transition has the number {number}"),
        _ => panic!("this enum has no {what} with the number {number}"),
    }
}

/// A type that can be a transition's parameter without a `#[range]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a transition's parameter as it stands",
    label = "needs a known number of values",
    note = "an integer needs a `#[range(..)]`; otherwise use `bool`, a type that derives `StateVar`, or \
            an array, a tuple, an option or a collection of such"
)]
pub trait Parameter: Sized {
    /// Number of values.
    const N_VALUES: u128;

    /// The value with this index, which is below `N_VALUES`.
    fn nth(index: usize) -> Self;

    /// The index of this value.
    fn index(&self) -> usize;
}

impl Parameter for bool {
    const N_VALUES: u128 = 2;

    #[inline(always)]
    fn nth(index: usize) -> Self {
        index != 0
    }

    #[inline(always)]
    fn index(&self) -> usize {
        usize::from(*self)
    }
}

/// Implements `Parameter` for types whose values are numbered as those of any variable.
macro_rules! numbered_parameters {
    ($(($($generics:tt)*) $ty:ty;)*) => {$(
        impl<$($generics)*> Parameter for $ty {
            const N_VALUES: u128 = <$ty as StateVar>::LAYOUT.n_values();

            #[inline]
            fn nth(index: usize) -> Self {
                nth_numbered(index)
            }

            #[inline]
            fn index(&self) -> usize {
                index_of_numbered(self)
            }
        }
    )*};
}

numbered_parameters! {
    (T: StateVar) Option<T>;
    (A: StateVar, B: StateVar) (A, B);
    (A: StateVar, B: StateVar, C: StateVar) (A, B, C);
    (A: StateVar, B: StateVar, C: StateVar, D: StateVar) (A, B, C, D);
    (T: StateVar, const N: usize) [T; N];
    (T: StateVar, const CAP: usize) crate::state::collections::Queue<T, CAP>;
    (T: StateVar, const CAP: usize) crate::state::collections::Bag<T, CAP>;
    (T: Finite + StateVar) crate::state::collections::Set<T>;
    (K: Finite + StateVar, V: StateVar) crate::state::collections::Map<K, V>;
}

/// The value with this number among those of its type.
#[inline]
pub fn nth_numbered<T: StateVar>(index: usize) -> T {
    number::value(index as u64)
}

/// The number of a value among those of its type.
///
/// # Panics
///
/// If there is none, as a scalar of it is out of its range.
#[inline]
#[track_caller]
pub fn index_of_numbered<T: StateVar>(value: &T) -> usize {
    index_of_value(number::number(value))
}

/// The position of what a set or a map keeps for a value.
///
/// # Panics
///
/// If a scalar of it is out of its range.
#[track_caller]
pub fn position<T: Finite + StateVar>(value: T) -> usize {
    index_of_numbered(&value)
}

/// The value with this number among those of an array whose integers are cut to the range
/// of this layout.
#[inline]
pub fn nth_ranged<T: StateVar>(layout: &Layout, index: usize) -> T {
    let mut image = [0; crate::state::MAX_IMAGE_BYTES];
    layout.write_numbered(index as u64, &mut image);
    T::read_image(&image)
}

/// The number of a value among those of an array whose integers are cut to the range of
/// this layout; more than there are, if it is none of them.
#[inline]
pub fn number_of_list<T: StateVar>(layout: &Layout, value: &T) -> usize {
    let mut image = [0; crate::state::MAX_IMAGE_BYTES];
    value.write_image(&mut image);
    layout.number(&image).map_or(usize::MAX, |number| number as usize)
}

/// How many values an array has whose integers are in `lo ..= hi`, of this layout if that
/// is not empty.
pub const fn n_lists(layout: &Layout, lo: i128, hi: i128) -> u128 {
    match layout.n_values() {
        // Without elements there is still the list of none.
        n if lo <= hi || n == 1 => n,
        _ => 0,
    }
}

/// What a check function may return.
pub trait Answer {
    /// The fault's message, or `None` if the check holds.
    fn fault(self) -> Option<Cow<'static, str>>;
}

impl Answer for bool {
    #[inline(always)]
    fn fault(self) -> Option<Cow<'static, str>> {
        (!self).then_some(Cow::Borrowed(""))
    }
}

impl<E: Into<Cow<'static, str>>> Answer for Result<(), E> {
    #[inline(always)]
    fn fault(self) -> Option<Cow<'static, str>> {
        self.err().map(Into::into)
    }
}

/// What a `#[display]` function writes.
pub fn formatted(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> String {
    fmt::from_fn(write).to_string()
}

/// The most values that an enum with data can have.
const MAX_NUMBERED: u128 = 1 << 62;

/// Refuses to compile an enum with data that has too many values.
#[track_caller]
pub const fn check_numbered(n_values: u128) {
    assert!(
        n_values <= MAX_NUMBERED,
        "this enum has more than 2^62 values: give its integers a `#[range]`"
    );
}

/// Refuses to compile a state of which something had to be left out.
#[track_caller]
pub const fn check_size(layout: &Layout) {
    assert!(
        !layout.too_large || layout.flaw.is_some(),
        "a state has at most 512 scalars and 512 bytes: use fewer or smaller variables"
    );
}

/// Refuses to compile a field of a type that is made of others in a way that cannot be.
#[track_caller]
pub const fn check_type(layout: &Layout) {
    if let Some(flaw) = layout.flaw
        && !flaw.is_empty()
    {
        panic!("{}", flaw);
    }
}

/// The layout of an enum with data and `n_values` values. The lane has room
/// for a number that is none of them, which stands for data out of range.
pub const fn numbered(n_values: u128) -> Layout {
    let n_values = if n_values < MAX_NUMBERED { n_values } else { MAX_NUMBERED };
    let bytes = if n_values < 1 << 8 {
        1
    } else if n_values < 1 << 16 {
        2
    } else if n_values < 1 << 32 {
        4
    } else {
        8
    };
    Layout::scalar(bytes, false, 0, n_values as i128 - 1, false)
}

/// Writes the number of an enum value; `None` becomes a number that is none.
/// A plain loop, whose length the caller knows: this is on the hot path.
#[inline(always)]
pub fn write_number(number: Option<u64>, image: &mut [u8]) {
    let number = number.unwrap_or(u64::MAX);
    let mut i = 0;
    while i < image.len() {
        image[i] = (number >> (8 * i)) as u8;
        i += 1;
    }
}

/// Reads the number of an enum value.
#[inline(always)]
pub fn read_number(image: &[u8]) -> u64 {
    let (mut number, mut i) = (0, 0);
    while i < image.len() {
        number |= u64::from(image[i]) << (8 * i);
        i += 1;
    }
    number
}
