//! A sliding window protocol with a livelock, and its repair.
//!
//! In the spirit of the i-protocol of GNU UUCP, whose livelock Y. Dong and
//! others describe in *Fighting Livelock in the i-Protocol* (1999): a sender
//! with a window of unacknowledged packets, a receiver that acknowledges all
//! packets up to a number, and a timer. Only a few messages get lost, so that
//! a livelock is never the channel's fault.
//!
//! The livelocking receiver answers a repeated packet only if it is the one
//! that arrived last, as it would be right in the alternating bit protocol.
//! With a larger window the sender may repeat an older one: two packets arrive,
//! both acknowledgements get lost, and from then on the sender repeats the
//! first packet and the receiver ignores it, for ever. The repair is to
//! acknowledge whatever arrives. Delivery is marked as progress.
//!
//! States / edges:
//!
//! | variant | window | full | stubborn sets |
//! |---|---|---|---|
//! | livelocking | 2 | 312 / 640 | 193 / 298 |
//! | | 4 | 2,056 / 5,200 | 1,323 / 2,334 |
//! | repaired | 2 | 328 / 672 | 201 / 310 |
//! | | 4 | 2,456 / 6,256 | 1,515 / 2,710 |

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    sliding_window::model()
}

/// A sliding window protocol, livelocking or repaired.
#[model]
pub mod sliding_window {
    /// Packets that may be under way without acknowledgement.
    #[param(1..=4)]
    pub const WINDOW: usize = 2;

    /// What the receiver does with packets that it has already.
    #[param]
    pub const VARIANT: Variant = Variant::Repaired;

    /// What the receiver does with packets that it has already.
    pub enum Variant {
        /// It answers only the latest one and ignores older ones.
        Livelocking,
        /// It always tells once more what it needs next.
        Repaired,
    }

    /// Packets are numbered modulo twice the window, so that a packet that is
    /// repeated is never taken for a new one.
    pub const NUMBERS: u8 = 2 * WINDOW as u8;

    /// Messages that get lost in the whole run.
    pub const MAX_LOST: u8 = 2;

    /// A place in a channel.
    #[derive(StateVar)]
    pub enum Message {
        /// No message.
        Nothing,
        /// To the receiver: the packet with this number. To the sender: all
        /// packets before this number have arrived.
        Number(#[range(0..NUMBERS)] u8),
    }

    /// The state variables.
    #[state]
    pub struct State {
        /// The oldest packet that is not acknowledged.
        #[range(0..NUMBERS)]
        oldest: u8,
        /// The next new packet.
        #[range(0..NUMBERS)]
        next: u8,
        /// The packet that the receiver needs next.
        #[range(0..NUMBERS)]
        expected: u8,
        /// The sender has no more packets.
        finished: bool,
        #[range(0..=MAX_LOST)]
        lost: u8,
        /// To the receiver, oldest message first.
        packets: [Message; WINDOW],
        /// To the sender, oldest message first.
        acks: [Message; WINDOW],
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The sender sends a new packet.
        Send,
        /// The receiver gets the packet that it needs.
        Deliver,
        /// The receiver gets another packet.
        Discard,
        /// The sender gets an acknowledgement.
        GetAck,
        /// The sender's timer expires, and it sends its oldest packet again.
        Repeat,
        /// The oldest message to the receiver is lost.
        LosePacket,
        /// The oldest message to the sender is lost.
        LoseAck,
        /// The sender finds that it has nothing more to send.
        Finish,
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Send if can_send(s) => {
                push(&mut s.packets, s.next);
                s.next = (s.next + 1) % NUMBERS;
            }
            Transition::Deliver if is_expected(s) && !is_full(&s.acks) => {
                s.expected = (s.expected + 1) % NUMBERS;
                pop(&mut s.packets);
                push(&mut s.acks, s.expected);
            }
            Transition::Discard if can_discard(s) => {
                if answers_others(s) {
                    push(&mut s.acks, s.expected);
                }
                pop(&mut s.packets);
            }
            Transition::GetAck if !is_empty(&s.acks) => get_ack(s),
            Transition::Repeat if timer_expires(s) => push(&mut s.packets, s.oldest),
            Transition::LosePacket if s.lost < MAX_LOST && !is_empty(&s.packets) => {
                s.lost += 1;
                pop(&mut s.packets);
            }
            Transition::LoseAck if s.lost < MAX_LOST && !is_empty(&s.acks) => {
                s.lost += 1;
                pop(&mut s.acks);
            }
            Transition::Finish if !s.finished => s.finished = true,
            _ => return false,
        }
        true
    }

    fn can_send(s: &State) -> bool {
        !s.finished && n_under_way(s) < WINDOW && !is_full(&s.packets)
    }

    fn can_discard(s: &State) -> bool {
        let has_room = !answers_others(s) || !is_full(&s.acks);
        !is_empty(&s.packets) && !is_expected(s) && has_room
    }

    fn n_under_way(s: &State) -> usize {
        usize::from((s.next + NUMBERS - s.oldest) % NUMBERS)
    }

