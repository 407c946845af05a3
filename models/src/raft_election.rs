//! Raft's election over a network that loses and reorders messages.
//!
//! D. Ongaro and J. Ousterhout, *In Search of an Understandable Consensus Algorithm*
//! (2014), section 5.2, without the log. A server that has heard nothing for a while opens
//! a new term, votes for itself and asks the others for their votes; each of them votes
//! once in a term; a majority makes a leader. Terms end at a number, as the model must.
//!
//! The network is a set of messages. Each of them may get lost; with `--duplication true`
//! each may also arrive as often as it likes. What would change nothing is disabled.
//! `--variant forgetful` lets a server forget whom it has voted for, as one that does not
//! write it to disk does when it starts again: two leaders in one term.
//!
//! States / edges, in full:
//!
//! | n | terms | each message once | duplicated |
//! |---|---|---|---|
//! | 2 | 1 | 15 / 22 | 25 / 38 |
//! | | 2 | 115 / 368 | 249 / 690 |
//! | 3 | 1 | 326 / 1,335 | 701 / 2,211 |
//! | | 2 | 43,821 / 404,217 | 143,181 / 880,527 |
//!
//! Stateright agrees on all of these (`compare/yardsticks/stateright-raft`). There are no
//! rules for stubborn sets. `docs/raft.md` builds the model step by step.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    raft_election::model()
}

/// Raft's election over a network that loses and reorders messages.
#[model]
pub mod raft_election {
    /// Number of servers.
    #[param(2, 3)]
    pub const N: usize = 3;

    /// The last term.
    #[param(1, 2)]
    pub const TERMS: u8 = 2;

    /// Whether a message may arrive more than once.
    #[param]
    pub const DUPLICATION: bool = false;

    /// What a server remembers.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// What a server remembers.
    pub enum Variant {
        /// Whom it has voted for in its term.
        Correct,
        /// It may forget that.
        Forgetful,
    }

    /// A server.
    #[derive(StateVar)]
    pub struct Id(#[range(0..N)] u8);

    /// What a server is in its term.
    #[derive(StateVar)]
    pub enum Role {
        /// It may vote.
        Follower,
        /// It asks for votes.
        Candidate,
        /// It has got a majority of them.
        Leader,
    }

    /// What is sent.
    #[derive(StateVar)]
    pub enum Message {
        /// "Vote for me."
        Ask {
            /// Who asks.
            from: Id,
            /// Who is asked.
            to: Id,
            /// The term of the election.
            #[range(1..=TERMS)]
            term: u8,
        },
        /// "I vote for you."
        Vote {
            /// Who votes.
            from: Id,
            /// For whom.
            to: Id,
            /// The term of the election.
            #[range(1..=TERMS)]
            term: u8,
        },
    }

    /// The state variables.
    #[state]
    pub struct State {
        role: [Role; N],
        #[range(0..=TERMS)]
        term: [u8; N],
        /// Whom a server has voted for in its term.
        voted: [Option<Id>; N],
        /// Who has voted for a candidate.
        votes: [Set<Id>; N],
        /// The messages under way.
        net: Set<Message>,
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// A server is asked for its vote.
        GetAsk {
            /// Who asks.
            #[range(0..N)]
            from: usize,
            /// Who is asked.
            #[range(0..N)]
            to: usize,
            /// The term of the election.
            #[range(1..=TERMS)]
            term: u8,
        },
        /// A server gets a vote.
        GetVote {
            /// Who votes.
            #[range(0..N)]
            from: usize,
            /// For whom.
            #[range(0..N)]
            to: usize,
            /// The term of the election.
            #[range(1..=TERMS)]
            term: u8,
        },
        /// A server has waited long enough and opens this term.
        Timeout {
            /// The server.
            #[range(0..N)]
            server: usize,
            /// The new term.
            #[range(1..=TERMS)]
            term: u8,
        },
        /// A message is lost.
        Lose(Message),
        /// A server starts again and has forgotten whom it voted for.
        Forget(#[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::GetAsk { from, to, term } => {
                s.net.contains(&ask(from, to, term)) && get_ask(s, from, to, term)
            }
            Transition::GetVote { from, to, term } => {
                s.net.contains(&vote(from, to, term)) && get_vote(s, from, to, term)
            }
            Transition::Timeout { server, term } => {
                s.role[server] != Role::Leader
                    && s.term[server] + 1 == term
                    && stand(s, server, term)
            }
            Transition::Lose(message) => s.net.remove(&message),
            Transition::Forget(i) => can_forget(s, i) && forget(s, i),
        }
    }

