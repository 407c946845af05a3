//! Firings and obligations that are remembered together, for stubborn sets.
//!
//! The closure asks what a transition obliges, and then fires some of those it asked
//! about. Both are functions of the variables that the transition or its rule touch.
//! One look-up tells both, in the packed state: nothing is unpacked.
//!
//! Obligations are what the closure asks for most (docs/decisions.md, "Rules that are
//! remembered").

use super::closure::Closure;
use super::sets::{Sets, Unknown};
use super::view::View;
use crate::expand::remembered::{MAX_SLOTS, Open, Table};
use crate::expand::trial::Trial;
use crate::machine::{Footprint, ModelError, Successors};
use crate::memory::bits::FastBits;
use crate::model::{END, Obligations, Order};
use hashbrown::HashMap;

/// The words of a slot: a combination, what is changed, and where the list begins.
const WORDS: usize = 3;

/// Stands for a slot where nothing is remembered.
const NONE: u32 = u32::MAX;

/// What is remembered of all transitions and their rules.
#[derive(Debug)]
pub struct RememberedRules {
    n_words: usize,
    order: Order,
    transitions: Vec<Transition>,
    lists: Lists,
    /// For each transition that was asked about in the state at hand: the table, and
    /// the slot there, or `NONE`.
    found: Vec<(u32, u32)>,
    /// Stubborn sets of states of one word, if few things tell them apart.
    sets: Option<Sets>,
    /// Of look-ups.
    pub trial: Trial,
}

/// Lists of obligations, each once.
#[derive(Debug, Default)]
struct Lists {
    /// One after the other; [`END`] ends each.
    all: Vec<u32>,
    starts: HashMap<Box<[u32]>, u32>,
}

impl Lists {
    /// Where a list begins.
    fn start_of(&mut self, list: &[u32]) -> u32 {
        if let Some(&start) = self.starts.get(list) {
            return start;
        }
        let start = self.all.len() as u32;
        self.all.extend_from_slice(list);
        self.all.push(END);
        self.starts.insert(list.into(), start);
        start
    }
}

impl RememberedRules {
    /// Nothing yet of transitions that touch these bits, and their rules with them, if there
    /// are any and that are not too many.
    pub fn new(touched: Vec<Footprint>, n_words: usize, order: Order) -> Option<Self> {
        let (bits, n) = (FastBits::new()?, touched.len());
        if n == 0 {
            return None;
        }
        Some(RememberedRules {
            n_words,
            order,
            transitions: transitions(bits, &touched)?,
            lists: Lists::default(),
            found: vec![(0, NONE); n],
            sets: if n_words == 1 { Sets::new(bits, touched) } else { None },
            trial: Trial::of_firings(),
        })
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let tables = self.transitions.iter().flat_map(|transition| &transition.tables);
        let sets = self.sets.as_ref().map_or(0, Sets::bytes);
        tables.map(Table::bytes).sum::<usize>() + 8 * self.lists.all.len() + sets
    }

    /// Expands states as their stubborn sets say. Appends to `out` as
    /// [`Source::expand`](crate::expand::Source::expand) does.
    pub fn expand(
        &mut self,
        states: &[u64],
        closure: &mut Closure,
        open: &mut Open<'_>,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        if self.n_words == 1 {
            return self.expand_by_sets(states, closure, open, out);
        }
        for state in states.chunks_exact(self.n_words) {
            self.expand_by_closure::<0>(state, closure, open, out)?;
        }
        Ok(())
    }

    /// Expands a state of `W` words (0: any number), whose stubborn set is not remembered.
    #[inline(always)]
    fn expand_by_closure<const W: usize>(
        &mut self,
        state: &[u64],
        closure: &mut Closure,
        open: &mut Open<'_>,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let (n, order) = (self.transitions.len(), self.order);
        let seen = &mut Seen::<W> { state, known: self, open };
        closure.expand_by(order, n, seen, state.len(), out)
    }

    /// As `expand`, for states of one word, by stubborn sets that are remembered where there
    /// are some.
    fn expand_by_sets(
        &mut self,
        states: &[u64],
        closure: &mut Closure,
        open: &mut Open<'_>,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let mut left = states;
        while !left.is_empty() {
            let mut combination = None;
            let n_uncounted = closure.n_uncounted().min(left.len());
            if let Some(sets) = self.sets.as_mut().filter(|_| n_uncounted > 0) {
                let (n, unknown) = sets.expand(&left[..n_uncounted], out);
                closure.count_states(n);
                let n_asked = sets.n_groups() * n + usize::from(unknown.is_some());
                self.trial.n_asked += n_asked as u64;
                left = &left[n..];
                sets.trial.n_asked += n_asked as u64;
                if !sets.trial.is_worth_it() {
                    self.sets = None;
                    continue;
                }
                match unknown {
                    None => continue,
                    Some(Unknown::Set(key)) => combination = Some(key),
                    Some(Unknown::Group(group, table)) => {
                        self.trial.n_missed += 1;
                        if !sets.learn(left[0], group, table, open)? {
                            self.sets = None;
                        }
                        continue;
                    }
                }
            }
            let n_before = out.len();
            self.expand_by_closure::<1>(&left[..1], closure, open, out)?;
            left = &left[1..];
            if let (Some(key), Some(sets)) = (combination, &mut self.sets) {
                sets.remember(key, &out.transitions()[n_before..]);
            }
        }
        Ok(())
    }
}

