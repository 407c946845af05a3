//! Is the lock taken where it is tested?

use asset_core::prelude::*;

/// Processes share a lock that each tests before taking it.
#[model]
pub mod lock {
    /// Number of processes.
    #[param(2..=4)]
    pub const N: usize = 2;

    /// Whether testing and taking are one step.
    #[param]
    pub const ATOMIC: bool = false;

    /// Where a process is.
    #[derive(StateVar)]
    pub enum At {
        Outside,
        SawItFree,
        Inside,
        Gone,
    }

    #[state]
    pub struct State {
        at: [At; N],
        locked: bool,
    }

    #[transitions]
    pub enum Transition {
        Test(#[range(0..N)] usize),
        Take(#[range(0..N)] usize),
        Leave(#[range(0..N)] usize),
        Stop(#[range(0..N)] usize),
    }

    /// Fires a transition; `false` means that it is disabled.
    pub fn fire_transition(s: &mut State, t: Transition) -> bool {
        match t {
            Transition::Test(i) if s.at[i] == At::Outside && !s.locked => {
                s.locked = ATOMIC;
                s.at[i] = if ATOMIC { At::Inside } else { At::SawItFree };
            }
            Transition::Take(i) if s.at[i] == At::SawItFree => {
                s.locked = true;
                s.at[i] = At::Inside;
            }
            Transition::Leave(i) if s.at[i] == At::Inside => {
                s.locked = false;
                s.at[i] = At::Outside;
            }
            Transition::Stop(i) if s.at[i] == At::Outside => s.at[i] = At::Gone,
            _ => return false,
        }
        true
    }

    /// At most one process is inside.
    #[check(state)]
    pub fn mutual_exclusion(s: &State) -> bool {
        s.at.iter().filter(|&&at| at == At::Inside).count() <= 1
    }

    /// A process that is not gone can always get inside.
    #[check(may_progress)]
    pub fn process_0_is_served(s: &State) -> bool {
        matches!(s.at[0], At::Inside | At::Gone)
    }
}

fn main() -> std::process::ExitCode {
    asset_core::cli::main(lock::model())
}
