//! For each expanded state that discovered few others, one successor that was
//! known already.
//!
//! What a state discovered is told by the tree ([`super::Parents`]). With one
//! more successor for the states that have one child or none there, most
//! questions of reachability are settled without firing anything again. The
//! others would be helped less, and cost as much.
//!
//! Where there are several, one is taken at random, so that all transitions have
//! their turn along a path. Always the last one, in Peterson-4 most often a step
//! of the last process, leaves 9 million states open where this leaves 0.4.

use super::Id;
use super::bit_list::BitList;
use super::numbers::Numbers;
use crate::memory::prefetch;

/// States with so many children need no link.
const MANY: usize = 2;

/// A list of links, some states having none.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// One bit a state: whether it has a link.
    has: BitList,
    /// How many links come before those of each 64 states.
    before: Vec<u32>,
    /// The places that are linked to.
    places: Numbers,
    /// The choice among the known successors of the state that is being expanded,
    /// scrambled, plus one; 0 if there is none.
    choice: u64,
}

/// Makes the largest of some places a random one of them.
const SCRAMBLE: u32 = 0x9e37_79b1;
/// Undoes it: the product is 1 modulo 2^32.
const UNSCRAMBLE: u32 = 0x0e8b_2f51;

/// The place that was chosen.
fn unscrambled(choice: u64) -> Id {
    ((choice - 1) as u32).wrapping_mul(UNSCRAMBLE)
}

