//! Judges one stubborn set: visits `R` breadth-first and compares squares.

use super::known::{DISABLED, Known, Number};
use super::square::{Evidence, Flaw};
use crate::machine::Failure;
use crate::machine::ModelError;
use crate::model::Order;

/// A square that does not close.
#[derive(Clone, Debug)]
pub struct Fault {
    pub flaw: Flaw,
    /// The number of the state whose set it is.
    pub s0: Number,
    pub evidence: Evidence,
}

impl Fault {
    pub fn depth(&self) -> usize {
        self.evidence.path.len()
    }

    /// The longest path of a simpler fault in a state with a higher number.
    pub fn depth_of_simpler(&self) -> usize {
        if self.flaw.is_about_labels() { usize::MAX } else { self.depth().saturating_sub(1) }
    }

    /// Whether no fault in a state with a higher number is simpler.
    pub fn is_simplest(&self) -> bool {
        self.depth() == 0 && !self.flaw.is_about_labels()
    }

    /// Faults of labels come last; then the shorter path, then the state that
    /// was numbered first.
    pub fn is_simpler_than(&self, other: &Fault) -> bool {
        let rank = |f: &Fault| (f.flaw.is_about_labels(), f.depth(), f.s0);
        rank(self) < rank(other)
    }
}

/// What was found about one set.
#[derive(Debug, Default)]
pub struct Judged {
    pub fault: Option<Fault>,
    /// Whether something enabled is outside the set.
    pub is_reducing: bool,
    /// Whether `R` was larger than allowed.
    pub is_cut_off: bool,
    pub n_squares: u64,
}

/// How much of `R` is visited.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The largest number of states.
    pub max_r: usize,
    /// The largest distance from `s0`: what is beyond is of no interest.
    pub max_depth: usize,
    /// Whether labels that depend on the state are compared.
    pub labels: bool,
}

/// A state of `R` and how it was reached.
#[derive(Clone, Copy)]
struct Visit {
    state: Number,
    depth: usize,
    /// The visit before, and the transition from there.
    from: Option<(usize, usize)>,
}

/// Working memory.
#[derive(Default)]
pub struct Judge {
    visits: Vec<Visit>,
    /// For each state, the last round in which it was visited.
    visited: Vec<u32>,
    round: u32,
}

/// The set that is judged, and what is asked of labels.
struct Case<'s> {
    s0: Number,
    set: &'s [usize],
    others: Vec<usize>,
    /// For each member of the set, whether it is enabled in `s0`.
    enabled: Vec<bool>,
    /// Whether members that lead into progress states would hide something.
    watches_progress: bool,
    watches_edges: bool,
}

impl Judge {
    /// Judges a set in a state that was expanded. `go_on` is asked before every
    /// state of `R`; its failure is the failure of this.
    pub fn judge(
        &mut self,
        known: &mut Known<'_>,
        s0: Number,
        (set, order): (&[usize], Order),
        bounds: Bounds,
        go_on: &mut dyn FnMut(&Known<'_>) -> Result<(), Failure>,
    ) -> Result<Judged, Failure> {
        let case = Case::new(known, s0, set, bounds.labels)?;
        let mut judged = Judged {
            is_reducing: case.others.iter().any(|&u| known.next(s0, u) != DISABLED),
            ..Judged::default()
        };
        let fault = |known: &Known<'_>, flaw, path, pair: Option<(usize, usize)>| {
            let (t, u) = pair.unzip();
            let (initial, way) = known.way_to(s0);
            let initial = known.state(initial).into();
            let (state, set) = (known.state(s0).into(), set.to_vec());
            Fault { flaw, s0, evidence: Evidence { initial, way, state, set, order, path, t, u } }
        };
        if judged.is_reducing && !case.enabled.contains(&true) {
            judged.fault = Some(fault(known, Flaw::NothingEnabled, Vec::new(), None));
            return Ok(judged);
        }
        self.round += 1;
        self.visits.clear();
        self.visit(known, Visit { state: s0, depth: 0, from: None });
        let mut next = 0;
        while let Some(&visit) = self.visits.get(next) {
            if visit.depth > bounds.max_depth {
                break;
            }
            go_on(known)?;
            for &u in &case.others {
                if known.next(visit.state, u) == DISABLED {
                    continue;
                }
                judged.n_squares += case.set.len() as u64;
                if let Some((flaw, t)) = case.compare(known, visit.state, u)?
                    && (judged.fault.is_none() || !flaw.is_about_labels())
                {
                    let path = self.path_to(next);
                    judged.fault = Some(fault(known, flaw, path, Some((t, u))));
                    if !flaw.is_about_labels() {
                        return Ok(judged);
                    }
                }
                if self.visits.len() < bounds.max_r {
                    let state = known.next(visit.state, u);
                    self.visit(
                        known,
                        Visit { state, depth: visit.depth + 1, from: Some((next, u)) },
                    );
                } else {
                    judged.is_cut_off |= !self.is_visited(known.next(visit.state, u));
                }
            }
            next += 1;
        }
        Ok(judged)
    }

