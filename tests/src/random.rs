//! Small random models with rules that are right by construction, and with
//! rules that may be wrong.
//!
//! A model is a few processes with a local variable each, and shared variables
//! that some of their steps read or write. So some steps are independent and
//! some are not, and whether they are often depends on the state.

use crate::oracle::{Graph, is_stubborn};
use crate::table::{
    Branch, Effect, MAX_TRANSITIONS, Predicate, Rules, STATE_CHECK, Table, TableMachine, Transition,
};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }
}

/// How rules are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// What interferes in any reachable state is obliged in every state.
    Everywhere,
    /// What interferes in a state that is still ahead is obliged.
    Ahead,
    /// In each state the members of a smallest stubborn set oblige each other.
    Tight,
}

/// All kinds.
pub const RULE_KINDS: [RuleKind; 3] = [RuleKind::Everywhere, RuleKind::Ahead, RuleKind::Tight];

/// A model without rules: in every state everything is obliged.
pub fn table(random: &mut Random) -> Table {
    let n_processes = 2 + random.below(3);
    let n_shared = random.below(3);
    let mut domains = Vec::new();
    domains.extend((0..n_processes).map(|_| 2 + random.below(3) as u8));
    domains.extend((0..n_shared).map(|_| 2 + random.below(2) as u8));
    let n_transitions = n_processes.max(2 + random.below(MAX_TRANSITIONS - 1));
    let goes_round = random.below(60);
    let transitions = (0..n_transitions)
        .map(|t| transition(random, &domains, n_processes, t % n_processes, goes_round))
        .collect();
    let some = |random: &mut Random| {
        vec![0; domains.len()].iter().map(|_: &u8| random.below(2) as u8).collect()
    };
    let mut initial = vec![vec![0; domains.len()]];
    if random.percent(15) {
        initial.push(some(random));
    }
    Table {
        initial,
        transitions,
        bad: predicate(random, &domains, 2),
        illegal: predicate(random, &domains, 1),
        may: predicate(random, &domains, 1),
        may_is_strict: random.percent(50),
        must: predicate(random, &domains, 1),
        must_is_strict: random.percent(50),
        progress_transitions: if random.percent(50) { random.below(256) as u8 } else { 0 },
        progress_states: match random.percent(50) {
            true => predicate(random, &domains, 1),
            false => Predicate::default(),
        },
        rules: Rules::new(),
        n_words: if random.percent(60) { 1 } else { 2 + random.below(4) },
        domains,
    }
}

/// A model that is any graph of at most 32 states: no processes, no rules, and
/// in each state some of the transitions lead anywhere. The upper half of the
/// transitions is progress.
pub fn graph(random: &mut Random) -> Table {
    let n_states = 3 + random.below(30);
    let n_transitions = 2 + random.below(5);
    let density = 15 + random.below(40);
    let values = |s: usize| vec![(s % 8) as u8, (s / 8) as u8];
    let branch = |from: usize, to: usize| {
        let [from, to] = [from, to].map(values);
        Branch {
            guard: Predicate(vec![(0, 1 << from[0]), (1, 1 << from[1])]),
            effects: vec![(0, Effect::Set(to[0])), (1, Effect::Set(to[1]))],
        }
    };
    let transitions = (0..n_transitions)
        .map(|_| {
            let from: Vec<usize> = (0..n_states).filter(|_| random.percent(density)).collect();
            from.into_iter().map(|s| branch(s, random.below(n_states))).collect()
        })
        .collect();
    Table {
        domains: vec![8, 4],
        initial: vec![values(0)],
        transitions,
        bad: Predicate::default(),
        illegal: Predicate::default(),
        may: Predicate::default(),
        may_is_strict: false,
        must: Predicate::default(),
        must_is_strict: false,
        progress_transitions: ((1u16 << n_transitions) - (1 << (n_transitions / 2))) as u8,
        progress_states: Predicate::default(),
        rules: Rules::new(),
        n_words: 1,
    }
}

/// `n` or more literals on different variables.
pub fn predicate(random: &mut Random, domains: &[u8], n: usize) -> Predicate {
    let n = n + random.below(2);
    let mut literals: Vec<(usize, u8)> = Vec::new();
    for _ in 0..n {
        let variable = random.below(domains.len());
        if literals.iter().all(|literal| literal.0 != variable) {
            literals.push((variable, some_values(random, domains[variable])));
        }
    }
    Predicate(literals)
}

