//! The alternating bit protocol over channels that lose messages.
//!
//! The protocol is from K. A. Bartlett, R. A. Scantlebury and P. T. Wilkinson,
//! *A Note on Reliable Full-duplex Transmission over Half-duplex Links* (1969).
//! The sender may stop when everything has arrived, so the model is always
//! may-terminating.
//!
//! Delivery is marked as progress. With `--loss unlimited` there are livelocks
//! that are nobody's fault: a channel may lose everything for ever. With
//! `--loss limited` it loses at most two messages between two deliveries, and
//! there is no livelock.
//!
//! A channel is *fair* if it does not lose every message for ever: what is received
//! again and again possible is received again and again. That is strong fairness of
//! `Deliver`, `Discard` and `GetAck`, since losing a message takes the possibility away
//! until the sender repeats it, and of `Send`, which a full channel holds up. Then the
//! value under way gets through,
//!
//! ```text
//! G (under_way -> F !under_way)
//! ```
//!
//! and with `--fairness weak` or `none` it does not, on a run that loses everything. With
//! `--loss limited` it gets through without any fairness. States / edges of the model, and
//! of the product with the automaton that is searched:
//!
//! | loss | capacity | fairness | verdict | model | product |
//! |---|---|---|---|---|---|
//! | unlimited | 1 | strong | holds | 90 / 204 | 150 / 438 |
//! | | 1 | weak, none | violated | | |
//! | | 2 | strong | holds | 270 / 882 | 474 / 1,980 |
//! | | 2 | weak, none | violated | | |
//! | limited | 4 | all | holds | 3,156 / 10,794 | 5,790 / 26,268 |
//!
//! States / edges:
//!
//! | loss | capacity | full | stubborn sets |
//! |---|---|---|---|
//! | unlimited | 1 | 90 / 204 | 78 / 144 |
//! | | 2 | 270 / 882 | 144 / 288 |
//! | limited | 1 | 258 / 516 | 240 / 420 |
//! | | 2 | 792 / 2,238 | 618 / 1,368 |
//! | | 4 | 3,156 / 10,794 | 1,878 / 4,758 |
//!
//! SPIN agrees on the full counts (`tests/spin/alternating_bit.pml`).

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    alternating_bit::model()
}

/// The alternating bit protocol over lossy bounded channels.
#[model]
pub mod alternating_bit {
    /// Messages that each channel holds.
    #[param(1..=4)]
    pub const CAPACITY: usize = 2;

    /// How often the channels lose messages.
    #[param]
    pub const LOSS: Loss = Loss::Unlimited;

    /// What the receiver does with duplicates.
    #[param]
    pub const VARIANT: Variant = Variant::Correct;

    /// How often the channels lose messages.
    pub enum Loss {
        /// Any message may be lost.
        Unlimited,
        /// At most `MAX_LOST` messages are lost between two deliveries.
        Limited,
    }

    /// What the receiver does with duplicates.
    pub enum Variant {
        /// It knows them by their bit and discards them.
        Correct,
        /// It does not look at the bit and takes them for new.
        TakesDuplicates,
    }

    /// The sender numbers its values 0, 1, 2, 0, … so that the receiver can
    /// tell a value that is lost, repeated or out of order. Two values would
    /// not do: they would follow the bit.
    pub const VALUES: u8 = 3;

    /// Losses between two deliveries, if they are limited.
    pub const MAX_LOST: u8 = 2;

    /// A place in the channel to the receiver.
    #[derive(StateVar)]
    pub enum Frame {
        /// No message.
        Nothing,
        /// A message with its alternating bit.
        Value(bool, #[range(0..VALUES)] u8),
    }

    /// A place in the channel to the sender.
    #[derive(StateVar)]
    pub enum Ack {
        /// No message.
        Nothing,
        /// "A message with this bit has arrived."
        Of(bool),
    }

    /// What the sender does.
    #[derive(StateVar)]
    pub enum Sender {
        /// Nothing is under way.
        Idle,
        /// A value is under way and sent again and again.
        Waiting,
        /// No more values.
        Stopped,
    }

