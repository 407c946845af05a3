//! Picks the parts of a run, runs them and returns what was found as values.
//!
//! Invariant: nothing here prints, reads the environment or ends the process.

/// A function that is compiled for states of one, two, three and four words, and
/// once more for others: the one for this machine.
macro_rules! for_words {
    ($machine:expr, $($function:ident)::+) => {
        match $machine.n_words() {
            1 => $($function)::+::<1>,
            _ => for_several_words!($machine, $($function)::+),
        }
    };
}

/// The same for a machine whose states are known to take more than one word.
macro_rules! for_several_words {
    ($machine:expr, $($function:ident)::+) => {
        match $machine.n_words() {
            2 => $($function)::+::<2>,
            3 => $($function)::+::<3>,
            4 => $($function)::+::<4>,
            _ => $($function)::+::<0>,
        }
    };
}

mod audit;
mod blame;
mod check;
mod deep;
mod livelock;
mod shared;
mod temporal;

pub(crate) use blame::model_error;
pub use deep::DepthFirst;
pub use livelock::{Livelock, LivelockReduction, LivelockSearch};
pub use temporal::{Extra, FairnessLevel, Temporal, TemporalSearch};

use crate::expand::inferred::Inferred;
use crate::expand::{Choice, Recipe};
use crate::machine::{Family, Instance, Machine};
use crate::memory::memory_limit;
use crate::model::{Check, CheckSet, Order};
use crate::search::rounds::Crew;
use crate::search::{Limit, Limits, Observer};
use crate::trace::Trace;
use crate::verdict::Outcome;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The most threads.
pub(crate) const MAX_THREADS: usize = 256;

/// A run that could not give an outcome.
#[derive(Clone, Debug)]
pub enum RunError {
    /// What was asked for does not exist or would be unsound, as a sentence.
    Usage(String),
    /// A limit was reached before there was anything to show.
    Limit(Limit),
    /// The model broke its contract, as a sentence, with the way to the state
    /// in which it did if there is one.
    Model {
        /// What happened, with the transition.
        sentence: String,
        /// How to get there.
        trace: Option<Trace>,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Usage(sentence) => f.write_str(sentence),
            RunError::Limit(limit) => write!(f, "nothing to show: {limit}"),
            RunError::Model { sentence, trace: None } => f.write_str(sentence),
            RunError::Model { sentence, trace: Some(trace) } => write!(f, "{sentence}\n{trace}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Whose rules stubborn sets follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Those that the author wrote.
    #[default]
    Author,
    /// Those that are found in the model's own code, whatever the author wrote.
    Inferred,
}

impl Rules {
    /// All of them.
    pub const ALL: [Rules; 2] = [Rules::Author, Rules::Inferred];

    /// The rules in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Author => "author",
            Rules::Inferred => "inferred",
        }
    }

    /// Whose rules a recipe follows.
    fn of(recipe: &Recipe<'_>) -> Self {
        if recipe.infers() { Rules::Inferred } else { Rules::Author }
    }

    /// On what a claim rests that rests on rules; it goes before the claim.
    pub(crate) const fn proviso(self) -> &'static str {
        match self {
            Rules::Author => "provided the rules are right (see `audit`): ",
            Rules::Inferred => "by rules found in the model's own code: ",
        }
    }
}

/// Builds and runs a check of a model.
///
/// ```
/// use asset_core::prelude::*;
/// use asset_core::explorer::Explorer;
///
/// /// A lamp that is switched on and off.
/// #[model]
/// pub mod lamp {
///     #[state]
///     pub struct State {
///         on: bool,
///     }
///
///     #[transitions]
///     pub enum Transition {
///         Press,
///     }
///
///     pub fn fire_transition(s: &mut State, t: Transition) -> bool {
///         match t {
///             Transition::Press => s.on = !s.on,
///         }
///         true
///     }
///
///     #[check(may_progress)]
///     pub fn can_be_on(s: &State) -> bool {
///         s.on
///     }
/// }
///
/// let outcome = Explorer::new(lamp::model()).run().unwrap();
/// assert_eq!(outcome.assert_holds().statistics.n_states, 2);
/// ```
pub struct Explorer<'o> {
    family: Family,
    params: Vec<(String, String)>,
    reduction: Option<Choice>,
    rules: Rules,
    order: Order,
    limits: Limits,
    checks: Option<Vec<String>>,
    max_violations: usize,
    denies_vacuous: bool,
    paranoid: bool,
    temporal: Temporal,
    deep: Option<DepthFirst>,
    crew: Option<Crew>,
    loose: bool,
    stop: Option<&'o AtomicBool>,
    observer: Option<&'o mut dyn Observer>,
}

