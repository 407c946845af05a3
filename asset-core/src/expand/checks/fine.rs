//! Combinations of values that the state checks have found to be fine, so that states
//! which have them again need not even be unpacked.
//!
//! Where it is known at which variables the checks look ([`Properties::looks_at`]),
//! whether one fails is a function of their values. Those are few bits of a packed
//! state: the places of the customers, in Peterson-4 16 of 50. A bit set has one bit
//! for each of their combinations. Only what is fine is noted: a state with a fault
//! is always checked, so that what is said of it comes from itself.
//!
//! A list from which a variable is missing would be a wrong verdict. So it is not just
//! trusted: now and then (`Sample`) all states of a batch are checked, and if one
//! has a fault whose combination was fine before, the run ends with an error. That fault
//! is real and could be reported. But then nobody would learn that states before it
//! may have been passed over, and that neither the counts nor the shortest trace are
//! what they claim to be. With `--paranoid` nothing is remembered here, and each state
//! is checked for itself.
//!
//! [`Properties::looks_at`]: crate::model::Properties::looks_at

use super::StateFaults;
use crate::machine::Wrong;
use crate::memory::bits::FastBits;
use crate::model::Fault;

/// Checks one state.
pub type Check<'c> = dyn FnMut(&[u64]) -> Result<Option<Fault>, Box<Wrong>> + 'c;

/// Combinations have at most so many bits: two megabytes. Few of them occur, and
/// neighbours have similar ones, so that size hardly matters (docs/decisions.md, "Checks
/// that are remembered"). No bundled model has more.
const MAX_BITS: u32 = 24;

/// Which combinations are known to be fine.
#[derive(Debug)]
pub struct Fine {
    bits: FastBits,
    n_words: usize,
    /// The words at which the checks look.
    words: Vec<Word>,
    /// A bit for each combination.
    fine: Vec<u64>,
}

/// A word of a packed state, and what is looked at in it.
#[derive(Clone, Copy, Debug)]
struct Word {
    at: usize,
    mask: u64,
    /// Where its bits go in a combination.
    shift: u32,
}

impl Fine {
    /// Nothing yet of checks that look at these bits of states of so many words, if those are
    /// not too many.
    pub fn new(looks_at: &[&[u64]], n_words: usize) -> Option<Fine> {
        let bits = FastBits::new()?;
        let word = |at: usize| looks_at.iter().fold(0, |all, mask| all | mask[at]);
        let masks: Vec<u64> = (0..n_words).map(word).collect();
        let (mut words, mut n_bits) = (Vec::new(), 0);
        for (at, &mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            words.push(Word { at, mask, shift: n_bits });
            n_bits += mask.count_ones();
            if n_bits > MAX_BITS {
                return None;
            }
        }
        let fine = vec![0; (1 << n_bits as usize) / 64 + 1];
        Some(Fine { bits, n_words, words, fine })
    }

    /// Finds what `check` says of the states at these positions; each is checked if `all` are
    /// to be.
    pub fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        all: bool,
        check: &mut Check<'_>,
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let n_fine = if all { 0 } else { self.n_fine(states, positions) };
        found.n_checked += n_fine;
        match n_fine == positions.len() {
            true => Ok(()),
            false => self.check_others(states, &positions[n_fine..], all, check, found),
        }
    }

    /// The same where the first state is to be checked in any case, and with `all`, all.
    #[cold]
    #[inline(never)]
    fn check_others(
        &mut self,
        states: &[u64],
        mut positions: &[u32],
        all: bool,
        check: &mut Check<'_>,
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        while let Some((&i, others)) = positions.split_first() {
            let state = &states[i as usize * self.n_words..][..self.n_words];
            let fault = check(state)?;
            self.note(state, fault.is_none())?;
            found.add(fault);
            let n_fine = if all { 0 } else { self.n_fine(states, others) };
            found.n_checked += n_fine;
            positions = &others[n_fine..];
        }
        Ok(())
    }

    /// How many of the states at these positions are known to be fine, up to the first
    /// that is not. Not as part of anything else, in which the loop would have to share
    /// registers.
    #[inline(never)]
    fn n_fine(&self, states: &[u64], positions: &[u32]) -> usize {
        let n_words = self.n_words;
        let unknown = match *self.words {
            [Word { mask, .. }] if n_words == 1 => positions
                .iter()
                .position(|&i| !self.is_fine(self.bits.gather(states[i as usize], mask))),
            _ => positions.iter().position(|&i| {
                !self.is_fine(self.combination(&states[i as usize * n_words..][..n_words]))
            }),
        };
        unknown.unwrap_or(positions.len())
    }

    /// Notes what a check has said. An error if it has been fine before, and no more.
    fn note(&mut self, state: &[u64], is_fine: bool) -> Result<(), Box<Wrong>> {
        let combination = self.combination(state);
        if is_fine {
            self.fine[(combination / 64) as usize] |= 1 << (combination % 64);
        } else if self.is_fine(combination) {
            let what = "a state check fails where all at which it looks had the same values \
                        as in a state in which it did not";
            return Err(Box::new(Wrong::Unsteady(what.to_owned())));
        }
        Ok(())
    }

    /// Whether a combination is known to be fine.
    #[inline(always)]
    pub fn is_fine(&self, combination: u64) -> bool {
        self.fine[(combination / 64) as usize] >> (combination % 64) & 1 != 0
    }

    /// The values at which the checks look, side by side: at most 24 bits. Of a state
    /// that is put together from parts, it is the bits of all their combinations.
    #[inline(always)]
    pub fn combination(&self, state: &[u64]) -> u64 {
        let of = |word: &Word| self.bits.gather(state[word.at], word.mask) << word.shift;
        self.words.iter().map(of).fold(0, |all, of| all | of)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        8 * self.fine.capacity()
    }
}

#[cfg(test)]
mod tests;
