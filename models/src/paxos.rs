//! Paxos for a single decision, after Lamport's specification.
//!
//! L. Lamport, *The Part-Time Parliament* (1998) and *Paxos Made Simple* (2001); this is
//! module `Paxos` of the TLA+ examples. Messages are a set that only grows, so losing one
//! is never receiving it. What an acceptor has voted for in a ballot is what was proposed
//! there, so votes and promises name ballots only. A step that changes nothing, such as
//! receiving a message for the second time, is disabled here, so that everything ends
//! when all ballots are over; the reachable states are the same.
//!
//! `--variant careless` proposes any value, whatever the promises say of earlier votes: two
//! values are chosen.
//!
//! States / edges, all enabled transitions fired:
//!
//! | variant | n | 2 ballots | 3 ballots |
//! |---|---|---|---|
//! | correct | 2 | 145 / 240 | 1,501 / 3,015 |
//! | | 3 | 3,921 / 9,442 | 185,369 / 491,535 |
//! | | 4 | 20,609 / 58,648 | |
//! | careless | 2 | 167 / 265 until the violation | 1,183 / 2,340 |
//! | | 3 | 3,324 / 7,410 | 24,423 / 62,396 |
//!
//! SPIN agrees (`tests/spin/paxos.pml`).
//!
//! The model has no rules: who answers first decides what may be proposed, so there would
//! be little to gain.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    paxos::model()
}

/// Paxos for a single decision between two values.
#[model]
pub mod paxos {
    /// Number of acceptors.
    #[param(2..=4)]
    pub const N: usize = 3;

    /// Number of ballots.
    #[param(2..=3)]
    pub const BALLOTS: usize = 2;

    /// What a ballot's leader proposes.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// What a ballot's leader proposes.
    pub enum Variant {
        /// The value of the latest vote that a majority tells of, or anything if there is
        /// none.
        Correct,
        /// Anything.
        Careless,
    }

    /// What an acceptor has told of its votes when it joined a ballot.
    #[derive(StateVar)]
    pub enum Promise {
        /// It has not joined.
        Nothing,
        /// It had voted for nothing.
        NoVote,
        /// Its latest vote was in this ballot.
        Vote(#[range(0..BALLOTS)] u8),
    }

    /// What is proposed in a ballot.
    #[derive(StateVar)]
    pub enum Value {
        /// Nothing yet.
        None,
        /// One value.
        Left,
        /// The other.
        Right,
    }

    /// The state variables.
    #[state]
    pub struct State {
        /// The latest ballot that each acceptor has joined or voted in; 0 for none.
        #[range(0..=BALLOTS)]
        joined: [u8; N],
        /// The latest ballot in which each acceptor has voted; 0 for none.
        #[range(0..=BALLOTS)]
        voted: [u8; N],
        /// Messages 1a: the ballots that have been opened.
        open: [bool; BALLOTS],
        /// Messages 1b: what each acceptor has promised.
        promises: [[Promise; N]; BALLOTS],
        /// Messages 2a: what is proposed.
        proposed: [Value; BALLOTS],
        /// Messages 2b: who has voted for that.
        votes: [[bool; N]; BALLOTS],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// Phase 1a: the leader opens its ballot.
        Open(#[range(0..BALLOTS)] usize),
        /// Phase 1b: an acceptor joins a ballot and promises to vote in no earlier one.
        Join(#[range(0..BALLOTS)] usize, #[range(0..N)] usize),
        /// Phase 2a: the leader proposes the one value, or else the other.
        Propose(#[range(0..BALLOTS)] usize, bool),
        /// Phase 2b: an acceptor votes for what is proposed.
        Vote(#[range(0..BALLOTS)] usize, #[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Open(b) if !s.open[b] => s.open[b] = true,
            Transition::Join(b, i) if s.open[b] && usize::from(s.joined[i]) <= b => {
                s.promises[b][i] = match s.voted[i] {
                    0 => Promise::NoVote,
                    later => Promise::Vote(later - 1),
                };
                s.joined[i] = b as u8 + 1;
            }
            Transition::Propose(b, left) if s.proposed[b] == Value::None => {
                let value = if left { Value::Left } else { Value::Right };
                if !may_propose(s, b, value) {
                    return false;
                }
                s.proposed[b] = value;
            }
            Transition::Vote(b, i) if may_vote(s, b, i) => {
                s.votes[b][i] = true;
                s.joined[i] = b as u8 + 1;
                s.voted[i] = b as u8 + 1;
            }
            _ => return false,
        }
        true
    }

    /// Something is proposed, for which the acceptor has not voted, and it is in no later
    /// ballot.
    fn may_vote(s: &State, b: usize, i: usize) -> bool {
        s.proposed[b] != Value::None && !s.votes[b][i] && usize::from(s.joined[i]) <= b + 1
    }

    /// Whether some majority has joined the ballot, and the latest vote that it tells of was
    /// for this value, or it tells of none.
    fn may_propose(s: &State, b: usize, value: Value) -> bool {
        let joined = s.promises[b].iter().filter(|p| !matches!(p, Promise::Nothing)).count();
        if matches!(VARIANT, Variant::Careless) || joined <= N / 2 {
            return joined > N / 2;
        }
        // A majority is one of those that tell of no vote later than `last`. It is enough that
        // there are so many of them, and one of them has voted there.
        let without = s.promises[b].iter().filter(|p| matches!(p, Promise::NoVote)).count();
        let after = |last: usize| {
            let is_not_later = |p: &Promise| match p {
                Promise::Nothing => false,
                Promise::NoVote => true,
                Promise::Vote(c) => usize::from(*c) <= last,
            };
            let is_there = |p: &Promise| matches!(p, Promise::Vote(c) if usize::from(*c) == last);
            s.promises[b].iter().any(is_there)
                && s.promises[b].iter().filter(|p| is_not_later(p)).count() > N / 2
        };
        without > N / 2 || (0..b).any(|last| s.proposed[last] == value && after(last))
    }

    /// Whether a majority has voted in this ballot.
    fn is_decided(s: &State, b: usize) -> bool {
        s.votes[b].iter().filter(|voted| **voted).count() > N / 2
    }

    /// At most one value is chosen.
    #[check(state)]
    pub fn agreement(s: &State) -> Result<(), &'static str> {
        let chosen = |value| (0..BALLOTS).any(|b| s.proposed[b] == value && is_decided(s, b));
        if chosen(Value::Left) && chosen(Value::Right) {
            Err("Two values are chosen")
        } else {
            Ok(())
        }
    }

    /// Who has voted in a ballot has promised nothing that forbids it.
    #[check(state)]
    pub fn votes_are_not_later_than_promises(s: &State) -> bool {
        (0..N).all(|i| s.voted[i] <= s.joined[i])
    }
}
