//! Peterson's mutual exclusion for n customers, as a model checker met it.
//!
//! The algorithm is from G. L. Peterson, *Myths About the Mutual Exclusion
//! Problem* (1981). The four models are those of A. Valmari, *Stop It, and Be
//! Stubborn!*: the one of its Figure 2, the three made from it in its Section
//! II, and the rules of its Figure 4. State and edge counts are those of its
//! Table I, in the tool's own order and with its rules:
//!
//! | variant | n | full | stubborn sets |
//! |---|---|---|---|
//! | questionable | 2 | 133 / 266 | 88 / 124 |
//! | | 3 | 38,038 / 114,114 | 18,817 / 34,083 |
//! | | 4 | 12,346,971 / 49,387,884 | 4,312,993 / 8,988,034 |
//! | revealing | 2 | 163 / 326 | 116 / 162 |
//! | | 3 | 43,675 / 131,025 | 23,134 / 41,562 |
//! | | 4 | 14,186,506 / 56,746,024 | 5,316,461 / 10,903,336 |
//! | correct | 2 | 574 / 1,148 | 378 / 522 |
//! | | 3 | 96,854 / 290,562 | 44,868 / 78,750 |
//! | | 4 | 26,209,918 / 104,839,672 | 9,318,636 / 18,581,236 |
//! | mutex-violating | 2 | 336 / 602 | 219 / 258 |
//! | | 3 | 32,957 / 87,081 | 15,164 / 22,100 |
//! | | 4 | 6,614,675 / 23,547,787 | 2,116,738 / 3,527,255 |

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    peterson::model()
}

/// Peterson's mutual exclusion for N customers.
#[model]
pub mod peterson {
    /// Number of customers.
    #[param(2..=5)]
    pub const N: usize = 3;

    /// Which of the four models of the paper.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// The models of *Stop It, and Be Stubborn!*.
    pub enum Variant {
        /// Figure 2: customers cannot stop, and that hides a flaw.
        Questionable,
        /// Customers can stop, and that reveals the flaw: gate 0 is written
        /// into `q` as 0, which also means "not interested".
        Revealing,
        /// The flaw is mended: gates are written into `q` counting from 1.
        Correct,
        /// As `Correct`, with the two assignments before a gate swapped.
        MutexViolating,
    }

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
        /// The customer's next atomic operation, whichever it is.
        #[fair(weak, group = customer, by = 0)]
        Step(#[range(0..N)] usize),
        /// The customer stops instead of trying once more.
        #[fair(weak, group = customer, by = 0)]
        Stop(#[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) => step(s, i),
            Transition::Stop(i) => stop(s, i),
        }
    }

    /// One atomic operation reads or writes at most one shared variable.
    fn step(s: &mut State, i: usize) -> bool {
        let gate = usize::from(s.j[i]);
        s.at[i] = match s.at[i] {
            At::Idle => {
                s.j[i] = 0;
                At::Gate
            }
            At::Gate if gate >= N - 1 => At::Critical,
            At::Gate if swapped() => At::SetTurn,
            At::Gate => At::SetQ,
            At::SetQ => {
                s.q[i] = if counts_from_1() { s.j[i] + 1 } else { s.j[i] };
                if swapped() { At::Wait } else { At::SetTurn }
            }
            At::SetTurn => {
                s.turn[gate] = i as u8;
                if swapped() { At::SetQ } else { At::Wait }
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
        k == i || if counts_from_1() { s.q[k] <= s.j[i] } else { s.q[k] < s.j[i] }
    }

    fn stop(s: &mut State, i: usize) -> bool {
        if !can_stop() || s.at[i] != At::Idle {
            return false;
        }
        s.at[i] = At::Stopped;
        true
    }

    fn can_stop() -> bool {
        !matches!(VARIANT, Variant::Questionable)
    }

    fn counts_from_1() -> bool {
        matches!(VARIANT, Variant::Correct | Variant::MutexViolating)
    }

    fn swapped() -> bool {
        matches!(VARIANT, Variant::MutexViolating)
    }

    /// Figure 4 of the paper.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            // Nothing ever enables it.
            Transition::Stop(_) if !can_stop() => {}
            // Only the customer's own step enables or disables it, and it
            // touches nothing that others see.
            Transition::Stop(i) => need.add(Transition::Step(i)),
            Transition::Step(i) => match s.at[i] {
                // A local step with an alternative.
                At::Idle => need.add(Transition::Stop(i)),
                // Local steps without one.
                At::Gate | At::Scan => {}
                // These write or read what others read or write.
                At::SetQ | At::SetTurn | At::Test => need.all(),
                // Others write only their own numbers here: once somebody has
                // let this customer pass, nobody else can take that back.
                At::Wait if usize::from(s.turn[usize::from(s.j[i])]) != i => {}
                At::Wait => need.all(),
                // Writes what others read. Besides, leaving the critical
                // section could end a violation that others would make.
                At::Critical => need.all(),
                // Nothing ever enables it again.
                At::Stopped => {}
            },
        }
    }

    /// Whether a customer is on the way to the critical section.
    #[proposition]
    pub fn trying(s: &State, #[range(0..N)] i: usize) -> bool {
        !matches!(s.at[i], At::Idle | At::Critical | At::Stopped)
    }

    /// Whether a customer is in the critical section.
    #[proposition]
    pub fn critical(s: &State, #[range(0..N)] i: usize) -> bool {
        s.at[i] == At::Critical
    }

    /// At most one customer is in the critical section.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> Result<(), &'static str> {
        let n_critical = s.at.iter().filter(|at| matches!(at, At::Critical)).count();
        if n_critical <= 1 { Ok(()) } else { Err("Mutex violated") }
    }

    /// Customer 0 can always get into the critical section or stop.
    #[check(may_progress)]
    pub fn customer_0_is_served(s: &State) -> bool {
        matches!(s.at[0], At::Critical | At::Stopped)
    }

    /// As the paper prints it: `j`, a letter for the place, `k` and `q` of
    /// each customer, then the turns.
    #[display]
    pub fn one_line(s: &State) -> String {
        let mut line = String::new();
        for i in 0..N {
            line += &format!("{}{}{}{} ", s.j[i], letter(s.at[i]), s.k[i], s.q[i]);
        }
        for turn in s.turn {
            line += &turn.to_string();
        }
        line
    }

    fn letter(at: At) -> char {
        match at {
            At::Idle => '-',
            At::Gate => 'j',
            At::SetQ => 'Q',
            At::SetTurn => 'T',
            At::Wait => 'w',
            At::Scan => 'k',
            At::Test => 'A',
            At::Critical => '*',
            At::Stopped => ' ',
        }
    }
}
