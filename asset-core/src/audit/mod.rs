//! Are the stubborn set rules of a model right? An exact test that shares no
//! code with the reduction it judges.
//!
//! Let `T` be the stubborn set of a state `s0`, disabled members included, `O`
//! the other transitions, and `R` what is reachable from `s0` by `O` alone. The
//! conditions D1 and D2 of A. Valmari, *Stop It, and Be Stubborn!*, speak of
//! sequences of `O`. They hold iff in every state of `R`, for each `t` in `T`
//! and each enabled `u` in `O`:
//!
//! - `u` neither enables nor disables `t`;
//! - if `t` is enabled, it does not disable `u`, and `t;u` and `u;t` lead to
//!   the same state.
//!
//! Fire `t` first and push it down the sequence one such square at a time. D0
//! asks that something in `T` is enabled if anything is. For state checks "the
//! check fails here" is one more transition of `O`: where `u` makes a check
//! fail, `t` must not mend it. That is asked only where the check does not fail
//! in `s0` itself, because there it has been found and cannot be hidden. What is to be
//! reachable is judged in the same way: to satisfy it is what may not be hidden.
//!
//! Progress labels, for livelock checks: where a label depends on the state,
//! `t` and `u` have the same label on both sides of the square. Where states
//! are labelled and reduction applies (neither `s0` nor a state after a member
//! of `T` is a progress state), `t` must not lead into one later either: it
//! would end a cycle without progress that `O` can run through.
//!
//! Must progress asks nothing of the rules: that it holds is said only after a
//! search in which everything was fired.
//!
//! All this is asked of every reachable state and of both orders of starting
//! points, if that many states fit, and otherwise of states on random walks.

mod hints;
mod judge;
mod known;
mod square;
mod walk;

pub use hints::Hint;
pub use square::{Evidence, Flaw, Square};

use crate::machine::Failure;
use crate::machine::{Machine, ModelError};
use crate::memory::{Limit, Snapshot, Watch};
use crate::model::CheckSet;
use crate::model::Order;
use crate::trace::Path;
use hints::Interference;
use judge::{Bounds, Fault, Judge};
use known::{Known, Number};
use walk::Walk;

/// States remembered between samples, before an audit starts to forget.
const MAX_REMEMBERED: usize = 1_000_000;

/// How much an audit looks at.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// Every reachable state is judged if there are at most so many.
    /// Default: 20,000.
    pub max_states: usize,
    /// States judged on random walks if there are more. Default: 500.
    pub n_samples: usize,
    /// The seed of the random walks. Default: 1.
    pub seed: u64,
    /// The largest `R`; what is beyond is counted as not covered.
    /// Default: 5,000.
    pub max_r: usize,
    /// The checks that the rules must respect, among state checks and those of what is to be
    /// reachable. Default: all.
    pub state_checks: CheckSet,
    /// Whether rules must respect progress labels that depend on the state. Default: yes.
    pub labels: bool,
}

impl Default for AuditOptions {
    fn default() -> Self {
        AuditOptions {
            max_states: 20_000,
            n_samples: 500,
            seed: 1,
            max_r: 5000,
            state_checks: CheckSet::ALL,
            labels: true,
        }
    }
}

/// What an audit may claim.
#[derive(Clone, Debug)]
pub enum AuditVerdict {
    /// Every reachable state was judged, to the end: the rules are right.
    NoFault,
    /// No fault was found, but not everything was looked at, for this reason.
    NoFaultFound(String),
    /// A rule is wrong, as this square shows.
    WrongRule(Box<Square>),
    /// Nothing was judged to the end, for this reason.
    NothingCovered(String),
}

impl AuditVerdict {
    /// The verdict in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            AuditVerdict::NoFault => "no fault",
            AuditVerdict::NoFaultFound(_) => "no fault found",
            AuditVerdict::WrongRule(_) => "wrong rule",
            AuditVerdict::NothingCovered(_) => "nothing covered",
        }
    }

    /// The exit code of an audit with this verdict.
    pub fn exit_code(&self) -> u8 {
        match self {
            AuditVerdict::NoFault | AuditVerdict::NoFaultFound(_) => 0,
            AuditVerdict::WrongRule(_) => 1,
            AuditVerdict::NothingCovered(_) => 3,
        }
    }
}

