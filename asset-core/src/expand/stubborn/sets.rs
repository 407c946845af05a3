//! Stubborn sets that are remembered, for states of one word.
//!
//! A stubborn set is a function of what transitions oblige, and of which are enabled. What a
//! group of transitions, such as those of one process, has of that is its *class*. A group
//! has few classes (in Peterson-n, a process has nothing to wait for, or waits for all, and
//! can stop or not), so there are few combinations of them. For each, what was fired is
//! remembered, in order: a look-up for each group and one for all take the place of the
//! closure. Peterson-4 with stubborn sets takes two thirds of the instructions.
//!
//! The first state with a combination goes through the closure, as do those in which
//! something is counted for the author of the rules.

use crate::expand::pairs::Pairs;
use crate::expand::remembered::{Members, Open, STRIDE, Tables, unsteady};
use crate::expand::trial::Trial;
use crate::machine::{Footprint, ModelError, Opened, Room, Successors};
use crate::memory::bits::FastBits;
use crate::model::{END, Obligations};
use hashbrown::HashMap;

/// Bits by which the classes of a group must be told, at least.
const LEAST_BITS: u32 = 4;
/// As many can be told, at most; there are hardly ever more.
const MOST_BITS: u32 = 16;
/// It must be worth it: of so many look-ups of groups, at most one in so many may be learnt
/// from. (The rules of philosophers look at so much that a state is hardly ever met again.)
const TRIAL: Trial = Trial::new(1 << 10, 2);
/// What a class takes, with a list of some obligations, more or less.
const CLASS_BYTES: usize = 128;
/// So many combinations are remembered.
const MAX_SETS: usize = 1 << 16;

/// What is remembered.
#[derive(Debug)]
pub struct Sets {
    masks: Vec<Footprint>,
    groups: Vec<Members>,
    /// For each transition, its group, and which of its members it is.
    member: Vec<Fired>,
    /// Outcomes are classes, and what each member changes, or 0.
    tables: Tables<1>,
    /// For each group, its classes, which are numbered from 1 on: for each member, whether
    /// it is enabled, and what it obliges.
    classes: Vec<HashMap<Box<[u32]>, u64>>,
    class_bits: u32,
    /// From a combination of classes to where those that are fired begin, and how many.
    sets: Pairs<0>,
    n_sets: usize,
    /// The sets, one after the other, each filled up to a multiple of [`STRIDE`].
    fired: Vec<Fired>,
    /// Where the outcome of each group begins in the state at hand.
    starts: Vec<usize>,
    /// Of look-ups of groups.
    pub trial: Trial,
}

/// A transition, its group, and which of its members it is.
#[derive(Clone, Copy, Debug, Default)]
struct Fired {
    transition: u32,
    group: u16,
    member: u16,
}

/// Why a state was not expanded.
pub enum Unknown {
    /// A group, and its table, must be learnt.
    Group(usize, usize),
    /// This combination has not been met.
    Set(u64),
}

impl Sets {
    /// Nothing yet of transitions that touch these bits, and their rules with them. `None`
    /// if there are too many groups.
    pub fn new(bits: FastBits, masks: Vec<Footprint>) -> Option<Self> {
        let (mut tables, groups) = Tables::new(bits, &masks)?;
        let class_bits = (u64::BITS / groups.len() as u32).min(MOST_BITS);
        if class_bits < LEAST_BITS {
            return None;
        }
        tables.forget(1);
        let mut member = vec![Fired::default(); masks.len()];
        for (group, members) in groups.iter().enumerate() {
            for (i, &t) in members.iter().enumerate() {
                let (group, i) = (u16::try_from(group).ok()?, u16::try_from(i).ok()?);
                member[t] = Fired { transition: t as u32, group, member: i };
            }
        }
        Some(Sets {
            masks,
            member,
            tables,
            classes: vec![HashMap::new(); groups.len()],
            class_bits,
            sets: Pairs::new(),
            n_sets: 0,
            fired: Vec::new(),
            starts: vec![0; groups.len()],
            groups,
            trial: TRIAL,
        })
    }

    /// Number of groups.
    pub fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// Expands states, as many as there is room for, up to one whose set is not known. Tells
    /// how many, and why not that one.
    #[inline(always)]
    pub fn expand(&mut self, states: &[u64], out: &mut Successors) -> (usize, Option<Unknown>) {
        out.add_states(self.n_room(), 1, |room| self.expand_known(states, room))
    }

