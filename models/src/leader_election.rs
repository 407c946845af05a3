//! Leader election on a ring in which messages go one way.
//!
//! E. Chang and R. Roberts, *An Improved Algorithm for Decentralized
//! Extrema-Finding in Circular Configurations of Processes* (1979), with
//! elections that may begin anywhere. A process puts itself forward, and
//! stops messages of lower candidates; the highest candidate's message comes
//! back to it, and it is the leader.
//!
//! `--variant repeated` adds further elections after the first, and lets a
//! process retire: from then on it passes on what it gets. Winning an election
//! is marked as progress. `--variant careless` lets a candidate retire too. Its
//! message then finds nobody who would stop it: it goes round for ever, a
//! livelock.
//!
//! States / edges:
//!
//! | variant | n | full | stubborn sets |
//! |---|---|---|---|
//! | once | 3 | 32 / 59 | 28 / 38 |
//! | | 5 | 512 / 1,471 | 200 / 278 |
//! | | 7 | 10,880 / 41,037 | 1,280 / 1,726 |
//! | repeated | 3 | 109 / 215 | 101 / 161 |
//! | | 5 | 3,221 / 9,210 | 2,032 / 3,114 |
//! | | 7 | 111,972 / 414,418 | 36,287 / 50,965 |
//! | careless | 3 | 402 / 954 | 224 / 357 |
//! | | 5 | 35,418 / 117,459 | 7,268 / 10,831 |
//! | | 7 | 3,396,854 / 14,359,756 | 210,514 / 286,438 |
//!
//! With seven processes a state takes four words: 217 bits. The careless variant
//! is not always may-terminating, so a reduced check is inconclusive.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    leader_election::model()
}

/// Chang and Roberts' leader election on a unidirectional ring.
#[model]
pub mod leader_election {
    /// Number of processes.
    #[param(2..=7)]
    pub const N: usize = 4;

    /// How many elections there are, and who may retire.
    #[param]
    pub const VARIANT: Variant = Variant::Once;

    /// How many elections there are, and who may retire.
    pub enum Variant {
        /// One election.
        Once,
        /// Any number of elections; who does not take part may retire.
        Repeated,
        /// As `Repeated`, but candidates may retire, too.
        Careless,
    }

    /// What a process does.
    #[derive(StateVar)]
    pub enum At {
        /// Does not take part yet.
        Idle,
        /// Has put itself forward.
        Candidate,
        /// Has seen a higher candidate.
        Beaten,
        /// Has been elected.
        Leader,
        /// Takes no part any more, but passes messages on.
        Retired,
    }

