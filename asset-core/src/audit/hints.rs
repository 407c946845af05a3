//! Obligations that no state asked for: rules stronger than needed.
//!
//! A hint is no proof: it is about one instance. It says that in every reachable
//! state the two transitions leave each other alone and neither changes what a
//! check or a label sees.

use super::known::{DISABLED, Known, Number};
use crate::machine::{Machine, ModelError, Progress};
use crate::model::{ALL, Obligations};

/// A transition whose rule obliges others that it never needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The transition.
    pub transition: String,
    /// The obligations that no state asked for.
    pub never_needed: Vec<String>,
    /// Whether the rule named them, or obliged everything.
    pub by_name: bool,
}

/// What was seen of each pair of transitions.
pub struct Interference {
    n: usize,
    need: Obligations,
    /// For each pair, whether the second got in the way of the first.
    needed: Vec<bool>,
    /// For each pair, whether the first's rule named the second.
    named: Vec<bool>,
    /// For each transition, whether its rule obliged everything.
    obliged_all: Vec<bool>,
    /// For each transition, whether it changed what a check or a label sees.
    visible: Vec<bool>,
}

impl Interference {
    pub fn new(n: usize) -> Self {
        Interference {
            n,
            need: Obligations::new(),
            needed: vec![false; n * n],
            named: vec![false; n * n],
            obliged_all: vec![false; n],
            visible: vec![false; n],
        }
    }

    /// Looks at all pairs in one state.
    pub fn note(&mut self, known: &mut Known<'_>, s: Number) -> Result<(), ModelError> {
        self.note_rules(known, s)?;
        let enabled: Vec<usize> = known.enabled(s).collect();
        for &u in &enabled {
            known.expand(known.next(s, u))?;
        }
        for &u in &enabled {
            let after_u = known.next(s, u);
            self.visible[u] |= known.failing(s) != known.failing(after_u)
                || known.is_progress(s) != known.is_progress(after_u);
            for t in (0..self.n).filter(|&t| t != u) {
                let after_t = known.next(s, t);
                let u_then_t = known.next(after_u, t);
                let leave_alone = match after_t {
                    DISABLED => u_then_t == DISABLED,
                    _ => u_then_t != DISABLED && known.next(after_t, u) == u_then_t,
                };
                self.needed[t * self.n + u] |= !leave_alone;
            }
        }
        Ok(())
    }

    fn note_rules(&mut self, known: &Known<'_>, s: Number) -> Result<(), ModelError> {
        let (machine, state) = (known.machine(), known.state(s));
        for t in 0..self.n {
            machine.obligations(state, t, &mut self.need)?;
            for u in self.need.list.drain(..) {
                match u {
                    ALL => self.obliged_all[t] = true,
                    _ => self.named[t * self.n + u as usize] = true,
                }
            }
        }
        Ok(())
    }

    /// What was obliged and never needed.
    pub fn hints(&self, machine: &dyn Machine) -> Result<Vec<Hint>, ModelError> {
        let mut hints = Vec::new();
        let progress = Progress::of(machine)?;
        let is_marked = |t: usize| progress.as_ref().is_some_and(|p| p.transition(t));
        let is_seen = |t: usize| self.visible[t] || is_marked(t);
        for t in (0..self.n).filter(|&t| !is_seen(t)) {
            let superfluous = |&u: &usize| u != t && !self.needed[t * self.n + u] && !is_seen(u);
            let is_named = |&u: &usize| self.named[t * self.n + u];
            let mut add = |by_name: bool, list: Vec<usize>| {
                if !list.is_empty() {
                    let never_needed = list.iter().map(|&u| machine.transition_name(u)).collect();
                    let transition = machine.transition_name(t);
                    hints.push(Hint { transition, never_needed, by_name });
                }
            };
            add(true, (0..self.n).filter(superfluous).filter(is_named).collect());
            if self.obliged_all[t] {
                add(false, (0..self.n).filter(superfluous).filter(|u| !is_named(u)).collect());
            }
        }
        Ok(hints)
    }
}
