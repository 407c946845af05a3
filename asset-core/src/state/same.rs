//! Comparison of values and of images, a few loads at a time.

/// The most bytes that are compared as a whole.
const MOST: usize = 32;

/// Whether two values are the same byte for byte, unused bytes included. If so
/// they are equal; if not they may still be. Large values are not compared.
#[inline(always)]
pub fn same_bytes<T>(a: &T, b: &T) -> bool {
    let (a, b) = (std::ptr::from_ref(a).cast::<u8>(), std::ptr::from_ref(b).cast::<u8>());
    // SAFETY: both are readable for the size of their type; `Any` reads bytes
    // whether they are initialised or not.
    cfg!(target_arch = "x86_64") && unsafe { same(a, b, size_of::<T>(), Any) }
}

/// Whether the first `n` bytes of two images are the same, if they are few.
#[inline(always)]
pub fn same_image(a: &[u8], b: &[u8], n: usize) -> bool {
    let (a, b) = (&a[..n], &b[..n]);
    // SAFETY: both are readable for `n` bytes, and initialised.
    unsafe { same(a.as_ptr(), b.as_ptr(), n, Initialised) }
}

/// Compares `n` bytes in as few loads as cover them, or says no if `n` is large.
///
/// # Safety
///
/// Both are readable for `n` bytes, in the way of `load`.
#[inline(always)]
unsafe fn same(a: *const u8, b: *const u8, n: usize, load: impl Load) -> bool {
    // SAFETY: each load ends at most `n` bytes behind `a` and `b`.
    unsafe {
        let differ8 = |at: usize| load.eight(a.add(at)) ^ load.eight(b.add(at));
        let differ4 = |at: usize| load.four(a.add(at)) ^ load.four(b.add(at));
        match n {
            0 => true,
            1 => load.one(a) == load.one(b),
            2 => load.two(a) == load.two(b),
            3 => load.two(a) == load.two(b) && load.one(a.add(2)) == load.one(b.add(2)),
            4..8 => differ4(0) | differ4(n - 4) == 0,
            8..=16 => differ8(0) | differ8(n - 8) == 0,
            17..=MOST => differ8(0) | differ8(8) | differ8(n - 16) | differ8(n - 8) == 0,
            _ => false,
        }
    }
}

/// A way to read unaligned numbers.
///
/// # Safety
///
/// Callers grant that the bytes are readable, in whatever state the
/// implementation asks for.
trait Load: Copy {
    unsafe fn one(self, p: *const u8) -> u8;
    unsafe fn two(self, p: *const u8) -> u16;
    unsafe fn four(self, p: *const u8) -> u32;
    unsafe fn eight(self, p: *const u8) -> u64;
}

/// Reads initialised bytes.
#[derive(Clone, Copy)]
struct Initialised;

/// Reads bytes that need not be initialised: whatever the memory holds.
#[derive(Clone, Copy)]
struct Any;

macro_rules! loads {
    ($($name:ident $number:ty, $instruction:literal;)*) => {
        impl Load for Initialised {
            $(#[inline(always)]
            unsafe fn $name(self, p: *const u8) -> $number {
                // SAFETY: the caller grants readable, initialised bytes.
                unsafe { p.cast::<$number>().read_unaligned() }
            })*
        }

        impl Load for Any {
            $(#[inline(always)]
            unsafe fn $name(self, p: *const u8) -> $number {
                #[cfg(target_arch = "x86_64")]
                {
                    let number: u64;
                    // SAFETY: the caller grants readable bytes. In assembly, as
                    // the language gives bytes between fields no value and
                    // would have us promise that there is one; to the
                    // processor, they are bytes like others.
                    unsafe {
                        std::arch::asm!(
                            concat!($instruction, " [{p}]"),
                            number = out(reg) number,
                            p = in(reg) p,
                            options(pure, readonly, nostack, preserves_flags),
                        );
                    }
                    number as $number
                }
                #[cfg(not(target_arch = "x86_64"))]
                unreachable!("nothing is read this way here: {p:?}")
            })*
        }
    };
}

loads! {
    one u8, "movzx {number:e}, byte ptr";
    two u16, "movzx {number:e}, word ptr";
    four u32, "mov {number:e}, dword ptr";
    eight u64, "mov {number}, qword ptr";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_byte_counts<const N: usize>() {
        let a: [u8; N] = std::array::from_fn(|i| i as u8 * 7 + 1);
        let is_compared = N <= MOST;
        assert_eq!(same_image(&a, &a, N), is_compared);
        assert_eq!(same_bytes(&a, &{ a }), is_compared && cfg!(target_arch = "x86_64"));
        for i in 0..N {
            let mut b = a;
            b[i] ^= 0x40;
            assert!(!same_image(&a, &b, N) && !same_bytes(&a, &b));
        }
    }

    #[test]
    fn values_of_every_size() {
        every_byte_counts::<0>();
        every_byte_counts::<1>();
        every_byte_counts::<2>();
        every_byte_counts::<3>();
        every_byte_counts::<4>();
        every_byte_counts::<5>();
        every_byte_counts::<7>();
        every_byte_counts::<8>();
        every_byte_counts::<9>();
        every_byte_counts::<14>();
        every_byte_counts::<16>();
        every_byte_counts::<17>();
        every_byte_counts::<31>();
        every_byte_counts::<32>();
        every_byte_counts::<33>();
    }

    #[test]
    fn values_with_the_same_bytes_are_equal() {
        let options = [None, Some(0u8), Some(1), Some(u8::MAX)];
        let mut values = Vec::new();
        for a in options {
            values.extend(options.map(|b| [a, b, Some(7)]));
        }
        for (i, a) in values.iter().enumerate() {
            assert_eq!(same_bytes(a, a), cfg!(target_arch = "x86_64"));
            let is_same = |&(j, b): &(usize, &_)| j != i && same_bytes(a, b);
            assert_eq!(values.iter().enumerate().find(is_same), None, "{a:?}");
        }
    }
}
