//! Small random machines of one word, whose transitions do anything at all with what they
//! touch. Some choose by a variable that others change, some touch nothing, some change
//! nothing, and some fail.

use super::choices::{Random, mixed};
use crate::machine::{Footprint, Known};
use crate::state::{Layout, Shape, StateVar};
use std::cell::RefCell;
use std::sync::Arc;

/// Variables for which there is room in a word, and bits of each.
const N_VARIABLES: usize = 16;
const BITS: usize = 4;

/// Variables, transitions and rules.
#[derive(Debug, Default)]
pub struct Small {
    /// Which variables there are, and how many values each has.
    variables: Vec<(usize, u64)>,
    transitions: Vec<Transition>,
    /// Whether rules, and what is enabled, depend on little: stubborn sets come again.
    is_simple: bool,
    /// Whether variables only ever grow, and one always does: there is an end.
    is_forward: bool,
    /// One combination of values in so many makes a transition fail, or 0 …
    pub fails: u64,
    /// … and so many a rule.
    pub rule_fails: u64,
    seed: u64,
}

#[derive(Debug)]
struct Transition {
    /// Which variable it chooses by, and how many values that has.
    choice: Option<(usize, u64)>,
    /// For each of those values, the variables that firing touches, …
    touched: Vec<Vec<usize>>,
    /// … and others at which the rule looks.
    looked_at: Vec<Vec<usize>>,
    /// It is disabled in so many of eight combinations of values.
    disabled_in: u64,
    is_idle: bool,
}

thread_local! {
    /// The machine that is asked about: functions hold no data.
    static ASKED: RefCell<Arc<Small>> = RefCell::default();
}

/// What is known of the machine that is asked about.
const KNOWN: Known = Known {
    choice: |t| {
        let (variable, n) = ASKED.with_borrow(|small| small.transitions[t].choice)?;
        Some(((0, Some(variable)), n as usize))
    },
    touches: |t, value, with_rules, tell| {
        let small = ASKED.with_borrow(Arc::clone);
        let Transition { touched, looked_at, .. } = &small.transitions[t];
        let looked_at = if with_rules { &looked_at[value][..] } else { &[] };
        touched[value].iter().chain(looked_at).for_each(|&variable| tell((0, Some(variable))));
        true
    },
};

impl Small {
    /// A machine of at most so many states.
    pub fn new(seed: u64, max_states: u64) -> Small {
        let random = &mut Random(seed);
        let (mut variables, mut n_states) = (Vec::new(), 1);
        for i in 0..2 + random.below(11) {
            let n = random.of([1, 2, 2, 3, 4, 5, 16]).min(max_states / n_states);
            variables.push((i as usize * 7 % N_VARIABLES, n));
            n_states *= n;
        }
        let sizes = [2 + random.below(3), 1 + random.below(12), 20 + random.below(45), 64];
        let (n, most) = (random.of(sizes), 1 + random.below(5));
        let some = &mut |random: &mut Random, n: u64| -> Vec<usize> {
            (0..n).map(|_| variables[random.below(variables.len() as u64) as usize].0).collect()
        };
        let mut transition = || {
            let choice = variables[random.below(variables.len() as u64) as usize];
            let choice = (random.below(4) > 0).then_some(choice);
            let touches_choice = random.below(2) == 0;
            let n_values = choice.map_or(1, |(_, n)| n);
            let touched = (0..n_values).map(|_| {
                let n = random.below(most + 1);
                let mut touched = some(random, n);
                touched.extend(choice.filter(|_| touches_choice).map(|(variable, _)| variable));
                touched.sort_unstable();
                touched.dedup();
                touched
            });
            let touched = touched.collect();
            let looked_at = (0..n_values).map(|_| {
                let n = random.below(2);
                some(random, n)
            });
            let looked_at = looked_at.collect();
            let (disabled_in, is_idle) = (random.below(6), random.below(10) == 0);
            Transition { choice, touched, looked_at, disabled_in, is_idle }
        };
        let transitions = (0..n).map(|_| transition()).collect();
        let (is_simple, is_forward) = (random.below(2) == 0, random.below(3) == 0);
        Small { variables, transitions, is_simple, is_forward, fails: 0, rule_fails: 0, seed }
    }

