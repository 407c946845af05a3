//! Expanding many states at once gives what firing one transition at a time
//! gives: in the bundled models, and in one whose variables are of every kind.

use asset_core::expand::{Batch, Choice, Order, Recipe, Source};
use asset_core::explorer::Explorer;
use asset_core::machine::{Machine, Packed, Successors};
use asset_core::prelude::*;
use std::collections::HashSet;

/// Variables of every kind, with and without data, narrow and wide.
#[model]
mod zoo {
    #[derive(StateVar)]
    pub enum Small {
        Empty,
        One(bool),
        Two { a: bool, b: Colour },
    }

    #[derive(StateVar)]
    pub enum Colour {
        Red,
        Green,
    }

    #[derive(StateVar)]
    pub enum Large {
        Nothing,
        Number(#[range(-3..70_000)] i32),
        Pair([Small; 2]),
    }

    #[derive(StateVar)]
    pub struct Cage {
        small: [Small; 3],
        #[range(5..=9)]
        count: u16,
        large: Large,
    }

    #[state]
    pub struct State {
        flag: bool,
        cages: [[Cage; 2]; 2],
        colours: [Colour; 40],
        #[range(-2..=2)]
        level: i64,
        last: Small,
    }

    #[transitions]
    pub enum Transition {
        Put(#[range(0..2)] usize, #[range(0..2)] usize, #[range(0..3)] usize, Small),
        Grow(#[range(0..2)] usize, #[range(0..2)] usize),
        Count(#[range(0..2)] usize, #[range(5..=9)] u16),
        Paint(#[range(0..40)] usize),
        Level(#[range(-2..=2)] i64),
    }

    #[init]
    pub fn initial(s: &mut State) {
        for row in &mut s.cages {
            for cage in row {
                cage.count = 5;
            }
        }
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Put(i, j, k, small) => {
                s.last = s.cages[i][j].small[k];
                s.cages[i][j].small[k] = small;
                s.last != small
            }
            Transition::Grow(i, j) => {
                let cage = &mut s.cages[i][j];
                cage.large = match cage.large {
                    Large::Nothing => Large::Number(-3),
                    Large::Number(n) if n < 69_000 => Large::Number(n + 34_500),
                    Large::Number(_) => Large::Pair([cage.small[0], cage.small[2]]),
                    Large::Pair(_) => Large::Nothing,
                };
                true
            }
            Transition::Count(i, count) => {
                s.flag = !s.flag;
                s.cages[i][1].count = count;
                s.flag
            }
            Transition::Paint(i) => {
                let is_red = s.colours[i] == Colour::Red;
                s.colours[i] = if is_red { Colour::Green } else { Colour::Red };
                is_red
            }
            Transition::Level(level) => {
                s.level = level;
                true
            }
        }
    }
}

/// The successors of one state, by single firings.
fn fired(machine: &dyn Machine, state: &[u64], order: Order) -> Vec<(Packed, u32)> {
    let n = machine.n_transitions();
    let numbers = (0..n).map(|i| order.nth(i, n));
    let successors = numbers.filter_map(|t| {
        let next = machine.fire(state, t).expect("a model without errors")?;
        Some((next, t as u32))
    });
    successors.collect()
}

/// Compares some of the machine's states, in batches of different sizes.
fn compare(recipe: &Recipe<'_>, what: &str, n_batches: usize) {
    let (machine, order) = (recipe.machine(), recipe.order());
    let mut source = recipe.source();
    let mut seen: HashSet<Packed> = HashSet::new();
    let mut queue = machine.initial_states().expect("initial states");
    let (mut next, mut x) = (0, 1u64);
    for batch in 0..n_batches {
        let states = &queue[next..queue.len().min(next + batch % 11 + 1)];
        next += states.len();
        let keys: Vec<u64> = states.iter().flat_map(|state| source.key(state)).collect();
        let mut out = Successors::default();
        source.expand(Batch::awake(&keys), &mut out).expect("a model without errors");
        let mut found = Vec::new();
        for (i, state) in states.iter().enumerate() {
            let successor = |e| (packed(recipe, &*source, out.words(), e), out.transitions()[e]);
            let expanded: Vec<(Packed, u32)> = out.of(i).map(successor).collect();
            assert_eq!(expanded, fired(machine, state, order), "{what}");
            found.extend(expanded);
        }
        // A random choice of successors, so that batches hold unlike states.
        for (state, _) in found {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if x >> 62 != 0 && queue.len() < 20_000 && seen.insert(state.clone()) {
                queue.push(state);
            }
        }
    }
}

/// The packed state with the `i`-th of these keys.
fn packed(recipe: &Recipe<'_>, source: &dyn Source, keys: &[u64], i: usize) -> Packed {
    let n_words = recipe.n_words();
    let key = &keys[i * n_words..][..n_words];
    let Some(fold) = source.fold() else { return key.into() };
    let mut words = Vec::new();
    fold.unfold(key, &mut words);
    words.into()
}

#[test]
fn bundled_models() {
    for family in models::all() {
        for instance in family.instances {
            for order in [Order::Backward, Order::Forward] {
                let recipe = Recipe::new(instance.machine, order, Choice::Full);
                compare(&recipe, &format!("{} {:?}", family.name, instance.values), 40);
            }
        }
    }
}

#[test]
fn every_kind_of_variable() {
    let machine = zoo::model().instances[0].machine;
    compare(&Recipe::new(machine, Order::Backward, Choice::Full), "zoo", 600);
}

/// Folded states are expanded by what is known of their parts.
#[test]
fn folded_states() {
    let all = models::all().into_iter().chain([zoo::model()]);
    let mut n_folded = 0;
    for family in all {
        for instance in family.instances.iter().filter(|i| i.machine.n_words() > 1) {
            let what = format!("folded {} {:?}", family.name, instance.values);
            for order in [Order::Backward, Order::Forward] {
                // Long enough for most to be known.
                compare(&Recipe::new(instance.machine, order, Choice::Full).folded(), &what, 600);
            }
            n_folded += 1;
        }
    }
    assert!(n_folded > 10, "{n_folded}");
}

/// Of two transitions that are fired one right after the other, one panics and one breaks
/// its range.
#[model]
mod neighbours {
    #[state]
    pub struct State {
        #[range(0..=3)]
        x: [u8; 2],
    }

    #[transitions]
    pub enum Transition {
        Panics,
        LeavesRange,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Panics => assert!(s.x[0] > 0, "no"),
            Transition::LeavesRange => s.x[1] += 4,
        }
        true
    }
}

#[test]
fn the_first_of_two_neighbours_is_blamed() {
    for (order, first) in [(Order::Backward, "LeavesRange"), (Order::Forward, "Panics")] {
        let said = Explorer::new(neighbours::model()).order(order).run().expect_err("it fails");
        assert!(said.to_string().contains(&format!("firing {first}: ")), "{said}");
    }
}

/// Of two switches that are far apart, one panics and one breaks its range.
#[model]
mod switches {
    #[state]
    pub struct State {
        #[range(0..=3)]
        x: [u8; 20],
        #[range(0..=2)]
        stage: u8,
    }

    #[transitions]
    pub enum Transition {
        Switch(#[range(0..20)] usize),
        Go,
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Go if s.stage < 2 => s.stage += 1,
            Transition::Switch(i) if s.stage == 1 => {
                assert!(i != 0, "the first one");
                if i != 19 {
                    return false;
                }
                s.x[i] += 4;
            }
            _ => return false,
        }
        true
    }
}

/// The order of look-ups is another one than that of transitions.
#[test]
fn the_first_transition_that_fails_is_blamed() {
    let said = |order: Order| {
        let run = Explorer::new(switches::model()).order(order).run();
        run.err().map(|error| error.to_string())
    };
    let backward = said(Order::Backward).unwrap();
    assert!(backward.contains("Switch(19): `x[19]` received 4"), "{backward}");
    let forward = said(Order::Forward).unwrap();
    assert!(forward.contains("Switch(0): the model panicked: the first one"), "{forward}");
}
