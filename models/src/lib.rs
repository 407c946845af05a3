//! Bundled models: complete examples to run, to read and to copy from.
//!
//! Each has a runnable example of the same name, its source, and its counts in
//! its own documentation. Each is a crate of its own, under `crates`, so that a
//! change in one rebuilds that one; this crate gathers them.

use asset_core::Family;

/// The alternating bit protocol over channels that lose messages.
#[doc(inline)]
pub use alternating_bit;
/// Lamport's bakery, with and without waiting for who draws a ticket.
#[doc(inline)]
pub use bakery;
/// A chain of up to ten million states.
#[doc(inline)]
pub use chain;
/// Workers with a livelock put in near the start or far away.
#[doc(inline)]
pub use injected;
/// The same workers with progress marked on states.
#[doc(inline)]
pub use injected_states;
/// Dolev, Klawe and Rodeh's leader election on a ring.
#[doc(inline)]
pub use leader_dkr;
/// Chang and Roberts' leader election on a ring.
#[doc(inline)]
pub use leader_election;
/// Paxos for a single decision, correct and careless.
#[doc(inline)]
pub use paxos;
/// Peterson's mutual exclusion for n customers in four variants.
#[doc(inline)]
pub use peterson;
/// Peterson's mutual exclusion with entering marked as progress.
#[doc(inline)]
pub use peterson_enter;
/// Dining philosophers, deadlocking and fixed.
#[doc(inline)]
pub use philosophers;
/// Raft's election over a network that loses and reorders messages.
#[doc(inline)]
pub use raft_election;
/// A sliding window protocol with a livelock, and its repair.
#[doc(inline)]
pub use sliding_window;
/// A demand-driven token ring.
#[doc(inline)]
pub use token_ring;
/// Treiber's lock-free stack, untagged and tagged.
#[doc(inline)]
pub use treiber_stack;
/// Two-phase commit after Gray and Lamport.
#[doc(inline)]
pub use two_phase_commit;

/// All bundled models.
pub fn all() -> Vec<Family> {
    vec![
        alternating_bit::model(),
        bakery::model(),
        chain::model(),
        injected::model(),
        injected_states::model(),
        leader_dkr::model(),
        leader_election::model(),
        paxos::model(),
        peterson::model(),
        peterson_enter::model(),
        philosophers::model(),
        raft_election::model(),
        sliding_window::model(),
        token_ring::model(),
        treiber_stack::model(),
        two_phase_commit::model(),
    ]
}
