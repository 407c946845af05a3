//! Dijkstra's dining philosophers, with the deadlock and without it.
//!
//! The problem is from E. W. Dijkstra, *Hierarchical Ordering of Sequential
//! Processes* (1971). Philosophers may leave the table, so that every state
//! can still end well and stubborn sets prove more than the absence of
//! deadlocks. Beginning to eat is marked as progress: there is no livelock.
//!
//! Nobody starves, says
//!
//! ```text
//! G (hungry(i) -> F eating(i))        for each philosopher i
//! ```
//!
//! and it takes both, an order of the forks and strong fairness: what a philosopher can
//! do again and again it does. In the deadlocking variant all wait for ever. With the
//! order and only weak fairness (`--fairness weak`) a neighbour takes the fork that one
//! waits for and puts it back, again and again; the fork is never free *for ever*, so
//! nobody is unfair. Nobody has to take a first fork, or to leave. States / edges of the
//! model, and of the product with the automaton that is searched:
//!
//! | variant | n | fairness | verdict | model | product |
//! |---|---|---|---|---|---|
//! | fixed | 3 | strong | holds | 72 / 178 | 129 / 326 |
//! | | 3 | weak, none | violated | | |
//! | | 5 | strong | holds | 1,424 / 5,916 | 3,411 / 15,408 |
//! | | 5 | weak | violated | | |
//! | | 5 | none | violated | | |
//! | deadlocking | 3 | strong | violated | | |
//!
//! States / edges:
//!
//! | variant | n | full | stubborn sets |
//! |---|---|---|---|
//! | deadlocking, up to the deadlock | 3 | 56 / 106 | 46 / 58 |
//! | | 5 | 945 / 3,091 | 305 / 384 |
//! | fixed | 3 | 72 / 178 | 54 / 79 |
//! | | 5 | 1,424 / 5,916 | 444 / 641 |
//! | | 8 | 125,440 / 837,904 | 6,682 / 9,659 |
//! | | 10 | 2,483,456 / 20,769,696 | 35,358 / 51,271 |
//!
//! SPIN agrees on the full counts (`tests/spin/philosophers.pml`). From ten
//! philosophers on, a state takes two words: 70 bits.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    philosophers::model()
}

/// Dining philosophers who pick up one fork after the other.
#[model]
pub mod philosophers {
    /// Number of philosophers.
    #[param(2, 3, 4, 5, 6, 8, 10, 12)]
    pub const N: usize = 5;

    /// In which order the forks are picked up.
    #[param]
    pub const VARIANT: Variant = Variant::Fixed;

    /// Two ways to lay hands on the forks.
    pub enum Variant {
        /// Everybody takes the left fork first.
        Deadlocking,
        /// Philosopher 0 takes the right fork first: the circle is broken.
        Fixed,
    }

    /// What a philosopher does.
    #[derive(StateVar)]
    pub enum At {
        /// Holds nothing.
        Thinking,
        /// Holds the first fork and waits for the second.
        HasFirst,
        /// Holds both forks.
        Eating,
        /// Has put the second fork back and still holds the first.
        PuttingBack,
        /// Has left the table.
        Gone,
    }

    /// Where a fork is. Fork `f` lies between philosophers `f - 1` and `f`.
    #[derive(StateVar)]
    pub enum Fork {
        /// Free.
        OnTable,
        /// In this philosopher's hand.
        HeldBy(#[range(0..N)] u8),
    }

