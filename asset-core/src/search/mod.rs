//! The searches: each one is an order and its marks, everything else is shared.
//!
//! [`Space`] is the one place where states are fired, packed, stored and told
//! apart into new and seen; [`Watch`] is the one place where limits are kept.
//!
//! Invariant: no search fires, hashes, checks or prints by hand.

pub mod bfs;
pub mod confirm;
pub mod must;
pub mod reach;
mod space;
mod watch;

pub(crate) use crate::machine::guarded;
pub use space::{Edge, Expander, Failure, Size, Space, Visitor};
pub use watch::{Limit, Limits, Observer, Snapshot, Watch};