    fn is_expected(s: &State) -> bool {
        s.packets[0] == Message::Number(s.expected)
    }

    /// Whether the receiver answers the oldest packet if it does not need it.
    fn answers_others(s: &State) -> bool {
        let latest = (s.expected + NUMBERS - 1) % NUMBERS;
        matches!(VARIANT, Variant::Repaired) || s.packets[0] == Message::Number(latest)
    }

    fn get_ack(s: &mut State) {
        if let Message::Number(n) = s.acks[0] {
            // Older acknowledgements are behind the window.
            if usize::from((n + NUMBERS - s.oldest) % NUMBERS) <= n_under_way(s) {
                s.oldest = n;
            }
        }
        pop(&mut s.acks);
    }

    /// The timer runs while the sender can do nothing but wait, and it is long
    /// enough: when it expires nothing is under way any more.
    fn timer_expires(s: &State) -> bool {
        sender_waits(s) && is_empty(&s.packets) && is_empty(&s.acks)
    }

    fn sender_waits(s: &State) -> bool {
        n_under_way(s) == WINDOW || s.finished && n_under_way(s) > 0
    }

    fn is_empty(channel: &[Message; WINDOW]) -> bool {
        channel[0] == Message::Nothing
    }

    fn is_full(channel: &[Message; WINDOW]) -> bool {
        channel[WINDOW - 1] != Message::Nothing
    }

    /// Adds a number to a channel that is not full.
    fn push(channel: &mut [Message; WINDOW], number: u8) {
        if let Some(place) = channel.iter_mut().find(|place| **place == Message::Nothing) {
            *place = Message::Number(number);
        }
    }

    /// Takes the oldest message from a channel.
    fn pop(channel: &mut [Message; WINDOW]) {
        channel.rotate_left(1);
        channel[WINDOW - 1] = Message::Nothing;
    }

    /// Channels are first in, first out: adding and removing commute whenever
    /// both are possible. The timer sees both channels.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::Send if s.finished => {}
            Transition::Send if n_under_way(s) == WINDOW => need.add(Transition::GetAck),
            Transition::Send if is_full(&s.packets) => removes_packets(need),
            // The sender must not finish first. Nothing else hinders it: an
            // acknowledgement only makes more room in the window.
            Transition::Send => need.add(Transition::Finish),
            Transition::Repeat => repeat_rule(s, need),
            Transition::Deliver | Transition::Discard => receive_rule(s, need),
            Transition::GetAck if is_empty(&s.acks) => adds_acks(need),
            // New packets do not change what an acknowledgement means.
            Transition::GetAck => need.add(Transition::LoseAck),
            Transition::LosePacket | Transition::LoseAck if s.lost == MAX_LOST => {}
            Transition::LosePacket if is_empty(&s.packets) => adds_packets(need),
            Transition::LosePacket => {
                removes_packets(need);
                need.add(Transition::LoseAck);
            }
            Transition::LoseAck if is_empty(&s.acks) => adds_acks(need),
            Transition::LoseAck => {
                need.add(Transition::GetAck);
                need.add(Transition::LosePacket);
            }
            Transition::Finish if s.finished => {}
            // It ends sending, and it may start the timer, which nobody can
            // stop but an acknowledgement that was under way before.
            Transition::Finish => need.add(Transition::Send),
        }
    }

    fn receive_rule(s: &State, need: &mut Obligations) {
        if is_empty(&s.packets) {
            return adds_packets(need);
        }
        removes_packets(need);
        if is_full(&s.acks) {
            removes_acks(need);
        }
    }

    fn repeat_rule(s: &State, need: &mut Obligations) {
        if !sender_waits(s) {
            need.add(Transition::Send);
            need.add(Transition::Finish);
        } else if !is_empty(&s.packets) {
            removes_packets(need);
        } else if !is_empty(&s.acks) {
            removes_acks(need);
        }
        // Otherwise nothing at all is under way, and nothing but this happens.
    }

    fn removes_packets(need: &mut Obligations) {
        need.add(Transition::Deliver);
        need.add(Transition::Discard);
        need.add(Transition::LosePacket);
    }

    fn removes_acks(need: &mut Obligations) {
        need.add(Transition::GetAck);
        need.add(Transition::LoseAck);
    }

    fn adds_packets(need: &mut Obligations) {
        need.add(Transition::Send);
        need.add(Transition::Repeat);
    }

    fn adds_acks(need: &mut Obligations) {
        need.add(Transition::Deliver);
        need.add(Transition::Discard);
    }

    /// At the end everything has arrived and is acknowledged.
    #[check(deadlock)]
    pub fn everything_has_arrived(s: &State) -> Result<(), &'static str> {
        let arrived = s.oldest == s.next && s.expected == s.next;
        if s.finished && arrived { Ok(()) } else { Err("Stuck") }
    }

    /// What is under way can always get through.
    #[check(may_progress)]
    pub fn packets_may_get_through(s: &State) -> bool {
        n_under_way(s) == 0
    }

    /// The receiver gets something new.
    #[progress]
    pub fn delivery(t: Transition) -> bool {
        matches!(t, Transition::Deliver)
    }
}
