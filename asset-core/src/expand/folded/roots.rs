//! Pairs of numbers in one word.

/// Bits of each number at the low end of a root.
const LOW_BITS: u32 = 20;
/// Bits of each number that follow, one step after the other.
const STEP: u32 = 4;
const STEPS: u32 = (u32::BITS - LOW_BITS) / STEP;
const _: () = assert!(LOW_BITS + STEPS * STEP == u32::BITS);

/// The root of a pair of numbers: their low bits, and then the others, a few of each
/// at a time. So the root of numbers that are not large is not long.
#[inline(always)]
pub fn root([first, second]: [u32; 2]) -> u64 {
    let low = (1 << LOW_BITS) - 1;
    match (first | second) > low {
        true => spread(first, 0) | spread(second, 1),
        false => u64::from(first) | u64::from(second) << LOW_BITS,
    }
}

/// The root of a pair of numbers of which the other one is zero.
#[inline(always)]
pub fn of_side(side: usize, number: u32) -> u64 {
    root(if side == 0 { [number, 0] } else { [0, number] })
}

/// The bits of a number, where they stand in a root.
fn spread(number: u32, side: u32) -> u64 {
    let mut bits = u64::from(number & ((1 << LOW_BITS) - 1)) << (side * LOW_BITS);
    for step in 0..STEPS {
        let at = LOW_BITS + step * STEP;
        bits |= u64::from(number >> at & ((1 << STEP) - 1)) << (2 * at + side * STEP);
    }
    bits
}

/// The pair of numbers of a root.
#[inline(always)]
pub fn numbers(root: u64) -> [u32; 2] {
    let low = (1 << LOW_BITS) - 1;
    let mut numbers = [root & low, root >> LOW_BITS & low];
    if root >> (2 * LOW_BITS) != 0 {
        for step in 0..STEPS {
            let bits = root >> (2 * (LOW_BITS + step * STEP));
            numbers[0] |= (bits & 0xf) << (LOW_BITS + step * STEP);
            numbers[1] |= (bits >> STEP & 0xf) << (LOW_BITS + step * STEP);
        }
    }
    numbers.map(|number| number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_give_their_numbers_back() {
        let mut x = 1u64;
        for i in 0..10_000u32 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pair = [(x >> 32) as u32 >> (i % 32), x as u32 >> (i / 32 % 32)];
            let folded = root(pair);
            assert_eq!(numbers(folded), pair);
            // Either number has bits of its own.
            assert_eq!(folded, root([pair[0], 0]) ^ root([0, pair[1]]));
            assert_eq!(folded, root([pair[0], 0]) | root([0, pair[1]]));
            // Both numbers fit so many bits if and only if the root fits twice as many.
            for bits in (LOW_BITS..u32::BITS).step_by(STEP as usize) {
                let is_short = pair.iter().all(|number| number >> bits == 0);
                assert_eq!(folded >> (2 * bits) == 0, is_short);
            }
        }
    }
}
