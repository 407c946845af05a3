//! What an ordinary run may claim: its outcome, its verdict, and what the verdict
//! rests on.

use super::Run;
use crate::expand::Choice;
use crate::explorer::{Rules, RunError, shared};
use crate::memory::peak_memory;
use crate::model::{Check, CheckKind};
use crate::search::Failure;
use crate::store::StateSet;
use crate::verdict::{CheckOutcome, CheckResult, Outcome, Statistics, Verdict};

impl<S: StateSet> Run<'_, '_, S> {
    pub(super) fn outcome(self) -> Result<Outcome, RunError> {
        let e = &self.exploration;
        let marks = e.parents.bytes() + e.arrivals.bytes();
        let bytes = self.space.bytes() + marks;
        let statistics = Statistics {
            n_states: e.n_states,
            n_edges: e.n_edges,
            depth: e.depth,
            n_terminal: e.n_terminal,
            bytes_per_state: (bytes + self.post_bytes) as f64 / e.n_states.max(1) as f64,
            peak_bytes: peak_memory().unwrap_or(0),
            ..Statistics::default()
        };
        let (verdict, unseen) = (self.verdict(), self.unseen());
        let result = |(check, outcome): (&Check, &CheckOutcome)| CheckResult {
            name: check.name.to_owned(),
            kind: check.kind.name(),
            outcome: outcome.clone(),
        };
        let mut checks: Vec<_> = self.plan.checks.iter().zip(&self.outcomes).map(result).collect();
        let amt = self.amt.clone().unwrap_or_else(|| {
            CheckOutcome::Off("not needed: what was to be reached was reached".to_owned())
        });
        checks.push(shared::termination_result(amt));
        Ok(Outcome {
            model: "",
            params: Vec::new(),
            search: "bfs",
            reduction: match self.plan.recipe.infers() {
                false => self.plan.choice().name(),
                true => "inferred",
            },
            order: self.plan.recipe.order().name(),
            guarantee: self.guarantee(&verdict),
            verdict,
            checks,
            violations: self.violations,
            unseen,
            witnesses: self.witnesses,
            statistics,
            rules: (self.plan.choice() == Choice::Stubborn).then(|| shared::rules(&self.space)),
        })
    }

    fn verdict(&self) -> Verdict {
        if self.outcomes.contains(&CheckOutcome::Violated) {
            return Verdict::Violated;
        }
        let why = self.outcomes.iter().find_map(|outcome| match outcome {
            CheckOutcome::Inconclusive(why) => Some(why.clone()),
            _ => None,
        });
        match why {
            Some(why) => Verdict::Inconclusive(why),
            None if self.outcomes.iter().any(CheckOutcome::is_holding) => Verdict::Holds,
            None => match &self.exploration.end {
                Err(Failure::Limit(limit)) => Verdict::Inconclusive(limit.to_string()),
                _ => Verdict::Inconclusive("there was nothing to check".to_owned()),
            },
        }
    }

    fn guarantee(&self, verdict: &Verdict) -> String {
        let visited = "every reachable state was visited and every enabled transition fired";
        let has_trace = !self.violations.is_empty();
        match (verdict, self.plan.choice()) {
            (Verdict::Holds, _) if self.plan.seeks_only() => {
                "the way to every state that was to be reached was replayed through the model"
                    .to_owned()
            }
            (Verdict::Violated, Choice::Full) if !has_trace => visited.to_owned(),
            (Verdict::Violated, Choice::Full) => {
                "the trace was replayed through the model".to_owned()
            }
            (Verdict::Violated, Choice::Stubborn) if has_trace => {
                "the trace was replayed through the model; it is real whatever the rules".to_owned()
            }
            (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
            (Verdict::Holds, Choice::Full) => visited.to_owned(),
            (_, Choice::Stubborn) if self.amt == Some(CheckOutcome::Holds) => {
                let proviso = Rules::of(&self.plan.recipe).proviso();
                format!(
                    "{proviso}the model is always may-terminating, so stubborn sets preserve the \
                     checks that were on"
                )
            }
            (_, Choice::Stubborn) => {
                let is_must = |kind| matches!(kind, CheckKind::MustProgress { .. });
                let must = match self.plan.on(is_must).next() {
                    Some(_) => "; must progress was looked at with everything fired",
                    None => "",
                };
                let proviso = Rules::of(&self.plan.recipe).proviso();
                format!("{proviso}stubborn sets preserve all deadlocks{must}")
            }
        }
    }
}
