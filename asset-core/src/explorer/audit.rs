//! Audits of the rules, with an explorer's parameters and limits.

use super::{Explorer, RunError, model_error, named_params, on_checks};
use crate::audit::{AuditOptions, AuditReport, audit};
use crate::expand::{Choice, stubborn_set};
use crate::model::CheckSet;
use crate::search::Watch;

impl Explorer<'_> {
    /// Judges the model's stubborn set rules, in both orders of firing. If
    /// checks were selected, only those must be respected by the rules.
    ///
    /// ```
    /// use asset_core::audit::{AuditOptions, AuditVerdict};
    /// use asset_core::explorer::Explorer;
    /// use asset_core::prelude::*;
    ///
    /// /// Two people at one switch, whose rules forget that there is one.
    /// #[model]
    /// pub mod switch {
    ///     #[state]
    ///     pub struct State {
    ///         on: bool,
    ///     }
    ///
    ///     #[transitions]
    ///     pub enum Transition {
    ///         On,
    ///         Off,
    ///     }
    ///
    ///     pub fn fire_transition(s: &mut State, t: Transition) -> bool {
    ///         s.on = t == Transition::On;
    ///         true
    ///     }
    ///
    ///     #[stubborn]
    ///     pub fn obligations(_: &State, _: Transition, _: &mut Obligations) {}
    /// }
    ///
    /// let report = Explorer::new(switch::model()).audit(AuditOptions::default()).unwrap();
    /// let AuditVerdict::WrongRule(square) = report.verdict else { panic!() };
    /// assert_eq!(square.missing, "`Off` in this state must oblige `On`");
    /// ```
    pub fn audit(mut self, options: AuditOptions) -> Result<AuditReport, RunError> {
        let instance = self.instance()?;
        if self.reduction == Some(Choice::Full) {
            return Err(RunError::Usage(
                "an audit judges stubborn sets; it says nothing of full exploration".to_owned(),
            ));
        }
        let (limits, stop, observer) = (self.limits(), self.stop, self.observer.take());
        let mut watch = Watch::new(limits, stop, observer);
        let machine = instance.machine;
        if !self.has_rules(machine) {
            return Err(RunError::Usage(format!(
                "{} has no stubborn set rules, so there is nothing to audit; \
                 a #[stubborn] function gives it some",
                self.family.name
            )));
        }
        let off = self.off_checks(machine.description().checks)?;
        let state_checks = CheckSet(options.state_checks.0 & on_checks(&off).0);
        let inferred = self.inferred(machine, state_checks)?;
        // Labels of states are not asked of inferred rules, as no search relies on that.
        let labels = options.labels && inferred.is_none();
        let options = AuditOptions { state_checks, labels, ..options };
        let recipe = self.recipe(machine, Choice::Stubborn);
        recipe.initial_states().map_err(|error| model_error(machine, &error, None))?;
        let sets = &mut |state: &[u64], order| match &inferred {
            Some(inferred) => inferred.stubborn_set(machine, order, state),
            None => stubborn_set(machine, order, state),
        };
        let report = audit(machine, sets, &options, &mut watch)
            .map_err(|(error, path)| model_error(machine, &error, path))?;
        Ok(AuditReport {
            model: self.family.name,
            params: named_params(&self.family, instance),
            ..report
        })
    }
}
