//! Thousands of small random models, formulas and fairness marks: every search against the
//! truth, and every lasso looked at again.

use asset_automata::Ltl;
use asset_core::Family;
use asset_core::expand::{Choice, Order};
use asset_core::explorer::{Explorer, FairnessLevel, RunError, Temporal, TemporalSearch};
use asset_core::machine::Machine;
use asset_core::model::{Fair, NeverWithout};
use asset_core::trace::{Path, TraceFile};
use asset_core::verdict::{CheckOutcome, Outcome, Verdict};
use asset_tests::oracle::Graph;
use asset_tests::random::{self, RULE_KINDS, Random, model, predicate, right_rules};
use asset_tests::table::{NEVER_WITHOUT_CHECK, Says, Table, family};
use asset_tests::temporal::{
    Condition, conditions, is_fair, some_fair_run, some_fair_run_without, word,
};

/// The largest model.
const MAX_STATES: usize = 40;
/// The atoms of formulas: two propositions, a check that looks at states, and whether nothing
/// is enabled.
const ATOMS: [&str; 4] = ["p", "q", "must", "terminal"];
const LEVELS: [FairnessLevel; 3] =
    [FairnessLevel::None, FairnessLevel::Weak, FairnessLevel::Strong];

/// Number of models: so many, or as many as `ASSET_TEMPORAL` says.
fn n_models(usual: u64) -> u64 {
    match std::env::var("ASSET_TEMPORAL") {
        Ok(n) => n.parse().expect("ASSET_TEMPORAL is a number"),
        Err(_) => usual,
    }
}

fn marks(random: &mut Random, n_transitions: usize) -> Vec<Option<Fair>> {
    let is_grouped = random.percent(25);
    let mark = |_| {
        random.percent(60).then(|| {
            let group = (is_grouped && random.percent(50)).then(|| "group".to_owned());
            Fair { is_strong: random.percent(50), group }
        })
    };
    (0..n_transitions).map(mark).collect()
}

/// A formula of exactly so many operators, at most four of them temporal.
fn formula(random: &mut Random, n_operators: usize) -> Ltl {
    loop {
        let formula = any_formula(random, n_operators);
        if n_temporal(&formula) <= 4 {
            return formula;
        }
    }
}

fn n_temporal(formula: &Ltl) -> usize {
    let own = match formula {
        Ltl::Next(_)
        | Ltl::Finally(_)
        | Ltl::Globally(_)
        | Ltl::Until(..)
        | Ltl::WeakUntil(..)
        | Ltl::Release(..) => 1,
        _ => 0,
    };
    own + formula.parts().map(n_temporal).sum::<usize>()
}

fn any_formula(random: &mut Random, n_operators: usize) -> Ltl {
    if n_operators == 0 {
        let atom = random.below(10);
        return Ltl::Atom(if atom < 8 { atom % 2 } else { atom - 6 });
    }
    let which = random.below(14);
    if which < 6 {
        let a = any_formula(random, n_operators - 1);
        let unary = [Ltl::not, Ltl::next, Ltl::finally, Ltl::globally, Ltl::finally, Ltl::globally];
        return unary[which](a);
    }
    let left = random.below(n_operators);
    let (a, b) = (any_formula(random, left), any_formula(random, n_operators - 1 - left));
    let binary = [
        Ltl::and,
        Ltl::or,
        Ltl::implies,
        Ltl::implies,
        Ltl::until,
        Ltl::weak_until,
        Ltl::release,
        Ltl::iff,
    ];
    binary[which - 6](a, b)
}

/// A model that says something of infinite runs, and what is known of it.
struct Case {
    graph: Graph,
    family: Family,
    machine: &'static dyn Machine,
    says: Says,
    /// The atoms that are true in each state.
    letters: Vec<u64>,
}

