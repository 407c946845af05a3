//! Whole searches that leave out what is asleep, against plain ones.

use super::bfs::{self, Exploration, Options};
use super::{Expander, Failure, Watch};
use crate::expand::test_machines::awake::{failing, fire};
use crate::expand::test_machines::choices::{Random, mixed};
use crate::expand::test_machines::small::Small;
use crate::expand::{Batch, Choice, Order, Recipe, Source};
use crate::machine::{Facts, Footprints, Machine, ModelError, Packed, Successors};
use crate::memory::bits::FastBits;
use crate::model::{Check, CheckKind, CheckSet, Description, Fault, Obligations, Shown};
use crate::state::{Layout, Shape};
use crate::store::Compact;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A machine of one-word states, with checks.
struct Searched {
    small: Arc<Small>,
    roots: Vec<u64>,
    /// For either check, one state in so many is wrong, or 0.
    bad: [u64; 2],
    /// Batches until nothing is remembered any more.
    n_batches: u64,
    n_left_out: AtomicUsize,
}

impl Searched {
    fn new(seed: u64, max_states: u64) -> Self {
        let random = &mut Random(mixed([seed]));
        let mut small = Small::new(seed, max_states);
        small.fails = random.of([0, 0, 300, 3000]);
        let small = Arc::new(small);
        let roots = (0..random.of([1, 1, 3, 50])).map(|_| small.state(random)).collect();
        let n_batches = random.of([20, 100, 1 << 20, 1 << 20]);
        let bad = [random.of([0, 3, 40, 400]), random.of([0, 1, 2, 5])];
        Searched { small, roots, bad, n_batches, n_left_out: AtomicUsize::new(0) }
    }

    fn fault(&self, check: usize, state: u64, on: CheckSet) -> Option<Fault> {
        let is_bad =
            self.bad[check] > 0 && mixed([state, check as u64]).is_multiple_of(self.bad[check]);
        (on.contains(check) && is_bad).then(|| Fault { check, message: "".into() })
    }
}

const DESCRIPTION: Description = Description {
    name: "small",
    doc: "",
    checks: &[
        Check { name: "state", doc: "", kind: CheckKind::State },
        Check { name: "deadlock", doc: "", kind: CheckKind::Deadlock },
    ],
    has_rules: false,
    progress_transitions: false,
    progress_states: false,
    progress_edges: false,
    not_understood: &[],
};

impl Machine for Searched {
    fn facts(&self) -> Facts<'_> {
        Facts {
            description: &DESCRIPTION,
            n_transitions: self.small.n_transitions(),
            n_words: 1,
            layout: &Layout::EMPTY,
            shape: &Shape::Record(&[]),
            packs_exactly: false,
        }
    }

    fn footprints(&self) -> Footprints {
        Footprints { firing: Some(self.small.touched(false)), ..Footprints::default() }
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

    fn obligations(&self, _: &[u64], _: usize, _: &mut Obligations) -> Result<(), ModelError> {
        unreachable!("there are no rules")
    }

    fn progress_states(
        &self,
        _: &[u64],
        _: Option<usize>,
        _: &mut dyn FnMut(usize),
    ) -> Result<(), ModelError> {
        Ok(())
    }

    fn progress_transition(&self, _: usize) -> Result<bool, ModelError> {
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

/// A source that forgets what is remembered, or leaves nothing out of a batch, now and then.
struct Moody<'m> {
    searched: &'m Searched,
    recipe: Recipe<'m>,
    source: Box<dyn Source + 'm>,
    random: Random,
    n_left: u64,
}

impl Source for Moody<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        self.n_left = self.n_left.saturating_sub(1);
        let n_before = out.n_expanded();
        let done = match self.random.below(16) {
            kind if kind == 0 || self.n_left == 0 => {
                self.searched.expand(batch.states, self.recipe.order(), out)
            }
            1 => {
                self.source = self.recipe.unchecked();
                self.source.expand(batch, out)
            }
            2 => self.source.expand(Batch::awake(batch.states), out),
            _ => self.source.expand(batch, out),
        };
        let left_out = out.left_out()[n_before..].iter().map(|bits| bits.count_ones() as usize);
        self.searched.n_left_out.fetch_add(left_out.sum(), Ordering::Relaxed);
        done
    }

    fn bytes(&self) -> usize {
        self.source.bytes()
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
        let (searched, n) = (self.searched, self.searched.small.n_transitions());
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

fn explore(searched: &Searched, seed: u64, order: Order, options: Options) -> Exploration {
    let recipe = Recipe::new(searched, order, Choice::Full).paranoid(seed.is_multiple_of(11));
    let moody = Moody {
        searched,
        recipe: recipe.clone(),
        source: recipe.unchecked(),
        random: Random(seed),
        n_left: searched.n_batches,
    };
    // What is compared leaves nothing out.
    let source = match seed.is_multiple_of(11) {
        true => recipe.source(),
        false => Box::new(moody),
    };
    let (set, states) = (Compact::new(u64::BITS), recipe.initial_states().expect("some"));
    let mut space = Expander::with_source(&recipe, source, &states, set);
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
        let options = Options {
            state_checks,
            deadlock_checks,
            max_faults,
            goals: CheckSet::default(),
            ends_with_goals: false,
            values: false,
            max_states: usize::MAX,
            keep_arrivals: true,
        };
        let expected = Plain::search(&searched, order, options);
        let found = counts(&explore(&searched, seed, order, options));
        assert!(found == expected, "{seed}: {found:?} {expected:?}");
        n_states += found.n_states;
        n_left_out += searched.n_left_out.into_inner();
        n_faults += found.faults.len();
        n_failed += usize::from(found.failed.is_some());
    }
    let all = [n_states, n_left_out, n_faults, n_failed];
    assert!(all.iter().zip([50_000, 50_000, 100, 10]).all(|(n, least)| *n > least), "{all:?}");
}