impl Links {
    /// No links yet, to places most of which are below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        let (has, places) = (BitList::default(), Numbers::new(bound));
        Links { has, before: Vec::new(), places, choice: 0 }
    }

    /// The state that is being expanded has a successor at this place that was
    /// known before.
    #[inline(always)]
    pub(super) fn note(&mut self, place: Id) {
        self.note_if(true, place);
    }

    /// The same if `is_known`, without a jump.
    #[inline(always)]
    pub(super) fn note_if(&mut self, is_known: bool, place: Id) {
        let scrambled = u64::from(place.wrapping_mul(SCRAMBLE)) + 1;
        self.choice = self.choice.max(scrambled * u64::from(is_known));
    }

    /// The state that was being expanded has so many children. The next number
    /// comes next.
    #[inline(always)]
    pub(super) fn end_state(&mut self, n_children: usize) {
        if self.has.len().is_multiple_of(64) {
            self.before.push(self.places.len() as u32);
        }
        let choice = std::mem::take(&mut self.choice);
        let has_link = choice != 0 && n_children < MANY;
        self.has.push(u64::from(has_link), 1);
        if has_link {
            self.places.push(unscrambled(choice) as usize);
        }
    }

    /// Whether a state has a link.
    #[inline(always)]
    pub(super) fn has(&self, id: Id) -> bool {
        self.has.word(id as usize / 64) >> (id % 64) & 1 != 0
    }

    /// Tells the links of the states from `64 * i` on that are marked in `among`:
    /// the bit there, and the place.
    #[inline(always)]
    pub(super) fn of_64(&self, i: usize, among: u64, mut tell: impl FnMut(u32, Id)) {
        let mut has = self.has.word(i);
        let mut next = self.before.get(i).map_or(0, |&n| n as usize);
        while has != 0 {
            let bit = has.trailing_zeros();
            if among >> bit & 1 != 0 {
                tell(bit, self.places.get(next) as Id);
            }
            next += 1;
            has &= has - 1;
        }
    }

    /// Changes every place to its value in `new`, most of which are below `bound`.
    pub(super) fn change(&mut self, new: &[u32], bound: usize) {
        let ahead = |place: usize| prefetch(new.as_ptr().wrapping_add(place));
        self.change_by(bound, ahead, |place| new[place] as usize);
    }

    /// Changes every place to what `new` says, as [`Numbers::change_by`] does.
    pub(super) fn change_by(
        &mut self,
        bound: usize,
        ahead: impl Fn(usize),
        new: impl Fn(usize) -> usize,
    ) {
        self.places.change_by(bound, ahead, &new);
        let choice = std::mem::take(&mut self.choice);
        if choice != 0 {
            self.note(new(unscrambled(choice) as usize) as Id);
        }
    }

    /// No links yet, to places as these are.
    pub(super) fn empty_like(&self) -> Self {
        let places = self.places.empty_like();
        Links { has: BitList::default(), before: Vec::new(), places, choice: 0 }
    }

    /// The links of the next states are those of another list.
    pub(super) fn append(&mut self, other: &Links) {
        let (mut at, mut n_links) = (self.has.len(), self.places.len());
        self.has.append(&other.has);
        self.places.append(&other.places);
        for block in (at.next_multiple_of(64)..self.has.len()).step_by(64) {
            n_links += match block - at {
                0 => 0,
                n => (self.has.before(block) >> (64 - n)).count_ones() as usize,
            };
            self.before.push(n_links as u32);
            at = block;
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.has.bytes() + self.before.len() * 4 + self.places.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_successor_has_its_chance() {
        const { assert!(SCRAMBLE.wrapping_mul(UNSCRAMBLE) == 1) };
        let mut links = Links::new(4000);
        for i in 0..1000 {
            (0..4).for_each(|j| links.note(4 * i + j));
            links.end_state(0);
        }
        let mut n = [0; 4];
        for i in 0..16 {
            links.of_64(i, u64::MAX, |bit, place| {
                assert_eq!(place / 4, 64 * i as Id + bit);
                n[place as usize % 4] += 1;
            });
        }
        assert!(n.iter().sum::<u32>() == 1000 && n.iter().all(|&n| n > 50), "{n:?}");
    }

    #[test]
    fn links_are_appended() {
        let (mut all, mut expected) = (Links::new(1000), Links::new(1000));
        for n in (0..150).chain([64, 128, 1, 63, 1000]) {
            let mut part = all.empty_like();
            for i in 0..n {
                for links in [&mut part, &mut expected] {
                    if (i * n) % 3 != 1 {
                        links.note((i * 7 + n) % 1000);
                    }
                    links.end_state(i as usize % 3);
                }
            }
            all.append(&part);
        }
        assert_eq!(all.before, expected.before);
        for i in 0..expected.has.len().div_ceil(64) {
            let told = |links: &Links| {
                let mut told = Vec::new();
                links.of_64(i, u64::MAX, |bit, place| told.push((bit, place)));
                told
            };
            assert_eq!(told(&all), told(&expected));
        }
    }

    #[test]
    fn links_of_states_with_few_children() {
        let mut links = Links::new(1000);
        let link = |i: Id| (!i.is_multiple_of(3)).then_some(i * 7 % 1000);
        let n_children = |i: Id| i as usize % 4;
        for i in 0..1000 {
            link(i).into_iter().for_each(|place| links.note(place));
            links.end_state(n_children(i));
        }
        let expected = |i: Id| link(i).filter(|_| n_children(i) < MANY);
        let is_right = |links: &Links, expected: &dyn Fn(Id) -> Option<Id>| {
            for (i, among) in (0..17).map(|i| (i, 0x5555_5555_ffff_0000u64.rotate_left(i))) {
                let mut told = [None; 64];
                links.of_64(i as usize, among, |bit, place| told[bit as usize] = Some(place));
                for bit in 0..64 {
                    let id = 64 * i + bit;
                    let link = if id < 1000 { expected(id) } else { None };
                    assert_eq!(links.has(id), link.is_some());
                    assert_eq!(told[bit as usize], link.filter(|_| among >> bit & 1 != 0));
                }
            }
        };
        is_right(&links, &expected);
        let new: Vec<u32> = (0..1000).map(|i| 2 * i).collect();
        links.note(3);
        links.change(&new, 2000);
        is_right(&links, &|i| expected(i).map(|place| 2 * place));
        links.end_state(0);
        let mut last = None;
        links.of_64(1000 / 64, 1 << (1000 % 64), |_, place| last = Some(place));
        assert_eq!(last, Some(6));
    }
}