    fn id(server: usize) -> Id {
        Id(server as u8)
    }

    fn ask(from: usize, to: usize, term: u8) -> Message {
        Message::Ask { from: id(from), to: id(to), term }
    }

    fn vote(from: usize, to: usize, term: u8) -> Message {
        Message::Vote { from: id(from), to: id(to), term }
    }

    /// A server hears of a term and takes part in it from then on, if it is a new one.
    fn hear_of(s: &mut State, i: usize, term: u8) -> bool {
        let is_new = term > s.term[i];
        if is_new {
            s.term[i] = term;
            s.role[i] = Role::Follower;
            s.voted[i] = None;
            s.votes[i].clear();
        }
        is_new
    }

    fn stand(s: &mut State, i: usize, term: u8) -> bool {
        hear_of(s, i, term);
        s.role[i] = Role::Candidate;
        s.voted[i] = Some(id(i));
        s.votes[i].insert(id(i));
        // One by one, so that it can be seen which messages these are.
        s.net.insert(ask(i, (i + 1) % N, term));
        if N > 2 {
            s.net.insert(ask(i, (i + 2) % N, term));
        }
        true
    }

    /// Whoever has voted for itself, as all candidates have, votes for nobody else.
    fn get_ask(s: &mut State, from: usize, to: usize, term: u8) -> bool {
        let mut changes = arrives(s, ask(from, to, term));
        changes |= hear_of(s, to, term);
        let is_free = s.voted[to].is_none() || s.voted[to] == Some(id(from));
        if s.term[to] == term && is_free {
            changes |= s.voted[to].is_none();
            s.voted[to] = Some(id(from));
            changes |= s.net.insert(vote(to, from, term));
        }
        changes
    }

    fn get_vote(s: &mut State, from: usize, to: usize, term: u8) -> bool {
        let mut changes = arrives(s, vote(from, to, term));
        if s.role[to] == Role::Candidate && s.term[to] == term {
            changes |= s.votes[to].insert(id(from));
            if 2 * s.votes[to].len() > N {
                s.role[to] = Role::Leader;
                s.votes[to].clear();
            }
        }
        changes
    }

    /// A message arrives, and is gone then unless it may arrive once more.
    fn arrives(s: &mut State, message: Message) -> bool {
        !DUPLICATION && s.net.remove(&message)
    }

    /// Candidates and leaders know whom they have voted for: themselves.
    fn can_forget(s: &State, i: usize) -> bool {
        matches!(VARIANT, Variant::Forgetful) && s.role[i] == Role::Follower && s.voted[i].is_some()
    }

    fn forget(s: &mut State, i: usize) -> bool {
        s.voted[i] = None;
        true
    }

    /// There is never more than one leader in a term.
    #[check(state)]
    pub fn one_leader_per_term(s: &State) -> Result<(), &'static str> {
        let leads = |i: usize| s.role[i] == Role::Leader;
        let are_two = |i: usize, j: usize| i < j && leads(i) && leads(j) && s.term[i] == s.term[j];
        match (0..N).any(|i| (0..N).any(|j| are_two(i, j))) {
            true => Err("Two leaders in one term"),
            false => Ok(()),
        }
    }
}
