//! State checks for one state after another, as a search finds them.

use super::Machine;
use crate::model::{CheckSet, Fault, Properties};
use crate::state::packing::fast;
use crate::state::slot::Parent;

/// Checks many states. What it keeps of one makes the next one cheaper.
pub trait Checker {
    /// As [`Machine::state_fault`].
    fn state_fault(&mut self, state: &[u64], on: CheckSet) -> Option<Fault>;
}

/// Keeps nothing.
impl<M: Machine + ?Sized> Checker for &M {
    fn state_fault(&mut self, state: &[u64], on: CheckSet) -> Option<Fault> {
        Machine::state_fault(*self, state, on)
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
    fn state_fault(&mut self, state: &[u64], on: CheckSet) -> Option<Fault> {
        P::state_fault(self.0.unpack(state, fast()), on)
    }
}
