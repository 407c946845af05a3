//! Livelock searches by several threads: the verdict of one thread, its counts where there is
//! no livelock, and lassos with as few progresses.

use asset_core::Family;
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch, RunError};
use asset_core::verdict::{Outcome, Verdict};
use asset_tests::random::{RULE_KINDS, Random, model, right_rules};
use asset_tests::table::{Predicate, family};

/// The largest random model.
const MAX_STATES: usize = 120;

/// A count of the particular search.
fn more(outcome: &Outcome, name: &str) -> Option<u64> {
    outcome.statistics.more.iter().find(|(known, _)| *known == name).map(|&(_, n)| n)
}

/// Compares searches by several threads with that by one. Whether threads were started.
fn compare(
    what: &str,
    explorer: impl Fn() -> Explorer<'static>,
    reduction: LivelockReduction,
    n_threads: usize,
    is_loose: bool,
    chunk: usize,
) -> bool {
    let options = Livelock { search: LivelockSearch::DfsFifo, reduction };
    let what = format!("{what}, {}, {n_threads} threads, loose: {is_loose}", reduction.name());
    let one = explorer().livelock(options);
    let many = explorer().threads_in_chunks(n_threads, chunk).loose(is_loose).livelock(options);
    let (one, many) = match (one, many) {
        (Ok(one), Ok(many)) => (one, many),
        (Err(one), Err(many)) => {
            let kind = std::mem::discriminant::<RunError>;
            assert_eq!(kind(&one), kind(&many), "{what}: {one} / {many}");
            return false;
        }
        (one, many) => panic!("{what}: {one:?} / {many:?}"),
    };
    assert_eq!(one.verdict, many.verdict, "{what}");
    let shared = many.statistics.n_helpers > 0;
    let (a, b) = (&one.statistics, &many.statistics);
    if one.verdict == Verdict::Holds {
        assert_eq!(
            (a.n_states, a.n_edges, a.n_terminal),
            (b.n_states, b.n_edges, b.n_terminal),
            "{what}"
        );
    }
    if one.verdict == Verdict::Violated && !is_loose {
        let name = "progresses before the cycle";
        assert_eq!(more(&one, name), more(&many, name), "{what}");
    }
    for violation in &many.violations {
        let is_lasso = violation.trace.closing.is_some();
        assert!(is_lasso || violation.check != "non_progress_cycle", "{what}: a whole lasso");
    }
    shared
}

/// A model with the parameters that choose an instance.
type Chosen = (Family, &'static [(&'static str, &'static str)]);

#[test]
fn bundled_models() {
    let chosen: [Chosen; 10] = [
        // So many states that the set has to grow.
        (models::token_ring::model(), &[("n", "6")]),
        (models::token_ring::model(), &[("n", "4")]),
        (models::token_ring::model(), &[("n", "5")]),
        (models::alternating_bit::model(), &[("capacity", "3"), ("loss", "limited")]),
        (models::alternating_bit::model(), &[("capacity", "3"), ("loss", "unlimited")]),
        (models::sliding_window::model(), &[("window", "2"), ("variant", "livelocking")]),
        (models::sliding_window::model(), &[("window", "2"), ("variant", "repaired")]),
        (models::injected::model(), &[("steps", "10"), ("livelock", "shallow")]),
        (models::injected::model(), &[("steps", "10"), ("livelock", "deep")]),
        (models::peterson_enter::model(), &[("n", "2")]),
    ];
    let mut n_shared = 0;
    for (family, params) in chosen {
        let explorer = || {
            let explorer = Explorer::new(family);
            params.iter().fold(explorer, |e, (name, value)| e.param(name, value))
        };
        let what = format!("{} {params:?}", family.name);
        for reduction in LivelockReduction::ALL {
            for (n_threads, is_loose) in [(2, false), (4, true), (8, false)] {
                n_shared +=
                    usize::from(compare(&what, explorer, reduction, n_threads, is_loose, 1));
            }
        }
    }
    assert!(n_shared > 60, "threads were started in {n_shared} runs");
}

#[test]
fn random_models() {
    let mut n_shared = 0;
    for seed in 0..700 {
        let mut random = Random::new(9_000_000 + seed);
        let (mut table, graph) = model(&mut random, MAX_STATES);
        let n = table.transitions.len();
        table.progress_transitions &= ((1u16 << n) - 1) as u8;
        if random.percent(60) {
            table.progress_states = Predicate::default();
            table.progress_transitions |= 1 << random.below(n);
        } else if table.progress_states.0.is_empty() {
            table.progress_states = table.may.clone();
        }
        let kind = RULE_KINDS[random.below(3)];
        table.rules = right_rules(&mut random, &table.clone().machine(), &graph, kind);
        let family = family(table.machine());
        let (n_threads, is_loose) = (2 + random.below(7), random.percent(30));
        let reduction = LivelockReduction::ALL[random.below(5)];
        let what = format!("seed {seed}");
        let explorer = || Explorer::new(family);
        n_shared += usize::from(compare(&what, explorer, reduction, n_threads, is_loose, 1));
    }
    assert!(n_shared > 0, "no run needed several threads");
}

#[test]
fn other_searches_refuse_threads() {
    let options = Livelock { search: LivelockSearch::Nested, ..Livelock::default() };
    let explorer = Explorer::new(models::token_ring::model()).threads(2);
    let error = explorer.livelock(options).expect_err("one thread only");
    assert!(error.to_string().contains("dfs-fifo"), "{error}");
    let error = Explorer::new(models::token_ring::model()).loose(true).run();
    assert!(error.expect_err("a check has no order of progress").to_string().contains("livelock"));
}

#[test]
fn limits_end_all_threads() {
    let explorer = || Explorer::new(models::token_ring::model()).param("n", 7).threads(8);
    let full = Livelock { reduction: LivelockReduction::Full, ..Livelock::default() };
    for (explorer, why) in [
        (explorer().max_states(100_000), "limit of 100000 states"),
        (explorer().max_memory(5_000_000), "memory limit"),
        (explorer().max_time(std::time::Duration::from_millis(60)), "time limit"),
    ] {
        let outcome = explorer.livelock(full).expect("an outcome");
        assert!(format!("{outcome}").contains(why), "{outcome}");
    }
}