    /// Sixteen variables of sixteen values, and transitions that touch these.
    pub fn touching(
        seed: u64,
        touched: impl Iterator<Item = Vec<usize>>,
        is_simple: bool,
    ) -> Small {
        let transition = |touched: Vec<usize>| Transition {
            choice: None,
            looked_at: vec![touched[..1].to_vec()],
            touched: vec![touched],
            disabled_in: 3,
            is_idle: false,
        };
        let variables = (0..N_VARIABLES).map(|variable| (variable, 1 << BITS)).collect();
        let transitions = touched.map(transition).collect();
        Small { variables, transitions, is_simple, seed, ..Small::default() }
    }

    pub fn n_transitions(&self) -> usize {
        self.transitions.len()
    }

    pub fn state(&self, random: &mut Random) -> u64 {
        let value = |&(variable, n): &(usize, u64)| random.below(n) << (variable * BITS);
        self.variables.iter().map(value).sum()
    }

    /// What its transitions touch, with their rules or without.
    pub fn touched(self: &Arc<Self>, with_rules: bool) -> Vec<Footprint> {
        const SHAPE: Shape = Shape::Record(&[("all", &<[u8; N_VARIABLES]>::SHAPE)]);
        let lanes = Layout::array(u8::LAYOUT.ranged(0, (1 << BITS) - 1), N_VARIABLES);
        let layout = Layout::EMPTY.append(lanes).finish(usize::MAX);
        assert_eq!(layout.words(), 1);
        ASKED.set(self.clone());
        let all = Footprint::of_all(&SHAPE, &layout, self.n_transitions(), KNOWN, with_rules);
        all.expect("they do not touch much")
    }

    /// By which value a transition chooses.
    fn choice(&self, state: u64, t: usize) -> usize {
        self.transitions[t].choice.map_or(0, |(variable, _)| value(state, variable)) as usize
    }

    /// What firing a transition does is a function of this.
    fn hash(&self, state: u64, t: usize) -> u64 {
        let choice = self.choice(state, t);
        let touched = &self.transitions[t].touched[choice];
        let seen = touched.iter().map(|&variable| value(state, variable));
        mixed([self.seed, t as u64, choice as u64].into_iter().chain(seen))
    }

    /// Whether a transition fails.
    pub fn fails(&self, state: u64, t: usize) -> bool {
        self.fails > 0 && mixed([self.hash(state, t)]).is_multiple_of(self.fails)
    }

    /// The state to which a transition leads, if it is enabled.
    pub fn successor(&self, state: u64, t: usize) -> Option<u64> {
        let Transition { touched, disabled_in, is_idle, .. } = &self.transitions[t];
        let (hash, touched) = (self.hash(state, t), &touched[self.choice(state, t)]);
        let is_enabled = match touched.first() {
            Some(&variable) if self.is_simple => value(state, variable) != *disabled_in,
            _ => hash % 8 >= *disabled_in,
        };
        let mut next = state;
        for &(variable, n) in self.variables.iter().filter(|(v, _)| touched.contains(v)) {
            let (hash, old) = (mixed([hash, variable as u64]), value(state, variable));
            let new = if self.is_forward { old + 1 } else { (hash >> 8) % n };
            if new == n {
                return None;
            }
            if !is_idle && !hash.is_multiple_of(3) {
                next ^= (old ^ new) << (variable * BITS);
            }
        }
        (is_enabled && !(self.is_forward && next == state)).then_some(next)
    }

    /// What a rule obliges, as numbers of transitions; the number of transitions stands
    /// for all. `None` if it fails.
    pub fn obliged(&self, state: u64, t: usize) -> Option<Vec<usize>> {
        let looked_at = &self.transitions[t].looked_at[self.choice(state, t)];
        let seen = looked_at.iter().map(|&variable| value(state, variable));
        let hash = match self.is_simple {
            true => mixed([self.seed, t as u64].into_iter().chain(seen.map(|value| value % 2))),
            false => mixed([self.hash(state, t)].into_iter().chain(seen)),
        };
        let n = self.n_transitions() as u64;
        let some = |i: u64| (hash >> (8 * i)) % n;
        let list = match hash % 7 {
            0 | 1 => vec![],
            2 => vec![some(1)],
            3 => vec![some(1), some(2), some(1)],
            4 => vec![t as u64, some(3)],
            5 => vec![n],
            _ => vec![some(2), n, some(4)],
        };
        let is_fine = self.rule_fails == 0 || !mixed([hash]).is_multiple_of(self.rule_fails);
        is_fine.then(|| list.into_iter().map(|t| t as usize).collect())
    }
}

fn value(state: u64, variable: usize) -> u64 {
    state >> (variable * BITS) & ((1 << BITS) - 1)
}
