//! Leader election on a ring with messages that go one way, in n log n messages.
//!
//! D. Dolev, M. Klawe and M. Rodeh, *An O(n log n) Unidirectional Distributed
//! Algorithm for Extrema Finding in a Circle* (1982). An active process competes for a
//! number, at first its own. In each phase it sends its number and passes on that
//! of the active process before it, so that it sees two numbers: the neighbour's, and the
//! one before that. It stays active, and competes for the neighbour's number from then on,
//! if that is higher than the other and than its own. Otherwise it becomes passive: it
//! passes on what it gets. A process that gets the number it competes for is the only one
//! left. It is the leader, and its news goes round once.
//!
//! This is the case study of A. Laarman and D. Faragó, *Improved On-The-Fly Livelock
//! Detection* (2013), Table 6. Progress is that a phase ends for a process: it goes on,
//! becomes passive, or wins. Passing messages on is none. There is no livelock: nothing can
//! happen twice.
//!
//! **Granularity.** To receive a message, to decide what it means, and to send the answer
//! are three steps. The paper's model, of the BEEM collection, is cut finer: with five
//! processes it has 14,252 states. Numbers are dealt out low, high, low, high along the
//! ring (0 2 1 3 2 with five, and so on), so that there are three phases and more.
//!
//! States / edges:
//!
//! | n | full | stubborn sets |
//! |---|---|---|
//! | 2 | 41 / 56 | 25 / 24 |
//! | 3 | 159 / 320 | 37 / 36 |
//! | 5 | 4,212 / 14,076 | 91 / 90 |
//! | 7 | 117,854 / 554,410 | 127 / 126 |
//! | 8 | 704,170 / 3,757,167 | 145 / 144 |
//! | 9 | 3,380,547 / 20,442,631 | 163 / 162 |
//! | 10 | 20,227,592 / 135,043,694 | 181 / 180 |
//!
//! What different processes do commutes, so stubborn sets leave one run. That keeps
//! livelocks, too, as every run ends (`terminating`). `c2t`, which does without that,
//! leaves 36,842 / 88,984 with seven processes: where a phase may end, all is fired.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    leader_dkr::model()
}

/// Dolev, Klawe and Rodeh's leader election on a unidirectional ring.
#[model]
pub mod leader_dkr {
    /// Number of processes.
    #[param(2..=16)]
    pub const N: usize = 5;

    /// Places of a channel. With so many nobody ever waits to send.
    const PLACES: usize = if N < 8 { 4 } else { 6 };

    /// What a process is to do next.
    #[derive(StateVar)]
    pub enum At {
        /// Send what it holds.
        Sending,
        /// Receive a message.
        Waiting,
        /// Decide what the message that it holds means.
        Deciding,
        /// Nothing: it knows who is the leader.
        Done,
    }

    /// Whether a process competes.
    #[derive(StateVar)]
    pub enum Role {
        /// It does.
        Active,
        /// It passes on what it gets.
        Passive,
        /// It has won.
        Leader,
    }

