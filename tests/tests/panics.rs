//! A panic in any of the author's functions is a model error that says what panicked, and
//! in which state, whatever command and reduction came upon it.

use asset_core::Family;
use asset_core::audit::AuditOptions;
use asset_core::expand::{Choice, Order, Recipe};
use asset_core::explorer::{Explorer, Livelock, LivelockReduction, LivelockSearch, RunError};
use asset_core::graph::StateGraph;
use asset_core::prelude::*;
use asset_core::search::Watch;
use asset_core::simulate::{Walk, simulate};
use std::cell::Cell;

/// What panics, or names what is not there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Init,
    Fire,
    Rule,
    Obliged(usize),
    State,
    Deadlock,
    May,
    Must,
    Label,
    Display,
}

thread_local! {
    /// The fault of all models in this thread: it does not change in a run.
    static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
}

fn is(fault: Fault) -> bool {
    FAULT.get() == Some(fault)
}

/// Two counters that go up. In one state, where `n` is 5 and `k` is 3, the author's function
/// of the name that is chosen panics. Each has another kind of progress labels.
macro_rules! counters {
    ($name:ident, $($label:tt)*) => {
        #[model]
        pub mod $name {
            /// With four, states have several words.
            #[param(1, 4)]
            pub const PADS: usize = 1;

            use super::{Fault, is};

            #[state]
            pub struct State {
                #[range(0..=40)]
                n: u8,
                #[range(0..=6)]
                k: u8,
                pads: [u32; PADS],
            }

            #[transitions]
            pub enum Transition {
                Up,
                Turn,
            }

            fn breaks(is: bool, s: &State) {
                assert!(!is || s.n != 5 || s.k != 3, "it breaks");
            }

            #[init]
            pub fn start() -> State {
                assert!(!is(Fault::Init), "it breaks");
                State { n: 0, k: 0, pads: [7; PADS] }
            }

            pub fn fire_transition(s: &mut State, t: Transition) -> bool {
                match t {
                    Transition::Up if s.n < 40 => {
                        breaks(is(Fault::Fire), s);
                        s.n += 1;
                    }
                    Transition::Turn if s.k < 6 => s.k += 1,
                    _ => return false,
                }
                true
            }

            #[stubborn]
            pub fn rules(s: &State, t: Transition, need: &mut Obligations) {
                if t == Transition::Up {
                    breaks(is(Fault::Rule), s);
                    if s.n == 5
                        && s.k == 3
                        && let Some(Fault::Obliged(number)) = super::FAULT.get()
                    {
                        need.add(number);
                    }
                }
                need.all();
            }

            #[check(state)]
            pub fn is_fine(s: &State) -> bool {
                breaks(is(Fault::State), s);
                true
            }

            #[check(deadlock)]
            pub fn may_end(_: &State) -> bool {
                assert!(!is(Fault::Deadlock), "it breaks");
                true
            }

            #[check(may_progress(strict))]
            pub fn may_go_on(s: &State) -> bool {
                breaks(is(Fault::May), s);
                s.n == 40
            }

            #[check(must_progress)]
            pub fn must_go_on(s: &State) -> bool {
                breaks(is(Fault::Must), s);
                s.n == 40
            }

            #[display]
            pub fn line(s: &State) -> String {
                breaks(is(Fault::Display), s);
                format!("{} {}", s.n, s.k)
            }

            $($label)*
        }
    };
}

counters! { of_transitions,
    #[progress]
    pub fn is_progress(t: Transition) -> bool {
        assert!(!is(Fault::Label) || t == Transition::Up, "it breaks");
        false
    }
}

counters! { of_states,
    #[progress(state)]
    pub fn is_progress(s: &State) -> bool {
        breaks(is(Fault::Label), s);
        false
    }
}

counters! { of_edges,
    #[progress]
    pub fn is_progress(s: &State, _: Transition) -> bool {
        breaks(is(Fault::Label), s);
        false
    }
}

/// What a command says that cannot go on: a sentence, and the last state of the trace.
type Said = (String, Option<String>);

/// Makes explorers of one instance.
type Runs<'r> = &'r dyn Fn() -> Explorer<'static>;

