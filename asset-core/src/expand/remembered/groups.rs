//! Which transitions are looked up together.
//!
//! What one process can do depends on much the same variables, whichever of its
//! transitions it is. One look-up tells what all of them do: ten philosophers have
//! fifty transitions, and ten look-ups.

use crate::machine::Footprint;

/// Up to so many bits that tell firings apart, transitions are looked up together
/// though none of them touches all of the bits: the table stays small.
const SMALL_BITS: u32 = 8;

/// Transitions, and what is touched by any of them.
#[derive(Debug)]
pub struct Group {
    /// In increasing order.
    pub members: Vec<usize>,
    pub masks: Footprint,
}

impl Group {
    /// Groups of all transitions, given by what each of them touches.
    ///
    /// A transition joins a group that touches all that it does, or one that stays
    /// small, if there is any. Those that touch most come first, so that others
    /// can join them.
    pub fn of_all(all: &[Footprint]) -> Vec<Group> {
        let n_told = |masks: &Footprint| -> u32 {
            (0..masks.touched.len()).map(|value| masks.n_told(value)).sum()
        };
        let mut by_size: Vec<usize> = (0..all.len()).collect();
        by_size.sort_by_key(|&i| std::cmp::Reverse((all[i].n_bits(), n_told(&all[i]))));
        let mut groups: Vec<Group> = Vec::new();
        for transition in by_size {
            let masks = &all[transition];
            let group = [0, SMALL_BITS]
                .into_iter()
                .find_map(|small| groups.iter().position(|group| group.takes(masks, small)));
            match group {
                Some(i) => {
                    groups[i].masks = groups[i].masks.joined(masks);
                    groups[i].members.push(transition);
                }
                None => groups.push(Group { members: vec![transition], masks: masks.clone() }),
            }
        }
        groups.iter_mut().for_each(|group| group.members.sort_unstable());
        groups
    }

    /// Whether a transition that touches these bits may join: firings are told apart
    /// by as many bits as before, or by no more than `small`.
    fn takes(&self, masks: &Footprint, small: u32) -> bool {
        let joined = self.masks.joined(masks);
        (0..joined.touched.len())
            .all(|value| joined.n_told(value) <= self.masks.n_told(value).max(small))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a choice.
    fn plain(touched: u64) -> Footprint {
        Footprint { word: 0, shift: 0, mask: 0, touched: vec![vec![touched]] }
    }

    /// By the two lowest bits.
    fn chosen(touched: [u64; 4]) -> Footprint {
        let touched = touched.map(|touched| vec![touched | 3]).to_vec();
        Footprint { word: 0, shift: 0, mask: 3, touched }
    }

    fn members(all: &[Footprint]) -> Vec<Vec<usize>> {
        let mut members: Vec<_> =
            Group::of_all(all).into_iter().map(|group| group.members).collect();
        members.sort();
        members
    }

    #[test]
    fn who_touches_no_more_joins() {
        let (all, low, high) = (0xffff_ffff, 0xffff, 0xffff_0000);
        assert_eq!(members(&[plain(low), plain(all), plain(high)]), [[0, 1, 2]]);
        assert_eq!(members(&[plain(low), plain(high)]), [[0], [1]]);
        // By values of the same choice, each for itself.
        let (one, two) = (chosen([low, 0, low, 0]), chosen([0, 0, low, 0]));
        assert_eq!(members(&[two.clone(), one.clone()]), [[0, 1]]);
        assert_eq!(members(&[one, chosen([0, low, 0, 0])]), [[0], [1]]);
        // What chooses otherwise may touch anything that it ever does.
        assert_eq!(members(&[plain(low | 1 << 16), chosen([0, low, 0, 0])]), [[0, 1]]);
        assert_eq!(members(&[plain(0x1_ff00), chosen([0, 0, 0, 0xffff << 8])]), [[0], [1]]);
        assert_eq!(members(&[plain(3), chosen([0, 0, 0, 0xffff << 8])]), [[0, 1]]);
        assert_eq!(members(&[two, plain(high)]), [[0], [1]]);
    }

    #[test]
    fn small_ones_join() {
        assert_eq!(members(&[plain(0x0f), plain(0xf0), plain(0x100)]), [vec![0, 1], vec![2]]);
        let group = &Group::of_all(&[plain(0x0f), plain(0xf0)])[0];
        assert_eq!(group.masks.touched, [[0xff]]);
    }
}
