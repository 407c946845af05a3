//! States of several words, told by one.
//!
//! A state is cut into two *parts*. There are far fewer of either than of states (ten
//! philosophers have millions of states, and some thousands of halves of the table),
//! so every part is stored once, and numbered. A state is the pair of its parts'
//! numbers, its *root*, in one word. Nothing is lost: a root gives the state back. So
//! searches and sets of states have to do with one word only, however long states are.
//! (LTSmin's tree compression, with a tree of one level: Laarman, van de Pol, Weber 2011.
//! SPIN's collapse compression keeps numbers of processes and channels: Holzmann 1997.
//! There, states are folded when they are stored.)
//!
//! Here they stay folded. What most transitions do is a function of one part, so it is
//! remembered from part to part, and the author's code sees hardly any of the states
//! ([`Steps`]). Where that is not known, or not worth it, states are unfolded, expanded
//! by the machine beneath, and the successors are folded; a successor mostly differs from
//! its origin in one part, and only that is looked up.
//!
//! What else was tried stands in docs/decisions.md, "Folded states".
//!
//! Where parts are as many as states, this takes a quarter more memory than to store
//! states as they are.

mod ahead;
mod fold;
mod names;
mod parts;
mod roots;
mod steps;

pub use fold::Fold;
pub use roots::numbers;

use super::remembered::unsteady;
use super::{Batch, Source};
use crate::machine::{Footprint, Footprints, Machine, ModelError, Packed, Successors};
use crate::model::{Order, RuleStatistics};
use steps::Steps;

/// A source of roots. Only roots that it has given may be expanded.
pub struct Folded<'m> {
    /// Expands states in any way, by their words.
    source: Box<dyn Source + 'm>,
    fold: Fold,
    /// What is known of the transitions, if that is worth it.
    steps: Option<Steps>,
    /// States that are expanded beneath, their successors, and the roots of those.
    words: Vec<u64>,
    found: Successors,
    roots: Vec<u64>,
}

impl<'m> Folded<'m> {
    /// Folds the states of a source. If `fires_all`, what transitions touch tells what it does.
    pub fn new(
        machine: &'m dyn Machine,
        order: Order,
        known: &Footprints,
        fires_all: bool,
        source: Box<dyn Source + 'm>,
    ) -> Self {
        let n_words = machine.n_words();
        let half = || (0..n_words).map(|i| if i < n_words / 2 { u64::MAX } else { 0 }).collect();
        let fold = Fold::new(&known.first_half.clone().unwrap_or_else(half));
        let touched = known.firing.as_ref().filter(|_| fires_all);
        let touched = touched.map(|all| all.iter().map(Footprint::all).collect());
        let steps = touched.and_then(|touched| Steps::new(touched, &fold, order));
        let (words, found, roots) = Default::default();
        Folded { source, fold, steps, words, found, roots }
    }

    /// Expands states in any way, by the source beneath.
    fn expand_beneath(&mut self, states: &[u64], out: &mut Successors) -> Result<(), ModelError> {
        let Folded { source, fold, words, found, roots, .. } = self;
        words.clear();
        found.clear();
        roots.clear();
        fold.unfold(states, words);
        let done = source.expand(Batch::awake(words), found);
        // What came before an error is complete.
        fold.fold_all(words, states, found, roots);
        out.extend(roots, found);
        done
    }

    /// Expands states in full, by what is known of their parts. Other states are expanded
    /// beneath, and learnt from. Nothing if that is not worth it.
    fn expand_by_steps(
        &mut self,
        batch: Batch<'_>,
        out: &mut Successors,
    ) -> Option<Result<(), ModelError>> {
        self.steps.take_if(|steps| !steps.is_worth_it());
        let (states, n_before) = (batch.states, out.len());
        self.steps.as_mut()?.begin(states);
        let mut next = 0;
        while next < states.len() {
            let steps = self.steps.as_mut().expect("nobody takes them away");
            next = steps.expand(batch, next, &mut self.fold, out);
            if next < states.len() {
                if let Err(error) = self.learn(batch, next, out) {
                    return Some(Err(error));
                }
                next += 1;
            }
        }
        if batch.may_leave_out() && self.steps.as_ref().is_some_and(Steps::tells_commuting) {
            out.know_sleeping_from(n_before);
        }
        Some(Ok(()))
    }

    /// Expands one state of a batch beneath, and learns from it.
    #[cold]
    #[inline(never)]
    fn learn(
        &mut self,
        batch: Batch<'_>,
        i: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        self.expand_beneath(&batch.states[i..=i], out)?;
        let Folded { fold, steps: Some(steps), words, found, roots, .. } = self else {
            return Ok(());
        };
        if batch.may_leave_out() && steps.tells_commuting() {
            out.put_to_sleep(batch.asleep[i], |t| steps.bit(t), &steps.commuting);
        }
        steps.learn(fold, (words, batch.states[i]), (found, roots)).map_err(|transition| {
            out.drop_last_state(1);
            *unsteady(words, transition)
        })
    }
}

impl Source for Folded<'_> {
    fn expand(&mut self, batch: Batch<'_>, out: &mut Successors) -> Result<(), ModelError> {
        match self.expand_by_steps(batch, out) {
            Some(done) => done,
            None => self.expand_beneath(batch.states, out),
        }
    }

    fn bytes(&self) -> usize {
        self.source.bytes() + self.fold.bytes() + self.steps.as_ref().map_or(0, Steps::bytes)
    }

    fn remembers(&self) -> bool {
        self.steps.is_some() || self.source.remembers()
    }

    fn fold(&self) -> Option<&Fold> {
        Some(&self.fold)
    }

    fn key(&mut self, state: &[u64]) -> Packed {
        [self.fold.fold(state)].into()
    }

    fn rules(&self) -> Option<&RuleStatistics> {
        self.source.rules()
    }

    fn n_visible(&self) -> u64 {
        self.source.n_visible()
    }
}
