//! Lamport's bakery: mutual exclusion by tickets.
//!
//! L. Lamport, *A New Solution of Dijkstra's Concurrent Programming Problem* (1974).
//! A customer draws a ticket higher than all that it sees, and waits for everybody
//! who is drawing one, and then for everybody whose ticket is lower; two may have the same,
//! and then the lower number of a customer decides. Each step reads or writes one
//! variable of one customer. Tickets have no upper limit, so every customer comes for
//! `ROUNDS` rounds only.
//!
//! `--variant impatient` does not wait for those who are drawing. One of two customers
//! that have seen the same tickets then enters before the other has its own, which is
//! the same and may be of a lower customer.
//!
//! States / edges:
//!
//! | variant | n | rounds | full | stubborn sets |
//! |---|---|---|---|---|
//! | correct | 2 | 1 | 171 / 275 | 153 / 199 |
//! | | 2 | 2 | 1,039 / 1,770 | 899 / 1,216 |
//! | | 3 | 1 | 6,232 / 14,661 | 4,926 / 7,711 |
//! | | 3 | 2 | 124,713 / 306,951 | 94,759 / 154,281 |
//! | | 4 | 1 | 333,159 / 1,043,496 | 234,274 / 420,016 |
//! | impatient | 2 | 1 | 117 / 193 until the violation | 104 / 143 |
//! | | 3 | 1 | 2,309 / 5,429 | 1,853 / 3,106 |
//!
//! SPIN agrees (`tests/spin/bakery.pml`).
//!
//! The rules say no more than whose variables a step reads: that is enough for D0 to D2
//! wherever a step writes nothing that others read.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    bakery::model()
}

/// Lamport's bakery with N customers.
#[model]
pub mod bakery {
    /// Number of customers.
    #[param(2..=4)]
    pub const N: usize = 3;

    /// How often each customer comes.
    #[param(1..=2)]
    pub const ROUNDS: u8 = 1;

    /// Whether customers wait for those who are drawing a ticket.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// Whether customers wait for those who are drawing a ticket.
    pub enum Variant {
        /// The algorithm as it was published.
        Correct,
        /// They do not.
        Impatient,
    }

    /// What a customer is about to do.
    #[derive(StateVar)]
    pub enum At {
        /// Say that it is drawing a ticket, if a round is left.
        Outside,
        /// Look at the next ticket.
        Look,
        /// Take a ticket higher than those.
        Take,
        /// Say that it has its ticket.
        Have,
        /// Wait until the next customer is not drawing.
        AwaitTicket,
        /// Wait until the next customer has no lower ticket.
        AwaitTurn,
        /// Leave the critical section.
        Critical,
    }

    /// The highest ticket: every one that is drawn is at most one higher than all before.
    const HIGHEST: usize = N * ROUNDS as usize;

    /// The state variables.
    #[state]
    pub struct State {
        at: [At; N],
        /// The customer that is looked at or waited for.
        #[range(0..N)]
        other: [u8; N],
        /// The highest ticket that was seen.
        #[range(0..=HIGHEST)]
        seen: [u8; N],
        /// The ticket of each customer; 0 for none.
        #[range(0..=HIGHEST)]
        ticket: [u8; N],
        /// How often each customer will still come.
        #[range(0..=ROUNDS)]
        left: [u8; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The customer makes its next step.
        Step(#[range(0..N)] usize),
    }

    /// Nobody has come yet.
    #[init]
    pub fn all_outside(s: &mut State) {
        s.left = [ROUNDS; N];
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Step(i) => step(s, i),
        }
    }

    fn step(s: &mut State, i: usize) -> bool {
        let j = usize::from(s.other[i]);
        match s.at[i] {
            At::Outside if s.left[i] > 0 => {
                s.left[i] -= 1;
                s.at[i] = At::Look;
            }
            At::Look => {
                s.seen[i] = s.seen[i].max(s.ticket[j]);
                to_the_next(s, i, At::Look, At::Take);
            }
            At::Take => {
                s.ticket[i] = s.seen[i] + 1;
                s.seen[i] = 0;
                s.at[i] = At::Have;
            }
            At::Have => s.at[i] = first_wait(),
            At::AwaitTicket if !is_drawing(s, j) => s.at[i] = At::AwaitTurn,
            At::AwaitTurn if !goes_first(s, j, i) => to_the_next(s, i, first_wait(), At::Critical),
            At::Critical => {
                s.ticket[i] = 0;
                s.at[i] = At::Outside;
            }
            At::Outside | At::AwaitTicket | At::AwaitTurn => return false,
        }
        true
    }

    /// What comes for each of the others once a customer has a ticket.
    fn first_wait() -> At {
        match VARIANT {
            Variant::Correct => At::AwaitTicket,
            Variant::Impatient => At::AwaitTurn,
        }
    }

    /// Does the same with the next customer, or something else after the last.
    fn to_the_next(s: &mut State, i: usize, same: At, after_the_last: At) {
        let is_last = usize::from(s.other[i]) == N - 1;
        s.other[i] = if is_last { 0 } else { s.other[i] + 1 };
        s.at[i] = if is_last { after_the_last } else { same };
    }

    fn is_drawing(s: &State, j: usize) -> bool {
        matches!(s.at[j], At::Look | At::Take | At::Have)
    }

    /// Whether customer `j` has a ticket, and its turn comes before that of `i`.
    fn goes_first(s: &State, j: usize, i: usize) -> bool {
        s.ticket[j] > 0 && (s.ticket[j], j) < (s.ticket[i], i)
    }

    /// Whose variables the next step reads, and who reads what it writes.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Step(i) => step_rule(s, i, need),
        }
    }

    fn step_rule(s: &State, i: usize, need: &mut Obligations) {
        let j = usize::from(s.other[i]);
        match s.at[i] {
            // It will never come again.
            At::Outside if s.left[i] == 0 => {}
            // One variable of one customer is read; a disabled step waits for that one. What
            // is written is the customer's own.
            At::Look | At::AwaitTicket | At::AwaitTurn if j != i => need.add(Transition::Step(j)),
            At::Look | At::AwaitTicket | At::AwaitTurn => {}
            // Everybody may be about to read what these write.
            At::Outside | At::Take | At::Have | At::Critical => need.all(),
        }
    }

    /// At most one customer is in the critical section.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> Result<(), &'static str> {
        let n_critical = s.at.iter().filter(|at| matches!(at, At::Critical)).count();
        if n_critical <= 1 { Ok(()) } else { Err("Mutex violated") }
    }

    /// It ends only when everybody has been served.
    #[check(deadlock)]
    pub fn everybody_is_served(s: &State) -> Result<(), &'static str> {
        let all_out = s.at.iter().all(|at| matches!(at, At::Outside));
        if all_out { Ok(()) } else { Err("A customer waits for ever") }
    }

    /// Customer 0 can always get into the critical section, or has been there as often as it
    /// wanted.
    #[check(may_progress)]
    pub fn customer_0_is_served(s: &State) -> bool {
        s.at[0] == At::Critical || s.at[0] == At::Outside && s.left[0] == 0
    }
}