/// The parameters of that instance.
type Params = [(String, String)];

/// A command, by name, and what it said if it could not go on.
type Commands = Vec<(String, Option<Said>)>;

fn said<T>(done: Result<T, RunError>) -> Option<Said> {
    match done {
        Ok(_) => None,
        Err(RunError::Model { sentence, trace }) => {
            let last = trace.map(|trace| trace.steps.last().expect("a state").state.to_string());
            Some((sentence, last))
        }
        Err(error) => panic!("{error}"),
    }
}

/// Every way to run a check, …
fn checks(explorer: Runs<'_>) -> Commands {
    let mut all = Vec::new();
    for choice in [Choice::Full, Choice::Stubborn] {
        for order in [Order::Backward, Order::Forward] {
            for paranoid in [false, true] {
                let run = explorer().reduction(choice).order(order).paranoid(paranoid).run();
                all.push((format!("check {choice:?} {order:?} {paranoid}"), said(run)));
            }
        }
    }
    all
}

/// … to look for livelocks, …
fn livelocks(explorer: Runs<'_>, reductions: &[LivelockReduction]) -> Commands {
    let mut all = Vec::new();
    for search in LivelockSearch::ALL {
        let options = Livelock { search, reduction: LivelockReduction::Full };
        all.push((format!("livelock {options:?}"), said(explorer().livelock(options))));
    }
    for &reduction in reductions {
        for paranoid in [false, true] {
            let options = Livelock { search: LivelockSearch::DfsFifo, reduction };
            let done = explorer().paranoid(paranoid).livelock(options);
            all.push((format!("livelock {options:?} {paranoid}"), said(done)));
        }
    }
    all
}

/// … to audit the rules, all of them or on random walks, …
fn audits(explorer: Runs<'_>) -> Commands {
    let audit = |max_states| {
        said(explorer().audit(AuditOptions { max_states, n_samples: 5000, ..Default::default() }))
    };
    vec![("audit".to_owned(), audit(20_000)), ("audit of samples".to_owned(), audit(10))]
}

/// … and to draw a graph.
fn graphs(family: Family, params: &Params) -> Commands {
    let machine = family.instance(params).expect("an instance").machine;
    let graph = |choice| {
        let recipe = Recipe::new(machine, Order::Backward, choice);
        said(StateGraph::explore(&recipe, 1000, &mut Watch::unlimited()))
    };
    vec![
        ("graph".to_owned(), graph(Choice::Full)),
        ("graph, stubborn".to_owned(), graph(Choice::Stubborn)),
    ]
}

/// Runs `which` commands of the two instances of a model that have this fault. Those that
/// `must` find it say `sentence`, and show the way to a state that ends in `last`.
#[track_caller]
fn all_say(
    family: fn() -> Family,
    fault: Fault,
    which: &dyn Fn(Runs<'_>, &Params) -> Commands,
    (sentence, last): (&str, Option<&str>),
) {
    for pads in ["1", "4"] {
        FAULT.set(Some(fault));
        let params = [("pads".to_owned(), pads.to_owned())];
        let explorer = || Explorer::new(family()).param("pads", pads);
        for (command, said) in which(&explorer, &params) {
            let what = format!("{fault:?} {pads}: {command}");
            let (said, at) = said.unwrap_or_else(|| panic!("{what}: nothing was wrong"));
            assert_eq!(said, format!("model error: {sentence}"), "{what}");
            match last {
                None => assert_eq!(at, None, "{what}"),
                Some(last) => {
                    let at = at.unwrap_or_else(|| panic!("{what}: no trace"));
                    assert!(at.contains(last), "{what}: {at}");
                }
            }
        }
    }
}

const HERE: Option<&str> = Some("n=5 k=3");
const PANIC: &str = "the model panicked: it breaks";

#[test]
fn init() {
    let sentence = format!("in an initial state: {PANIC}");
    let which = |explorer: Runs<'_>, params: &Params| {
        let mut all = checks(explorer);
        all.append(&mut livelocks(explorer, &[LivelockReduction::Auto]));
        all.append(&mut audits(explorer));
        all.append(&mut graphs(of_transitions::model(), params));
        let machine = of_transitions::model().instance(params).expect("an instance").machine;
        all.push(("simulate".to_owned(), said(simulate(machine, Walk::Random(1), 9))));
        all
    };
    all_say(of_transitions::model, Fault::Init, &which, (&sentence, None));
}