impl Case {
    fn new(random: &mut Random, roles: bool, rules: bool) -> Case {
        let (mut table, graph) = match random.percent(50) && !rules {
            true => {
                let table = random::graph(random);
                let graph = Graph::explore(&table.clone().machine(), MAX_STATES).expect("few");
                (table, graph)
            }
            false => model(random, MAX_STATES),
        };
        if rules {
            let kind = RULE_KINDS[random.below(3)];
            table.rules = right_rules(random, &table.clone().machine(), &graph, kind);
        }
        let n = table.transitions.len();
        let role =
            |_| NeverWithout { is_watched: random.percent(30), is_remedy: random.percent(20) };
        let roles = if roles { (0..n).map(role).collect() } else { Vec::new() };
        let propositions = (0..2).map(|_| predicate(random, &table.domains, 1)).collect();
        let fair = if rules { Vec::new() } else { marks(random, n) };
        Case::of(table, graph, Says { propositions, fair, roles })
    }

    fn of(table: Table, graph: Graph, says: Says) -> Case {
        let letter = |s: usize| {
            let values = table.unpack(&graph.states[s]);
            u64::from(says.propositions[0].holds(&values))
                | u64::from(says.propositions[1].holds(&values)) << 1
                | u64::from(table.must.holds(&values)) << 2
                | u64::from(graph.is_terminal(s)) << 3
        };
        let letters = (0..graph.len()).map(letter).collect();
        let family = family(table.machine().saying(says.clone()));
        Case { graph, machine: family.instances[0].machine, family, says, letters }
    }

    fn run(
        &self,
        extra: Option<&str>,
        level: FairnessLevel,
        search: TemporalSearch,
        order: Order,
    ) -> Result<Outcome, RunError> {
        let options = Temporal { search, fairness: Some(level), ..Temporal::default() };
        let explorer = Explorer::new(self.family).order(order).temporal(options);
        match extra {
            Some(formula) => explorer.checks(Vec::<String>::new()).ltl(formula).run(),
            None => explorer.checks(["never"]).reduction(Choice::Full).run(),
        }
    }

    /// The counterexample of an outcome, read from its file and fired again.
    fn path(&self, outcome: &Outcome) -> Path {
        assert_eq!(outcome.violations.len(), 1);
        let text = TraceFile::to_text(outcome.model, &outcome.params, &outcome.violations[0]);
        let file = TraceFile::parse(&text).expect("its own trace file");
        let path = file.replay(self.machine).expect("a lasso that replays");
        let last = &path.states[path.states.len() - 1];
        assert!(path.closing.is_some() || self.graph.is_terminal(self.graph.index[last]));
        path
    }
}

/// The searches that decide this.
fn searches(conditions: &[Condition]) -> &'static [TemporalSearch] {
    match conditions.iter().any(|condition| condition.is_strong) {
        true => &[TemporalSearch::Components],
        false => &[TemporalSearch::Components, TemporalSearch::Nested],
    }
}

#[test]
fn all_searches_agree_with_the_definition() {
    let mut n = [[0u32; 2]; 3];
    let (mut n_vacuous, mut n_differ) = (0, 0);
    for seed in 0..n_models(7_000) {
        let random = &mut Random::new(7_000_000 + seed);
        let case = Case::new(random, false, false);
        let n_operators = 1 + random.below(6);
        let formula = formula(random, n_operators);
        let text = formula.show(&|atom| ATOMS[atom].to_owned());
        let order = if seed % 2 == 0 { Order::Backward } else { Order::Forward };
        let mut truths = Vec::new();
        for (i, level) in LEVELS.into_iter().enumerate() {
            let conditions = match level {
                FairnessLevel::None => Vec::new(),
                level => conditions(&case.says.fair, level == FairnessLevel::Weak),
            };
            let some_run = |f: &Ltl| some_fair_run(&case.graph, &case.letters, &conditions, f);
            assert!(some_run(&Ltl::True), "seed {seed}: some run is always fair");
            let fails = some_run(&Ltl::not(formula.clone()));
            truths.push(fails);
            n[i][usize::from(fails)] += 1;
            for &search in searches(&conditions) {
                let outcome = case
                    .run(Some(&text), level, search, order)
                    .unwrap_or_else(|e| panic!("seed {seed}: {text}: {e}"));
                let expected = if fails { Verdict::Violated } else { Verdict::Holds };
                assert_eq!(outcome.verdict, expected, "seed {seed}: {text}, {level:?}, {search:?}");
                if fails {
                    let path = case.path(&outcome);
                    let word = word(&case.graph, &case.letters, &path);
                    assert!(!word.satisfies(&formula), "seed {seed}: {text} holds on {word:?}");
                    assert!(is_fair(&case.graph, &path, &conditions), "seed {seed}: {path:?}");
                }
                let own = &outcome.checks[outcome.checks.len() - 2].outcome;
                if let CheckOutcome::Vacuous { .. } = own {
                    n_vacuous += 1;
                    let mut weaker = formula.without_a_conclusion();
                    weaker.push((Ltl::True, Ltl::False));
                    let is_vacuous = weaker.iter().any(|(premise, without)| {
                        *premise == Ltl::True || !some_run(&Ltl::not(without.clone()))
                    });
                    assert!(is_vacuous, "seed {seed}: {text}");
                }
            }
        }
        // Fairer runs are fewer.
        assert!(truths[0] >= truths[1] && truths[1] >= truths[2], "seed {seed}: {text}");
        n_differ += u32::from(truths[0] != truths[2]);
    }
    assert!(n.iter().flatten().all(|&n| n > 500), "all verdicts occur: {n:?}");
    assert!(n_vacuous > 20 && n_differ > 50, "{n_vacuous} vacuous, {n_differ} differ");
}