    /// The state variables.
    #[state]
    pub struct State {
        sender: Sender,
        /// The bit of the value under way, or of the next one.
        bit: bool,
        #[range(0..VALUES)]
        value: u8,
        /// The bit of the next message that is not a duplicate.
        expected_bit: bool,
        #[range(0..VALUES)]
        expected_value: u8,
        /// A wrong value has been delivered. This is never taken back, so no
        /// transition can hide it from a reduced search.
        wrong: bool,
        /// Losses since the last delivery; stays 0 if they are unlimited.
        #[range(0..=MAX_LOST)]
        lost: u8,
        /// To the receiver, oldest message first.
        frames: [Frame; CAPACITY],
        /// To the sender, oldest message first.
        acks: [Ack; CAPACITY],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The sender gets a value to send.
        Accept,
        /// The sender sends its value, for the first time or again.
        #[fair(strong)]
        Send,
        /// The receiver gets a new message.
        #[fair(strong)]
        Deliver,
        /// The receiver gets a message that it has already.
        #[fair(strong)]
        Discard,
        /// The sender gets an acknowledgement.
        #[fair(strong)]
        GetAck,
        /// The oldest message to the receiver is lost.
        LoseFrame,
        /// The oldest message to the sender is lost.
        LoseAck,
        /// The sender stops for good.
        Stop,
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Accept if s.sender == Sender::Idle => s.sender = Sender::Waiting,
            Transition::Send if s.sender == Sender::Waiting && !is_full_of_frames(s) => send(s),
            Transition::Deliver if head(s) == Head::New && !is_full_of_acks(s) => {
                acknowledge(s);
                deliver(s);
            }
            Transition::Discard if head(s) == Head::Old && !is_full_of_acks(s) => {
                acknowledge(s);
                pop_frame(s);
            }
            Transition::GetAck if s.acks[0] != Ack::Nothing => get_ack(s),
            Transition::LoseFrame if s.frames[0] != Frame::Nothing && !has_lost_enough(s) => {
                count_loss(s);
                pop_frame(s);
            }
            Transition::LoseAck if s.acks[0] != Ack::Nothing && !has_lost_enough(s) => {
                count_loss(s);
                pop_ack(s);
            }
            Transition::Stop if s.sender == Sender::Idle => s.sender = Sender::Stopped,
            _ => return false,
        }
        true
    }

    fn send(s: &mut State) {
        if let Some(place) = s.frames.iter_mut().find(|place| **place == Frame::Nothing) {
            *place = Frame::Value(s.bit, s.value);
        }
    }

    /// The receiver's answer to the oldest frame, with the frame's own bit.
    fn acknowledge(s: &mut State) {
        let free = s.acks.iter_mut().find(|place| **place == Ack::Nothing);
        if let (Frame::Value(bit, _), Some(place)) = (s.frames[0], free) {
            *place = Ack::Of(bit);
        }
    }

    fn deliver(s: &mut State) {
        if let Frame::Value(_, value) = s.frames[0] {
            s.wrong |= value != s.expected_value;
        }
        s.expected_value = (s.expected_value + 1) % VALUES;
        s.expected_bit = !s.expected_bit;
        s.lost = 0;
        pop_frame(s);
    }

    fn get_ack(s: &mut State) {
        if ends_the_wait(s) {
            s.bit = !s.bit;
            s.value = (s.value + 1) % VALUES;
            s.sender = Sender::Idle;
        }
        pop_ack(s);
    }

    /// Whether the sender waits for the oldest acknowledgement.
    fn ends_the_wait(s: &State) -> bool {
        match (s.sender, s.acks[0]) {
            (Sender::Waiting, Ack::Of(bit)) => bit == s.bit,
            _ => false,
        }
    }

    fn count_loss(s: &mut State) {
        match LOSS {
            Loss::Unlimited => {}
            Loss::Limited => s.lost += 1,
        }
    }

    fn pop_frame(s: &mut State) {
        s.frames.rotate_left(1);
        s.frames[CAPACITY - 1] = Frame::Nothing;
    }

    fn pop_ack(s: &mut State) {
        s.acks.rotate_left(1);
        s.acks[CAPACITY - 1] = Ack::Nothing;
    }

    /// What the receiver finds.
    #[derive(PartialEq)]
    enum Head {
        Nothing,
        New,
        Old,
    }

    fn head(s: &State) -> Head {
        match s.frames[0] {
            Frame::Nothing => Head::Nothing,
            Frame::Value(bit, _) if bit == s.expected_bit || takes_duplicates() => Head::New,
            Frame::Value(..) => Head::Old,
        }
    }

    fn takes_duplicates() -> bool {
        matches!(VARIANT, Variant::TakesDuplicates)
    }

