//! Decides the properties of a run, one after the other.

use super::fair;
use super::property::{Aim, Property};
use super::search::{formula, never_without};
use super::{Temporal, TemporalSearch};
use crate::expand::{Choice, Recipe};
use crate::explorer::shared::Stop;
use crate::explorer::{Explorer, Rules, RunError};
use crate::machine::Machine;
use crate::search::temporal::{Fairness, Hunted};
use crate::search::{Space, Watch};
use crate::store::StateSet;
use crate::verdict::{CheckOutcome, CheckResult, Violation};

/// The temporal properties of a run.
pub(in crate::explorer) struct Plan<'m> {
    pub(super) machine: &'m dyn Machine,
    properties: Vec<Property<'m>>,
    pub(super) fairness: Fairness,
    pub(super) options: Temporal,
    pub(super) recipe: Recipe<'m>,
    /// What was asked for; `None` if nothing was.
    choice: Option<Choice>,
}

impl<'m> Plan<'m> {
    /// The checks of the model that are on, and the properties of the options.
    pub fn new(
        explorer: &Explorer<'_>,
        machine: &'m dyn Machine,
        off: &[Option<String>],
    ) -> Result<Self, RunError> {
        let checks = machine.description().checks;
        let is_on = |&i: &usize| checks[i].kind.is_temporal() && off[i].is_none();
        let mut properties = Vec::new();
        for check in (0..checks.len()).filter(is_on) {
            properties.push(Property::of_check(machine, check)?);
        }
        for extra in &explorer.temporal.extra {
            properties.push(Property::of_extra(machine, extra)?);
        }
        let fairness = match properties.is_empty() {
            true => Fairness::default(),
            false => fair::conditions(machine, explorer.temporal.fairness)?,
        };
        let plan = Plan {
            machine,
            properties,
            fairness,
            options: explorer.temporal.clone(),
            recipe: explorer.recipe(machine, Choice::Full),
            // Inferred rules are for other checks; here everything is fired.
            choice: match explorer.rules {
                Rules::Author => explorer.reduction,
                Rules::Inferred => Some(Choice::Full),
            },
        };
        plan.refuse(explorer.checks.is_some())?;
        Ok(plan)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Refuses what would be unsound, and what would be ignored.
    fn refuse(&self, selects_checks: bool) -> Result<(), RunError> {
        let usage = |what: String| Err(RunError::Usage(what));
        let is_strong = self.fairness.conditions.iter().any(|condition| condition.is_strong);
        if self.options.search == TemporalSearch::Nested && is_strong {
            return usage(
                "the nested search decides no strong fairness: use --search scc, or weaken it \
                 with --fairness weak"
                    .to_owned(),
            );
        }
        for property in &self.properties {
            if self.choice != Some(Choice::Stubborn) || self.keeps(property) {
                continue;
            }
            if property.check.is_none() || selects_checks {
                return usage(format!(
                    "stubborn sets are not proven to keep {}: use --reduction full",
                    property.name
                ));
            }
        }
        Ok(())
    }

    /// Whether stubborn sets keep the property, by Theorem 6; that the model is always
    /// may-terminating is checked on the way.
    fn keeps(&self, property: &Property<'_>) -> bool {
        matches!(property.aim, Aim::NeverWithout(_))
            && self.fairness.conditions.is_empty()
            && self.machine.description().has_rules
    }

    /// What is fired for a property; `None` if what was asked for does not keep it.
    fn reduction(&self, property: &Property<'_>) -> Option<Choice> {
        match (self.choice, self.keeps(property)) {
            (Some(Choice::Full), _) | (None, false) => Some(Choice::Full),
            (None | Some(Choice::Stubborn), true) => Some(Choice::Stubborn),
            (Some(Choice::Stubborn), false) => None,
        }
    }

    /// Decides all properties, up to `max_violations` violations.
    pub fn run(&self, max_violations: usize, watch: &mut Watch<'_>) -> Result<Decided, RunError> {
        let mut decided = Decided::default();
        let decide = for_words!(self.machine, decide);
        for property in &self.properties {
            let outcome = if decided.violations.len() >= max_violations {
                CheckOutcome::Inconclusive("the run ended at a violation".to_owned())
            } else {
                match self.reduction(property) {
                    Some(choice) => decide(self, property, choice, watch, &mut decided)?,
                    None => CheckOutcome::Off(
                        "stubborn sets are not proven to keep it; --reduction full decides it"
                            .to_owned(),
                    ),
                }
            };
            decided.results.push((
                property.check,
                CheckResult { name: property.name.clone(), kind: property.kind, outcome },
            ));
        }
        decided.assumption = self.assumption()?;
        Ok(decided)
    }

    /// What is assumed of runs, in a clause.
    fn assumption(&self) -> Result<String, RunError> {
        let names = |is_strong: bool| -> Vec<&str> {
            let of = self.fairness.conditions.iter().filter(|c| c.is_strong == is_strong);
            of.map(|c| c.name.as_str()).collect()
        };
        let told = [("weakly", names(false)), ("strongly", names(true))];
        let told = told.iter().filter(|(_, names)| !names.is_empty());
        let told: Vec<String> =
            told.map(|(how, names)| format!("{how} fair to {}", names.join(", "))).collect();
        let assumed = match told.is_empty() {
            true => "no fairness was assumed".to_owned(),
            false => format!("runs are {}", told.join(", and ")),
        };
        Ok(match fair::weakened(self.machine, self.options.fairness)? {
            Some(weakened) => format!("{assumed}: {weakened}"),
            None => assumed,
        })
    }
}

/// What has been found out.
#[derive(Default)]
pub(in crate::explorer) struct Decided {
    /// What may be claimed, with the index of the check if the model has it.
    pub(super) results: Vec<(Option<usize>, CheckResult)>,
    pub(super) violations: Vec<Violation>,
    pub(super) n_states: u64,
    pub(super) n_edges: u64,
    pub(super) n_terminal: u64,
    pub(super) depth: u64,
    pub(super) n_nodes: u64,
    pub(super) n_product_edges: u64,
    pub(super) bytes: usize,
    pub(super) seconds: f64,
    pub(super) assumption: String,
    /// Whether anything was searched with stubborn sets.
    pub(super) is_reduced: bool,
}

/// Decides one property.
fn decide<const W: usize>(
    plan: &Plan<'_>,
    property: &Property<'_>,
    choice: Choice,
    watch: &mut Watch<'_>,
    decided: &mut Decided,
) -> Result<CheckOutcome, RunError> {
    let start = watch.elapsed();
    let done = match property.automaton()? {
        Some(automaton) => formula::<W>(plan, property, automaton, watch, decided),
        None => never_without::<W>(plan, property, choice, watch, decided),
    };
    decided.seconds += (watch.elapsed() - start).as_secs_f64();
    decided.is_reduced |= choice == Choice::Stubborn;
    match done {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Limit(limit)) => Ok(CheckOutcome::Inconclusive(limit.to_string())),
        Err(Stop::Error(error)) => Err(error),
    }
}

impl Decided {
    /// Counts a search through states, of which `n_edges` and `n_terminal` are told.
    pub(super) fn note<const W: usize>(
        &mut self,
        hunted: &Hunted,
        space: &Space<'_, W>,
        (n_edges, n_terminal): (u64, usize),
    ) {
        self.n_states = self.n_states.max(space.store().len() as u64);
        self.n_edges = self.n_edges.max(n_edges);
        self.n_terminal = self.n_terminal.max(n_terminal as u64);
        self.depth = self.depth.max(hunted.depth);
        self.n_nodes += hunted.n_nodes;
        self.n_product_edges += hunted.n_edges;
        self.bytes = self.bytes.max(hunted.bytes + space.bytes());
    }
}
