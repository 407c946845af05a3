//! Compares a source with the model's own code, now and then or always.

use super::{Batch, Fold, Source};
use crate::machine::{Machine, ModelError, Packed, Successors, Wrong};
use crate::model::{CheckSet, Obligations, Order, RuleStatistics};

/// The first batches are expanded anew as well, and then one in so many.
const EVERY: u32 = 64;

/// Tells which batches are looked at again.
#[derive(Debug, Default)]
pub struct Sample {
    n_batches: u32,
}

impl Sample {
    /// Whether the next batch is.
    #[inline(always)]
    pub fn takes(&mut self) -> bool {
        self.n_batches = self.n_batches.saturating_add(1);
        self.n_batches < EVERY || self.n_batches.is_multiple_of(EVERY)
    }
}

/// A source, and a second one that remembers nothing. What a footprint leaves out would be a
/// wrong verdict, so it is not just trusted: some batches go to both, and what the first says
/// is compared. Nothing is left out of those, so that what is asleep is looked up, too, and
/// found to be known.
///
/// With `--paranoid` every state is compared, and every firing, rule, check and label is
/// evaluated twice. What the compiler cannot see, a model that gives two answers for one
/// question, becomes a model error; so does a firing that changes the state and then says it
/// was disabled.
pub struct Checked<'m> {
    machine: &'m dyn Machine,
    order: Order,
    is_paranoid: bool,
    source: Box<dyn Source + 'm>,
    /// The same, by packed states.
    anew: Box<dyn Source + 'm>,
    sample: Sample,
    /// Packed states, what the second source makes of them, and one successor.
    states: Vec<u64>,
    again: Successors,
    next: Vec<u64>,
}

impl<'m> Checked<'m> {
    /// Compares these two.
    pub fn new(
        machine: &'m dyn Machine,
        order: Order,
        is_paranoid: bool,
        source: Box<dyn Source + 'm>,
        anew: Box<dyn Source + 'm>,
    ) -> Self {
        let (sample, states, again, next) = Default::default();
        Checked { machine, order, is_paranoid, source, anew, sample, states, again, next }
    }

    /// Complains if the last states in `out`, those with these keys, have other successors
    /// than when they are expanded anew. What is complete in `out` is right then.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, keys: &[u64], out: &mut Successors) -> Result<(), ModelError> {
        let Checked { source, anew, states, again, next, is_paranoid, .. } = self;
        let n_words = self.machine.n_words();
        let key_words = if source.fold().is_some() { 1 } else { n_words };
        states.clear();
        packed(source.fold(), keys, states);
        again.clear();
        let done = anew.expand(Batch::awake(states), again);
        let n = keys.len() / key_words;
        let first = out.n_expanded() - n;
        let is_same = |&i: &usize| {
            let (known, fresh) = (out.of(first + i), again.of(i));
            out.transitions()[known.clone()] == again.transitions()[fresh.clone()]
                && known.zip(fresh).all(|(at, anew)| {
                    next.clear();
                    packed(source.fold(), &out.words()[at * key_words..][..key_words], next);
                    **next == again.words()[anew * n_words..][..n_words]
                })
        };
        let n_same = (0..again.n_expanded()).take_while(is_same).count();
        if n_same == n {
            return Ok(());
        }
        (n_same..n).for_each(|_| out.drop_last_state(key_words));
        let what = match is_paranoid {
            true => "expanded twice, it had other successors",
            false => "it does not do what it did where all that it touches had the same values",
        };
        match done {
            Err(error) if n_same == again.n_expanded() => Err(error),
            _ => Err(unsteady(&states[n_same * n_words..][..n_words], None, what)),
        }
    }

    /// Expands every state by itself, and compares it.
    #[cold]
    fn expand_paranoid(&mut self, keys: &[u64], out: &mut Successors) -> Result<(), ModelError> {
        let key_words = if self.source.fold().is_some() { 1 } else { self.machine.n_words() };
        for key in keys.chunks_exact(key_words) {
            let mut state = Vec::new();
            packed(self.source.fold(), key, &mut state);
            ask_twice(self.machine, self.order, &state)?;
            self.source.expand(Batch::awake(key), out)?;
            self.compare(key, out)?;
        }
        Ok(())
    }
}

/// Appends the packed states with these keys.
fn packed(fold: Option<&Fold>, keys: &[u64], states: &mut Vec<u64>) {
    match fold {
        Some(fold) => fold.unfold(keys, states),
        None => states.extend_from_slice(keys),
    }
}

