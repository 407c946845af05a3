//! The strong stubborn set of one state: the first strong component of the
//! obligations, in order of completion, that contains an enabled transition.
//!
//! Valmari, *Error Detection by Reduced Reachability Graph Generation* (1988),
//! with Tarjan's algorithm, iterative and without allocation per state. The
//! order of starting points and of firing is fixed (`Order`, then discovery),
//! so that two people get the same counts.

use super::Order;
use crate::machine::{ModelError, Successors};
use crate::model::{ALL, Obligations};

/// The number of a transition that has not been reached.
const UNSEEN: u32 = 0;
/// The number of a member of a completed component.
const COMPLETED: u32 = u32::MAX;
/// One expanded state in so many is fired in full to count what is enabled.
const SAMPLE_EVERY: u64 = 61;
/// In one expanded state in so many, what the rules oblige is counted.
const COUNT_EVERY: u64 = 16;

/// What Tarjan's algorithm knows of a transition.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Its place in the order of discovery.
    number: u32,
    /// The least number known to be reached from it.
    low: u32,
}

/// A transition whose obligations are being followed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    transition: u32,
    /// Where its obligations start in the shared list; they end where the next
    /// frame's start.
    start: u32,
    /// The next obligation to follow.
    next: u32,
}

/// One state, seen from here: what its transitions oblige, and firing them.
///
/// Behind a vtable, so that the closure is compiled once and not for every
/// instance of every model; it calls once or twice per transition it reaches,
/// which costs a tenth of what the closure does.
pub(crate) trait Local {
    /// Lists what `transition` obliges.
    fn oblige(&self, transition: usize, need: &mut Obligations);

    /// Fires `transition` and adds the successor to `out`; false if it is
    /// disabled.
    fn fire(&self, transition: usize, out: &mut Successors) -> Result<bool, Box<ModelError>>;
}

/// Working memory of the closure, and what was counted.
#[derive(Debug, Default)]
pub struct Closure {
    nodes: Vec<Node>,
    /// The transitions that have no number yet, one bit each.
    unseen: Vec<u64>,
    /// Transitions numbered but not completed, in order of discovery.
    open: Vec<u32>,
    frames: Vec<Frame>,
    need: Obligations,
    statistics: RuleStatistics,
    /// What samples are fired into, and forgotten.
    sample: Successors,
}

/// What the rules did, to help the person who writes them.
#[derive(Clone, Debug, Default)]
pub struct RuleStatistics {
    /// States for which a stubborn set was computed.
    pub n_states: u64,
    /// States that were also fired in full, to compare.
    pub n_samples: u64,
    /// Samples in which something enabled was left out.
    pub n_reduced: u64,
    /// Enabled transitions over all samples.
    pub n_enabled: u64,
    /// Fired transitions over all samples.
    pub n_fired: u64,
    /// For each transition, how often its rule was asked, in the states in which
    /// that was counted.
    pub asked: Vec<u64>,
    /// For each transition, how often its rule obliged everything.
    pub obliged_all: Vec<u64>,
}

impl RuleStatistics {
    fn count_sample(&mut self, n_enabled: usize, n_fired: usize) {
        self.n_samples += 1;
        self.n_reduced += u64::from(n_fired < n_enabled);
        self.n_enabled += n_enabled as u64;
        self.n_fired += n_fired as u64;
    }
}

impl Closure {
    /// Computes the stubborn set of a state and fires its enabled transitions
    /// in order of discovery. If it fires nothing, the state is terminal.
    pub(crate) fn fire_stubborn_set(
        &mut self,
        order: Order,
        n_transitions: usize,
        local: &dyn Local,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let n_before = out.len();
        self.fire_first_component(order, n_transitions, local, out)?;
        if self.statistics.n_states.is_multiple_of(SAMPLE_EVERY) {
            self.sample.clear();
            for t in 0..n_transitions {
                local.fire(t, &mut self.sample)?;
            }
            self.statistics.count_sample(self.sample.len(), out.len() - n_before);
        }
        Ok(())
    }

