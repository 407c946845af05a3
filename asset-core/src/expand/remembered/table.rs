//! A table of remembered firings.

use crate::machine::{ModelError, Wrong};
use crate::memory::bits::FastBits;

/// Bits that a transition may touch.
pub const MAX_BITS: u32 = 62;
/// Marks a slot that is in use.
const USED: u64 = 1 << 63;
/// Marks a combination of values in which the transition is enabled.
const ENABLED: u64 = 1 << 62;
/// The word of a note.
const NOTE: usize = 2;
/// Words of a state in which a transition may touch something.
const MAX_PARTS: usize = 4;
/// Up to so many bits that tell firings apart, there is a slot for every
/// combination: neighbours stand side by side. Beyond, slots are chosen by a hash.
const DENSE_BITS: u32 = 14;
/// Slots of a new table that is not dense, and the most.
const FIRST_SLOTS: usize = 1 << 6;
const MAX_SLOTS: usize = 1 << 16;

/// A combination of values that was met, whether the transition is enabled there,
/// and which bits it changes. All zero if there is none. The third word, if there is
/// one, is for a note about what else is known of the combination.
#[derive(Clone, Copy, Debug)]
pub struct Slot<const N: usize>([u64; N]);

impl<const N: usize> Slot<N> {
    const EMPTY: Slot<N> = Slot([0; N]);

    pub fn new(key: u64, change: u64, is_enabled: bool) -> Self {
        let mut words = [0; N];
        words[0] = USED | if is_enabled { ENABLED } else { 0 };
        words[0] |= key;
        words[1] = change;
        Slot(words)
    }

    /// The same with a note.
    pub fn noted(mut self, note: u32) -> Self {
        self.0[NOTE] = u64::from(note);
        self
    }

    /// The note.
    #[inline(always)]
    pub fn note(&self) -> u32 {
        self.0[NOTE] as u32
    }

    /// Whether it is in use.
    fn is_used(&self) -> bool {
        self.0[0] != 0
    }

    /// The values.
    fn key(&self) -> u64 {
        self.0[0] & !(USED | ENABLED)
    }

    /// Whether it is for this combination of values.
    #[inline(always)]
    pub fn is_of(&self, key: u64) -> bool {
        self.0[0] & !ENABLED == key | USED
    }

    /// Whether the transition is enabled.
    #[inline(always)]
    pub fn is_enabled(&self) -> bool {
        self.0[0] & ENABLED != 0
    }

    /// The bits that the transition changes.
    #[inline(always)]
    pub fn change(&self) -> u64 {
        self.0[1]
    }
}

/// The transition did more than was known.
pub fn unsteady(state: &[u64], transition: usize) -> Box<ModelError> {
    let what = "it changed a variable that it was thought not to touch";
    Box::new(ModelError::new(state, transition, Wrong::Unsteady(what.to_owned())))
}

/// What a transition touches in one word of a state. Where a state has few words,
/// there is one for each of them, so that it takes no jumps to go through all.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// Which word.
    word: u32,
    /// Where the bits by which firings are told apart begin in a key, …
    key_at: u8,
    /// … and where those that may change begin among all such bits.
    change_at: u8,
    /// The bits by which firings are told apart.
    told: u64,
    /// The bits that may change: some more.
    touched: u64,
}

/// The remembered firings of one transition, where the variable by which it chooses
/// has one value.
///
/// What a look-up in a state of one word reads stands in one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Table<const N: usize> {
    slots: Vec<Slot<N>>,
    /// From a key to its slot: a multiplication and a shift.
    factor: u64,
    shift: u32,
    n_parts: u32,
    parts: [Part; MAX_PARTS],
    bits: FastBits,
    /// The most slots that there may be.
    max_slots: usize,
    n_evicted: usize,
}

impl<const N: usize> Table<N> {
    /// For a transition that touches these bits and whose firings are told apart by
    /// those, some of them, if they are not too many. With at most so many slots, or
    /// a few.
    pub fn new(bits: FastBits, told: &[u64], touched: &[u64], max_slots: usize) -> Option<Self> {
        let n_words = touched.len();
        let mut parts = [Part::default(); MAX_PARTS];
        let (mut n_parts, mut n_told, mut n_touched) = (0, 0, 0);
        for (word, (&told, &touched)) in told.iter().zip(touched).enumerate() {
            if touched != 0 || n_words <= MAX_PARTS {
                let (key_at, change_at) = (n_told as u8, n_touched as u8);
                *parts.get_mut(n_parts)? =
                    Part { word: word as u32, key_at, change_at, told, touched };
                n_parts += 1;
                n_told += told.count_ones();
                n_touched += touched.count_ones();
            }
        }
        let is_dense = n_told <= DENSE_BITS && (1 << n_told) <= max_slots.max(FIRST_SLOTS);
        // Shifts by 64 are none: one more slot than is used does no harm.
        let n_slots = if is_dense { 1 << n_told.max(1) } else { FIRST_SLOTS };
        let shift = u64::BITS - n_slots.trailing_zeros();
        let factor = if is_dense { 1 << shift } else { 0x9e37_79b9_7f4a_7c15 };
        let max_slots = if is_dense { n_slots } else { max_slots.min(MAX_SLOTS) };
        (n_touched <= MAX_BITS).then(|| Table {
            slots: vec![Slot::EMPTY; n_slots],
            factor,
            shift,
            n_parts: n_parts as u32,
            parts,
            bits,
            max_slots,
            n_evicted: 0,
        })
    }

