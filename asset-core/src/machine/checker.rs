//! State checks for one state after another, as a search finds them.

use super::Machine;
use crate::model::{CheckSet, Fault, Properties};
use crate::state::packing::{Packing, fast};
use crate::state::slot::Parent;

/// Checks many states. What it keeps of one makes the next one cheaper.
pub trait Checker {
    /// Evaluates [`Machine::state_fault`] for the states at the given positions
    /// among `states`, which stand side by side, and adds what is wrong to `found`.
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        on: CheckSet,
        found: &mut StateFaults,
    );
}

/// What is wrong with the states of a batch.
#[derive(Debug, Default)]
pub struct StateFaults {
    /// States that have been checked. If a check panics, the next one was its.
    pub n_checked: usize,
    /// For some of those, by their turn, what is wrong.
    pub faults: Vec<(usize, Fault)>,
}

impl StateFaults {
    /// The next state has been checked.
    #[inline(always)]
    fn add(&mut self, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.faults.push((self.n_checked, fault));
        }
        self.n_checked += 1;
    }
}

/// Keeps nothing.
impl<M: Machine + ?Sized> Checker for &M {
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        on: CheckSet,
        found: &mut StateFaults,
    ) {
        let n_words = self.n_words();
        for &i in positions {
            let state = &states[i as usize * n_words..][..n_words];
            found.add(Machine::state_fault(*self, state, on));
        }
    }
}

/// Keeps the last state: one that is not dense is read where it differs. The
/// check looks at the state where it was unpacked, as a copy would have to wait
/// until that is written.
pub struct Unpacking<P: Properties>(Parent<P::State>);

impl<P: Properties> Default for Unpacking<P> {
    fn default() -> Self {
        Unpacking(Parent::default())
    }
}

impl<P: Properties> Checker for Unpacking<P> {
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        on: CheckSet,
        found: &mut StateFaults,
    ) {
        let (n_words, fast) = (Packing::<P::State>::WORDS, fast());
        for &i in positions {
            let state = &states[i as usize * n_words..][..n_words];
            found.add(P::state_fault(self.0.unpack(state, fast), on));
        }
    }
}