/// Says what is wrong with the first transition, in the order of firing, that gives two
/// answers, or with the checks.
fn ask_twice(machine: &dyn Machine, order: Order, state: &[u64]) -> Result<(), ModelError> {
    let n = machine.n_transitions();
    let unsteady = |transition, what| Err(unsteady(state, transition, what));
    for t in (0..n).map(|i| order.nth(i, n)) {
        let (first, second) = (machine.fire(state, t), machine.fire(state, t));
        if first != second {
            return unsteady(Some(t), "fired twice in one state, it did two things");
        }
        let mut is_changed = false;
        let asked = machine.open(state, &mut |s| is_changed = s.is_changed_though_disabled(t));
        asked.map_err(|error| ModelError { transition: Some(t), ..error })?;
        if is_changed {
            return unsteady(
                Some(t),
                "it returned false after changing the state; is `true` missing at the end?",
            );
        }
        if machine.description().has_rules {
            let mut need = [Obligations::new(), Obligations::new()];
            need.iter_mut().try_for_each(|need| machine.obligations(state, t, need))?;
            if need[0].list != need[1].list {
                return unsteady(Some(t), "its rule gave two lists of obligations");
            }
        }
    }
    let fault = || machine.state_fault(state, CheckSet::ALL);
    if fault()? != fault()? {
        return unsteady(None, "a state check gave two answers for one state");
    }
    let progress = || machine.progress_state(state);
    if machine.description().progress_states && progress()? != progress()? {
        return unsteady(None, "a progress label gave two answers for one state");
    }
    Ok(())
}

/// What gave two answers in a state.
#[cold]
fn unsteady(state: &[u64], transition: Option<usize>, what: &str) -> ModelError {
    ModelError { state: Some(state.into()), transition, wrong: Wrong::Unsteady(what.to_owned()) }
}

impl Source for Checked<'_> {
    #[inline]
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        if self.is_paranoid {
            return self.expand_paranoid(batch.states, out);
        }
        if !self.source.remembers() || !self.sample.takes() {
            return self.source.expand(batch, out);
        }
        self.source.expand(Batch::awake(batch.states), out)?;
        self.compare(batch.states, out)
    }

    fn bytes(&self) -> usize {
        self.source.bytes()
    }

    fn remembers(&self) -> bool {
        self.source.remembers()
    }

    fn fold(&self) -> Option<&Fold> {
        self.source.fold()
    }

    fn key(&mut self, state: &[u64]) -> Packed {
        self.source.key(state)
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        self.source.rules()
    }

    fn n_visible(&self) -> u64 {
        self.source.n_visible()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::test_machines;

    /// State `i` leads to `10 * i`, but for some.
    struct Tens(fn(u64) -> Result<u64, Wrong>);

    impl Source for Tens {
        fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
            for &state in batch.states {
                let next =
                    (self.0)(state).map_err(|wrong| ModelError::of_state(&[state], wrong))?;
                out.push(&[next], 0);
                out.end_state();
            }
            Ok(())
        }

        fn bytes(&self) -> usize {
            0
        }

        fn remembers(&self) -> bool {
            true
        }
    }

    /// How many states are complete, and which is to blame, where the model's own code does this.
    fn checked(anew: fn(u64) -> Result<u64, Wrong>) -> (usize, Option<u64>) {
        let right = Tens(|state| Ok(10 * state));
        let mut out = Successors::default();
        let (source, anew) = (Box::new(right), Box::new(Tens(anew)));
        let mut checked =
            Checked::new(test_machines::one_word(), Order::Forward, false, source, anew);
        let done = checked.expand(Batch::awake(&[1, 2, 3, 4]), &mut out);
        assert_eq!(out.words().len(), out.n_expanded());
        (out.n_expanded(), done.err().and_then(|error| Some(error.state?[0])))
    }

    #[test]
    fn the_first_state_that_differs_is_to_blame() {
        fn fails(state: u64, from: u64) -> Result<u64, Wrong> {
            if state < from { Ok(10 * state) } else { Err(Wrong::Panic(String::new())) }
        }
        assert_eq!(checked(|state| Ok(10 * state)), (4, None));
        assert_eq!(checked(|state| Ok(if state == 3 { 9 } else { 10 * state })), (2, Some(3)));
        assert_eq!(checked(|state| fails(state, 2)), (1, Some(2)));
        assert_eq!(checked(|state| fails(state, 4)), (3, Some(4)));
    }
}
