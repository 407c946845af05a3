//! Firings that are remembered, so that the model's code runs once for what it has
//! done before.
//!
//! Where it is known which variables a transition touches ([`Model::touches`]), what
//! firing it does is a function of their values alone. Those are few, however many
//! states there are: in 26 million states of Peterson-4, a process's step meets less
//! than a thousand combinations. A table maps them to what changed. It is a cache: a
//! later combination may take the slot of an earlier one. Packed states are read
//! and written, so that neither the state nor its successors are unpacked.
//!
//! Tables must be small, as the look-up of states throws them out of the processor's
//! caches. So there is one for each value of the variable by which a transition
//! chooses what to do ([`Model::choice`]): without that there were ten times as many
//! combinations in Peterson-4, and it was hardly faster than firing anew.
//!
//! LTSmin caches *local transitions* in this way for languages in which variables
//! are declared for each transition (Blom, van de Pol, Weber 2010). Here they are
//! found in the author's code.
//!
//! Should that ever be wrong, it is found out: now and then states are expanded
//! anew, and compared (`Counts::is_due`), and with `--paranoid` all of them.
//!
//! [`Model::touches`]: crate::model::Model::touches
//! [`Model::choice`]: crate::model::Model::choice

mod dense;
mod masks;
mod rules;
mod table;

pub use masks::FieldLanes;
pub use rules::RememberedRules;

use super::{ModelError, Successors};
use crate::model::Place;
use crate::reduction::Order;
use crate::state::{FastBits, Layout, Shape};
use dense::{Dense, Stop};
use masks::Masks;
use table::{NARROW_BITS, Slot, Table};

/// It must be worth it: of so many firings, …
const WINDOW: u64 = 1 << 20;
/// … at most one in so many may be met for the first time, or again after its slot
/// was taken.
const WORTH: u64 = 16;
/// The first batches are expanded anew as well, and then one in so many.
const AUDIT_EVERY: u32 = 64;
/// Slots that all tables may have together, more or less.
const MAX_SLOTS: usize = 1 << 21;

/// What is known of a model's transitions without firing them.
#[derive(Clone, Copy)]
pub struct Known {
    /// [`Model::choice`](crate::model::Model::choice).
    pub choice: fn(usize) -> Option<(Place, usize)>,
    /// [`Model::touches`](crate::model::Model::touches).
    pub touches: fn(usize, usize, bool, &mut dyn FnMut(Place)) -> bool,
}

/// Something that is remembered of one machine's transitions.
pub trait Cache: Sized {
    /// Nothing yet, if there can be something.
    fn new(shape: &Shape, layout: &Layout, n_transitions: usize, known: Known) -> Option<Self>;

    /// What is counted.
    fn counts(&mut self) -> &mut Counts;

    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// How often something was asked for, to see whether it is worth it.
#[derive(Debug, Default)]
pub struct Counts {
    /// How often in this window, and how often it was not remembered.
    n_asked: u64,
    n_missed: u64,
    n_batches: u32,
}

impl Counts {
    /// Whether the next batch is one to be expanded anew, too.
    pub fn is_due(&mut self) -> bool {
        self.n_batches = self.n_batches.saturating_add(1);
        self.n_batches < AUDIT_EVERY || self.n_batches.is_multiple_of(AUDIT_EVERY)
    }
}

/// Fires a transition in a state and writes the successor. False if it is disabled.
pub type Fire<'f> = dyn FnMut(&[u64], usize, &mut [u64]) -> Result<bool, Box<ModelError>> + 'f;

/// What is remembered of one machine, if anything.
#[derive(Debug, Default)]
pub enum Memo<C = Remembered> {
    /// It has not been found out yet whether anything can be.
    #[default]
    Unasked,
    /// Nothing is.
    Off,
    /// Something of all transitions is.
    On(C),
}

impl<C: Cache> Memo<C> {
    /// Finds out whether anything can be remembered, if that is not known yet.
    #[inline(always)]
    pub fn ask(
        &mut self,
        shape: &Shape,
        layout: &Layout,
        n_transitions: usize,
        known: Known,
    ) -> Option<&mut C> {
        let is_settled = match self {
            Memo::Unasked => false,
            Memo::Off => return None,
            Memo::On(cache) => cache.counts().n_asked < WINDOW,
        };
        if !is_settled {
            self.decide(shape, layout, n_transitions, known);
        }
        match self {
            Memo::On(cache) => Some(cache),
            Memo::Unasked | Memo::Off => None,
        }
    }

