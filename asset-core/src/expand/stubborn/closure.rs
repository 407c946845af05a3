//! The strong stubborn set of one state: the first strong component of the
//! obligations, in order of completion, that contains an enabled transition.
//!
//! Valmari, *Error Detection by Reduced Reachability Graph Generation* (1988),
//! with Tarjan's algorithm, iterative and without allocation per state. The
//! order of starting points and of firing is fixed (`Order`, then discovery),
//! so that two people get the same counts.

use super::view::{Fresh, Lists, View};
use crate::machine::{ModelError, Opened, Successors};
use crate::model::{ALL, END, Order, RuleStatistics};

/// The number of a member of a completed component: larger than all others.
const COMPLETED: u32 = u32::MAX;
/// One expanded state in so many is fired in full to count what is enabled.
const SAMPLE_EVERY: u64 = 61;
/// In one expanded state in so many, what the rules oblige is counted.
const COUNT_EVERY: u64 = 16;
/// Beyond so many states, either is done as many times more seldom: these states are not
/// expanded by stubborn sets that are remembered, so that it takes time.
const MANY: u64 = 61 << 14;
const MORE_SELDOM: u64 = 4;
const _: () = assert!(MANY.is_multiple_of(MORE_SELDOM * COUNT_EVERY * SAMPLE_EVERY));

/// A transition whose obligations are being followed.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    number: u32,
    /// The least number known to be reached from it.
    low: u32,
    /// The next obligation to follow.
    next: u32,
}

/// Working memory of the closure, and what was counted.
#[derive(Debug, Default)]
pub struct Closure {
    numbers: Vec<u32>,
    unseen: Vec<u64>,
    open: Vec<u32>,
    frames: Vec<Frame>,
    statistics: RuleStatistics,
    lists: Lists,
}

impl Closure {
    /// Expands one state, of `n_words` words, as its stubborn set says.
    pub fn expand(
        &mut self,
        order: Order,
        n_transitions: usize,
        local: &dyn Opened,
        n_words: usize,
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut lists = std::mem::take(&mut self.lists);
        let view = &mut Fresh::new(local, &mut lists);
        let done = self.expand_by(order, n_transitions, view, n_words, out);
        self.lists = lists;
        done.map_err(|error| *error)
    }

    /// The same, for a state that is seen in this way.
    #[inline(always)]
    pub fn expand_by<V: View>(
        &mut self,
        order: Order,
        n_transitions: usize,
        view: &mut V,
        n_words: usize,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let done = self.fire_by(order, n_transitions, view, out);
        match done {
            Ok(()) => out.end_state(),
            Err(_) => out.drop_unfinished(n_words),
        }
        done
    }

    #[inline(always)]
    fn fire_by<V: View>(
        &mut self,
        order: Order,
        n_transitions: usize,
        view: &mut V,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        let n_before = out.len();
        self.start_state(n_transitions).fire_first(order, n_transitions, view, out)?;
        let n_states = self.statistics.n_states;
        if n_states.is_multiple_of(SAMPLE_EVERY * seldom(n_states)) {
            let mut n_enabled = 0;
            for t in 0..n_transitions {
                n_enabled += usize::from(view.is_enabled(t)?);
            }
            self.statistics.count_sample(n_enabled, out.len() - n_before);
        }
        Ok(())
    }

    /// How many states come before the next one in which something is counted.
    #[inline(always)]
    pub fn n_uncounted(&self) -> usize {
        let next = self.statistics.n_states + 1;
        let n_before = |every: u64| next.next_multiple_of(every) - next;
        let seldom = seldom(next);
        n_before(COUNT_EVERY * seldom).min(n_before(SAMPLE_EVERY * seldom)) as usize
    }

    /// So many states have been expanded in which nothing else is counted.
    #[inline(always)]
    pub fn count_states(&mut self, n: usize) {
        self.statistics.n_states += n as u64;
    }

    /// Makes room for so many transitions, and starts with a state.
    #[inline(always)]
    fn start_state(&mut self, n_transitions: usize) -> Components<'_> {
        // Of no transitions, too, there is a word that tells which are unseen.
        if self.unseen.is_empty() || self.numbers.len() != n_transitions {
            self.numbers.resize(n_transitions, 0);
            self.unseen.resize(n_transitions / 64 + 1, 0);
            self.open.resize(n_transitions, 0);
            self.frames.resize(n_transitions, Frame::default());
            self.statistics.asked.resize(n_transitions, 0);
            self.statistics.obliged_all.resize(n_transitions, 0);
        }
        let (last, others) = self.unseen.split_last_mut().expect("there is at least one word");
        others.iter_mut().for_each(|word| *word = u64::MAX);
        *last = (1 << (n_transitions % 64)) - 1;
        self.statistics.n_states += 1;
        let n_states = self.statistics.n_states;
        let is_counted = n_states.is_multiple_of(COUNT_EVERY * seldom(n_states));
        Components {
            numbers: &mut self.numbers,
            unseen: &mut self.unseen,
            open: &mut self.open,
            n_open: 0,
            frames: &mut self.frames,
            n_frames: 0,
            counted: is_counted.then_some(&mut self.statistics),
        }
    }

    /// The stubborn set that was just computed: the completed components.
    pub fn members(&self, n_transitions: usize) -> Vec<usize> {
        let is_member = |&t: &usize| !is_one(&self.unseen, t) && self.numbers[t] == COMPLETED;
        (0..n_transitions).filter(is_member).collect()
    }

    pub fn statistics(&self) -> &RuleStatistics {
        &self.statistics
    }
}

