//! Which bits of a packed state belong together.

use super::{Layout, Shape};

/// Marks about half of the bits of a state, such that variables that change together
/// are likely to be on the same side: of every list its first half, as what belongs
/// to one process mostly has the same index in all lists; and single variables where
/// fewer bits are.
pub fn first_half(shape: &Shape, layout: &Layout) -> Vec<u64> {
    let mut halves = Halves { lanes: layout, lane: 0, at: 0, mask: vec![0; layout.words()] };
    match shape {
        Shape::Record(fields) => fields.iter().for_each(|(_, field)| halves.field(field)),
        field => halves.field(field),
    }
    halves.mask
}

struct Halves<'l> {
    lanes: &'l Layout,
    /// The next lane, and its first bit.
    lane: usize,
    at: u32,
    mask: Vec<u64>,
}

impl Halves<'_> {
    fn field(&mut self, field: &Shape) {
        match field {
            Shape::List(..) | Shape::Set(..) | Shape::Map(..) if field.n_elements() > 1 => {
                // With seven processes, leader election has 117 thousand parts if four
                // are in the first half, and 187 thousand if three are.
                let (n, n_lanes) = (field.n_elements(), field.n_lanes());
                let first = n.div_ceil(2) * (n_lanes / n);
                self.take(first, true);
                self.take(n_lanes - first, false);
            }
            _ => {
                let n_first: u32 = self.mask.iter().map(|word| word.count_ones()).sum();
                self.take(field.n_lanes(), 2 * n_first <= self.at);
            }
        }
    }

    /// The next lanes are in the first half, or not.
    fn take(&mut self, n_lanes: usize, is_first: bool) {
        for lane in &self.lanes.lanes()[self.lane..self.lane + n_lanes] {
            for bit in self.at..self.at + lane.bits() {
                self.mask[bit as usize / 64] |= u64::from(is_first) << (bit % 64);
            }
            self.at += lane.bits();
        }
        self.lane += n_lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::StateVar;

    #[test]
    fn lists_are_halved_and_single_variables_balance() {
        let shape = Shape::Record(&[
            ("list", &Shape::List(&u8::SHAPE, 5)),
            ("one", &u8::SHAPE),
            ("two", &u8::SHAPE),
            ("lists", &Shape::List(&Shape::List(&u8::SHAPE, 3), 2)),
        ]);
        let bytes = |n: usize| Layout::array(u8::LAYOUT, n);
        let layout = Layout::EMPTY.append(bytes(7)).append(bytes(6)).finish(usize::MAX);
        let half = first_half(&shape, &layout);
        let is_first: Vec<u64> = (0..13).map(|i| half[i / 8] >> (8 * (i % 8)) & 0xff).collect();
        // Three of five; not one, as there are more; two; three of six.
        let expected = [1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0].map(|i| 0xff * i);
        assert_eq!(is_first, expected);
    }
}