impl<'o> Explorer<'o> {
    /// A run of the model's default instance.
    pub fn new(family: Family) -> Self {
        Explorer {
            family,
            params: Vec::new(),
            reduction: None,
            rules: Rules::default(),
            order: Order::default(),
            limits: Limits::default(),
            checks: None,
            max_violations: 1,
            denies_vacuous: false,
            paranoid: false,
            temporal: Temporal::default(),
            deep: None,
            crew: None,
            loose: false,
            stop: None,
            observer: None,
        }
    }

    /// Sets a parameter. Default: the value of the constant in the model.
    pub fn param(mut self, name: &str, value: impl ToString) -> Self {
        self.params.push((name.to_owned(), value.to_string()));
        self
    }

    /// Sets the reduction. Default: stubborn sets where the model has rules.
    pub fn reduction(mut self, choice: Choice) -> Self {
        self.reduction = Some(choice);
        self
    }

    /// Sets whose rules stubborn sets follow. With inferred ones, a model needs none of its
    /// own; a run that cannot have them is refused. Default: [`Rules::Author`].
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the order of firing. Default: [`Order::Backward`].
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Ends the run as inconclusive beyond so many states. Default: no limit.
    pub fn max_states(mut self, n: u64) -> Self {
        self.limits.max_states = Some(n);
        self
    }

