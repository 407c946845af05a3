//! What stands around a model and is not to be seen in it.

/// Items for the module in which a model stands: methods of every type that come before those
/// of the standard library, types of the prelude's names, and things of the names that models
/// give to their own.
pub const SURROUNDINGS: &str = r#"
trait Methods: Sized {
    fn len(self) -> u8 { 7 }
    fn iter(self) -> u8 { 7 }
    fn contains(self, _: &bool) -> u8 { 7 }
    fn all(self) -> u8 { 7 }
    fn any(self) -> u8 { 7 }
    fn add(self, _: u8) -> u8 { 7 }
    fn is_some(self) -> u8 { 7 }
    fn is_empty(self) -> u8 { 7 }
    fn fire(self) -> u8 { 7 }
    fn number(self) -> u8 { 7 }
    fn name(self) -> u8 { 7 }
}
impl<T> Methods for T {}
struct Option; struct Result; struct String; struct Vec; struct Box; struct Some; struct None;
struct State; struct Transition; struct Obligations; struct Default; struct Variant; struct At;
trait Iterator { fn next(); }
trait From { fn from(); }
const N: bool = true;
const K: bool = true;
const W: bool = true;
fn fire_transition() {}
fn obligations() {}
fn left() {}
fn right() {}
fn next() {}
fn drop() {}
fn usize() {}
fn i() {}
fn asks_0() {}
fn does_0() {}
fn fire_T0() {}
struct Message; struct Pair;
const FLAG: u8 = 7;
const TABLE: u8 = 7;
mod std {}
mod core {}
mod other { macro_rules! matches { ($($x:tt)*) => { 7u8 } } pub(super) use matches; }
use other::matches;
"#;