/// What an audit looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Whether every reachable state was judged.
    pub is_exhaustive: bool,
    /// States judged.
    pub n_states: u64,
    /// Stubborn sets judged: one or two a state, as the order matters or not.
    pub n_sets: u64,
    /// Sets that leave something enabled out; the others have nothing to prove.
    pub n_reducing: u64,
    /// Sets whose `R` was larger than allowed: judged in part.
    pub n_cut_off: u64,
    /// Squares compared.
    pub n_squares: u64,
    /// What ended the audit early.
    pub limit: Option<Limit>,
}

/// Everything an audit found.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// The model's name.
    pub model: &'static str,
    /// Its parameters.
    pub params: Vec<(&'static str, &'static str)>,
    /// What may be claimed.
    pub verdict: AuditVerdict,
    /// What was looked at.
    pub coverage: Coverage,
    /// The seed of the random walks, if there were any.
    pub seed: Option<u64>,
    /// Obligations that no state asked for; only if all states were judged.
    pub hints: Vec<Hint>,
    /// Seconds it took.
    pub seconds: f64,
}

/// Tells the stubborn set of a state where transitions are fired in an order: all members,
/// sorted.
pub type StubbornSets<'s> = dyn FnMut(&[u64], Order) -> Result<Vec<usize>, ModelError> + 's;

/// Judges the rules of a machine that has some, by the sets that follow from them. An error comes with a path to the state that
/// it is about, or to one before it, if there is one.
pub fn audit(
    machine: &dyn Machine,
    sets: &mut StubbornSets<'_>,
    options: &AuditOptions,
    watch: &mut Watch<'_>,
) -> Result<AuditReport, (Box<ModelError>, Option<Path>)> {
    let mut audit = Audit {
        machine,
        sets,
        options,
        known: Known::new(machine, options.state_checks),
        judge: Judge::default(),
        interference: Interference::new(machine.n_transitions()),
        coverage: Coverage::default(),
        seed: None,
        worst: None,
    };
    let ended = match audit.explore(watch) {
        Ok(true) => audit.judge_all(watch),
        Ok(false) => audit.judge_samples(watch),
        Err(failure) => Err(failure),
    };
    match ended {
        Ok(()) => {}
        Err(Failure::Limit(limit)) => audit.coverage.limit = Some(limit),
        Err(Failure::Model(error, _)) => {
            let path = error.state.as_ref().and_then(|state| audit.known.path_to_blame(state));
            return Err((error, path));
        }
    }
    audit.report(watch).map_err(|error| (error.into(), None))
}

fn snapshot(known: &Known<'_>, phase: &'static str, n_squares: u64) -> Snapshot {
    let (n_states, bytes) = (known.len() as u64, known.bytes());
    Snapshot { phase, n_states, n_edges: n_squares, queue: 0, depth: 0, bytes }
}

/// An audit under way.
struct Audit<'m> {
    machine: &'m dyn Machine,
    sets: &'m mut StubbornSets<'m>,
    options: &'m AuditOptions,
    known: Known<'m>,
    judge: Judge,
    interference: Interference,
    coverage: Coverage,
    /// The seed of the random walks, if there were any.
    seed: Option<u64>,
    /// The simplest fault so far.
    worst: Option<Fault>,
}