#[test]
fn what_must_not_go_on_without_another_is_found() {
    let mut n = [0; 2];
    for seed in 0..n_models(2_000) {
        let random = &mut Random::new(8_000_000 + seed);
        let case = Case::new(random, true, false);
        for level in LEVELS {
            let conditions = match level {
                FairnessLevel::None => Vec::new(),
                level => conditions(&case.says.fair, level == FairnessLevel::Weak),
            };
            let roles = &case.says.roles;
            let is_watched = |t: usize| roles[t].is_watched;
            let is_remedy = |t: usize| roles[t].is_remedy;
            let fails = some_fair_run_without(&case.graph, &conditions, is_watched, is_remedy);
            n[usize::from(fails)] += 1;
            for &search in searches(&conditions) {
                let outcome = case.run(None, level, search, Order::Backward).expect("an outcome");
                let expected = if fails { Verdict::Violated } else { Verdict::Holds };
                assert_eq!(outcome.verdict, expected, "seed {seed}, {level:?}, {search:?}");
                if fails {
                    let path = case.path(&outcome);
                    assert!(path.cycle().any(|(_, t, _)| is_watched(t)), "seed {seed}");
                    assert!(!path.cycle().any(|(_, t, _)| is_remedy(t)), "seed {seed}");
                    assert!(is_fair(&case.graph, &path, &conditions), "seed {seed}");
                }
            }
        }
    }
    assert!(n.iter().all(|&n| n > 500), "both verdicts occur: {n:?}");
}

#[test]
fn stubborn_sets_keep_what_must_not_go_on_where_all_may_terminate() {
    let (mut n, mut n_open, mut n_smaller) = ([0; 2], 0, 0);
    for seed in 0..n_models(3_000) {
        let random = &mut Random::new(9_000_000 + seed);
        let case = Case::new(random, true, true);
        let roles = &case.says.roles;
        let (is_watched, is_remedy) =
            (|t: usize| roles[t].is_watched, |t: usize| roles[t].is_remedy);
        let fails = some_fair_run_without(&case.graph, &[], is_watched, is_remedy);
        let outcome = Explorer::new(case.family)
            .checks(["never"])
            .reduction(Choice::Stubborn)
            .run()
            .expect("an outcome");
        match &outcome.verdict {
            Verdict::Violated => assert!(fails, "seed {seed}"),
            Verdict::Holds => assert!(!fails, "seed {seed}"),
            // Said only where the model is not always may-terminating.
            Verdict::Inconclusive(_) => {
                assert!(!case.graph.always_may_terminate(), "seed {seed}");
                n_open += 1;
                continue;
            }
        }
        assert_eq!(outcome.checks[NEVER_WITHOUT_CHECK].name, "never");
        n[usize::from(fails)] += 1;
        n_smaller += u32::from(outcome.statistics.n_states < case.graph.len() as u64);
    }
    let told = format!("{n:?}, {n_open} open, {n_smaller} smaller");
    assert!(n.iter().all(|&n| n > 100) && n_open > 100 && n_smaller > 300, "{told}");
}