    /// The state variables.
    #[state]
    pub struct State {
        at: [At; N],
        forks: [Fork; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// Thinking → has first.
        TakeFirst(#[range(0..N)] usize),
        /// Has first → eating.
        #[fair(strong, group = philosopher, by = 0)]
        TakeSecond(#[range(0..N)] usize),
        /// Eating → putting back.
        #[fair(strong, group = philosopher, by = 0)]
        PutSecond(#[range(0..N)] usize),
        /// Putting back → thinking.
        #[fair(strong, group = philosopher, by = 0)]
        PutFirst(#[range(0..N)] usize),
        /// Thinking → gone.
        Leave(#[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::TakeFirst(i) => {
                s.at[i] == At::Thinking && take(s, i, first_fork(i)) && go(s, i, At::HasFirst)
            }
            Transition::TakeSecond(i) => {
                s.at[i] == At::HasFirst && take(s, i, second_fork(i)) && go(s, i, At::Eating)
            }
            Transition::PutSecond(i) => {
                s.at[i] == At::Eating && put(s, second_fork(i)) && go(s, i, At::PuttingBack)
            }
            Transition::PutFirst(i) => {
                s.at[i] == At::PuttingBack && put(s, first_fork(i)) && go(s, i, At::Thinking)
            }
            Transition::Leave(i) => s.at[i] == At::Thinking && go(s, i, At::Gone),
        }
    }

    fn go(s: &mut State, i: usize, to: At) -> bool {
        s.at[i] = to;
        true
    }

    fn take(s: &mut State, i: usize, fork: usize) -> bool {
        if !is_free(s, fork) {
            return false;
        }
        s.forks[fork] = Fork::HeldBy(i as u8);
        true
    }

    fn put(s: &mut State, fork: usize) -> bool {
        s.forks[fork] = Fork::OnTable;
        true
    }

    fn is_free(s: &State, fork: usize) -> bool {
        s.forks[fork] == Fork::OnTable
    }

    fn left_fork(i: usize) -> usize {
        i
    }

    fn right_fork(i: usize) -> usize {
        (i + 1) % N
    }

    fn takes_right_first(i: usize) -> bool {
        i == 0 && matches!(VARIANT, Variant::Fixed)
    }

    fn first_fork(i: usize) -> usize {
        if takes_right_first(i) { right_fork(i) } else { left_fork(i) }
    }

    fn second_fork(i: usize) -> usize {
        if takes_right_first(i) { left_fork(i) } else { right_fork(i) }
    }

    /// Forks are the only thing philosophers share, each by two of them.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match (t, s.at[philosopher(t)]) {
            (Transition::TakeFirst(i), At::Thinking) => {
                // The two things a thinker can do exclude each other.
                need.add(Transition::Leave(i));
                fork_may_be_gone(s, i, first_fork(i), need);
            }
            (Transition::TakeSecond(i), At::HasFirst) => {
                fork_may_be_gone(s, i, second_fork(i), need);
            }
            // A fork in hand is nobody else's business, and those who wait for
            // it cannot move before it is put back.
            (Transition::PutSecond(_), At::Eating) => {}
            (Transition::PutFirst(_), At::PuttingBack) => {}
            (Transition::Leave(i), At::Thinking) => need.add(Transition::TakeFirst(i)),
            // Nobody comes back.
            (_, At::Gone) => {}
            // The philosopher is elsewhere, and only the next step of its own
            // leads away from there.
            (t, at) => need.add(next_step(philosopher(t), at)),
        }
    }

    /// What `i` needs to take a fork for which a neighbour competes.
    fn fork_may_be_gone(s: &State, i: usize, fork: usize, need: &mut Obligations) {
        let neighbour = if fork == left_fork(i) { (i + N - 1) % N } else { (i + 1) % N };
        let is_its_first = first_fork(neighbour) == fork;
        need.add(match (is_free(s, fork), is_its_first) {
            // Free: only the neighbour can snatch it.
            (true, true) => Transition::TakeFirst(neighbour),
            (true, false) => Transition::TakeSecond(neighbour),
            // Taken: only the neighbour can put it back.
            (false, true) => Transition::PutFirst(neighbour),
            (false, false) => Transition::PutSecond(neighbour),
        });
    }

    fn philosopher(t: Transition) -> usize {
        match t {
            Transition::TakeFirst(i)
            | Transition::TakeSecond(i)
            | Transition::PutSecond(i)
            | Transition::PutFirst(i)
            | Transition::Leave(i) => i,
        }
    }

    /// The step that leads on towards the forks and back again.
    fn next_step(i: usize, at: At) -> Transition {
        match at {
            At::Thinking | At::Gone => Transition::TakeFirst(i),
            At::HasFirst => Transition::TakeSecond(i),
            At::Eating => Transition::PutSecond(i),
            At::PuttingBack => Transition::PutFirst(i),
        }
    }

    /// The dinner ends only when everybody has left.
    #[check(deadlock)]
    pub fn everybody_has_left(s: &State) -> Result<(), &'static str> {
        if s.at.iter().all(|at| matches!(at, At::Gone)) { Ok(()) } else { Err("Deadlock") }
    }

    /// Philosopher 0 can always come to eat, or has left.
    #[check(may_progress)]
    pub fn philosopher_0_may_eat(s: &State) -> bool {
        matches!(s.at[0], At::Eating | At::Gone)
    }

    /// Whether a philosopher holds one fork and waits for the other.
    #[proposition]
    pub fn hungry(s: &State, #[range(0..N)] i: usize) -> bool {
        s.at[i] == At::HasFirst
    }

    /// Whether a philosopher eats.
    #[proposition]
    pub fn eating(s: &State, #[range(0..N)] i: usize) -> bool {
        s.at[i] == At::Eating
    }

    /// Nobody starves.
    #[check(ltl)]
    pub const NOBODY_STARVES: Ltl = ltl!(forall i in 0..N: G (hungry(i) -> F eating(i)));

    /// Somebody begins to eat.
    #[progress]
    pub fn meal(t: Transition) -> bool {
        matches!(t, Transition::TakeSecond(_))
    }
}