    /// Ends the run as inconclusive beyond so many bytes. Default: nine tenths
    /// of the machine's or the control group's memory.
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.limits.max_memory = Some(bytes);
        self
    }

    /// Ends the run as inconclusive after so long. Default: no limit.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.max_time = Some(time);
        self
    }

    /// Evaluates only the named checks. Default: all.
    pub fn checks<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.checks = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Goes on until so many violations of state and deadlock checks are found.
    /// Default: 1.
    pub fn max_violations(mut self, n: usize) -> Self {
        self.max_violations = n.max(1);
        self
    }

    /// Ends the run as inconclusive where a progress check holds only because the model
    /// ends, as no state satisfies it. Default: no.
    pub fn deny_vacuous(mut self, yes: bool) -> Self {
        self.denies_vacuous = yes;
        self
    }

    /// Evaluates everything twice and compares. Default: no.
    pub fn paranoid(mut self, yes: bool) -> Self {
        self.paranoid = yes;
        self
    }

    /// What is asked of infinite runs beside the model's own checks, and how they are
    /// searched. Default: nothing more, by components, with the model's fairness.
    pub fn temporal(mut self, temporal: Temporal) -> Self {
        self.temporal = temporal;
        self
    }

    /// Checks a formula of linear temporal logic, as in `G (waiting(0) -> F served(0))`, too.
    /// Default: none.
    pub fn ltl(mut self, formula: &str) -> Self {
        self.temporal.extra.push(Extra::Formula(formula.to_owned()));
        self
    }

    /// Which of the model's fairness conditions count. Default: what the model says.
    pub fn fairness(mut self, level: FairnessLevel) -> Self {
        self.temporal.fairness = Some(level);
        self
    }

    /// Searches for faults of states and for illegal deadlocks depth-first, in full. Default:
    /// breadth-first, which finds a shortest counterexample at once, and decides every check.
    pub fn depth_first(mut self, search: DepthFirst) -> Self {
        self.deep = Some(search);
        self
    }

    /// Explores breadth-first with so many threads, at most 256, where there is enough to do.
    /// States, edges, verdict, violation and trace are those of one thread. States of one word
    /// only, and not where `#[check(must_progress)]` is evaluated in full: such runs take one
    /// thread, and so do searches for what formulas say and depth-first ones.
    ///
    /// In a livelock search (`dfs-fifo` only) the verdict is that of one thread, and without a
    /// livelock the counts are; the lasso may be another one. Default: 1.
    pub fn threads(self, n: usize) -> Self {
        let crew = (n > 1).then(|| Crew::new(n.min(MAX_THREADS)));
        Explorer { crew, ..self }
    }

    /// In a livelock search by several threads, nobody waits until all states with fewer
    /// progresses are done. The lasso may then have more of them than it must. Default: no.
    pub fn loose(mut self, yes: bool) -> Self {
        self.loose = yes;
        self
    }

    /// As [`Explorer::threads`], with work shared out in chunks of so many states. Nothing but
    /// the time it takes depends on it.
    #[doc(hidden)]
    pub fn threads_in_chunks(self, n_threads: usize, chunk: usize) -> Self {
        let chunk = chunk.max(1);
        let crew = (n_threads > 1).then_some(Crew { n_threads, chunk, large: 2 * chunk });
        Explorer { crew, ..self }
    }

    /// Ends the run as inconclusive when the flag becomes true. Default: never.
    pub fn stop_flag(mut self, stop: &'o AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Shows the run to an observer. Default: nobody looks.
    pub fn observer(mut self, observer: &'o mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Explores breadth-first, or as [`Explorer::depth_first`] says, and evaluates the model's
    /// checks.
    pub fn run(self) -> Result<Outcome, RunError> {
        match self.deep {
            Some(search) => deep::run(self, search),
            None => check::run(self),
        }
    }

    /// Searches for livelocks: cycles without progress, by the model's progress
    /// labels. A model without labels is refused, and so is a reduction that
    /// would be unsound for them.
    ///
    /// ```
    /// use asset_core::prelude::*;
    /// use asset_core::explorer::{Explorer, Livelock};
    ///
    /// /// A call that is answered, or tried again.
    /// #[model]
    /// pub mod telephone {
    ///     #[state]
    ///     pub struct State {
    ///         ringing: bool,
    ///     }
    ///
    ///     #[transitions]
    ///     pub enum Transition {
    ///         Call,
    ///         Answer,
    ///         GiveUp,
    ///     }
    ///
    ///     pub fn fire_transition(s: &mut State, t: Transition) -> bool {
    ///         let can_happen = s.ringing != matches!(t, Transition::Call);
    ///         if can_happen {
    ///             s.ringing = !s.ringing;
    ///         }
    ///         can_happen
    ///     }
    ///
    ///     #[progress]
    ///     pub fn is_answered(t: Transition) -> bool {
    ///         matches!(t, Transition::Answer)
    ///     }
    /// }
    ///
    /// let outcome = Explorer::new(telephone::model()).livelock(Livelock::default()).unwrap();
    /// let lasso = &outcome.assert_violated("non_progress_cycle").violations[0].trace;
    /// assert_eq!(lasso.closing.as_deref(), Some("GiveUp"));
    /// ```
    pub fn livelock(self, options: Livelock) -> Result<Outcome, RunError> {
        livelock::run(self, options)
    }

    /// What is fired in this run, and how.
    fn recipe<'m>(&self, machine: &'m dyn Machine, choice: Choice) -> Recipe<'m> {
        Recipe::new(machine, self.order, choice).paranoid(self.paranoid)
    }

    fn instance(&self) -> Result<Instance, RunError> {
        self.family.instance(&self.params).map_err(RunError::Usage)
    }

    /// Whether there are rules for this run.
    fn has_rules(&self, machine: &dyn Machine) -> bool {
        self.rules == Rules::Inferred || machine.description().has_rules
    }

    /// The rules of this run that are inferred, if that was asked for. They respect the
    /// state checks that are `on`.
    fn inferred(
        &self,
        machine: &dyn Machine,
        on: CheckSet,
    ) -> Result<Option<Arc<Inferred>>, RunError> {
        if self.rules == Rules::Author {
            return Ok(None);
        }
        let inferred = Inferred::new(machine, on).map_err(|why| {
            let name = self.family.name;
            RunError::Usage(format!("no rules can be inferred for {name}: {why}"))
        })?;
        Ok(Some(Arc::new(inferred)))
    }

    /// The reduction of this run; refuses stubborn sets without rules.
    fn choice(&self, machine: &dyn Machine) -> Result<Choice, RunError> {
        let has_rules = self.has_rules(machine);
        match self.reduction {
            Some(Choice::Full) if self.rules == Rules::Inferred => Err(RunError::Usage(
                "where everything is fired, rules have no say: leave out inferred rules or the \
                 full reduction"
                    .to_owned(),
            )),
            None if has_rules => Ok(Choice::Stubborn),
            None => Ok(Choice::Full),
            Some(Choice::Stubborn) if !has_rules => Err(RunError::Usage(format!(
                "{} has no stubborn set rules, so it can only be explored in full; \
                 a #[stubborn] function gives it some",
                self.family.name
            ))),
            Some(choice) => Ok(choice),
        }
    }

    /// The limits of this run, with the memory that there is.
    fn limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        limits.max_memory = limits.max_memory.or_else(|| memory_limit().map(|b| b / 10 * 9));
        limits
    }

    /// For each check of the model, why it is off, if it is.
    fn off_checks(&self, checks: &[Check]) -> Result<Vec<Option<String>>, RunError> {
        let Some(names) = &self.checks else { return Ok(vec![None; checks.len()]) };
        if let Some(name) = names.iter().find(|n| checks.iter().all(|c| c.name != **n)) {
            let known: Vec<_> = checks.iter().map(|c| c.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let model = self.family.name;
            return Err(RunError::Usage(format!("{model} has no check '{name}'; it has {known}")));
        }
        let off = |check: &Check| match names.iter().any(|n| n == check.name) {
            true => None,
            false => Some("not selected".to_owned()),
        };
        Ok(checks.iter().map(off).collect())
    }
}

/// The checks that are on, given why each is off.
fn on_checks(off: &[Option<String>]) -> CheckSet {
    let on = (0..off.len()).filter(|&i| off[i].is_none());
    CheckSet(on.fold(0, |set, i| set | 1 << i))
}

/// The parameters of an instance, by name.
fn named_params(family: &Family, instance: Instance) -> Vec<(&'static str, &'static str)> {
    family.params.iter().map(|p| p.name).zip(instance.values.iter().copied()).collect()
}
