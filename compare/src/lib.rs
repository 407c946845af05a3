//! Measures this tool side by side with its peers, and keeps what was measured.
//!
//! Invariant: everything that is measured is a process of its own, run by
//! [`measure`], so that every program is timed and weighed in the same way.

pub mod bars;
pub mod build;
pub mod counts;
pub mod measure;
pub mod report;
pub mod rows;
pub mod scale;
pub mod svg;
