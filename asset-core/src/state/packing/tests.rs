//! Every type packs and unpacks to itself, and leaves its range noticed.

use super::*;
use crate::state::Shape;

fn round_trip<S: StateVar + PartialEq + std::fmt::Debug>(value: S) {
    for fast in [false, bits::fast()] {
        let mut packed = vec![u64::MAX; Packing::<S>::WORDS];
        assert!(Packing::pack(&value, &mut packed, fast), "{value:?} is in range");
        assert_eq!(Packing::<S>::unpack(&packed, fast), value);
        let image = Packing::image(&value);
        let lanes: Vec<i128> = S::LAYOUT.lanes().iter().map(|l| l.value(image.bytes())).collect();
        assert_eq!(S::LAYOUT.lane_values(&packed).collect::<Vec<_>>(), lanes);
        let used = S::LAYOUT.bits();
        if !used.is_multiple_of(64) {
            assert_eq!(packed.last().unwrap() >> (used % 64), 0, "unused bits stay zero");
        }
    }
}

#[test]
fn scalars_and_arrays_of_every_width() {
    round_trip(true);
    round_trip([false, true, true]);
    for x in [0u64, 1, 0x80, 0xff, 0x7fff, 0x8000, 0xffff_ffff, u64::MAX] {
        round_trip(x as u8);
        round_trip(x as i8);
        round_trip([x as u16, !x as u16, 7]);
        round_trip([x as i16; 5]);
        round_trip([x as u32, 3]);
        round_trip([x as i32; 3]);
        round_trip([x, 1, u64::MAX]);
        round_trip([x as i64; 2]);
        round_trip([[x as u8; 3]; 7]);
    }
}

/// A byte with the range -3 ..= 10 beside a full one, and an i16 at its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Mixed {
    narrow: i8,
    full: u8,
    wide: [i16; 3],
    ranged: [u8; 3],
    last: u8,
}

// SAFETY: `repr(C)` with the offsets that `append` computes, and no padding.
unsafe impl StateVar for Mixed {
    const LAYOUT: Layout = Layout::EMPTY
        .append(i8::LAYOUT.ranged(-3, 10))
        .append(u8::LAYOUT)
        .append(<[i16; 3]>::LAYOUT.ranged(-32768, 200))
        .append(<[u8; 3]>::LAYOUT.ranged(5, 9))
        .append(u8::LAYOUT.ranged(0, 200))
        .finish(size_of::<Mixed>());
    const SHAPE: Shape = Shape::Record(&[
        ("narrow", &Shape::Int),
        ("full", &Shape::Int),
        ("wide", &<[i16; 3]>::SHAPE),
        ("ranged", &<[u8; 3]>::SHAPE),
        ("last", &Shape::Int),
    ]);

    fn write_image(&self, image: &mut [u8]) {
        self.narrow.write_image(image);
        self.full.write_image(&mut image[1..]);
        self.wide.write_image(&mut image[2..]);
        self.ranged.write_image(&mut image[8..]);
        self.last.write_image(&mut image[11..]);
    }

    fn read_image(_: &[u8]) -> Self {
        unreachable!("the type is dense")
    }

    fn zero() -> Self {
        Mixed { narrow: 0, full: 0, wide: [0; 3], ranged: [5; 3], last: 0 }
    }
}

#[test]
fn ranges_are_exact_at_both_ends() {
    const { assert!(Packing::<Mixed>::DIRECT) };
    for narrow in -3..=10 {
        for ranged in 5..=9 {
            for (wide, last) in [(-32768, 0), (200, 200), (0, 1), (-1, 127), (1, 128)] {
                round_trip(Mixed {
                    narrow,
                    full: 255,
                    wide: [wide, 0, wide],
                    ranged: [ranged, 5, 9],
                    last,
                });
            }
        }
    }
    let good = Mixed { narrow: 10, full: 0, wide: [0; 3], ranged: [5, 7, 9], last: 3 };
    let refused = |bad: Mixed, path: &str, value: i128| {
        let mut packed = [0; Packing::<Mixed>::WORDS];
        for fast in [false, bits::fast()] {
            assert!(!Packing::pack(&bad, &mut packed, fast), "{bad:?} is out of range");
        }
        let image = Packing::image(&bad);
        let (lane, seen) = Mixed::LAYOUT.out_of_range(image.bytes()).expect("found");
        let mut paths = Vec::new();
        Mixed::SHAPE.lane_paths("", &mut paths);
        assert_eq!((paths[lane].as_str(), seen), (path, value));
    };
    refused(Mixed { narrow: -4, ..good }, "narrow", -4);
    refused(Mixed { narrow: 11, ..good }, "narrow", 11);
    refused(Mixed { narrow: 127, ..good }, "narrow", 127);
    refused(Mixed { narrow: -128, ..good }, "narrow", -128);
    refused(Mixed { wide: [0, 201, 0], ..good }, "wide[1]", 201);
    refused(Mixed { wide: [0, 0, 32767], ..good }, "wide[2]", 32767);
    refused(Mixed { ranged: [4, 5, 5], ..good }, "ranged[0]", 4);
    refused(Mixed { ranged: [5, 10, 5], ..good }, "ranged[1]", 10);
    refused(Mixed { ranged: [5, 5, 0], ..good }, "ranged[2]", 0);
    refused(Mixed { ranged: [255, 5, 5], ..good }, "ranged[0]", 255);
    refused(Mixed { last: 201, ..good }, "last", 201);
    refused(Mixed { last: 255, ..good }, "last", 255);
    assert!(Mixed::LAYOUT.out_of_range(Packing::image(&good).bytes()).is_none());
}