    /// A channel is first in, first out: adding at its end and removing at its
    /// head commute whenever both are possible. So only those who remove from
    /// the same channel compete, and those who wait for a message or for room
    /// need those who add or remove.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Accept => idle_rule(s, Transition::Stop, need),
            Transition::Stop => idle_rule(s, Transition::Accept, need),
            Transition::Send => send_rule(s, need),
            Transition::GetAck => get_ack_rule(s, need),
            Transition::Deliver | Transition::Discard => receive_rule(s, need),
            Transition::LoseFrame => lose_frame_rule(s, need),
            Transition::LoseAck => lose_ack_rule(s, need),
        }
    }

    fn idle_rule(s: &State, alternative: Transition, need: &mut Obligations) {
        match s.sender {
            // Acknowledgements are no obstacle: as long as the next value has
            // not been sent, all that are under way are old and are dropped,
            // be the sender idle or not.
            Sender::Idle => need.add(alternative),
            // Only an acknowledgement makes the sender idle again.
            Sender::Waiting => need.add(Transition::GetAck),
            Sender::Stopped => {}
        }
    }

    fn send_rule(s: &State, need: &mut Obligations) {
        match s.sender {
            Sender::Idle => need.add(Transition::Accept),
            Sender::Waiting if is_full_of_frames(s) => removes_frames(need),
            // An acknowledgement can end the wait.
            Sender::Waiting => need.add(Transition::GetAck),
            Sender::Stopped => {}
        }
    }

    fn get_ack_rule(s: &State, need: &mut Obligations) {
        if s.acks[0] == Ack::Nothing {
            return adds_acks(need);
        }
        need.add(Transition::LoseAck);
        if ends_the_wait(s) {
            need.add(Transition::Send);
        }
    }

    fn receive_rule(s: &State, need: &mut Obligations) {
        match head(s) {
            Head::Nothing => need.add(Transition::Send),
            Head::New | Head::Old => {
                // One of the two is enabled as soon as there is room for the
                // answer; the other one waits for the frame to go away.
                removes_frames(need);
                if is_full_of_acks(s) {
                    removes_acks(need);
                }
                // A delivery lets the channels lose again.
                if matches!(LOSS, Loss::Limited) && head(s) == Head::New {
                    need.add(Transition::LoseAck);
                }
            }
        }
    }

    fn lose_frame_rule(s: &State, need: &mut Obligations) {
        match head(s) {
            Head::Nothing => need.add(Transition::Send),
            _ if has_lost_enough(s) => need.add(Transition::Deliver),
            Head::New | Head::Old => {
                removes_frames(need);
                shares_the_limit(need);
            }
        }
    }

    fn lose_ack_rule(s: &State, need: &mut Obligations) {
        if s.acks[0] == Ack::Nothing {
            adds_acks(need);
        } else if has_lost_enough(s) {
            need.add(Transition::Deliver);
        } else {
            removes_acks(need);
            shares_the_limit(need);
        }
    }

    fn has_lost_enough(s: &State) -> bool {
        matches!(LOSS, Loss::Limited) && s.lost == MAX_LOST
    }

    fn is_full_of_frames(s: &State) -> bool {
        !matches!(s.frames[CAPACITY - 1], Frame::Nothing)
    }

    fn is_full_of_acks(s: &State) -> bool {
        !matches!(s.acks[CAPACITY - 1], Ack::Nothing)
    }

    fn removes_frames(need: &mut Obligations) {
        need.add(Transition::Deliver);
        need.add(Transition::Discard);
        need.add(Transition::LoseFrame);
    }

    fn removes_acks(need: &mut Obligations) {
        need.add(Transition::GetAck);
        need.add(Transition::LoseAck);
    }

    fn adds_acks(need: &mut Obligations) {
        need.add(Transition::Deliver);
        need.add(Transition::Discard);
    }

    /// Whoever counts losses competes with all others who do.
    fn shares_the_limit(need: &mut Obligations) {
        if matches!(LOSS, Loss::Limited) {
            need.add(Transition::LoseFrame);
            need.add(Transition::LoseAck);
            need.add(Transition::Deliver);
        }
    }

    /// Values arrive once each and in order.
    #[check(state)]
    pub fn values_arrive_in_order(s: &State) -> Result<(), &'static str> {
        if s.wrong { Err("A value was lost, repeated or out of order") } else { Ok(()) }
    }

    /// At the end everything has arrived.
    #[check(deadlock)]
    pub fn everything_has_arrived(s: &State) -> Result<(), &'static str> {
        if s.sender == Sender::Stopped && s.value == s.expected_value {
            Ok(())
        } else {
            Err("Stuck")
        }
    }

    /// The value under way can always get through.
    #[check(may_progress)]
    pub fn value_may_get_through(s: &State) -> bool {
        s.sender != Sender::Waiting
    }

    /// Whether a value is under way.
    #[proposition]
    pub fn under_way(s: &State) -> bool {
        s.sender == Sender::Waiting
    }

    /// Every value gets through.
    #[check(ltl)]
    pub const VALUES_GET_THROUGH: Ltl = ltl!(G (under_way -> F !under_way));

    /// The receiver gets something new.
    #[progress]
    pub fn delivery(t: Transition) -> bool {
        matches!(t, Transition::Deliver)
    }
}
