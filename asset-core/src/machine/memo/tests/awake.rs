//! Expansion of one-word states that leaves out what is asleep: state by state against
//! transitions that are fired one by one, and in whole searches against plain ones.

use super::super::{Order, Remembered, Stop, Successors};
use super::choices::{Random, mixed};
use super::small::Small;
use crate::machine::{Machine, ModelError, Packed, Paranoid, Wrong, by_hand};
use crate::memory::bits::FastBits;
use crate::model::{CheckSet, Description, Fault, Obligations, Shown};
use crate::reduction::{Choice, Selector};
use crate::search::bfs::{self, Exploration, Options};
use crate::search::{Expander, Failure, Watch};
use crate::state::Layout;
use crate::store::Compact;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What is wrong with a transition that fails.
fn failing() -> Wrong {
    Wrong::Unsteady("a transition that fails".to_owned())
}

fn fire(
    small: &Small,
) -> impl FnMut(&[u64], usize, &mut [u64]) -> Result<bool, Box<ModelError>> + '_ {
    |state, t, next| {
        if small.fails(state[0], t) {
            return Err(Box::new(ModelError::new(state, t, failing())));
        }
        let successor = small.successor(state[0], t);
        successor.iter().for_each(|&successor| next[0] = successor);
        Ok(successor.is_some())
    }
}

/// What one after the other leads to, if both are enabled.
fn both(small: &Small, state: u64, first: usize, second: usize) -> Option<u64> {
    small.successor(small.successor(state, first)?, second)
}

/// Compares one batch; tells how many transitions were left out, and how many pairs commute.
fn compare_batch(
    small: &Small,
    remembered: &mut Remembered,
    order: Order,
    random: &mut Random,
) -> (usize, usize) {
    let n = small.n_transitions();
    let states: Vec<u64> = (0..8).map(|_| small.state(random)).collect();
    let mut out = Successors::default();
    out.asleep_mut().extend(states.iter().map(|_| match random.below(4) {
        0 => 0,
        1 => u64::MAX,
        2 => mixed([random.below(1 << 40)]),
        _ => mixed([random.below(1 << 40)]) | mixed([random.below(1 << 40)]),
    }));
    let is_awake = random.below(5) == 0;
    if is_awake {
        out.wake_all();
    }
    remembered.expand(&states, order, &mut fire(small), &mut out).expect("nothing fails");
    assert_eq!((out.n_expanded(), out.is_awake()), (states.len(), is_awake));
    let (mut n_left_out, mut n_commuting) = (0, 0);
    for (i, &state) in states.iter().enumerate() {
        let enabled = |rank: &usize| small.successor(state, order.nth(*rank, n)).is_some();
        let enabled = (0..n).filter(enabled).fold(0u64, |bits, rank| bits | 1 << rank);
        let asleep = if is_awake { 0 } else { out.asleep()[i] };
        assert_eq!(out.left_out()[i], enabled & asleep);
        n_left_out += (enabled & asleep).count_ones() as usize;
        let awake = (0..n).filter(|rank| (enabled & !asleep) >> rank & 1 != 0);
        let awake: Vec<usize> = awake.map(|rank| order.nth(rank, n)).collect();
        assert_eq!(out.of(i).len(), awake.len());
        for (at, &t) in out.of(i).zip(&awake) {
            assert_eq!(out.transitions()[at] as usize, t);
            assert_eq!(Some(out.words()[at]), small.successor(state, t));
            let sleeping = out.sleeping().expect("it was asked for")[at];
            let before = (1u64 << order.nth(t, n)) - 1;
            assert_eq!(sleeping & !(enabled & (out.asleep()[i] | before)), 0);
            for other in (0..n).filter(|rank| sleeping >> rank & 1 != 0) {
                let other = order.nth(other, n);
                let [one, two] = [both(small, state, t, other), both(small, state, other, t)];
                assert!(one.is_some() && one == two, "{t} and {other} in {state:x}");
                n_commuting += 1;
            }
        }
    }
    (n_left_out, n_commuting)
}

#[test]
fn what_is_asleep_is_left_out_and_what_is_said_to_commute_does() {
    if FastBits::new().is_none() {
        return;
    }
    let (mut n_left_out, mut n_commuting) = (0, 0);
    for seed in 0..300 {
        let small = Arc::new(Small::new(seed, u64::MAX));
        let (mut remembered, mut random) = (small.cache(), Random(seed));
        for i in 0..12 {
            let order = if i / 3 % 2 == 0 { Order::Backward } else { Order::Forward };
            let (left_out, commuting) = compare_batch(&small, &mut remembered, order, &mut random);
            n_left_out += left_out;
            n_commuting += commuting;
        }
    }
    assert!(n_left_out > 50_000 && n_commuting > 50_000, "{n_left_out}, {n_commuting}");
}

/// A machine that expands states by what is remembered, but for some batches.
struct Searched {
    small: Arc<Small>,
    roots: Vec<u64>,
    /// For either check, one state in so many is wrong, or 0.
    bad: [u64; 2],
    known: Mutex<Known>,
}

