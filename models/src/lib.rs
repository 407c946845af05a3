//! Bundled models: complete examples to run, to read and to copy from.
//!
//! Each has a runnable example of the same name, its source, and its counts in
//! its own documentation.

// A file is a module already, and `#[model]` needs one inside it: both carry
// the model's name.
#![allow(clippy::module_inception)]

use asset_core::model::Family;

/// The alternating bit protocol over channels that lose messages.
pub mod alternating_bit;
/// A chain of up to ten million states.
pub mod chain;
/// Workers with a livelock put in near the start or far away.
pub mod injected;
/// The same workers with progress marked on states.
pub mod injected_states;
/// Chang and Roberts' leader election on a ring.
pub mod leader_election;
/// Peterson's mutual exclusion for n customers in four variants.
pub mod peterson;
/// Peterson's mutual exclusion with entering marked as progress.
pub mod peterson_enter;
/// Dining philosophers, deadlocking and fixed.
pub mod philosophers;
/// A sliding window protocol with a livelock, and its repair.
pub mod sliding_window;
/// A demand-driven token ring.
pub mod token_ring;
/// Two-phase commit after Gray and Lamport.
pub mod two_phase_commit;

/// All bundled models.
pub fn all() -> Vec<Family> {
    vec![
        alternating_bit::model(),
        chain::model(),
        injected::model(),
        injected_states::model(),
        leader_election::model(),
        peterson::model(),
        peterson_enter::model(),
        philosophers::model(),
        sliding_window::model(),
        token_ring::model(),
        two_phase_commit::model(),
    ]
}