#[test]
fn fire() {
    let sentence = format!("firing Up: {PANIC}");
    all_say(
        of_transitions::model,
        Fault::Fire,
        &|explorer, params| {
            let mut all = checks(explorer);
            let reductions = [LivelockReduction::C2t, LivelockReduction::Terminating];
            all.append(&mut livelocks(explorer, &reductions));
            all.append(&mut audits(explorer));
            all.append(&mut graphs(of_transitions::model(), params));
            all
        },
        (&sentence, HERE),
    );
    all_say(
        of_states::model,
        Fault::Fire,
        &|explorer, _| livelocks(explorer, &[LivelockReduction::C2s]),
        (&sentence, HERE),
    );
}

#[test]
fn rules() {
    let reduced = |explorer: Runs<'_>, params: &Params| {
        let mut all = checks(explorer).split_off(4);
        let reductions = [LivelockReduction::C2t, LivelockReduction::Terminating];
        all.append(&mut livelocks(explorer, &reductions).split_off(4));
        all.append(&mut audits(explorer));
        all.append(&mut graphs(of_transitions::model(), params).split_off(1));
        all
    };
    let by_states = |explorer: Runs<'_>, _: &Params| {
        livelocks(explorer, &[LivelockReduction::C2s]).split_off(4)
    };
    let obliges = |number: usize| {
        format!(
            "the rule of Up: it obliges transition number {number}, and there are only 2, \
             numbered from 0"
        )
    };
    let faults = [
        (Fault::Rule, PANIC.to_owned()),
        (Fault::Obliged(99), obliges(99)),
        (Fault::Obliged(usize::MAX), obliges(usize::MAX)),
    ];
    for (fault, sentence) in faults {
        all_say(of_transitions::model, fault, &reduced, (&sentence, HERE));
        all_say(of_states::model, fault, &by_states, (&sentence, HERE));
    }
}

#[test]
fn state_checks() {
    let audited = |explorer: Runs<'_>, _: &Params| {
        let mut all = checks(explorer);
        all.append(&mut audits(explorer));
        all
    };
    all_say(of_transitions::model, Fault::State, &audited, (PANIC, HERE));
}

#[test]
fn other_checks() {
    let all_checks = |explorer: Runs<'_>, _: &Params| checks(explorer);
    all_say(of_transitions::model, Fault::Deadlock, &all_checks, (PANIC, Some("n=40 k=6")));
    all_say(of_transitions::model, Fault::May, &all_checks, (PANIC, HERE));
    all_say(of_transitions::model, Fault::Must, &all_checks, (PANIC, HERE));
}

#[test]
fn labels() {
    let labelled = |explorer: Runs<'_>, _: &Params| {
        let mut all = livelocks(explorer, &[LivelockReduction::Auto]);
        all.append(&mut audits(explorer).drain(..1).collect());
        all
    };
    let sentence = format!("the progress label of Turn: {PANIC}");
    all_say(of_transitions::model, Fault::Label, &labelled, (&sentence, None));
    all_say(of_states::model, Fault::Label, &labelled, (PANIC, HERE));
    all_say(
        of_edges::model,
        Fault::Label,
        &|explorer, _| livelocks(explorer, &[LivelockReduction::Auto]),
        (PANIC, HERE),
    );
}

#[test]
fn what_is_only_shown_is_no_fault() {
    for family in [of_transitions::model, of_states::model, of_edges::model] {
        for fault in [None, Some(Fault::Display)] {
            FAULT.set(fault);
            let explorer = || Explorer::new(family());
            let mut all = checks(&explorer);
            all.append(&mut livelocks(&explorer, &[LivelockReduction::Auto]));
            all.append(&mut audits(&explorer));
            all.append(&mut graphs(family(), &[]));
            for (command, said) in all {
                assert_eq!(said, None, "{fault:?} {command}");
            }
        }
    }
}