    #[cold]
    fn decide(&mut self, shape: &Shape, layout: &Layout, n_transitions: usize, known: Known) {
        *self = match std::mem::replace(self, Memo::Off) {
            Memo::Unasked => {
                C::new(shape, layout, n_transitions, known).map_or(Memo::Off, Memo::On)
            }
            Memo::On(mut cache) => {
                let counts = cache.counts();
                let is_worth_it = counts.n_missed < counts.n_asked / WORTH;
                (counts.n_asked, counts.n_missed) = (0, 0);
                if is_worth_it { Memo::On(cache) } else { Memo::Off }
            }
            Memo::Off => Memo::Off,
        };
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        match self {
            Memo::On(cache) => cache.bytes(),
            Memo::Unasked | Memo::Off => 0,
        }
    }
}

fn bytes<const N: usize>(transitions: &[Transition<N>]) -> usize {
    transitions.iter().flat_map(|transition| &transition.tables).map(Table::bytes).sum()
}

/// The remembered firings of all transitions.
#[derive(Debug)]
pub struct Remembered {
    bits: FastBits,
    /// What the transitions touch.
    masks: Vec<Masks>,
    firings: Firings,
    counts: Counts,
}

/// The remembered firings of all transitions, in the smallest slots that fit.
#[derive(Debug)]
enum Firings {
    Dense(Dense),
    Narrow(Vec<Transition<1>>),
    Wide(Vec<Transition<2>>),
}

impl Firings {
    /// Nothing yet, in the smallest slots but those of [`Dense`].
    fn new(bits: FastBits, masks: &[Masks]) -> Option<Firings> {
        let is_narrow = masks.iter().all(|masks| masks.n_bits() <= NARROW_BITS);
        Some(match is_narrow {
            true => Firings::Narrow(transitions(bits, masks)?),
            false => Firings::Wide(transitions(bits, masks)?),
        })
    }
}

impl Cache for Remembered {
    fn new(shape: &Shape, layout: &Layout, n: usize, known: Known) -> Option<Remembered> {
        let bits = FastBits::new()?;
        let masks = Masks::of_all(shape, layout, n, known, false)?;
        let firings = match Dense::new(bits, &masks) {
            Some(dense) => Firings::Dense(dense),
            None => Firings::new(bits, &masks)?,
        };
        Some(Remembered { bits, masks, firings, counts: Counts::default() })
    }

    fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }

    fn bytes(&self) -> usize {
        match &self.firings {
            Firings::Dense(dense) => dense.bytes(),
            Firings::Narrow(transitions) => bytes(transitions),
            Firings::Wide(transitions) => bytes(transitions),
        }
    }
}

impl Remembered {
    /// Expands states of `n_words` words in full. Appends to `out` as
    /// [`Machine::expand`](super::Machine::expand) does.
    pub fn expand(
        &mut self,
        states: &[u64],
        n_words: usize,
        order: Order,
        fire: &mut Fire<'_>,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let (missed, n_before) = (&mut self.counts.n_missed, out.n_expanded());
        let n = match &mut self.firings {
            Firings::Dense(dense) => match dense.expand(states, order, fire, missed, out) {
                Ok(n) => n,
                Err(Stop::Model(error)) => return Err(error),
                Err(Stop::Full) => {
                    let others = &states[(out.n_expanded() - n_before) * n_words..];
                    self.firings =
                        Firings::new(self.bits, &self.masks).expect("few bits are touched");
                    return self.expand(others, n_words, order, fire, out);
                }
            },
            Firings::Narrow(all) => expand(all, states, n_words, order, fire, missed, out)?,
            Firings::Wide(all) => expand(all, states, n_words, order, fire, missed, out)?,
        };
        self.counts.n_asked += n as u64;
        Ok(())
    }
}

