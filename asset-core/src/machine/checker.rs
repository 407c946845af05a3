//! State checks for one state after another, as a search finds them.

mod fine;

pub use fine::Fine;

use super::{Machine, Wrong, door, properties, states};
use crate::model::{CheckSet, Fault, Properties};
use crate::state::StateVar;
use crate::state::packing::{Packing, fast};
use crate::state::slot::Parent;

/// Checks many states. What it keeps of one makes the next one cheaper.
pub trait Checker {
    /// Evaluates [`Machine::state_fault`] for the states at the given positions
    /// among `states`, which stand side by side, and adds what is wrong to `found`.
    /// An error is what is wrong with the checks, or a panic: the next state has shown it.
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>>;

    /// The same, but each of the states is checked, whatever is known.
    fn state_faults_anew(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        self.state_faults(states, positions, found)
    }

    /// What is known to be fine, if that is kept.
    fn fine(&self) -> Option<&Fine> {
        None
    }

    /// Bytes in use.
    fn bytes(&self) -> usize {
        0
    }
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

/// Keeps nothing: every state is checked for itself.
pub struct Each<'m, M: ?Sized>(pub &'m M, pub CheckSet);

impl<M: Machine + ?Sized> Checker for Each<'_, M> {
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let Each(machine, on) = *self;
        let n_words = machine.n_words();
        for &i in positions {
            let state = &states[i as usize * n_words..][..n_words];
            found.add(machine.state_fault(state, on).map_err(|error| Box::new(error.wrong))?);
        }
        Ok(())
    }
}

/// Keeps what is known to be fine, and the last state: one that is not dense is read
/// where it differs. The check looks at the state where it was unpacked, as a copy
/// would have to wait until that is written.
pub struct Unpacking<P: Properties> {
    on: CheckSet,
    last: Parent<P::State>,
    fine: Option<Fine>,
}

impl<P: Properties> Unpacking<P> {
    /// Nothing is known yet of the checks in `on`.
    pub fn new(on: CheckSet) -> Self {
        let (shape, layout) = (&P::State::SHAPE, states::layout::<P::State>());
        let checks = properties::description::<P>().checks;
        Unpacking {
            on,
            last: Parent::default(),
            fine: Fine::new(shape, layout, checks, on, P::looks_at),
        }
    }
}

impl<P: Properties> Checker for Unpacking<P> {
    fn state_faults(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let (n_words, fast, on) = (Packing::<P::State>::WORDS, fast(), self.on);
        let last = &mut self.last;
        let mut check = |state: &[u64]| P::state_fault(last.unpack(state, fast), on);
        door::guarded(|| {
            if let Some(fine) = &mut self.fine {
                return fine.state_faults(states, positions, &mut check, found);
            }
            for &i in positions {
                found.add(check(&states[i as usize * n_words..][..n_words]));
            }
            Ok(())
        })?
    }

    fn state_faults_anew(
        &mut self,
        states: &[u64],
        positions: &[u32],
        found: &mut StateFaults,
    ) -> Result<(), Box<Wrong>> {
        let (fast, on, last) = (fast(), self.on, &mut self.last);
        match &mut self.fine {
            Some(fine) => {
                let mut check = |state: &[u64]| P::state_fault(last.unpack(state, fast), on);
                door::guarded(|| fine.check_others(states, positions, true, &mut check, found))?
            }
            None => self.state_faults(states, positions, found),
        }
    }

    fn fine(&self) -> Option<&Fine> {
        self.fine.as_ref()
    }

    fn bytes(&self) -> usize {
        self.fine.as_ref().map_or(0, Fine::bytes)
    }
}
