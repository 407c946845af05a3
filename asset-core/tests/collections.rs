//! The collections against those of the standard library: the same contents after every
//! history of operations, and one packed form for each of them, as short as can be.

use asset_core::prelude::*;
use asset_core::state::collections::Finite;
use asset_core::state::packing::{MAX_WORDS, Packing, fast};
use asset_core::state::{Layout, StateVar, number};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;

/// A message with a range in it: nine values.
#[derive(StateVar, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Message {
    Nothing,
    Ask(#[range(2..5)] u8),
    Tell { yes: bool, to: Side },
    Stop,
}

#[derive(StateVar, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
enum Side {
    Left,
    Right,
}

/// A struct with a range in it and a gap in its memory: six values.
#[derive(StateVar, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(C)]
struct Id {
    side: Side,
    #[range(-1..=1)]
    place: i16,
}

/// The packed form.
fn packed<T: StateVar>(value: &T) -> Option<Vec<u64>> {
    let mut words = [0; MAX_WORDS];
    let fits = Packing::<T>::pack(value, &mut words, fast());
    fits.then(|| words[..Packing::<T>::WORDS].to_vec())
}

/// A variable with others around it, so that bits that are not its own would be seen.
type Among<T> = (bool, T, bool);

/// Checks that a value comes back from its packed form, which is `same`'s, too.
fn check_packing<T: StateVar + PartialEq + Debug>(value: T, same: T) {
    let among = |value: T| -> Among<T> { (true, value, true) };
    let words = packed(&among(value)).expect("a legal value");
    assert_eq!(words, packed(&among(same)).expect("a legal value"));
    let (before, back, behind): Among<T> = Packing::unpack(&words, fast());
    assert!(before && behind);
    assert_eq!(back, value);
    let (layout, lanes) = (<Among<T>>::LAYOUT, <Among<T>>::SHAPE.n_lanes());
    assert_eq!(layout.lanes().len(), lanes);
}

/// What is done to a collection.
#[derive(Clone, Copy, Debug)]
enum Step<T> {
    Put(T),
    TryPut(T),
    Take(T),
    TakeAt(usize),
    Clear,
}

/// Numbers that are the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}

/// Checks many histories, in which much is put in. Those that fail are told.
fn for_histories<T: StateVar + Debug>(capacity: usize, check: impl Fn(&[Step<T>])) {
    let n_values = number::n_values::<T>().expect("few values");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..300 {
        let mut step = |_| {
            let value = number::value::<T>(random.below(n_values));
            match random.below(12) {
                0..5 => Step::TryPut(value),
                5..7 => Step::Put(value),
                7..9 => Step::Take(value),
                9..11 => Step::TakeAt(random.below(capacity as u64) as usize),
                _ => Step::Clear,
            }
        };
        // Few of the long ones are cleared before they are full.
        let history: Vec<Step<T>> = (0..12 + 3 * capacity).map(&mut step).collect();
        check(&history);
    }
}

fn queue_is_a_deque<T: StateVar + Eq + Debug, const CAP: usize>(history: &[Step<T>]) {
    let (mut queue, mut known) = (Queue::<T, CAP>::new(), VecDeque::new());
    for step in history {
        match *step {
            Step::Put(value) if known.len() < CAP => {
                queue.push(value);
                known.push_back(value);
            }
            Step::Put(value) | Step::TryPut(value) => {
                let has_room = known.len() < CAP;
                assert_eq!(queue.try_push(value), has_room);
                if has_room {
                    known.push_back(value);
                }
            }
            Step::Take(_) => assert_eq!(queue.pop(), known.pop_front()),
            Step::TakeAt(i) => assert_eq!(queue.remove(i), known.remove(i)),
            Step::Clear => {
                queue.clear();
                known.clear();
            }
        }
        assert!(queue.iter().eq(&known) && (&queue).into_iter().eq(&known));
        let (n, is_full) = (known.len(), known.len() == CAP);
        assert_eq!((queue.len(), queue.is_empty(), queue.is_full()), (n, n == 0, is_full));
        assert_eq!((queue.front(), queue.back()), (known.front(), known.back()));
        assert!(some_values().all(|value| queue.contains(&value) == known.contains(&value)));
        assert!((0..=CAP).all(|i| queue.get(i) == known.get(i)));
        let fresh: Queue<T, CAP> = known.iter().copied().collect();
        assert_eq!(queue, fresh);
        check_packing(queue, fresh);
    }
}

