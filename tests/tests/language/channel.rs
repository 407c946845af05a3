//! A protocol with channels: enums with data, several initial states, ranges
//! that do not start at zero, and variables that the packing must not confuse.

use crate::explore;
use asset_core::machine::Wrong;
use asset_core::model::Shown;
use asset_core::prelude::*;

/// The alternating bit protocol over channels that lose messages.
#[model]
pub mod alternating_bit {
    use std::fmt;

    /// What is on its way.
    #[derive(StateVar, Default)]
    pub enum Message {
        #[default]
        None,
        Data {
            bit: bool,
            #[range(-1..=1)]
            payload: i8,
        },
        Ack(bool),
    }

    #[derive(StateVar)]
    pub struct Station {
        pub bit: bool,
        #[range(1..=3)]
        pub tries: u8,
        pub last: Message,
    }

    #[state]
    pub struct State {
        sender: Station,
        receiver: Station,
        channel: [Message; 2],
        n_received: u16,
    }

    #[transitions]
    pub enum Transition {
        Send(#[range(-1..=1)] i8),
        Resend,
        Receive,
        Acknowledge { accept: bool, last: bool },
        Lose(#[range(0..2)] usize),
    }

    #[init]
    fn calm(s: &mut State) {
        s.receiver.bit = true;
    }

    #[init]
    fn waiting() -> Vec<State> {
        let mut s = <State as asset_core::state::StateVar>::zero();
        s.sender.tries = 2;
        s.receiver.bit = true;
        vec![s]
    }

    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Send(payload) => {
                if s.sender.last != Message::None {
                    return false;
                }
                let bit = s.sender.bit;
                s.sender.last = Message::Data { bit, payload };
                s.channel[0] = s.sender.last;
            }
            Transition::Resend => {
                if s.channel[0] != Message::None || s.sender.last == Message::None {
                    return false;
                }
                s.sender.tries = s.sender.tries % 3 + 1;
                s.channel[0] = s.sender.last;
            }
            Transition::Receive => {
                let Message::Data { bit, payload } = s.channel[0] else { return false };
                if bit != s.receiver.bit {
                    s.n_received = (s.n_received + 1) % 3;
                    s.receiver.bit = bit;
                    s.receiver.last = Message::Data { bit, payload };
                }
                s.channel[0] = Message::None;
                s.channel[1] = Message::Ack(bit);
            }
            Transition::Acknowledge { accept, last } => {
                let Message::Ack(bit) = s.channel[1] else { return false };
                if accept != (bit == s.sender.bit) || last {
                    return false;
                }
                s.channel[1] = Message::None;
                if accept {
                    s.sender.bit = !bit;
                    s.sender.last = Message::None;
                }
            }
            Transition::Lose(i) => {
                if s.channel[i] == Message::None {
                    return false;
                }
                s.channel[i] = Message::None;
            }
        }
        true
    }

    #[progress]
    fn sends(t: Transition) -> bool {
        matches!(t, Transition::Send(_))
    }

    #[progress(state)]
    fn is_idle(s: &State) -> bool {
        s.sender.last == Message::None
    }

    #[display]
    fn line(s: &State, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?} {:?}", s.channel[0], s.channel[1])
    }

    /// Numbers of states and edges, found without packing anything.
    #[cfg(test)]
    pub fn explore_unpacked() -> (usize, usize) {
        use asset_core::model::TransitionEnum;
        let mut first = <State as asset_core::state::StateVar>::zero();
        calm(&mut first);
        let mut queue = vec![first];
        queue.extend(waiting());
        let mut seen: std::collections::BTreeSet<String> =
            queue.iter().map(|s| format!("{s:?}")).collect();
        let mut n_edges = 0;
        while let Some(s) = queue.pop() {
            for t in 0..Transition::COUNT {
                let mut next = s;
                if fire_transition(&mut next, Transition::from_number(t)) {
                    n_edges += 1;
                    if seen.insert(format!("{next:?}")) {
                        queue.push(next);
                    }
                }
            }
        }
        (seen.len(), n_edges)
    }
}

#[test]
fn every_state_survives_packing() {
    let machine = alternating_bit::model().instances[0].machine;
    assert_eq!(explore(machine), (1046, 2895));
    assert_eq!(explore(machine), alternating_bit::explore_unpacked());
}

