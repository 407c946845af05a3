//! Gathering and scattering of bits under a mask, one instruction where the
//! processor has it.

use std::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const SLOW: u8 = 1;
const FAST: u8 = 2;

static GATHER: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether `pext` and `pdep` exist and are fast here. Detected once.
#[inline(always)]
pub fn fast() -> bool {
    match GATHER.load(Ordering::Relaxed) {
        UNKNOWN => detect(),
        known => known == FAST,
    }
}

#[cold]
fn detect() -> bool {
    let fast = has_fast_bmi2();
    GATHER.store(if fast { FAST } else { SLOW }, Ordering::Relaxed);
    fast
}

#[cfg(target_arch = "x86_64")]
fn has_fast_bmi2() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let signature = __cpuid(1).eax;
    let family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
    // AMD's family 17h has the instructions in microcode, at up to 300 cycles.
    is_x86_feature_detected!("bmi2") && !(is_amd && family <= 0x17)
}

#[cfg(not(target_arch = "x86_64"))]
fn has_fast_bmi2() -> bool {
    false
}

/// The bits of `x` under `mask`, moved together at the low end.
///
/// # Safety
///
/// [`fast`] has returned true.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn gather_fast(x: u64, mask: u64) -> u64 {
    let gathered;
    // SAFETY: the caller grants that the processor has BMI2. Written as
    // assembly because an intrinsic would be called out of line from functions
    // that are compiled for the baseline processor.
    unsafe {
        std::arch::asm!("pext {}, {}, {}", out(reg) gathered, in(reg) x, in(reg) mask,
            options(pure, nomem, nostack, preserves_flags));
    }
    gathered
}

/// The low bits of `x`, spread out to the places of `mask`.
///
/// # Safety
///
/// [`fast`] has returned true.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn scatter_fast(x: u64, mask: u64) -> u64 {
    let scattered;
    // SAFETY: as in `gather_fast`.
    unsafe {
        std::arch::asm!("pdep {}, {}, {}", out(reg) scattered, in(reg) x, in(reg) mask,
            options(pure, nomem, nostack, preserves_flags));
    }
    scattered
}

/// A witness that [`fast`] has returned true.
#[derive(Clone, Copy, Debug)]
pub struct FastBits(());

impl FastBits {
    /// If it does.
    pub fn new() -> Option<FastBits> {
        fast().then_some(FastBits(()))
    }

    /// The bits of `x` under `mask`, moved together at the low end.
    #[inline(always)]
    pub fn gather(self, x: u64, mask: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: there is a witness.
        return unsafe { gather_fast(x, mask) };
        #[cfg(not(target_arch = "x86_64"))]
        return gather(x, mask);
    }

    /// How many bits of `x` are set. Every processor with BMI2 has an instruction
    /// for it, too.
    #[inline(always)]
    pub fn count_ones(self, x: u64) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            let n: usize;
            // SAFETY: there is a witness.
            unsafe {
                std::arch::asm!("popcnt {}, {}", out(reg) n, in(reg) x,
                    options(pure, nomem, nostack));
            }
            n
        }
        #[cfg(not(target_arch = "x86_64"))]
        return x.count_ones() as usize;
    }

    /// The low bits of `x`, spread out to the places of `mask`.
    #[inline(always)]
    pub fn scatter(self, x: u64, mask: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: there is a witness.
        return unsafe { scatter_fast(x, mask) };
        #[cfg(not(target_arch = "x86_64"))]
        return scatter(x, mask);
    }
}

/// The bits of `x` under `mask`, moved together at the low end, as fast as it goes.
#[inline(always)]
pub fn gather_any(x: u64, mask: u64) -> u64 {
    FastBits::new().map_or_else(|| gather(x, mask), |bits| bits.gather(x, mask))
}

/// The low bits of `x`, spread out to the places of `mask`, as fast as it goes.
#[inline(always)]
pub fn scatter_any(x: u64, mask: u64) -> u64 {
    FastBits::new().map_or_else(|| scatter(x, mask), |bits| bits.scatter(x, mask))
}

/// As `gather_fast`, on any processor: one step per run of bits in `mask`.
#[inline(never)]
pub fn gather(x: u64, mut mask: u64) -> u64 {
    let mut gathered = 0;
    let mut done = 0;
    while mask != 0 {
        let start = mask.trailing_zeros();
        let run = (mask >> start).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        gathered |= ((x >> start) & ones) << done;
        done += run;
        mask &= !(ones << start);
    }
    gathered
}

/// As `scatter_fast`, on any processor: one step per run of bits in `mask`.
#[inline(never)]
pub fn scatter(x: u64, mut mask: u64) -> u64 {
    let mut scattered = 0;
    let mut done = 0;
    while mask != 0 {
        let start = mask.trailing_zeros();
        let run = (mask >> start).trailing_ones();
        let ones = u64::MAX >> (64 - run);
        scattered |= ((x >> done) & ones) << start;
        done += run;
        mask &= !(ones << start);
    }
    scattered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portable_and_fast_forms_agree_and_invert_each_other() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        for i in 0..2000u64 {
            x = x.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ (x >> 29) ^ i;
            let mask = match i % 4 {
                0 => x.rotate_left(17) & x,
                1 => 0x0f03_0703_0f03_0703,
                2 => 0,
                _ => u64::MAX,
            };
            let gathered = gather(x, mask);
            assert_eq!(scatter(gathered, mask), x & mask);
            if let Some(bits) = FastBits::new() {
                assert_eq!(bits.gather(x, mask), gathered);
                assert_eq!(bits.scatter(gathered, mask), x & mask);
            }
        }
    }
}