    /// A place in a channel.
    #[derive(StateVar)]
    pub enum Message {
        /// No message.
        Nothing,
        /// "This process wants to be the leader."
        Elect(#[range(0..N)] u8),
        /// "This process is the leader."
        Elected(#[range(0..N)] u8),
    }

    /// The state variables.
    #[state]
    pub struct State {
        at: [At; N],
        /// The channel to each process from the one before it, oldest message
        /// first.
        inbox: [[Message; N]; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The process gets a message, but not its own nomination.
        Receive(#[range(0..N)] usize),
        /// The process gets its own nomination back: it is elected.
        Win(#[range(0..N)] usize),
        /// The process puts itself forward.
        Stand(#[range(0..N)] usize),
        /// The process retires.
        Retire(#[range(0..N)] usize),
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Receive(i) => receive(s, i),
            Transition::Win(i) => {
                wins(s, i) && pop(s, i) && go(s, i, At::Leader) && send(s, i, elected(i))
            }
            Transition::Stand(i) => {
                s.at[i] == At::Idle && go(s, i, At::Candidate) && send(s, i, elect(i))
            }
            Transition::Retire(i) => may_retire(s.at[i]) && go(s, i, At::Retired),
        }
    }

    fn receive(s: &mut State, i: usize) -> bool {
        let message = s.inbox[i][0];
        match (message, s.at[i]) {
            (Message::Nothing, _) => false,
            (_, At::Candidate) if wins(s, i) => false,
            // A retired process only passes on what it gets.
            (_, At::Retired) => pop(s, i) && send(s, i, message),
            // The news has been all the way round.
            (Message::Elected(_), At::Leader) => pop(s, i) && go(s, i, after_the_election(i, i)),
            (Message::Elected(j), _) => {
                pop(s, i) && go(s, i, after_the_election(i, usize::from(j))) && send(s, i, message)
            }
            (Message::Elect(j), _) if is_higher(usize::from(j), i) => {
                pop(s, i) && go(s, i, At::Beaten) && send(s, i, message)
            }
            // Stops a lower candidate, and stands instead if it does not yet.
            (Message::Elect(_), At::Idle) => {
                pop(s, i) && go(s, i, At::Candidate) && send(s, i, elect(i))
            }
            (Message::Elect(_), _) => pop(s, i),
        }
    }

    fn after_the_election(i: usize, leader: usize) -> At {
        match VARIANT {
            Variant::Once if i == leader => At::Leader,
            Variant::Once => At::Beaten,
            Variant::Repeated | Variant::Careless => At::Idle,
        }
    }

    fn may_retire(at: At) -> bool {
        match VARIANT {
            Variant::Once => false,
            Variant::Repeated => at == At::Idle,
            Variant::Careless => matches!(at, At::Idle | At::Candidate),
        }
    }

    fn wins(s: &State, i: usize) -> bool {
        s.at[i] == At::Candidate && s.inbox[i][0] == elect(i)
    }

    /// Ranks fall along the ring, the order with the most messages: every
    /// nomination passes everybody who is lower.
    fn is_higher(i: usize, j: usize) -> bool {
        i < j
    }

    fn elect(i: usize) -> Message {
        Message::Elect(i as u8)
    }

    fn elected(i: usize) -> Message {
        Message::Elected(i as u8)
    }

    fn next(i: usize) -> usize {
        (i + 1) % N
    }

    fn previous(i: usize) -> usize {
        (i + N - 1) % N
    }

    fn go(s: &mut State, i: usize, to: At) -> bool {
        s.at[i] = to;
        true
    }

    /// False if the channel is full: then the sender waits.
    fn send(s: &mut State, i: usize, message: Message) -> bool {
        let inbox = &mut s.inbox[next(i)];
        let free = inbox.iter().position(|&place| place == Message::Nothing);
        free.is_some_and(|free| {
            inbox[free] = message;
            true
        })
    }

    fn pop(s: &mut State, i: usize) -> bool {
        s.inbox[i].rotate_left(1);
        s.inbox[i][N - 1] = Message::Nothing;
        true
    }

    fn is_full(s: &State, i: usize) -> bool {
        s.inbox[i][N - 1] != Message::Nothing
    }

    /// A process changes only its own place and adds to its neighbour's
    /// channel, from which only the neighbour takes: what different processes
    /// do commutes. So only what one process does by itself competes.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Receive(i) | Transition::Win(i) => {
                if s.inbox[i][0] == Message::Nothing {
                    // Only the process before can change that.
                    whatever_sends(previous(i), need);
                } else if ends_a_leadership(s, i, t) {
                    // Another one might be elected meanwhile, and this would
                    // hide it from the check.
                    need.all();
                } else {
                    whatever_sends(i, need);
                    need.add(Transition::Retire(i));
                    room_to_send(s, i, need);
                }
            }
            Transition::Stand(i) if s.at[i] == At::Idle => {
                whatever_sends(i, need);
                need.add(Transition::Retire(i));
                room_to_send(s, i, need);
            }
            Transition::Retire(i) if may_retire(s.at[i]) => whatever_sends(i, need),
            // Nobody comes back from retirement, and in a single election
            // nobody becomes idle again.
            Transition::Stand(i) | Transition::Retire(i) => {
                if s.at[i] != At::Retired && !matches!(VARIANT, Variant::Once) {
                    // What makes it idle again.
                    need.add(Transition::Receive(i));
                }
            }
        }
    }

    /// All that a process does, but retiring.
    fn whatever_sends(i: usize, need: &mut Obligations) {
        need.add(Transition::Receive(i));
        need.add(Transition::Win(i));
        need.add(Transition::Stand(i));
    }

    /// A full channel is emptied only by the next process.
    fn room_to_send(s: &State, i: usize, need: &mut Obligations) {
        if is_full(s, next(i)) {
            need.add(Transition::Receive(next(i)));
            need.add(Transition::Win(next(i)));
        }
    }

    fn ends_a_leadership(s: &State, i: usize, t: Transition) -> bool {
        let is_last_word = matches!(s.inbox[i][0], Message::Elected(_));
        matches!(t, Transition::Receive(_))
            && s.at[i] == At::Leader
            && is_last_word
            && !matches!(VARIANT, Variant::Once)
    }

    /// There is never more than one leader.
    #[check(state)]
    pub fn one_leader(s: &State) -> Result<(), &'static str> {
        let n_leaders = s.at.iter().filter(|&&at| at == At::Leader).count();
        if n_leaders <= 1 { Ok(()) } else { Err("Two leaders") }
    }

    /// In the end there is a leader, or all have retired; no message is left.
    #[check(deadlock)]
    pub fn election_ends_well(s: &State) -> Result<(), &'static str> {
        let quiet = s.inbox.iter().all(|inbox| inbox[0] == Message::Nothing);
        let ends_well = match VARIANT {
            Variant::Once => s.at.contains(&At::Leader),
            Variant::Repeated | Variant::Careless => s.at == [At::Retired; N],
        };
        if quiet && ends_well { Ok(()) } else { Err("Stuck") }
    }

    /// Somebody is elected.
    #[progress]
    pub fn election(t: Transition) -> bool {
        matches!(t, Transition::Win(_))
    }
}