/// The strong components of one state's obligations, as far as they are known.
struct Components<'c> {
    /// The numbers of the transitions that have been reached, by which Tarjan's
    /// algorithm knows them: their places among the open ones, from 1 on.
    numbers: &'c mut [u32],
    /// The transitions that have not been reached, one bit each.
    unseen: &'c mut [u64],
    /// Transitions reached but not completed, in order of discovery, and how many.
    open: &'c mut [u32],
    n_open: usize,
    /// Those whose obligations are being followed, and how many.
    frames: &'c mut [Frame],
    n_frames: usize,
    /// Where to count what the rules oblige, if that is done in this state.
    counted: Option<&'c mut RuleStatistics>,
}

impl Components<'_> {
    /// Completes components until one contains something enabled, and fires that.
    #[inline(always)]
    fn fire_first<V: View>(
        &mut self,
        order: Order,
        n_transitions: usize,
        view: &mut V,
        out: &mut Successors,
    ) -> Result<(), Box<ModelError>> {
        for i in 0..n_transitions {
            let root = order.nth(i, n_transitions);
            if !is_one(self.unseen, root) {
                continue;
            }
            let next = self.reach(root, view)?;
            self.follow(next);
            while self.n_frames > 0 {
                let frame = &mut self.frames[self.n_frames - 1];
                match view.lists()[frame.next as usize] {
                    END => {
                        if self.leave(view, out)? {
                            return Ok(());
                        }
                    }
                    // Everything, in the order of the numbers. Of those seen, the
                    // oldest open one has the least number.
                    ALL => {
                        frame.low = 1;
                        let Some(t) = first_one(self.unseen) else {
                            frame.next += 1;
                            continue;
                        };
                        let next = self.reach(t, view)?;
                        // What is obliged by one that obliges everything as well is
                        // reached from here, in the same order.
                        if view.lists()[next as usize] != ALL {
                            self.follow(next);
                        }
                    }
                    t => {
                        frame.next += 1;
                        if is_one(self.unseen, t as usize) {
                            let next = self.reach(t as usize, view)?;
                            self.follow(next);
                        } else {
                            frame.low = frame.low.min(self.numbers[t as usize]);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Reaches a transition for the first time. Returns where its obligations begin.
    #[inline(always)]
    fn reach<V: View>(&mut self, t: usize, view: &mut V) -> Result<u32, Box<ModelError>> {
        self.open[self.n_open] = t as u32;
        self.n_open += 1;
        self.numbers[t] = self.n_open as u32;
        self.unseen[t / 64] &= !(1 << (t % 64));
        let next = view.oblige(t)?;
        if let Some(statistics) = &mut self.counted {
            let mut list = view.lists()[next as usize..].iter().take_while(|&&t| t != END);
            statistics.asked[t] += 1;
            statistics.obliged_all[t] += u64::from(list.any(|&t| t == ALL));
        }
        Ok(next)
    }

    /// Follows the obligations of the transition that was reached last.
    #[inline(always)]
    fn follow(&mut self, next: u32) {
        let number = self.n_open as u32;
        self.frames[self.n_frames] = Frame { number, low: number, next };
        self.n_frames += 1;
    }

    /// Leaves the last frame. If that completes a component, fires it; true if
    /// something in it was enabled.
    #[inline(always)]
    fn leave<V: View>(
        &mut self,
        view: &mut V,
        out: &mut Successors,
    ) -> Result<bool, Box<ModelError>> {
        self.n_frames -= 1;
        let Frame { number, low, .. } = self.frames[self.n_frames];
        if low != number {
            // Nothing comes before the first one of all.
            let parent = &mut self.frames[self.n_frames - 1];
            parent.low = parent.low.min(low);
            return Ok(false);
        }
        let first = number as usize - 1;
        let mut any = false;
        for &u in &self.open[first..self.n_open] {
            any |= view.fire(u as usize, out)?;
            self.numbers[u as usize] = COMPLETED;
        }
        self.n_open = first;
        Ok(any)
    }
}

/// How many times more seldom something is counted where there are so many states.
#[inline(always)]
fn seldom(n_states: u64) -> u64 {
    if n_states < MANY { 1 } else { MORE_SELDOM }
}

/// Whether a number is in a set of bits.
#[inline(always)]
fn is_one(words: &[u64], i: usize) -> bool {
    words[i / 64] >> (i % 64) & 1 != 0
}

/// The least number in a set of bits.
#[inline(always)]
fn first_one(words: &[u64]) -> Option<usize> {
    let i = words.iter().position(|&word| word != 0)?;
    Some(64 * i + words[i].trailing_zeros() as usize)
}