struct Known {
    remembered: Remembered,
    random: Random,
    /// Batches that are left until nothing is remembered any more.
    n_left: u64,
    n_left_out: u32,
}

impl Searched {
    fn new(seed: u64, max_states: u64) -> Self {
        let random = &mut Random(mixed([seed]));
        let mut small = Small::new(seed, max_states);
        small.fails = random.of([0, 0, 300, 3000]);
        let small = Arc::new(small);
        let roots = (0..random.of([1, 1, 3, 50])).map(|_| small.state(random)).collect();
        let (remembered, n_left) = (small.cache(), random.of([20, 100, 1 << 20, 1 << 20]));
        let known = Mutex::new(Known { remembered, random: Random(seed), n_left, n_left_out: 0 });
        let bad = [random.of([0, 3, 40, 400]), random.of([0, 1, 2, 5])];
        Searched { small, roots, bad, known }
    }

    fn fault(&self, check: usize, state: u64, on: CheckSet) -> Option<Fault> {
        let is_bad =
            self.bad[check] > 0 && mixed([state, check as u64]).is_multiple_of(self.bad[check]);
        (on.contains(check) && is_bad).then(|| Fault { check, message: "".into() })
    }
}

impl Machine for Searched {
    fn expand(
        &self,
        states: &[u64],
        selector: &mut Selector,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let known = &mut *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.n_left = known.n_left.saturating_sub(1);
        match known.random.below(16) {
            _ if known.n_left == 0 => return by_hand::expand(self, states, selector, out),
            0 => return by_hand::expand(self, states, selector, out),
            1 => known.remembered = self.small.cache(),
            2 => out.wake_all(),
            _ => {}
        }
        let n_before = out.n_expanded();
        match known.remembered.expand(states, selector.order, &mut fire(&self.small), out) {
            Ok(()) => {
                let left_out = out.left_out()[n_before..].iter().map(|bits| bits.count_ones());
                known.n_left_out += left_out.sum::<u32>();
                Ok(())
            }
            Err(Stop::Unsteady(error)) => Err(*error),
            Err(Stop::Failed) => {
                by_hand::expand(self, &states[out.n_expanded() - n_before..], selector, out)
            }
        }
    }

    fn initial_states(&self) -> Result<Vec<Packed>, ModelError> {
        Ok(self.roots.iter().map(|&root| [root].into()).collect())
    }

    fn fire(&self, state: &[u64], t: usize) -> Result<Option<Packed>, ModelError> {
        let mut next = [0];
        let is_enabled = fire(&self.small)(state, t, &mut next).map_err(|error| *error)?;
        Ok(is_enabled.then(|| next.into()))
    }

    fn state_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        Ok(self.fault(0, state[0], on))
    }

    fn deadlock_fault(&self, state: &[u64], on: CheckSet) -> Result<Option<Fault>, ModelError> {
        Ok(self.fault(1, state[0], on))
    }

    fn n_transitions(&self) -> usize {
        self.small.n_transitions()
    }

    fn n_words(&self) -> usize {
        1
    }

    fn description(&self) -> &Description {
        &Description {
            name: "small",
            doc: "",
            checks: &[],
            has_rules: false,
            progress_transitions: false,
            progress_states: false,
            progress_edges: false,
            not_understood: &[],
        }
    }

    fn disabled_but_changed(&self, _: &[u64], _: usize) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn layout(&self) -> &Layout {
        unreachable!("it is not asked for")
    }

    fn lane_paths(&self) -> Vec<String> {
        unreachable!("they are not asked for")
    }

    fn obligations(&self, _: &[u64], _: usize, _: &mut Obligations) -> Result<(), ModelError> {
        unreachable!("there are no rules")
    }

    fn stubborn_set(&self, _: &[u64], _: &mut Selector) -> Result<Vec<usize>, ModelError> {
        unreachable!("there are no rules")
    }

    fn progress_states_of(
        &self,
        _: &[u64],
        _: usize,
        _: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        Ok(())
    }

    fn progress_transition(&self, _: usize) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn progress_state(&self, _: &[u64]) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn progress_edge(&self, _: &[u64], _: usize) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn transition_name(&self, t: usize) -> String {
        t.to_string()
    }

    fn show(&self, state: &[u64]) -> Shown {
        Shown::Int(state[0].into())
    }

    fn display(&self, _: &[u64]) -> Result<Option<String>, ModelError> {
        Ok(None)
    }
}

/// What a search has found.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    n_states: usize,
    n_edges: usize,
    n_terminal: usize,
    depth: usize,
    /// For each state that is not initial, its parent and the transition.
    tree: Vec<(usize, usize)>,
    /// The states in which a check failed, and which.
    faults: Vec<(usize, usize)>,
    /// The state and the transition that failed.
    failed: Option<(usize, usize)>,
}

/// A plain search, which expands one state after the other.
struct Plain<'p> {
    searched: &'p Searched,
    options: Options,
    known: HashSet<u64>,
    /// The states, with their distance from an initial one.
    states: Vec<(u64, usize)>,
    counts: Counts,
}