/// [`Remembered::expand`]. Returns the number of firings.
fn expand<const N: usize>(
    transitions: &mut [Transition<N>],
    states: &[u64],
    n_words: usize,
    order: Order,
    fire: &mut Fire<'_>,
    missed: &mut u64,
    out: &mut Successors,
) -> Result<usize, Box<ModelError>> {
    match n_words {
        1 => expand_words::<N, 1>(transitions, states, 1, order, fire, missed, out),
        2 => expand_words::<N, 2>(transitions, states, 2, order, fire, missed, out),
        3 => expand_words::<N, 3>(transitions, states, 3, order, fire, missed, out),
        4 => expand_words::<N, 4>(transitions, states, 4, order, fire, missed, out),
        _ => expand_words::<N, 0>(transitions, states, n_words, order, fire, missed, out),
    }
}

/// As `expand`, for states of `W` words (0: any number). To fetch the slots of all
/// transitions before the first is read is no faster with four words, and slower with
/// fewer.
fn expand_words<const N: usize, const W: usize>(
    firings: &mut [Transition<N>],
    states: &[u64],
    n_words: usize,
    order: Order,
    fire: &mut Fire<'_>,
    missed: &mut u64,
    out: &mut Successors,
) -> Result<usize, Box<ModelError>> {
    let n_words = if W == 0 { n_words } else { W };
    let n = firings.len();
    let (first, step) = order.start_and_step(n);
    for state in states.chunks_exact(n_words) {
        let (words, transitions) = out.room(n, n_words);
        let (mut n_enabled, mut transition) = (0, first);
        for _ in 0..n {
            let (table, slot) = firings[transition].find::<W>(state, transition, fire, missed)?;
            // Where only one word is written, that is done without a jump: whether
            // a transition is enabled cannot be guessed.
            if W == 1 || slot.is_enabled() {
                let next = &mut words[n_enabled * n_words..(n_enabled + 1) * n_words];
                table.apply::<W>(state, slot.change(), next);
                transitions[n_enabled] = transition as u32;
            }
            n_enabled += usize::from(slot.is_enabled());
            transition = transition.wrapping_add(step);
        }
        out.keep(n_enabled, n_words);
        out.end_state();
    }
    Ok(n * (states.len() / n_words))
}

/// The remembered firings of one transition.
#[derive(Debug)]
struct Transition<const N: usize> {
    /// As in [`Masks`].
    word: u32,
    shift: u32,
    mask: u64,
    /// For each of its values, the remembered firings.
    tables: Vec<Table<N>>,
}

impl<const N: usize> Transition<N> {
    /// The table that tells what firing it does in a state.
    #[inline(always)]
    fn table<const W: usize>(&self, state: &[u64]) -> usize {
        let word = if W == 1 { state[0] } else { state[self.word as usize] };
        (word >> self.shift & self.mask) as usize
    }

    /// What firing it does in a state, with the table that tells it.
    #[inline(always)]
    fn find<const W: usize>(
        &mut self,
        state: &[u64],
        transition: usize,
        fire: &mut Fire<'_>,
        missed: &mut u64,
    ) -> Result<(&Table<N>, Slot<N>), Box<ModelError>> {
        let table = self.table::<W>(state);
        let table = &mut self.tables[table];
        let key = table.key::<W>(state);
        let mut slot = table.slot(key);
        if !slot.is_of(key) {
            *missed += 1;
            slot = table.learn(state, transition, key, fire)?;
        }
        Ok((table, slot))
    }
}

fn transitions<const N: usize>(bits: FastBits, all: &[Masks]) -> Option<Vec<Transition<N>>> {
    let n_tables: usize = all.iter().map(|masks| masks.touched.len()).sum();
    let max_slots = MAX_SLOTS / n_tables.max(1);
    let transition = |masks: &Masks| {
        let Masks { word, shift, mask, .. } = *masks;
        let tables: Option<Vec<Table<N>>> = masks
            .touched
            .iter()
            .map(|touched| Table::new(bits, &masks.told(touched), touched, max_slots))
            .collect();
        Some(Transition { word, shift, mask, tables: tables? })
    };
    all.iter().map(transition).collect()
}

#[cfg(test)]
mod tests;