/// One value, or all but one.
fn some_values(random: &mut Random, domain: u8) -> u8 {
    let one = 1 << random.below(domain.into());
    if random.percent(65) { one } else { ((1u16 << domain) - 1) as u8 & !one }
}

fn transition(
    random: &mut Random,
    domains: &[u8],
    n_processes: usize,
    process: usize,
    goes_round: usize,
) -> Transition {
    let n_branches = if random.percent(65) { 1 } else { 2 + random.below(2) };
    let domain = domains[process];
    let mut branches = Vec::new();
    for _ in 0..n_branches {
        // Mostly forwards, so that many models terminate.
        let from = random.below(domain.into()) as u8;
        let round = random.percent(goes_round);
        let from = if !round && from + 1 == domain { from - 1 } else { from };
        let ahead = usize::from(domain - from - 1);
        let to = match round {
            true => random.below(domain.into()) as u8,
            false => from + 1 + random.below(ahead.max(1)) as u8,
        };
        let mut guard = vec![(process, 1 << from)];
        let mut effects = vec![(process, Effect::Set(to))];
        let elsewhere =
            |random: &mut Random| match random.percent(75) && domains.len() > n_processes {
                true => n_processes + random.below(domains.len() - n_processes),
                false => random.below(domains.len()),
            };
        if random.percent(40) {
            let variable = elsewhere(random);
            if variable != process {
                guard.push((variable, some_values(random, domains[variable])));
            }
        }
        if random.percent(45) {
            let variable = elsewhere(random);
            if variable >= n_processes || variable != process && random.percent(20) {
                let value = random.below(domains[variable].into()) as u8;
                let effect = if random.percent(70) { Effect::Set(value) } else { Effect::Next };
                effects.push((variable, effect));
            }
        }
        branches.push(Branch { guard: Predicate(guard), effects });
    }
    branches
}

/// A random model of at least 3 and at most `max` states, with its graph.
pub fn model(random: &mut Random, max: usize) -> (Table, Graph) {
    loop {
        let table = table(random);
        let machine = table.clone().machine();
        match Graph::explore(&machine, max) {
            Some(graph) if graph.len() >= 3 => return (table, graph),
            _ => {}
        }
    }
}

/// A model of up to seven variables and eighty transitions, each of which touches a few.
pub fn loose(random: &mut Random) -> Table {
    let n = 4 + random.below(4);
    let domains: Vec<u8> = (0..n).map(|_| 2 + random.below(3) as u8).collect();
    let literal = |random: &mut Random| (random.below(n), 1 + random.below(7) as u8);
    let branch = |random: &mut Random| Branch {
        guard: Predicate((0..1 + random.below(2)).map(|_| literal(random)).collect()),
        effects: (0..1 + random.below(2))
            .map(|_| match (random.below(n), random.percent(60)) {
                (variable, true) => (variable, Effect::Next),
                (variable, false) => (variable, Effect::Set(random.below(2) as u8)),
            })
            .collect(),
    };
    let n_transitions = [5, 12, 80][random.below(3)];
    let transitions = (0..n_transitions)
        .map(|_| (0..1 + random.below(2)).map(|_| branch(random)).collect())
        .collect();
    let initial = vec![vec![0; n], vec![1; n]];
    Table { domains, initial, transitions, ..model(random, 100).0 }
}

/// Rules of a kind that are right, for a model and its graph.
pub fn right_rules(
    random: &mut Random,
    machine: &TableMachine,
    graph: &Graph,
    kind: RuleKind,
) -> Rules {
    let bad = graph.bad(machine, STATE_CHECK);
    let n = machine.table.transitions.len();
    let everywhere = interference(graph, &bad, n, |_, _| true);
    let rule = |s: usize| match kind {
        RuleKind::Everywhere => everywhere.at(graph, s),
        RuleKind::Ahead => ahead(graph, &bad, n, s),
        RuleKind::Tight => tight(random, graph, &bad, n, s),
    };
    let values = graph.states.iter().map(|state| machine.table.unpack(state));
    values.zip((0..graph.len()).map(rule)).collect()
}

/// Which transitions get in each other's way, as sets of bits.
struct Interference {
    /// With both enabled: one disables the other, the order matters, or the
    /// first hides a failure that the second causes.
    enabled: [u8; MAX_TRANSITIONS],
    /// The second enables the first.
    disabled: [u8; MAX_TRANSITIONS],
}

