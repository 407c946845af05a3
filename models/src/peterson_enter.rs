//! Peterson's mutual exclusion with a transition for entering, for livelocks.
//!
//! This is the *correct* model of `peterson`, with the same
//! states and edges; only entering the critical section has a name of its own
//! and is marked as progress.
//!
//! `livelock` finds a violation, and should: a customer that waits is busy
//! reading variables, and nothing says that the one it waits for ever takes a
//! step. Without fairness, busy waiting *is* a non-progress cycle. What holds
//! without fairness is may progress, which `check` tells.
//!
//! Fairness is what is missing. `Step` and `Enter` of each customer are one weakly
//! fair process: a customer that can go on does so some time. (`Stop` is not: nobody
//! has to leave.) Then everybody who tries is served,
//!
//! ```text
//! G (trying(i) -> F critical(i))        for each customer i
//! ```
//!
//! because whoever is let go first at a gate waits for finitely many steps of others.
//! With `--fairness none` it is violated, by a customer whose step is never taken
//! while another one goes round. States / edges of the model, and of the product with the
//! automaton that is searched:
//!
//! | n | fairness | verdict | model | product |
//! |---|---|---|---|---|
//! | 2 | weak | holds | 574 / 1,148 | 1,433 / 4,385 |
//! | 2 | none | violated | | |
//! | 3 | weak | holds | 96,854 / 290,562 | 348,425 / 1,782,512 |
//! | 3 | none | violated | | |
//!
//! States / edges:
//!
//! | n | full | stubborn sets |
//! |---|---|---|
//! | 2 | 574 / 1,148 | 378 / 522 |
//! | 3 | 96,854 / 290,562 | 44,868 / 78,750 |

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    peterson_enter::model()
}

/// Peterson's mutual exclusion with entering marked as progress.
#[model]
pub mod peterson_enter {
    /// Number of customers.
    #[param(2..=4)]
    pub const N: usize = 3;

    /// Where a customer is.
    #[derive(StateVar)]
    pub enum At {
        /// Not interested.
        Idle,
        /// About to choose between the next gate and the critical section.
        Gate,
        /// About to write `q`.
        SetQ,
        /// About to write `turn`.
        SetTurn,
        /// About to read `turn`.
        Wait,
        /// About to choose the next customer to look at.
        Scan,
        /// About to read that customer's `q`.
        Test,
        /// In the critical section.
        Critical,
        /// Gone for good.
        Stopped,
    }

    /// The state variables.
    #[state]
    pub struct State {
        /// Where each customer is.
        at: [At; N],
        /// Each customer's gate; `N - 1` means that all are behind it.
        #[range(0..N)]
        j: [u8; N],
        /// The customer that each customer looks at while it waits.
        #[range(0..=N)]
        k: [u8; N],
        /// What each customer tells the others about its gate.
        #[range(0..N)]
        q: [u8; N],
        /// For each gate, the customer that let the others go first.
        #[range(0..N)]
        turn: [u8; N - 1],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The customer's next atomic operation, but not entering.
        #[fair(weak, group = customer, by = 0)]
        Step(#[range(0..N)] usize),
        /// The customer enters the critical section.
        #[fair(weak, group = customer, by = 0)]
        Enter(#[range(0..N)] usize),
        /// The customer stops instead of trying once more.
        Stop(#[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) => step(s, i),
            Transition::Enter(i) => is_through(s, i) && go(s, i, At::Critical),
            Transition::Stop(i) => s.at[i] == At::Idle && go(s, i, At::Stopped),
        }
    }

    fn go(s: &mut State, i: usize, to: At) -> bool {
        s.at[i] = to;
        true
    }

    fn is_through(s: &State, i: usize) -> bool {
        s.at[i] == At::Gate && usize::from(s.j[i]) == N - 1
    }

    /// One atomic operation reads or writes at most one shared variable.
    fn step(s: &mut State, i: usize) -> bool {
        let gate = usize::from(s.j[i]);
        s.at[i] = match s.at[i] {
            At::Idle => {
                s.j[i] = 0;
                At::Gate
            }
            At::Gate if is_through(s, i) => return false,
            At::Gate => At::SetQ,
            At::SetQ => {
                s.q[i] = s.j[i] + 1;
                At::SetTurn
            }
            At::SetTurn => {
                s.turn[gate] = i as u8;
                At::Wait
            }
            At::Wait if usize::from(s.turn[gate]) == i => {
                s.k[i] = 0;
                At::Scan
            }
            At::Wait => through_the_gate(s, i),
            At::Scan if usize::from(s.k[i]) == N => through_the_gate(s, i),
            At::Scan => At::Test,
            At::Test if seen_customer_is_behind(s, i) => {
                s.k[i] += 1;
                At::Scan
            }
            At::Test => At::Wait,
            At::Critical => {
                s.q[i] = 0;
                At::Idle
            }
            At::Stopped => return false,
        };
        true
    }

    fn through_the_gate(s: &mut State, i: usize) -> At {
        s.j[i] += 1;
        At::Gate
    }

    fn seen_customer_is_behind(s: &State, i: usize) -> bool {
        let k = usize::from(s.k[i]);
        k == i || s.q[k] <= s.j[i]
    }

    /// As in `peterson`; entering is a local step.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            // Only the customer's own step enables or disables it.
            Transition::Stop(i) => need.add(Transition::Step(i)),
            // Nothing disables it, and nobody sees it but the check, for
            // which it can only make things worse.
            Transition::Enter(i) if is_through(s, i) => {}
            // Only the customer's own step enables it.
            Transition::Enter(i) => need.add(Transition::Step(i)),
            Transition::Step(i) if is_through(s, i) => need.add(Transition::Enter(i)),
            Transition::Step(i) => match s.at[i] {
                At::Idle => need.add(Transition::Stop(i)),
                At::Gate | At::Scan => {}
                At::SetQ | At::SetTurn | At::Test => need.all(),
                At::Wait if usize::from(s.turn[usize::from(s.j[i])]) != i => {}
                At::Wait => need.all(),
                At::Critical => need.all(),
                At::Stopped => {}
            },
        }
    }

    /// At most one customer is in the critical section.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> Result<(), &'static str> {
        let n_critical = s.at.iter().filter(|&&at| at == At::Critical).count();
        if n_critical <= 1 { Ok(()) } else { Err("Mutex violated") }
    }

    /// Customer 0 can always get into the critical section or stop.
    #[check(may_progress)]
    pub fn customer_0_is_served(s: &State) -> bool {
        matches!(s.at[0], At::Critical | At::Stopped)
    }

    /// Whether a customer is on the way to the critical section.
    #[proposition]
    pub fn trying(s: &State, #[range(0..N)] i: usize) -> bool {
        !matches!(s.at[i], At::Idle | At::Critical | At::Stopped)
    }

    /// Whether a customer is in it.
    #[proposition]
    pub fn critical(s: &State, #[range(0..N)] i: usize) -> bool {
        s.at[i] == At::Critical
    }

    /// Everybody who tries is served.
    #[check(ltl)]
    pub const EVERYBODY_IS_SERVED: Ltl = ltl!(forall i in 0..N: G (trying(i) -> F critical(i)));

    /// Somebody enters the critical section.
    #[progress]
    pub fn entering(t: Transition) -> bool {
        matches!(t, Transition::Enter(_))
    }
}
