//! The searches: each one is an order and its marks, everything else is shared.
//!
//! [`Space`] is the one place where states are fired, packed, stored and told
//! apart into new and seen; [`Watch`] is the one place where limits are kept.
//!
//! Invariant: no search fires, hashes, checks or prints by hand.

pub mod bfs;
pub mod confirm;
pub mod deep;
pub mod dfs;
pub mod dfs_fifo;
mod goals;
mod good;
pub mod incremental;
mod labels;
pub mod lasso;
pub mod must;
pub mod nested;
pub mod never_claim;
mod notes;
pub mod pdfs_fifo;
pub mod reach;
pub mod rounds;
pub mod seen;
mod sleep;
mod space;
pub mod stateless;
mod team;
pub mod temporal;
mod visitor;

pub use crate::machine::Failure;
pub use crate::memory::{Limit, Limits, Observer, Snapshot, Watch};
pub use good::Good;
pub use labels::{Ground, Hunt, Labels};
pub(crate) use space::unfolded;
pub use space::{Expander, Space};
#[cfg(test)]
mod tests;

pub use visitor::{BatchVisitor, Edge, Found, Size, Visitor};