    /// A message, or none.
    #[derive(StateVar)]
    pub enum Message {
        /// No message.
        Nothing,
        /// The number that the sender competes for.
        One(#[range(0..N)] u8),
        /// The number that the active process before the sender competes for.
        Two(#[range(0..N)] u8),
        /// The leader's number.
        Winner(#[range(0..N)] u8),
    }

    /// The state variables.
    #[state]
    pub struct State {
        at: [At; N],
        role: [Role; N],
        /// The number that a process competes for.
        #[range(0..N)]
        number: [u8; N],
        /// The number of the active process before it, in this phase.
        #[range(0..N)]
        neighbour: [u8; N],
        /// What a process has received, or is about to send.
        hand: [Message; N],
        /// The channel to each process from the one before it, oldest message first.
        inbox: [[Message; PLACES]; N],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The process receives a message.
        Receive(#[range(0..N)] usize),
        /// The process works out the answer, and is where it was in its phase.
        Answer(#[range(0..N)] usize),
        /// A phase ends for the process: it goes on, becomes passive or wins.
        EndPhase(#[range(0..N)] usize),
        /// The process sends what it holds.
        Send(#[range(0..N)] usize),
    }

    /// Everybody competes for a number of its own, and is about to say so.
    #[init]
    pub fn everybody_competes() -> State {
        let mut number = [0; N];
        let mut hand = [Message::Nothing; N];
        let mut i = 0;
        while i < N {
            number[i] = own_number(i);
            hand[i] = Message::One(own_number(i));
            i += 1;
        }
        State {
            at: [At::Sending; N],
            role: [Role::Active; N],
            number,
            neighbour: [0; N],
            hand,
            inbox: [[Message::Nothing; PLACES]; N],
        }
    }

    /// Low and high numbers alternate. All differ.
    fn own_number(i: usize) -> u8 {
        let half = N.div_ceil(2);
        (if i.is_multiple_of(2) { i / 2 } else { half + i / 2 }) as u8
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Receive(i) => receive(s, i),
            Transition::Answer(i) => s.at[i] == At::Deciding && !ends_phase(s, i) && answer(s, i),
            Transition::EndPhase(i) => {
                s.at[i] == At::Deciding && ends_phase(s, i) && end_phase(s, i)
            }
            Transition::Send(i) => s.at[i] == At::Sending && send(s, i),
        }
    }

    fn receive(s: &mut State, i: usize) -> bool {
        if s.at[i] != At::Waiting || s.inbox[i][0] == Message::Nothing {
            return false;
        }
        s.hand[i] = s.inbox[i][0];
        s.inbox[i].rotate_left(1);
        s.inbox[i][PLACES - 1] = Message::Nothing;
        s.at[i] = At::Deciding;
        true
    }

    /// An active process has seen what it needs to know.
    fn ends_phase(s: &State, i: usize) -> bool {
        s.role[i] == Role::Active
            && match s.hand[i] {
                Message::One(number) => number == s.number[i],
                Message::Two(_) => true,
                Message::Nothing | Message::Winner(_) => false,
            }
    }

    fn answer(s: &mut State, i: usize) -> bool {
        match (s.hand[i], s.role[i]) {
            (Message::One(number), Role::Active) => {
                s.neighbour[i] = number;
                s.hand[i] = Message::Two(number);
                s.at[i] = At::Sending;
            }
            // The news has been all the way round.
            (Message::Winner(_), Role::Leader) => {
                s.hand[i] = Message::Nothing;
                s.at[i] = At::Done;
            }
            // Passes on what it got.
            _ => s.at[i] = At::Sending,
        }
        true
    }

    fn end_phase(s: &mut State, i: usize) -> bool {
        match s.hand[i] {
            Message::One(number) => {
                s.role[i] = Role::Leader;
                s.hand[i] = Message::Winner(number);
                s.at[i] = At::Sending;
            }
            Message::Two(number) if s.neighbour[i] > number && s.neighbour[i] > s.number[i] => {
                s.number[i] = s.neighbour[i];
                s.hand[i] = Message::One(s.neighbour[i]);
                s.at[i] = At::Sending;
            }
            _ => {
                s.role[i] = Role::Passive;
                s.hand[i] = Message::Nothing;
                s.at[i] = At::Waiting;
            }
        }
        true
    }

    /// False if the channel is full: then the sender waits.
    fn send(s: &mut State, i: usize) -> bool {
        let message = s.hand[i];
        let inbox = &mut s.inbox[next(i)];
        let Some(free) = inbox.iter().position(|&place| place == Message::Nothing) else {
            return false;
        };
        inbox[free] = message;
        let knows_the_leader = matches!(message, Message::Winner(_)) && s.role[i] != Role::Leader;
        s.hand[i] = Message::Nothing;
        s.at[i] = if knows_the_leader { At::Done } else { At::Waiting };
        true
    }

    fn next(i: usize) -> usize {
        (i + 1) % N
    }

    fn previous(i: usize) -> usize {
        (i + N - 1) % N
    }

    fn is_full(s: &State, i: usize) -> bool {
        s.inbox[i][PLACES - 1] != Message::Nothing
    }

    /// At any time a process can do one thing at most. It adds to its neighbour's
    /// channel, from which only the neighbour takes: what different processes do
    /// commutes. So an enabled transition needs nobody, and a disabled one what has to
    /// come before it.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        let (Transition::Receive(i)
        | Transition::Answer(i)
        | Transition::EndPhase(i)
        | Transition::Send(i)) = t;
        match (s.at[i], t) {
            // Nobody else can take the message away.
            (At::Waiting, Transition::Receive(_)) if s.inbox[i][0] != Message::Nothing => {}
            // Only the process before can change that.
            (At::Waiting, Transition::Receive(_)) => need.add(Transition::Send(previous(i))),
            (At::Waiting, _) => need.add(Transition::Receive(i)),
            // One of the two is enabled, and stays so.
            (At::Deciding, _) => {
                let next_step =
                    if ends_phase(s, i) { Transition::EndPhase(i) } else { Transition::Answer(i) };
                if t != next_step {
                    need.add(next_step);
                }
            }
            // A full channel is emptied only by the next process.
            (At::Sending, Transition::Send(_)) if is_full(s, next(i)) => {
                need.add(Transition::Receive(next(i)));
            }
            (At::Sending, Transition::Send(_)) => {}
            (At::Sending, _) => need.add(Transition::Send(i)),
            (At::Done, _) => {}
        }
    }

    /// The leader is the one that competes for the highest number, and the only one.
    #[check(state)]
    pub fn one_leader(s: &State) -> Result<(), &'static str> {
        let mut n_leaders = 0;
        for i in 0..N {
            if s.role[i] == Role::Leader {
                n_leaders += 1;
                if usize::from(s.number[i]) != N - 1 {
                    return Err("The leader does not have the highest number");
                }
            }
        }
        if n_leaders <= 1 { Ok(()) } else { Err("Two leaders") }
    }

    /// Channels are long enough.
    #[check(state)]
    pub fn nobody_waits_to_send(s: &State) -> Result<(), &'static str> {
        let waits = (0..N).any(|i| s.at[i] == At::Sending && is_full(s, next(i)));
        if waits { Err("A channel is full") } else { Ok(()) }
    }

    /// In the end everybody knows the leader, and no message is left.
    #[check(deadlock)]
    pub fn election_ends_well(s: &State) -> Result<(), &'static str> {
        let quiet = s.inbox.iter().all(|inbox| inbox[0] == Message::Nothing);
        if quiet && s.at == [At::Done; N] && s.role.contains(&Role::Leader) {
            Ok(())
        } else {
            Err("Stuck")
        }
    }

    /// A phase ends for somebody.
    #[progress]
    pub fn phase_ends(t: Transition) -> bool {
        matches!(t, Transition::EndPhase(_))
    }
}
