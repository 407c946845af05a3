//! Two-phase commit, after the specification of Gray and Lamport.
//!
//! J. Gray and L. Lamport, *Consensus on Transaction Commit* (2006), module
//! `TwoPhase`. Messages are a set that only grows, the resource managers
//! prepare without being asked, and the transaction manager may abort whenever
//! it likes, which stands for a timeout or for a message from a resource
//! manager that has aborted.
//!
//! One difference: a step that changes nothing, such as receiving a message
//! for the second time, is disabled here, so that the protocol terminates. The
//! reachable states are the same, and other tools found as many: TLC 288 for
//! three resource managers (the manifest of the TLA+ examples) and 50,816 for
//! six (the specification's own last comment), Stateright 8,832 for five (its
//! example `2pc`). TLC counts 1,146 states generated: the initial one, the 761
//! edges here, and 384 steps that change nothing.
//!
//! States / edges:
//!
//! | n | full | stubborn sets |
//! |---|---|---|
//! | 2 | 56 / 105 | 47 / 76 |
//! | 3 | 288 / 761 | 186 / 377 |
//! | 5 | 8,832 / 37,345 | 2,864 / 8,023 |
//! | 6 | 50,816 / 256,001 | 11,115 / 35,552 |
//! | 7 | 296,448 / 1,735,809 | 42,982 / 155,205 |
//! | 9 | 10,340,352 / 77,616,641 | 642,396 / 2,877,107 |
//!
//! SPIN agrees as well (`tests/spin/two_phase_commit.pml`), with `-DSTUTTER` on
//! TLC's 1,146. As long as the manager has not decided, almost everything
//! competes with its abort; the reduction is in what comes after.

// A model is a module in its crate: both carry its name.
#![allow(clippy::module_inception)]

use asset_core::Family;
use asset_core::prelude::*;

/// The model with all its instances.
pub fn model() -> Family {
    two_phase_commit::model()
}

/// Two-phase commit with N resource managers.
#[model]
pub mod two_phase_commit {
    /// Number of resource managers.
    #[param(2, 3, 4, 5, 6, 7, 9)]
    pub const N: usize = 3;

    /// What can fail.
    #[param]
    pub const FAILURES: Failures = Failures::None;

    /// What can fail.
    pub enum Failures {
        /// Nothing: the specification as it was published.
        None,
        /// The transaction manager may crash before it has decided. Those who
        /// are prepared then wait for ever: two-phase commit blocks.
        Manager,
    }

    /// A resource manager.
    #[derive(StateVar)]
    pub enum Resource {
        /// Has not decided anything.
        Working,
        /// Has promised to commit if it is told to.
        Prepared,
        /// Has committed, for good.
        Committed,
        /// Has aborted, for good.
        Aborted,
    }

    /// The transaction manager.
    #[derive(StateVar)]
    pub enum Manager {
        /// Collects promises.
        Undecided,
        /// Has told everybody to commit.
        Committed,
        /// Has told everybody to abort.
        Aborted,
        /// Does nothing any more.
        Crashed,
    }

    /// The state variables.
    #[state]
    pub struct State {
        resources: [Resource; N],
        manager: Manager,
        /// The resource managers whose promises have been received.
        received: [bool; N],
        /// The resource managers whose promises have been sent.
        promised: [bool; N],
        /// The message "commit" has been sent.
        commit_sent: bool,
        /// The message "abort" has been sent.
        abort_sent: bool,
    }