#[test]
fn data_take_no_more_bits_than_their_values_need() {
    let machine = alternating_bit::model().instances[0].machine;
    // A message is None, one of 6 data or one of 2 acknowledgements.
    let station = 1 + 2 + 4;
    assert_eq!(machine.layout().bits(), 2 * station + 2 * 4 + 16);
    assert_eq!(machine.n_transitions(), 3 + 1 + 1 + 4 + 2);
}

#[test]
fn values_are_shown_by_name() {
    let machine = alternating_bit::model().instances[0].machine;
    let starts = machine.initial_states().unwrap();
    assert_eq!(starts.len(), 2);
    let next = machine.fire(&starts[0], 0).unwrap().unwrap();
    let Shown::Record(fields) = machine.show(&next) else { panic!() };
    assert_eq!(fields[0].1.to_string(), "{bit=no tries=1 last=Data(bit no, payload -1)}");
    assert_eq!(fields[2].1.to_string(), "[Data(bit no, payload -1) None]");
    assert_eq!(machine.display(&starts[0]).unwrap().unwrap(), "None None");
    let paths = machine.lane_paths();
    assert_eq!(
        paths,
        [
            "sender.bit",
            "sender.tries",
            "sender.last",
            "receiver.bit",
            "receiver.tries",
            "receiver.last",
            "channel[0]",
            "channel[1]",
            "n_received"
        ]
    );
    let names: Vec<String> = (0..11).map(|t| machine.transition_name(t)).collect();
    assert_eq!(names[0], "Send(-1)");
    assert_eq!(names[5], "Acknowledge(accept no, last no)");
    assert_eq!(names[6], "Acknowledge(accept no, last yes)");
    assert_eq!(names[10], "Lose(1)");
    assert!(machine.progress_transition(2).unwrap() && !machine.progress_transition(3).unwrap());
    assert!(machine.progress_state(&starts[0]).unwrap() && !machine.progress_state(&next).unwrap());
}

/// A model whose data leave their range.
#[model]
mod leaving {
    #[derive(StateVar)]
    pub enum Cell {
        Empty,
        Full(#[range(0..255)] u8),
    }

    #[state]
    pub struct State {
        cell: Cell,
    }

    #[transitions]
    pub const TRANSITIONS: usize = 2;

    pub fn fire_transition(s: &mut State, t: usize) -> bool {
        s.cell = match t {
            0 => Cell::Full(254),
            _ => Cell::Full(255),
        };
        true
    }
}

#[test]
fn data_out_of_range_are_a_model_error_even_if_the_numbers_fill_a_byte() {
    let machine = leaving::model().instances[0].machine;
    assert_eq!(machine.layout().bits(), 8);
    let start = &machine.initial_states().unwrap()[0];
    let fine = machine.fire(start, 0).unwrap().unwrap();
    assert_eq!(machine.show(&fine).to_string(), "{cell=Full(254)}");
    let error = machine.fire(start, 1).unwrap_err();
    assert!(matches!(error.wrong, Wrong::OutOfRange { ref path, .. } if path == "cell"));
    assert_eq!(machine.transition_name(1), "1");
}

/// Data of all kinds, to be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
enum Data {
    Pair([bool; 2], #[range(-2..=0)] i16),
    Nothing,
    Inner { inner: Inner, flag: bool },
    One(#[range(7..8)] u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, StateVar)]
enum Inner {
    Low(#[range(-3..3)] i8),
    Grid(#[range(0..=1)] [[u8; 2]; 2]),
}

#[test]
fn every_number_has_its_value_and_every_value_its_number() {
    use asset_core::generated::Parameter;
    let n_inner = 6 + 16;
    assert_eq!(Inner::N_VALUES, n_inner);
    assert_eq!(Data::N_VALUES, 4 * 3 + 1 + 2 * n_inner + 1);
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..Data::N_VALUES as usize {
        let value = Data::nth(number);
        assert_eq!(value.index(), number);
        assert!(seen.insert(format!("{value:?}")), "{value:?} has two numbers");
    }
}

#[test]
#[should_panic(expected = "data within their range")]
fn data_out_of_range_have_no_number() {
    use asset_core::generated::Parameter;
    Data::One(8).index();
}
