//! Depth-first search that keeps no states but those of its path.
//!
//! G. Holzmann, *The SPIN Model Checker* (2004), Figure 8.5. What can be reached in several
//! ways is searched as often, so this is for small bounds, and for a second opinion that
//! shares no set of states with the other searches. A cycle is followed up to the bound.

use super::deep::Options;
use super::{Failure, Snapshot, Watch};
use crate::expand::{Batch, Recipe, Source};
use crate::machine::{Machine, Packed, Successors};
use crate::model::{CheckSet, Fault};

/// States and the transitions between them, one fewer.
pub type Way = (Vec<Packed>, Vec<usize>);

/// What a stateless search has found.
pub struct Walked {
    /// The shortest counterexample found, and what fails at its end.
    pub found: Option<(Way, Fault)>,
    /// Counterexamples found, each shorter than the one before.
    pub n_found: u64,
    /// Visits of states, not states.
    pub n_visits: u64,
    /// Edges followed.
    pub n_edges: u64,
    /// Visits of terminal states.
    pub n_terminal: u64,
    /// The longest path.
    pub depth: u64,
    /// Whether a state at the bound was left unexpanded.
    pub is_cut: bool,
    /// Whether it came to its end, and what ended it if not.
    pub end: Result<(), Failure>,
    /// The path at that time, if the model has failed.
    pub path: Way,
}

/// A state of the path.
struct Frame {
    state: Packed,
    /// Successors that were not visited yet, the next one last, with their transitions.
    waiting: Vec<(Packed, usize)>,
}

/// Walks all runs of at most `max_depth` steps.
pub fn explore(
    recipe: &Recipe<'_>,
    options: Options,
    max_depth: u32,
    watch: &mut Watch<'_>,
) -> Walked {
    let mut walk = Walk {
        machine: recipe.machine(),
        recipe,
        source: recipe.source(),
        options,
        bound: max_depth as usize,
        out: Successors::default(),
        frames: Vec::new(),
        arrivals: Vec::new(),
        walked: Walked {
            found: None,
            n_found: 0,
            n_visits: 0,
            n_edges: 0,
            n_terminal: 0,
            depth: 0,
            is_cut: false,
            end: Ok(()),
            path: Way::default(),
        },
    };
    let end = walk.run(watch);
    walk.walked.path = walk.path();
    Walked { end, ..walk.walked }
}

struct Walk<'m> {
    machine: &'m dyn Machine,
    recipe: &'m Recipe<'m>,
    source: Box<dyn Source + 'm>,
    options: Options,
    /// The most steps; lowered by each counterexample.
    bound: usize,
    out: Successors,
    frames: Vec<Frame>,
    arrivals: Vec<usize>,
    walked: Walked,
}

impl Walk<'_> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<(), Failure> {
        for root in self.recipe.initial_states()? {
            self.enter(root)?;
            while let Some(frame) = self.frames.last_mut() {
                if self.walked.found.is_some() && !self.options.shorten {
                    return Ok(());
                }
                let n_steps = self.arrivals.len() + 1;
                match frame.waiting.pop() {
                    Some((state, transition)) if n_steps <= self.bound => {
                        self.arrivals.push(transition);
                        self.enter(state)?;
                        self.look(watch)?;
                    }
                    Some(_) => {}
                    None => {
                        self.frames.pop();
                        self.arrivals.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Visits a state at the end of the path.
    fn enter(&mut self, state: Packed) -> Result<(), Failure> {
        let depth = self.frames.len();
        self.frames.push(Frame { state, waiting: Vec::new() });
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        self.walked.n_visits += 1;
        self.walked.depth = self.walked.depth.max(depth as u64);
        if self.options.state_checks != CheckSet::default()
            && let Some(fault) =
                self.machine.state_fault(&frame.state, self.options.state_checks)?
        {
            self.note(fault);
            return Ok(());
        }
        self.out.clear();
        self.source.expand(Batch::awake(&frame.state), &mut self.out)?;
        let n_words = self.machine.n_words();
        let words = self.out.words().chunks_exact(n_words);
        let transitions = self.out.transitions().iter().map(|&t| t as usize);
        self.walked.n_edges += self.out.len() as u64;
        if depth >= self.bound {
            // Whether it is terminal is known, what follows is not.
            self.walked.is_cut |= !self.out.is_empty();
        } else {
            frame.waiting = words.map(Packed::from).zip(transitions).collect();
            frame.waiting.reverse();
        }
        if self.out.is_empty() {
            self.walked.n_terminal += 1;
            let fault = self.machine.deadlock_fault(&frame.state, self.options.deadlock_checks)?;
            fault.into_iter().for_each(|fault| self.note(fault));
        }
        Ok(())
    }

    fn path(&self) -> Way {
        let states = self.frames.iter().map(|frame| frame.state.clone()).collect();
        (states, self.arrivals.clone())
    }

    /// A check fails at the end of the path.
    fn note(&mut self, fault: Fault) {
        self.bound = self.arrivals.len().saturating_sub(1);
        self.walked.found = Some((self.path(), fault));
        self.walked.n_found += 1;
    }

    fn look(&self, watch: &mut Watch<'_>) -> Result<(), Failure> {
        let state = 8 * self.machine.n_words() + 64;
        let bytes = self.frames.iter().map(|f| state * (1 + f.waiting.len())).sum::<usize>();
        let snapshot = Snapshot {
            phase: "walking all runs",
            n_states: self.walked.n_visits,
            n_edges: self.walked.n_edges,
            queue: 0,
            depth: self.frames.len() as u64,
            bytes,
        };
        Ok(watch.check(&snapshot, bytes)?)
    }
}