    /// What can happen.
    #[transitions]
    pub enum Transition {
        /// The manager gets a promise.
        ReceivePromise(#[range(0..N)] usize),
        /// The manager tells everybody to commit.
        Commit,
        /// A resource manager promises to commit.
        Prepare(#[range(0..N)] usize),
        /// A resource manager is told to commit.
        ReceiveCommit(#[range(0..N)] usize),
        /// A resource manager is told to abort.
        ReceiveAbort(#[range(0..N)] usize),
        /// A resource manager aborts on its own.
        ChooseAbort(#[range(0..N)] usize),
        /// The manager tells everybody to abort.
        Abort,
        /// The manager crashes.
        Crash,
    }

    /// Makes it happen, if it can.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::ReceivePromise(i) if undecided(s) && s.promised[i] && !s.received[i] => {
                s.received[i] = true;
            }
            Transition::Commit if undecided(s) && s.received == [true; N] => {
                s.manager = Manager::Committed;
                s.commit_sent = true;
            }
            Transition::Prepare(i) if s.resources[i] == Resource::Working => {
                s.resources[i] = Resource::Prepared;
                s.promised[i] = true;
            }
            Transition::ReceiveCommit(i) if s.commit_sent && !has_decided(s, i) => {
                s.resources[i] = Resource::Committed;
            }
            Transition::ReceiveAbort(i) if s.abort_sent && !has_decided(s, i) => {
                s.resources[i] = Resource::Aborted;
            }
            Transition::ChooseAbort(i) if s.resources[i] == Resource::Working => {
                s.resources[i] = Resource::Aborted;
            }
            Transition::Abort if undecided(s) => {
                s.manager = Manager::Aborted;
                s.abort_sent = true;
            }
            Transition::Crash if undecided(s) && can_crash() => s.manager = Manager::Crashed,
            _ => return false,
        }
        true
    }

    fn undecided(s: &State) -> bool {
        s.manager == Manager::Undecided
    }

    fn has_decided(s: &State, i: usize) -> bool {
        matches!(s.resources[i], Resource::Committed | Resource::Aborted)
    }

    fn can_crash() -> bool {
        matches!(FAILURES, Failures::Manager)
    }

    /// Messages stay and decisions are final. So what matters is what the
    /// manager decides, and in which order one resource manager does what.
    #[stubborn]
    pub fn obligations(s: &State, t: Transition, need: &mut Obligations) {
        match t {
            Transition::ReceivePromise(i) if undecided(s) => {
                if s.received[i] {
                    // Never again.
                } else if s.promised[i] {
                    // The manager may decide without it.
                    decisions(need);
                } else if s.resources[i] == Resource::Working {
                    need.add(Transition::Prepare(i));
                }
            }
            Transition::Commit if undecided(s) => {
                // One promise that is missing is enough to keep it disabled.
                match s.received.iter().position(|&received| !received) {
                    Some(i) => need.add(Transition::ReceivePromise(i)),
                    None => decisions(need),
                }
            }
            Transition::Abort | Transition::Crash if undecided(s) => {
                if matches!(t, Transition::Abort) || can_crash() {
                    decisions(need);
                    // A promise that comes too late is not received.
                    (0..N).for_each(|i| need.add(Transition::ReceivePromise(i)));
                }
            }
            // The manager does nothing more.
            Transition::ReceivePromise(_)
            | Transition::Commit
            | Transition::Abort
            | Transition::Crash => {}
            Transition::Prepare(i) | Transition::ChooseAbort(i) => working_rule(s, i, need),
            // Decisions are final.
            Transition::ReceiveCommit(i) | Transition::ReceiveAbort(i) if has_decided(s, i) => {}
            Transition::ReceiveCommit(i) if s.commit_sent => working_rule(s, i, need),
            Transition::ReceiveAbort(i) if s.abort_sent => working_rule(s, i, need),
            // Only the manager sends these messages.
            Transition::ReceiveCommit(_) => need.add(Transition::Commit),
            Transition::ReceiveAbort(_) => need.add(Transition::Abort),
        }
    }

    fn decisions(need: &mut Obligations) {
        need.add(Transition::Commit);
        need.add(Transition::Abort);
        need.add(Transition::Crash);
    }

    /// Whatever resource manager `i` does competes with all else it can do,
    /// and with nothing that the others do.
    fn working_rule(s: &State, i: usize, need: &mut Obligations) {
        match s.resources[i] {
            Resource::Working => {
                need.add(Transition::Prepare(i));
                need.add(Transition::ChooseAbort(i));
                need.add(Transition::ReceiveAbort(i));
            }
            // The manager sends one of the two messages at most.
            Resource::Prepared | Resource::Committed | Resource::Aborted => {}
        }
    }

    /// Nobody has committed while somebody has aborted.
    #[check(state)]
    pub fn consistent(s: &State) -> Result<(), &'static str> {
        let some = |what| s.resources.contains(&what);
        if some(Resource::Committed) && some(Resource::Aborted) {
            Err("One has committed, another has aborted")
        } else {
            Ok(())
        }
    }

    /// At the end everybody has decided.
    #[check(deadlock)]
    pub fn everybody_has_decided(s: &State) -> Result<(), &'static str> {
        if (0..N).all(|i| has_decided(s, i)) {
            Ok(())
        } else {
            Err("Somebody is prepared and will never hear what to do")
        }
    }
}