impl Interference {
    fn of(&self, graph: &Graph, s: usize, t: usize) -> u8 {
        if graph.next[s][t].is_some() { self.enabled[t] } else { self.disabled[t] }
    }

    fn at(&self, graph: &Graph, s: usize) -> [u8; MAX_TRANSITIONS] {
        let n = graph.next[s].len();
        std::array::from_fn(|t| if t < n { self.of(graph, s, t) } else { 0 })
    }
}

/// What interferes in the states for which `counts` says yes to a transition.
fn interference(
    graph: &Graph,
    bad: &[bool],
    n: usize,
    counts: impl Fn(usize, usize) -> bool,
) -> Interference {
    let mut found = Interference { enabled: [0; 8], disabled: [0; 8] };
    let mut causes = [0; MAX_TRANSITIONS];
    let mut hides = [false; MAX_TRANSITIONS];
    for t in 0..n {
        for s in (0..graph.len()).filter(|&s| counts(s, t)) {
            let after_t = graph.next[s][t];
            hides[t] |= bad[s] && after_t.is_some_and(|to| !bad[to]);
            for u in (0..n).filter(|&u| u != t) {
                let Some(after_u) = graph.next[s][u] else { continue };
                if !bad[s] && bad[after_u] {
                    causes[t] |= 1 << u;
                }
                let after_ut = graph.next[after_u][t];
                match after_t {
                    None if after_ut.is_some() => found.disabled[t] |= 1 << u,
                    Some(after_t) if after_ut.is_none() || graph.next[after_t][u] != after_ut => {
                        found.enabled[t] |= 1 << u;
                    }
                    _ => {}
                }
            }
        }
    }
    for t in (0..n).filter(|&t| hides[t]) {
        found.enabled[t] |= causes[t];
    }
    found
}

/// As above, of the states that can still be reached without the transition.
fn ahead(graph: &Graph, bad: &[bool], n: usize, s0: usize) -> [u8; MAX_TRANSITIONS] {
    let without = |t: usize| {
        let mut reachable = vec![false; graph.len()];
        reachable[s0] = true;
        let mut queue = vec![s0];
        while let Some(s) = queue.pop() {
            for to in (0..n).filter(|&u| u != t).filter_map(|u| graph.next[s][u]) {
                if !std::mem::replace(&mut reachable[to], true) {
                    queue.push(to);
                }
            }
        }
        reachable
    };
    let reachable: Vec<Vec<bool>> = (0..n).map(without).collect();
    interference(graph, bad, n, |s, t| reachable[t][s]).at(graph, s0)
}

/// A stubborn set from which nothing can be dropped, its members obliging each
/// other, and everything else obliging everything.
fn tight(
    random: &mut Random,
    graph: &Graph,
    bad: &[bool],
    n: usize,
    s0: usize,
) -> [u8; MAX_TRANSITIONS] {
    let mut set: Vec<usize> = (0..n).collect();
    let mut candidates = set.clone();
    while !candidates.is_empty() {
        let dropped = candidates.swap_remove(random.below(candidates.len()));
        let smaller: Vec<usize> = set.iter().copied().filter(|&t| t != dropped).collect();
        if is_stubborn(graph, s0, &smaller, bad) {
            set = smaller;
        }
    }
    let bits = set.iter().fold(0, |bits, t| bits | 1 << t);
    let all = ((1u16 << n) - 1) as u8;
    std::array::from_fn(|t| if set.contains(&t) { bits } else { all })
}

/// Forgets obligations at random: one pair in every state, or one transition's
/// obligations in a few states, or a little everywhere.
pub fn forget(random: &mut Random, rules: &mut Rules, n: usize) {
    let (t, u) = (random.below(n), random.below(n));
    let how = random.below(3);
    // A hash map has no order; the numbers must not depend on it.
    let mut states: Vec<_> = rules.keys().cloned().collect();
    states.sort_unstable();
    for state in states {
        let Some(obliged) = rules.get_mut(&state) else { continue };
        match how {
            0 => obliged[t] &= !(1 << u),
            1 if random.percent(20) => obliged[t] = 0,
            1 => {}
            _ => obliged.iter_mut().for_each(|set| *set &= !((1u32 << random.below(24)) as u8)),
        }
    }
}