fn bag_is_a_count<T: StateVar + Ord + Debug, const CAP: usize>(history: &[Step<T>]) {
    let (mut bag, mut known) = (Bag::<T, CAP>::new(), BTreeMap::<T, usize>::new());
    for step in history {
        let n: usize = known.values().sum();
        match *step {
            Step::Put(value) if n < CAP => {
                bag.insert(value);
                *known.entry(value).or_default() += 1;
            }
            Step::Put(value) | Step::TryPut(value) => {
                assert_eq!(bag.try_insert(value), n < CAP);
                if n < CAP {
                    *known.entry(value).or_default() += 1;
                }
            }
            Step::Take(value) => {
                assert_eq!(bag.remove(&value), known.contains_key(&value));
                known.entry(value).and_modify(|n| *n -= 1);
                known.retain(|_, n| *n > 0);
            }
            Step::TakeAt(i) => {
                let found = bag.iter().nth(i);
                if let Some(value) = found {
                    assert!(bag.remove(&value));
                    known.entry(value).and_modify(|n| *n -= 1);
                    known.retain(|_, n| *n > 0);
                }
            }
            Step::Clear => {
                bag.clear();
                known.clear();
            }
        }
        let listed: Vec<T> =
            known.iter().flat_map(|(value, &n)| std::iter::repeat_n(*value, n)).collect();
        // Variants and fields are in the order of their numbers here.
        assert!(bag.iter().eq(listed.iter().copied()));
        let n = listed.len();
        assert_eq!((bag.len(), bag.is_empty(), bag.is_full()), (n, n == 0, n == CAP));
        assert!(some_values().all(|value| {
            let n = known.get(&value).copied().unwrap_or(0);
            (bag.count(&value), bag.contains(&value)) == (n, n > 0)
        }));
        // Put in the other way round.
        let fresh: Bag<T, CAP> = listed.iter().rev().copied().collect();
        assert_eq!(bag, fresh);
        check_packing(bag, fresh);
    }
}

fn set_is_a_set<T: Finite + StateVar + Ord + Debug>(history: &[Step<T>]) {
    let (mut set, mut known) = (Set::<T>::new(), BTreeSet::new());
    for step in history {
        match *step {
            Step::Put(value) | Step::TryPut(value) => {
                assert_eq!(set.insert(value), known.insert(value));
            }
            Step::Take(value) => assert_eq!(set.remove(&value), known.remove(&value)),
            Step::TakeAt(i) => {
                let found = set.iter().nth(i);
                if let Some(value) = found {
                    assert!(set.remove(&value) && known.remove(&value));
                }
            }
            Step::Clear => {
                set.clear();
                known.clear();
            }
        }
        assert!(set.iter().eq(known.iter().copied()));
        assert_eq!((set.len(), set.is_empty()), (known.len(), known.is_empty()));
        assert!(Set::<T>::all().iter().all(|v| set.contains(&v) == known.contains(&v)));
        let fresh: Set<T> = known.iter().rev().copied().collect();
        assert_eq!(set, fresh);
        check_packing(set, fresh);
    }
}

#[test]
fn queues_are_deques() {
    for_histories(4, queue_is_a_deque::<Message, 4>);
    for_histories(3, queue_is_a_deque::<Id, 3>);
    for_histories(1, queue_is_a_deque::<Option<Side>, 1>);
    // Of several scalars.
    for_histories(70, queue_is_a_deque::<bool, 70>);
    for_histories(5, queue_is_a_deque::<(Id, [u16; 3]), 5>);
}

#[test]
fn bags_are_counts() {
    for_histories(4, bag_is_a_count::<Message, 4>);
    for_histories(3, bag_is_a_count::<Id, 3>);
    for_histories(9, bag_is_a_count::<(Side, Option<bool>), 9>);
    // Of several scalars.
    for_histories(4, bag_is_a_count::<u32, 4>);
}