impl Audit<'_> {
    /// Fires everything from the initial states on; false if there are more
    /// states than allowed.
    fn explore(&mut self, watch: &mut Watch<'_>) -> Result<bool, Failure> {
        for state in self.machine.initial_states()? {
            self.known.initial(&state)?;
        }
        let mut next = 0;
        while (next as usize) < self.known.len() {
            if self.known.len() > self.options.max_states {
                return Ok(false);
            }
            self.known.expand(next)?;
            next += 1;
            watch.check(&snapshot(&self.known, "exploring", 0), 0)?;
        }
        Ok(true)
    }

    fn judge_all(&mut self, watch: &mut Watch<'_>) -> Result<(), Failure> {
        for s0 in 0..self.known.len() as Number {
            self.judge_state(s0, "judging every state", watch)?;
            if self.worst.as_ref().is_some_and(Fault::is_simplest) {
                // The states left are numbered higher.
                return Ok(());
            }
        }
        self.coverage.is_exhaustive = true;
        Ok(())
    }

    fn judge_samples(&mut self, watch: &mut Watch<'_>) -> Result<(), Failure> {
        let mut walk = Walk::new(self.options.seed);
        self.seed = Some(self.options.seed);
        for _ in 0..self.options.n_samples {
            if self.known.len() > MAX_REMEMBERED {
                self.known.clear();
            }
            let Some(s0) = walk.next_new(&mut self.known)? else { break };
            self.judge_state(s0, "judging samples", watch)?;
            if self.worst.as_ref().is_some_and(Fault::is_simplest) {
                break;
            }
        }
        Ok(())
    }

    /// Judges the stubborn sets of a state in both orders. What is not judged
    /// when a limit is reached does not count.
    fn judge_state(
        &mut self,
        s0: Number,
        phase: &'static str,
        watch: &mut Watch<'_>,
    ) -> Result<(), Failure> {
        self.known.expand(s0)?;
        self.interference.note(&mut self.known, s0)?;
        let mut before: Option<Vec<usize>> = None;
        for order in [Order::Backward, Order::Forward] {
            let state = self.known.state(s0);
            let set = (self.sets)(state, order)?;
            if before.as_ref() == Some(&set) {
                break;
            }
            let bounds = Bounds {
                max_r: self.options.max_r,
                labels: self.options.labels,
                max_depth: self.worst.as_ref().map_or(usize::MAX, Fault::depth_of_simpler),
            };
            let n_squares = self.coverage.n_squares;
            let mut go_on =
                |known: &Known<'_>| Ok(watch.check(&snapshot(known, phase, n_squares), 0)?);
            let judged =
                self.judge.judge(&mut self.known, s0, (&set, order), bounds, &mut go_on)?;
            self.coverage.n_sets += 1;
            self.coverage.n_reducing += u64::from(judged.is_reducing);
            self.coverage.n_cut_off += u64::from(judged.is_cut_off);
            self.coverage.n_squares += judged.n_squares;
            if let Some(fault) = judged.fault
                && self.worst.as_ref().is_none_or(|worst| fault.is_simpler_than(worst))
            {
                self.worst = Some(fault);
            }
            before = Some(set);
        }
        self.coverage.n_states += 1;
        Ok(())
    }

    fn report(mut self, watch: &Watch<'_>) -> Result<AuditReport, ModelError> {
        let verdict = match self.worst.take() {
            Some(fault) => {
                let square = square::draw(self.machine, fault.flaw, fault.evidence)?;
                AuditVerdict::WrongRule(Box::new(square))
            }
            None => self.verdict(),
        };
        // Samples see too little: a pair that meets rarely would look harmless.
        let hints = match self.coverage.is_exhaustive {
            true => self.interference.hints(self.machine)?,
            false => Vec::new(),
        };
        Ok(AuditReport {
            model: "",
            params: Vec::new(),
            verdict,
            coverage: self.coverage,
            seed: self.seed,
            hints,
            seconds: watch.elapsed().as_secs_f64(),
        })
    }

    fn verdict(&self) -> AuditVerdict {
        let c = &self.coverage;
        let mut gaps = Vec::new();
        if let Some(limit) = c.limit {
            gaps.push(limit.to_string());
        }
        if !c.is_exhaustive && c.limit.is_none() {
            gaps.push(format!(
                "there are more than {} reachable states, so {} were drawn by random walks",
                self.options.max_states, c.n_states
            ));
        }
        if c.n_cut_off > 0 {
            gaps.push(format!(
                "{} of {} stubborn sets were judged only on the first {} states that the \
                 other transitions reach",
                c.n_cut_off, c.n_sets, self.options.max_r
            ));
        }
        let gaps = gaps.join("; ");
        if c.n_cut_off == c.n_sets {
            let why = if gaps.is_empty() { "no state was looked at".to_owned() } else { gaps };
            return AuditVerdict::NothingCovered(why);
        }
        if gaps.is_empty() { AuditVerdict::NoFault } else { AuditVerdict::NoFaultFound(gaps) }
    }
}
