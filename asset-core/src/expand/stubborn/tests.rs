//! Remembered stubborn sets against fresh ones.

mod sets;

use super::closure::Closure;
use super::rules::RememberedRules;
use crate::expand::remembered::tests::{RIGHT, Space, fire, random, space, unpacked};
use crate::expand::trial::Trial;
use crate::machine::{Footprint, ModelError, Opened, Successors, Wrong, door};
use crate::memory::bits::FastBits;
use crate::model::{Obligations, Order};
use crate::state::{Layout, StateVar};

/// A state of these variables. If it is one that fails, some transitions do where a
/// certain variable is high: some return an error, and some panic.
struct InMemory<'i> {
    layout: &'i Layout,
    state: &'i [u64],
    fails: bool,
}

impl Opened for InMemory<'_> {
    /// A transition obliges some others, depending on a variable that it does not
    /// touch.
    fn oblige(&self, t: usize, need: &mut Obligations) -> Result<(), Box<ModelError>> {
        let lanes = unpacked(self.layout, self.state);
        let looked_at = if t < 12 { lanes[(t + 7) % 12] } else { 0 };
        match (lanes[12], looked_at % 3) {
            (1, 0) => need.all(),
            (_, 1) => need.add((t + 1) % 13),
            (2, 2) => [(t + 4) % 13, (t + 2) % 13].into_iter().for_each(|t| need.add(t)),
            _ => {}
        }
        Ok(())
    }

    fn fire(&self, t: usize, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let lanes = unpacked(self.layout, self.state);
        if self.fails && t < 12 && lanes[12] == 0 && lanes[(t + 5) % 12] > 3 {
            assert!(t.is_multiple_of(2), "a transition that panics");
            let wrong = Wrong::Unsteady("a transition that fails".to_owned());
            return Err(Box::new(ModelError::new(self.state, t, wrong)));
        }
        let mut next = self.state.to_vec();
        let is_enabled = fire(self.layout, self.state, t, &mut next);
        if is_enabled {
            out.push(&next, t);
        }
        Ok(is_enabled)
    }
}

/// The successors, with their transitions and ends, and what went wrong: a panic is the same
/// whoever is blamed for it.
type Expanded = (Vec<u64>, Vec<u32>, Vec<u32>, String);

fn expanded(
    n_words: usize,
    expand: impl FnOnce(&mut Successors) -> Result<(), ModelError>,
) -> Expanded {
    let mut out = Successors::default();
    let wrong = match expand(&mut out) {
        Ok(()) => String::new(),
        Err(ModelError { wrong: Wrong::Panic(_), .. }) => "panic".to_owned(),
        Err(error) => format!("{error:?}"),
    };
    out.drop_unfinished(n_words);
    (out.words().to_vec(), out.transitions().to_vec(), out.ends().to_vec(), wrong)
}

#[test]
fn rules_oblige_what_they_oblige_anew() {
    if FastBits::new().is_none() {
        return;
    }
    let spaces = [space::<u8>(&<[u8; 12]>::SHAPE, 5), space::<u16>(&<[u16; 12]>::SHAPE, 999)];
    for (Space { shape, layout }, fails) in spaces.iter().flat_map(|s| [(s, false), (s, true)]) {
        let n_words = layout.words();
        let touched = Footprint::of_all(shape, layout, 13, RIGHT, true).unwrap();
        let orders = [Order::Forward, Order::Backward];
        let mut both = orders
            .map(|order| RememberedRules::new(touched.clone(), n_words, order).expect("few bits"));
        let (mut closure, mut x, mut n_failed) = (Closure::default(), 1, 0);
        for i in 0..20_000 {
            let state = &*random(layout, &mut x);
            let (order, remembered) = (orders[i % 2], &mut both[i % 2]);
            let anew = expanded(n_words, |out| {
                let local = &InMemory { layout, state, fails };
                let expand = || Closure::default().expand(order, 13, local, n_words, out);
                door::of_state(state, expand).and_then(|done| done)
            });
            let open = &mut |state: &[u64], see: &mut dyn FnMut(&dyn Opened)| {
                door::of_state(state, || see(&InMemory { layout, state, fails }))
            };
            let known = expanded(n_words, |out| {
                remembered.expand(state, &mut closure, open, out).map_err(|error| *error)
            });
            n_failed += usize::from(!anew.3.is_empty());
            // A sample of what is enabled may fail in one of the two.
            assert!(known == anew || fails && i % 61 == 60, "{known:?} {anew:?}");
        }
        assert_eq!(n_failed > 0, fails);
        for Trial { n_asked, n_missed, .. } in both.map(|remembered| remembered.trial) {
            assert!(n_missed > 0 && (fails || n_missed < n_asked / 4), "{n_missed} of {n_asked}");
        }
    }
}
