//! Collections as state variables: queues, bags, sets, maps, options and tuples.
//!
//! All are canonical: equal contents have equal bits, whatever came before. Their
//! elements stand in the image by number ([`number`](super::number)), so that no bits are
//! lost between them. What does not fit, because there is too much of it or because it is
//! no legal value, is not refused where it is put in: it makes the variable illegal, as a
//! number outside of its range does. So it is a model error that names the variable, with
//! the trace, unless the firing is disabled in the end.

mod bag;
mod commuting;
mod finite;
mod map;
mod multiset;
mod option;
mod queue;
mod sequence;
mod set;
mod tuple;

pub use bag::Bag;
pub use commuting::{COMMUTING, Commuting, Condition};
pub use finite::{Finite, Flag, MAX_KEYS, WithNone, countable};
pub use map::Map;
pub use queue::Queue;
pub use set::Set;

pub(crate) use multiset::Multisets;
pub(crate) use sequence::Sequences;