impl Plain<'_> {
    /// Everything, up to what ends the search.
    fn search(searched: &Searched, order: Order, options: Options) -> Counts {
        let (known, states) = (HashSet::new(), Vec::new());
        let mut plain = Plain { searched, options, known, states, counts: Counts::default() };
        let goes_on = searched.roots.iter().all(|&root| plain.find(root, 0).1);
        let mut from = 0;
        while goes_on && from < plain.states.len() && plain.expand(from, order) {
            from += 1;
        }
        plain.counts.n_states = plain.states.len();
        plain.counts.depth = plain.states.last().map_or(0, |&(_, depth)| depth);
        plain.counts
    }

    /// Whether a state is new, and whether the search goes on.
    fn find(&mut self, state: u64, depth: usize) -> (bool, bool) {
        let is_new = self.known.insert(state);
        if is_new {
            self.states.push((state, depth));
            let fault = self.searched.fault(0, state, self.options.state_checks);
            let id = self.states.len() - 1;
            self.counts.faults.extend(fault.map(|fault| (id, fault.check)));
        }
        (is_new, self.counts.faults.len() < self.options.max_faults)
    }

    /// Expands a state. Whether the search goes on.
    fn expand(&mut self, from: usize, order: Order) -> bool {
        let (searched, n) = (self.searched, self.searched.n_transitions());
        let (state, depth) = self.states[from];
        let ranks = || (0..n).map(|i| order.nth(i, n));
        self.counts.failed = ranks().find(|&t| searched.small.fails(state, t)).map(|t| (from, t));
        if self.counts.failed.is_some() {
            return false;
        }
        let mut is_terminal = true;
        for t in ranks() {
            let Some(next) = searched.small.successor(state, t) else { continue };
            is_terminal = false;
            self.counts.n_edges += 1;
            let (is_new, goes_on) = self.find(next, depth + 1);
            self.counts.tree.extend(is_new.then_some((from, t)));
            if !goes_on {
                return false;
            }
        }
        if is_terminal {
            self.counts.n_terminal += 1;
            let fault = searched.fault(1, state, self.options.deadlock_checks);
            self.counts.faults.extend(fault.map(|fault| (from, fault.check)));
        }
        self.counts.faults.len() < self.options.max_faults
    }
}

fn explore(machine: &dyn Machine, order: Order, options: Options) -> Exploration {
    let selector = Selector::new(order, Choice::Full);
    let set = Compact::new(u64::BITS);
    let mut space = Expander::with_set(machine, selector, set).expect("initial states");
    bfs::explore(&mut space, options, &mut Watch::unlimited())
}

fn counts(found: &Exploration) -> Counts {
    let parents: HashMap<_, _> = found.parents.walk_back().collect();
    let n_roots = found.n_states as usize - parents.len();
    let arrival = |id: usize| (parents[&(id as u32)] as usize, found.arrivals.get(id as u32));
    Counts {
        n_states: found.n_states as usize,
        n_edges: found.n_edges as usize,
        n_terminal: found.n_terminal as usize,
        depth: found.depth as usize,
        tree: (n_roots..found.n_states as usize).map(arrival).collect(),
        faults: found.faults.iter().map(|(id, fault)| (*id as usize, fault.check)).collect(),
        failed: match &found.end {
            Ok(()) => None,
            Err(Failure::Model(error, Some(id))) if error.wrong == failing() => {
                Some((*id as usize, error.transition.expect("one that fails")))
            }
            Err(failure) => panic!("{failure:?}"),
        },
    }
}

#[test]
fn searches_find_the_same_as_plain_ones() {
    if FastBits::new().is_none() {
        return;
    }
    let [mut n_states, mut n_left_out, mut n_faults, mut n_failed] = [0; 4];
    for seed in 0..300 {
        let searched = Searched::new(seed, [300, 2000, 10_000][seed as usize % 3]);
        let order = if seed % 2 == 0 { Order::Backward } else { Order::Forward };
        let [state_checks, deadlock_checks] = [seed / 2, seed / 4]
            .map(|i| if i % 2 == 0 { CheckSet::default() } else { CheckSet::ALL });
        let max_faults = [1, 1, 2, 5][seed as usize / 8 % 4];
        let options = Options { state_checks, deadlock_checks, max_faults, keep_arrivals: true };
        let expected = Plain::search(&searched, order, options);
        let machine: &dyn Machine = if seed % 11 == 0 { &Paranoid(&searched) } else { &searched };
        let found = counts(&explore(machine, order, options));
        assert!(found == expected, "{seed}: {found:?} {expected:?}");
        n_states += found.n_states;
        n_left_out += searched.known.into_inner().expect("no panic").n_left_out as usize;
        n_faults += found.faults.len();
        n_failed += usize::from(found.failed.is_some());
    }
    let all = [n_states, n_left_out, n_faults, n_failed];
    assert!(all.iter().zip([50_000, 50_000, 100, 10]).all(|(n, least)| *n > least), "{all:?}");
}