    fn visit(&mut self, known: &Known<'_>, visit: Visit) {
        self.visited.resize(known.len(), 0);
        if !self.is_visited(visit.state) {
            self.visited[visit.state as usize] = self.round;
            self.visits.push(visit);
        }
    }

    fn is_visited(&self, s: Number) -> bool {
        self.visited.get(s as usize) == Some(&self.round)
    }

    fn path_to(&self, visit: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = self.visits[visit].from;
        while let Some((before, u)) = at {
            path.push(u);
            at = self.visits[before].from;
        }
        path.reverse();
        path
    }
}

impl<'s> Case<'s> {
    fn new(
        known: &mut Known<'_>,
        s0: Number,
        set: &'s [usize],
        labels: bool,
    ) -> Result<Self, ModelError> {
        known.expand(s0)?;
        let description = known.machine().description();
        let leads_to_progress =
            |&t: &usize| known.next(s0, t) != DISABLED && known.is_progress(known.next(s0, t));
        Ok(Case {
            s0,
            set,
            others: (0..known.n_transitions()).filter(|t| !set.contains(t)).collect(),
            enabled: set.iter().map(|&t| known.next(s0, t) != DISABLED).collect(),
            watches_progress: labels
                && description.progress_states
                && !known.is_progress(s0)
                && !set.iter().any(leads_to_progress),
            watches_edges: labels && description.progress_edges,
        })
    }

    /// Compares the squares of `u`, which is enabled, and every member of the
    /// set, in a state that was expanded. The first flaw, and its member.
    fn compare(
        &self,
        known: &mut Known<'_>,
        s: Number,
        u: usize,
    ) -> Result<Option<(Flaw, usize)>, ModelError> {
        let after_u = known.next(s, u);
        known.expand(after_u)?;
        let mut about_labels = None;
        for (&t, &is_enabled) in self.set.iter().zip(&self.enabled) {
            let u_then_t = known.next(after_u, t);
            if !is_enabled {
                if u_then_t != DISABLED {
                    return Ok(Some((Flaw::Enabled, t)));
                }
                continue;
            }
            if u_then_t == DISABLED {
                return Ok(Some((Flaw::Disabled, t)));
            }
            let after_t = known.next(s, t);
            known.expand(after_t)?;
            let t_then_u = known.next(after_t, u);
            if t_then_u == DISABLED {
                return Ok(Some((Flaw::Disables, t)));
            }
            if t_then_u != u_then_t {
                return Ok(Some((Flaw::OrderMatters, t)));
            }
            let hidden =
                known.failing(after_u).0 & !known.failing(u_then_t).0 & !known.failing(self.s0).0;
            if hidden != 0 {
                return Ok(Some((Flaw::HidesCheck(hidden.trailing_zeros() as usize), t)));
            }
            if about_labels.is_none() {
                about_labels = self.labels(known, s, after_t, after_u, (t, u))?.map(|f| (f, t));
            }
        }
        Ok(about_labels)
    }

    /// Compares the progress labels on both sides of a square that closes.
    fn labels(
        &self,
        known: &Known<'_>,
        s: Number,
        after_t: Number,
        after_u: Number,
        (t, u): (usize, usize),
    ) -> Result<Option<Flaw>, ModelError> {
        let end = known.next(after_u, t);
        if self.watches_progress && !known.is_progress(after_u) && known.is_progress(end) {
            return Ok(Some(Flaw::HidesCycle));
        }
        if self.watches_edges {
            let machine = known.machine();
            let label = |from: Number, t: usize| {
                let state = known.state(from);
                machine.progress_edge(state, t)
            };
            if label(s, t)? != label(after_u, t)? || label(s, u)? != label(after_t, u)? {
                return Ok(Some(Flaw::LabelsDiffer));
            }
        }
        Ok(None)
    }
}