    fn fire_first_component(
        &mut self,
        order: Order,
        n_transitions: usize,
        local: &dyn Local,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        self.start_state(n_transitions);
        let mut counter = UNSEEN;
        for i in 0..n_transitions {
            let root = order.nth(i, n_transitions);
            if self.nodes[root].number != UNSEEN {
                continue;
            }
            self.enter(root, &mut counter, local);
            while let Some(frame) = self.frames.last_mut() {
                let from = frame.transition as usize;
                match self.need.list.get(frame.next as usize) {
                    None => {
                        if self.leave(local, out)? {
                            return Ok(());
                        }
                    }
                    // Everything, in the order of the numbers. Of those seen, the
                    // oldest open one has the least number.
                    Some(&ALL) => {
                        let oldest = self.nodes[self.open[0] as usize].number;
                        let low = &mut self.nodes[from].low;
                        *low = oldest.min(*low);
                        match first_one(&self.unseen) {
                            Some(t) => self.enter(t, &mut counter, local),
                            None => frame.next += 1,
                        }
                    }
                    Some(&t) => {
                        frame.next += 1;
                        let number = self.nodes[t as usize].number;
                        if number == UNSEEN {
                            self.enter(t as usize, &mut counter, local);
                        } else {
                            // A completed member's number is the largest of all.
                            let low = &mut self.nodes[from].low;
                            *low = number.min(*low);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn start_state(&mut self, n_transitions: usize) {
        if self.nodes.len() != n_transitions {
            self.nodes.resize(n_transitions, Node { number: UNSEEN, low: UNSEEN });
            self.unseen.resize(n_transitions / 64 + 1, 0);
            self.statistics.asked.resize(n_transitions, 0);
            self.statistics.obliged_all.resize(n_transitions, 0);
        }
        self.nodes.iter_mut().for_each(|node| node.number = UNSEEN);
        let (last, others) = self.unseen.split_last_mut().expect("there is at least one word");
        others.iter_mut().for_each(|word| *word = u64::MAX);
        *last = (1 << (n_transitions % 64)) - 1;
        self.open.clear();
        self.frames.clear();
        self.need.list.clear();
        self.statistics.n_states += 1;
    }

    #[inline(always)]
    fn enter(&mut self, t: usize, counter: &mut u32, local: &dyn Local) {
        *counter += 1;
        self.nodes[t] = Node { number: *counter, low: *counter };
        self.unseen[t / 64] &= !(1 << (t % 64));
        self.open.push(t as u32);
        let start = self.need.list.len();
        local.oblige(t, &mut self.need);
        if self.statistics.n_states.is_multiple_of(COUNT_EVERY) {
            self.statistics.asked[t] += 1;
            self.statistics.obliged_all[t] += u64::from(self.need.list[start..].contains(&ALL));
        }
        let start = start as u32;
        self.frames.push(Frame { transition: t as u32, start, next: start });
    }

    /// Leaves the last frame. If that completes a component, fires it; true if
    /// something in it was enabled.
    #[inline(always)]
    fn leave(&mut self, local: &dyn Local, out: &mut Successors) -> Result<bool, Box<ModelError>> {
        let Some(frame) = self.frames.pop() else {
            return Ok(false);
        };
        self.need.list.truncate(frame.start as usize);
        let t = frame.transition as usize;
        let Node { number, low } = self.nodes[t];
        if let Some(parent) = self.frames.last() {
            let parent = &mut self.nodes[parent.transition as usize];
            parent.low = parent.low.min(low);
        }
        if low != number {
            return Ok(false);
        }
        let first = self.open.iter().rposition(|&u| u as usize == t).unwrap_or(0);
        let mut any = false;
        for &u in &self.open[first..] {
            any |= local.fire(u as usize, out)?;
            self.nodes[u as usize].number = COMPLETED;
        }
        if !any {
            self.open.truncate(first);
        }
        Ok(any)
    }

    /// The stubborn set that was just computed: the completed components.
    pub(crate) fn members(&self, n_transitions: usize) -> Vec<usize> {
        (0..n_transitions).filter(|&t| self.nodes[t].number == COMPLETED).collect()
    }

    pub(crate) fn statistics(&self) -> &RuleStatistics {
        &self.statistics
    }
}

/// The least number in a set of bits.
#[inline(always)]
fn first_one(words: &[u64]) -> Option<usize> {
    let i = words.iter().position(|&word| word != 0)?;
    Some(64 * i + words[i].trailing_zeros() as usize)
}