/// A packed state of `W` words (0: any number), as the closure sees it.
struct Seen<'s, 'o, const W: usize> {
    state: &'s [u64],
    known: &'s mut RememberedRules,
    open: &'s mut Open<'o>,
}

impl<const W: usize> Seen<'_, '_, W> {
    #[inline(always)]
    fn n_words(&self) -> usize {
        if W == 0 { self.state.len() } else { W }
    }

    #[inline(always)]
    fn table(&mut self, transition: usize) -> (usize, &mut Table<WORDS>) {
        let transition = &mut self.known.transitions[transition];
        let table = transition.table::<W>(self.state);
        (table, &mut transition.tables[table])
    }

    /// Finds a combination that is not in its slot, perhaps beside it, or asks the
    /// model about it. If it fails to fire, that is no fault yet: perhaps it is not
    /// fired. Returns where the obligations begin.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, transition: usize, key: u64) -> Result<u32, Box<ModelError>> {
        let state = self.state;
        let mut note = None;
        if self.table(transition).1.beside(key).is_none() {
            self.known.trial.n_missed += 1;
            let (mut need, mut next) = (Obligations::new(), state.to_vec());
            let (mut obliged, mut fired) = (None, None);
            let opened = (self.open)(state, &mut |state| {
                obliged = Some(state.oblige(transition, &mut need));
                fired = Some(state.successor(transition, &mut next));
            });
            // Where the rule has answered, it was the firing that failed.
            match (obliged, opened) {
                (Some(obliged), _) => obliged?,
                (None, opened) => opened?,
            }
            let start = self.known.lists.start_of(&need.list);
            note = Some(start);
            if let Some(Ok(is_enabled)) = fired {
                let next = is_enabled.then_some(&*next);
                let (_, table) = self.table(transition);
                table.remember(table.firing(state, transition, key, next)?.noted(start));
            }
        }
        let (at, table) = self.table(transition);
        let (position, slot) = table.slot_at(key);
        let is_there = slot.is_of(key);
        let start = if is_there { slot.note() } else { note.expect("it was asked for") };
        let position = if is_there { position as u32 } else { NONE };
        self.known.found[transition] = (at as u32, position);
        Ok(start)
    }

    /// Fires a transition of which nothing is remembered.
    #[cold]
    #[inline(never)]
    fn fire_anew(&mut self, t: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let mut fired = Ok(false);
        (self.open)(self.state, &mut |state| fired = state.fire(t, out))?;
        fired
    }
}

impl<const W: usize> View for Seen<'_, '_, W> {
    #[inline(always)]
    fn oblige(&mut self, transition: usize) -> Result<u32, Box<ModelError>> {
        self.known.trial.n_asked += 1;
        let state = self.state;
        let (at, table) = self.table(transition);
        let key = table.key::<W>(state);
        let (position, slot) = table.slot_at(key);
        if !slot.is_of(key) {
            return self.learn(transition, key);
        }
        let start = slot.note();
        self.known.found[transition] = (at as u32, position as u32);
        Ok(start)
    }

    #[inline(always)]
    fn lists(&self) -> &[u32] {
        &self.known.lists.all
    }

    #[inline(always)]
    fn fire(&mut self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let (table, position) = self.known.found[transition];
        if position == NONE {
            return self.fire_anew(transition, out);
        }
        let table = &self.known.transitions[transition].tables[table as usize];
        let slot = table.get(position as usize);
        if slot.is_enabled() {
            let n_words = self.n_words();
            out.reserve(1, n_words);
            let (words, number) = out.next(n_words);
            table.apply::<W>(self.state, slot.change(), words);
            *number = transition as u32;
            out.keep_next(n_words);
        }
        Ok(slot.is_enabled())
    }

    fn is_enabled(&mut self, transition: usize) -> Result<bool, Box<ModelError>> {
        let state = self.state;
        let (_, table) = self.table(transition);
        let key = table.key::<W>(state);
        match table.slot(key) {
            slot if slot.is_of(key) => Ok(slot.is_enabled()),
            _ => self.fire_anew(transition, &mut Successors::default()),
        }
    }
}

/// The remembered firings of one transition.
#[derive(Debug)]
struct Transition {
    /// As in [`Footprint`].
    word: u32,
    shift: u32,
    mask: u64,
    /// For each of its values, the remembered firings.
    tables: Vec<Table<WORDS>>,
}

impl Transition {
    /// The table that tells what firing it does in a state.
    #[inline(always)]
    fn table<const W: usize>(&self, state: &[u64]) -> usize {
        let word = if W == 1 { state[0] } else { state[self.word as usize] };
        (word >> self.shift & self.mask) as usize
    }
}

fn transitions(bits: FastBits, all: &[Footprint]) -> Option<Vec<Transition>> {
    let n_tables: usize = all.iter().map(|masks| masks.touched.len()).sum();
    let max_slots = MAX_SLOTS / n_tables.max(1);
    let transition = |masks: &Footprint| {
        let Footprint { word, shift, mask, .. } = *masks;
        let tables: Option<Vec<Table<WORDS>>> = masks
            .touched
            .iter()
            .map(|touched| Table::new(bits, &masks.told(touched), touched, max_slots))
            .collect();
        Some(Transition { word, shift, mask, tables: tables? })
    };
    all.iter().map(transition).collect()
}