#[test]
fn sets_are_sets() {
    for_histories(4, set_is_a_set::<Message>);
    for_histories(3, set_is_a_set::<Id>);
    for_histories(5, set_is_a_set::<(Side, Option<bool>)>);
    for_histories(50, set_is_a_set::<(bool, Id, Option<Message>)>);
    for_histories(3, set_is_a_set::<Option<Option<Side>>>);
    for_histories(99, set_is_a_set::<u8>);
}

/// The values with which a collection is asked whether it has them: all, if they are few.
fn some_values<T: StateVar>() -> impl Iterator<Item = T> {
    let n_values = number::n_values::<T>().expect("few values");
    (0..n_values.min(300)).map(number::value)
}

/// All values of a type, from their numbers: each packs, they all differ, and what is
/// unpacked is what was packed. The number of bits that they take.
fn bits_of_all<T: StateVar + PartialEq + Debug>(n_contents: u64) -> u32 {
    assert_eq!(number::n_values::<T>(), Some(n_contents));
    let mut seen = BTreeSet::new();
    for i in 0..n_contents {
        let value: T = number::value(i);
        assert_eq!(number::number(&value), Some(i));
        let words = packed(&value).expect("a legal value");
        assert_eq!(Packing::<T>::unpack(&words, fast()), value);
        assert!(seen.insert(words));
    }
    T::LAYOUT.bits()
}

/// As many bits as there are contents to tell apart, and not one more.
#[test]
fn no_bit_is_wasted() {
    let least = |n: u64| n.next_power_of_two().ilog2();
    let queue = 1 + 9 + 81 + 729;
    assert_eq!(bits_of_all::<Queue<Message, 3>>(queue), least(queue));
    let queue = 1 + 6 + 36 + 216 + 1296;
    assert_eq!(bits_of_all::<Queue<Id, 4>>(queue), least(queue));
    assert_eq!(bits_of_all::<Queue<Queue<bool, 2>, 2>>(1 + 7 + 49), 6);
    // Nine messages, three of them at most, with repetition: 12 over 3.
    assert_eq!(bits_of_all::<Bag<Message, 3>>(220), 8);
    assert_eq!(bits_of_all::<Bag<bool, 6>>(28), 5);
    assert_eq!(bits_of_all::<Set<Message>>(1 << 9), 9);
    assert_eq!(bits_of_all::<Set<(bool, Id)>>(1 << 12), 12);
    assert_eq!(bits_of_all::<Option<Message>>(10), 4);
    assert_eq!(bits_of_all::<Option<Option<bool>>>(4), 2);
    assert_eq!(bits_of_all::<(Side, Message)>(18), 5);
    assert_eq!(bits_of_all::<Map<Side, Option<Side>>>(9), 4);
    assert_eq!(bits_of_all::<Map<Option<Side>, bool>>(8), 3);
}

/// The figures of the guide's table, for elements with six values.
#[test]
fn bits_of_the_guide() {
    let guide = include_str!("../../docs/writing-a-model.md");
    let row = |name: &str, layout: Layout, n_contents: u64, bits: u32| {
        assert_eq!(layout.bits(), bits, "{name}");
        let information = (n_contents as f64).log2();
        let text = format!("{information:.1}");
        let contents = match n_contents {
            0..1000 => n_contents.to_string(),
            _ => format!("{},{:03}", n_contents / 1000, n_contents % 1000),
        };
        let row = format!("| {name} | {contents} | {} | {bits} |", text.trim_end_matches(".0"));
        assert!(guide.contains(&row), "{row}");
    };
    row("`Queue<T, 1>`", <Queue<Id, 1>>::LAYOUT, 7, 3);
    row("`Queue<T, 4>`", <Queue<Id, 4>>::LAYOUT, 1555, 11);
    row("`Bag<T, 4>`", <Bag<Id, 4>>::LAYOUT, 210, 8);
    row("`Set<T>`", <Set<Id>>::LAYOUT, 64, 6);
    row("`Option<T>`", <Option<Id>>::LAYOUT, 7, 3);
    row("`(T, T)`", <(Message6, Message6)>::LAYOUT, 36, 6);
    row("`Map<bool, Option<T>>`", <Map<bool, Option<Id>>>::LAYOUT, 49, 6);
    row("`[T; 4]` with a length beside it", <([Message6; 4], Length)>::LAYOUT, 6480, 15);
}