    /// What tells firings of the transition apart in a state of `W` words (0: any
    /// number).
    #[inline(always)]
    pub fn key<const W: usize>(&self, state: &[u64]) -> u64 {
        let n_parts = if W == 0 { self.n_parts as usize } else { W };
        let mut key = 0;
        for (i, part) in self.parts[..n_parts].iter().enumerate() {
            let word = if W == 0 { part.word as usize } else { i };
            let at = if W == 1 { 0 } else { part.key_at };
            key |= self.bits.gather(state[word], part.told) << at;
        }
        key
    }

    /// Writes the state with these bits changed.
    #[inline(always)]
    pub fn apply<const W: usize>(&self, state: &[u64], change: u64, next: &mut [u64]) {
        if W == 0 {
            next.copy_from_slice(state);
        }
        let n_parts = if W == 0 { self.n_parts as usize } else { W };
        for (i, part) in self.parts[..n_parts].iter().enumerate() {
            let word = if W == 0 { part.word as usize } else { i };
            let old = if W == 0 { next[word] } else { state[word] };
            let at = if W == 1 { 0 } else { part.change_at };
            next[word] = old ^ self.bits.scatter(change >> at, part.touched);
        }
    }

    #[inline(always)]
    fn slot_of(&self, key: u64) -> usize {
        (key.wrapping_mul(self.factor) >> self.shift) as usize
    }

    /// The slot in which a combination would stand.
    #[inline(always)]
    pub fn slot(&self, key: u64) -> Slot<N> {
        self.slots[self.slot_of(key)]
    }

    /// The same, with its position.
    #[inline(always)]
    pub fn slot_at(&self, key: u64) -> (usize, &Slot<N>) {
        let at = self.slot_of(key);
        (at, &self.slots[at])
    }

    /// The slot at a position.
    #[inline(always)]
    pub fn get(&self, at: usize) -> &Slot<N> {
        &self.slots[at]
    }

    /// Finds a combination that is not in its slot, but beside it.
    pub fn beside(&mut self, key: u64) -> Option<Slot<N>> {
        let (at, beside) = self.two_slots(key);
        let is_there = self.slots[beside].is_of(key);
        is_there.then(|| {
            self.slots.swap(at, beside);
            self.slots[at]
        })
    }

    /// What is to be remembered of a firing that led to `next`, if it was enabled.
    pub fn firing(
        &self,
        state: &[u64],
        transition: usize,
        key: u64,
        next: Option<&[u64]>,
    ) -> Result<Slot<N>, Box<ModelError>> {
        match next.map_or(Some(0), |next| self.change(state, next)) {
            Some(change) => Ok(Slot::new(key, change, next.is_some())),
            None => Err(unsteady(state, transition)),
        }
    }

    /// Remembers a combination that is not there.
    pub fn remember(&mut self, slot: Slot<N>) {
        self.put(slot);
        if self.n_evicted > self.slots.len() / 8 && self.slots.len() < self.max_slots {
            self.grow();
        }
    }

    /// The slot in which a combination is looked for, and the one to which the next
    /// one that comes there moves it.
    #[inline(always)]
    fn two_slots(&self, key: u64) -> (usize, usize) {
        let at = self.slot_of(key);
        (at, at ^ 1)
    }

    fn put(&mut self, slot: Slot<N>) {
        let (at, beside) = self.two_slots(slot.key());
        if self.slots[at].is_used() {
            self.n_evicted += usize::from(self.slots[beside].is_used());
            self.slots[beside] = self.slots[at];
        }
        self.slots[at] = slot;
    }

    /// What to change to get from a state to the next, if the transition touches
    /// all of it.
    fn change(&self, state: &[u64], next: &[u64]) -> Option<u64> {
        let changed = |part: &Part| {
            let word = part.word as usize;
            self.bits.gather(state[word] ^ next[word], part.touched) << part.change_at
        };
        let change =
            self.parts[..self.n_parts as usize].iter().map(changed).fold(0, |all, bits| all | bits);
        let mut expected = state.to_vec();
        self.apply::<0>(state, change, &mut expected);
        (expected == next).then_some(change)
    }

    fn grow(&mut self) {
        let n_slots = 2 * self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![Slot::EMPTY; n_slots]);
        self.shift -= 1;
        self.n_evicted = 0;
        old.into_iter().filter(Slot::is_used).for_each(|slot| self.put(slot));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::EMPTY);
        self.n_evicted = 0;
    }

    /// Bytes of the slots.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }
}