    /// Successors for which there must be room.
    fn n_room(&self) -> usize {
        self.masks.len().next_multiple_of(STRIDE)
    }

    #[inline(always)]
    fn expand_known(&mut self, states: &[u64], out: &mut Room<'_>) -> (usize, Option<Unknown>) {
        let n_room = self.n_room();
        let Sets { tables, sets, fired, starts, class_bits, .. } = self;
        let (tables, fired, starts) = (tables.seen(), &**fired, &mut **starts);
        let class_bits = *class_bits;
        for (i, &state) in states.iter().enumerate() {
            if !out.is_enough(n_room, 1) {
                return (i, None);
            }
            let mut key = 0;
            for (group, at) in starts.iter_mut().enumerate() {
                match tables.find::<1>(&[state], group) {
                    Ok((start, _)) => *at = start,
                    Err(table) => return (i, Some(Unknown::Group(group, table))),
                }
                key = key << class_bits | tables.outcomes[*at];
            }
            let Some(set) = sets.get((key >> 32) as u32, key as u32) else {
                return (i, Some(Unknown::Set(key)));
            };
            let (first, n) = ((set >> 32) as usize, set as u32 as usize);
            let (words, numbers) = out.rest(1);
            let room = words.chunks_exact_mut(STRIDE).zip(numbers.chunks_exact_mut(STRIDE));
            let fired = fired[first..first + n.next_multiple_of(STRIDE)].chunks_exact(STRIDE);
            for ((words, numbers), fired) in room.zip(fired) {
                for i in 0..STRIDE {
                    let Fired { transition, group, member } = fired[i];
                    let at = starts[group as usize] + 1 + member as usize;
                    (words[i], numbers[i]) = (state ^ tables.outcomes[at], transition);
                }
            }
            out.end_state(n);
        }
        (states.len(), None)
    }

    /// Remembers what is fired where there is this combination.
    pub fn remember(&mut self, key: u64, fired: &[u32]) {
        if self.n_sets < MAX_SETS {
            let set = (self.fired.len() as u64) << 32 | fired.len() as u64;
            self.fired.extend(fired.iter().map(|&t| self.member[t as usize]));
            // What is fired behind the last one is not kept.
            self.fired.resize(self.fired.len().next_multiple_of(STRIDE), Fired::default());
            self.sets.insert((key >> 32) as u32, key as u32, set);
            self.n_sets += 1;
        }
    }

    /// Learns what a group does in a state. False if that cannot be told: a rule or a firing
    /// fails, which is no fault if it is not asked for, or there is no room.
    #[cold]
    #[inline(never)]
    pub fn learn(
        &mut self,
        state: u64,
        group: usize,
        table: usize,
        open: &mut Open<'_>,
    ) -> Result<bool, Box<ModelError>> {
        let state = [state];
        self.trial.n_missed += 1;
        if self.tables.is_beside::<1>(&state, table) {
            return Ok(true);
        }
        let (mut class, mut outcome, mut changes_others) = (Vec::new(), vec![0], None);
        let mut ask = |members: &[usize], local: &dyn Opened| {
            for &t in members {
                let (mut need, mut next) = (Obligations::new(), [0]);
                let obliged = local.oblige(t, &mut need);
                let Ok(is_enabled) = obliged.and_then(|()| local.successor(t, &mut next)) else {
                    return false;
                };
                class.push(u32::from(is_enabled));
                class.extend_from_slice(&need.list);
                class.push(END);
                let change = if is_enabled { state[0] ^ next[0] } else { 0 };
                if change & !self.masks[t].touched_in(&state)[0] != 0 {
                    changes_others = Some(t);
                }
                outcome.push(change);
            }
            true
        };
        let mut is_told = false;
        let opened = open(&state, &mut |local| is_told = ask(&self.groups[group], local));
        is_told &= opened.is_ok();
        if let Some(t) = changes_others {
            return Err(unsteady(&state, t));
        }
        let classes = &mut self.classes[group];
        let next = classes.len() as u64 + 1;
        if !is_told || next >> self.class_bits != 0 {
            return Ok(false);
        }
        outcome[0] = *classes.entry(class.into()).or_insert(next);
        Ok(self.tables.remember::<1>(&state, table, &outcome).is_some())
    }

    /// Bytes in use, more or less.
    pub fn bytes(&self) -> usize {
        let classes: usize = self.classes.iter().map(HashMap::capacity).sum();
        CLASS_BYTES * classes + self.tables.bytes() + self.sets.bytes() + size_of_val(&*self.fired)
    }
}