/// An enum with six values: one scalar, where a struct has one for each field.
#[derive(StateVar, Clone, Copy, PartialEq, Eq, Debug)]
enum Message6 {
    Of(#[range(0..6)] u8),
}

/// A length of 0 to 4.
#[derive(StateVar, Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Of(#[range(0..=4)] u8),
}

/// Elements with very many values fill a scalar each, and are not refused.
#[test]
fn elements_with_very_many_values() {
    type Large = [u16; 3];
    let queue: Queue<Large, 2> = [[1, 2, 3], [65535; 3]].into_iter().collect();
    check_packing(queue, queue);
    assert_eq!(<Queue<Large, 2>>::LAYOUT.lanes().len(), 2);
    let bag: Bag<Large, 2> = [[65535; 3], [0; 3]].into_iter().collect();
    check_packing(bag, bag);
    assert!(bag.iter().eq([[0; 3], [65535; 3]]));
}

/// What does not fit is refused when it is packed, whatever is taken out afterwards, and
/// nothing is where it is not.
#[test]
fn too_much_is_never_packed() {
    let mut queue: Queue<bool, 2> = [true, false].into_iter().collect();
    queue.push(true);
    assert!(packed(&queue).is_none());
    assert_eq!((queue.pop(), queue.len()), (Some(true), 2));
    assert!(packed(&queue).is_none() && !queue.is_empty());
    queue.clear();
    assert!(packed(&queue).is_some());
    let mut bag: Bag<bool, 2> = [true, false, true].into_iter().collect();
    assert!(packed(&bag).is_none());
    assert!(bag.remove(&true) && packed(&bag).is_none());
    let mut long: Queue<bool, 70> = std::iter::repeat_n(true, 70).collect();
    assert!(packed(&long).is_some());
    long.push(false);
    assert!(packed(&long).is_none());
}

/// So is what is no legal value.
#[test]
fn illegal_elements_are_never_packed() {
    let wrong = Message::Ask(5);
    assert!(packed(&Queue::<Message, 2>::from_iter([wrong])).is_none());
    assert!(packed(&Bag::<Message, 2>::from_iter([wrong])).is_none());
    assert!(packed(&Some(wrong)).is_none());
    let mut set = Set::<Message>::from_iter([wrong]);
    assert!(packed(&set).is_none());
    set.remove(&Message::Nothing);
    set.insert(Message::Nothing);
    assert!(packed(&set).is_none() && !set.contains(&wrong) && !set.remove(&wrong));
    assert!(packed(&Map::<bool, Message>::new(wrong)).is_none());
    assert!(packed(&(true, wrong)).is_none());
}

#[test]
fn maps_have_a_value_for_each_key() {
    let mut map: Map<Message, u8> = Map::new(7);
    map[Message::Tell { yes: true, to: Side::Left }] = 9;
    let nine: Vec<Message> = map.iter().filter(|(_, n)| **n == 9).map(|(k, _)| k).collect();
    assert_eq!(nine, [Message::Tell { yes: true, to: Side::Left }]);
    assert_eq!((map.iter().count(), map[Message::Stop]), (9, 7));
    check_packing(map, map);
    assert!(std::panic::catch_unwind(|| map[Message::Ask(0)]).is_err());
}

/// A layout that cannot be used says why.
#[test]
fn what_cannot_be_packed_says_why() {
    let why = |layout: Layout| layout.flaw.unwrap_or_default();
    assert!(why(<Queue<u64, 2>>::LAYOUT).contains("2^62"));
    assert!(why(<Bag<[u64; 2], 2>>::LAYOUT).contains("2^62"));
    assert!(why(<Option<u64>>::LAYOUT).contains("2^62"));
    assert!(why(<Queue<bool, 0>>::LAYOUT).contains("room"));
    assert!(why(<Set<(u8, bool, bool)>>::LAYOUT).contains("512"));
    assert!(why(<[Queue<Option<u64>, 2>; 2]>::LAYOUT).contains("2^62"));
    assert!(<Queue<bool, 2>>::LAYOUT.flaw.is_none());
}
