//! What a search for livelocks may claim, and what that rests on.

use super::{CHECK, Chase, KIND, LivelockReduction, LivelockSearch, Plan};
use crate::explorer::RunError;
use crate::explorer::shared::{self, Stop};
use crate::search::{Hunt, Watch};
use crate::verdict::{CheckOutcome, Verdict, Violation};

/// What became of a search.
pub(super) struct Found {
    pub livelock: CheckOutcome,
    pub termination: CheckOutcome,
    pub violations: Vec<Violation>,
    pub n_progresses: Option<u64>,
}

/// Turns what a search has found into what may be claimed.
pub(super) fn conclude<const W: usize>(
    chase: &mut Chase<'_, W>,
    plan: Plan,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
) -> Result<Found, RunError> {
    let not_needed = match plan.reduction {
        LivelockReduction::Full => "not needed: every enabled transition was fired",
        _ => "not needed: the reduction keeps livelocks by itself",
    };
    let mut found = Found {
        livelock: CheckOutcome::Holds,
        termination: CheckOutcome::Off(not_needed.to_owned()),
        violations: Vec::new(),
        n_progresses: None,
    };
    let done = match &hunt.end {
        Err(failure) => Err(Stop::from_failure(chase.space.machine(), failure.clone())),
        Ok(()) if hunt.on_cycle.is_some() => violated(chase, hunt, watch, &mut found),
        Ok(()) if plan.reduction == LivelockReduction::Terminating => {
            terminating(chase, hunt, watch, &mut found)
        }
        Ok(()) => Ok(()),
    };
    match done {
        Ok(()) => Ok(found),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Limit(limit)) => {
            let why = match hunt.on_cycle {
                Some(_) => format!("there is a livelock, but before it could be shown {limit}"),
                None => limit.to_string(),
            };
            found.livelock = CheckOutcome::Inconclusive(why);
            Ok(found)
        }
    }
}

/// Shows the livelock.
fn violated<const W: usize>(
    chase: &mut Chase<'_, W>,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(path) = chase.lasso(hunt, watch)? else { return Ok(()) };
    let n = chase.n_progresses(&path);
    let message = match n {
        0 => "a cycle without progress, reached without any".to_owned(),
        1 => "a cycle without progress, reached with 1 progress".to_owned(),
        n => format!("a cycle without progress, reached with {n} progresses"),
    };
    found.violations.push(shared::violation(chase.space.machine(), KIND, CHECK, &message, &path)?);
    found.n_progresses = Some(n);
    found.livelock = CheckOutcome::Violated;
    found.termination =
        CheckOutcome::Off("not needed: a livelock that is found is real".to_owned());
    Ok(())
}

/// Claims that there is no livelock if the model is always may-terminating.
fn terminating<const W: usize>(
    chase: &mut Chase<'_, W>,
    hunt: &Hunt,
    watch: &mut Watch<'_>,
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(path) = chase.astray(hunt, watch)? else {
        found.termination = CheckOutcome::Holds;
        return Ok(());
    };
    found.violations.push(shared::not_terminating(chase.space.machine(), &path)?);
    found.termination = CheckOutcome::Violated;
    let why = "none was found, but plain stubborn sets keep livelocks only on always \
               may-terminating models, and this one is not; c2t keeps them on all";
    found.livelock = CheckOutcome::Inconclusive(why.to_owned());
    Ok(())
}

/// What the verdict rests on.
pub(super) fn guarantee(plan: Plan, verdict: &Verdict) -> String {
    use LivelockReduction::{Auto, C2s, C2t, Full, Terminating};
    let rules = plan.rules.proviso();
    match (verdict, plan.reduction) {
        (Verdict::Inconclusive(_), _) => "nothing".to_owned(),
        (Verdict::Violated, reduction) => {
            let least = match (plan.search, reduction) {
                (LivelockSearch::DfsFifo, _) if plan.crew.is_some_and(|crew| !crew.is_strict) => {
                    "; strict order also finds the fewest progresses".to_owned()
                }
                (LivelockSearch::DfsFifo, Full | Auto) => {
                    ", and no livelock can be reached with fewer progresses".to_owned()
                }
                (LivelockSearch::DfsFifo, C2t | C2s) => {
                    format!("; {rules}no livelock can be reached with fewer progresses")
                }
                (LivelockSearch::DfsFifo, Terminating) => {
                    "; c2t and full also find the fewest progresses".to_owned()
                }
                _ => "; dfs-fifo also finds the fewest progresses".to_owned(),
            };
            format!("the lasso was replayed through the model, its cycle has no progress{least}")
        }
        (Verdict::Holds, Full | Auto) => {
            "every reachable state was visited and every enabled transition fired".to_owned()
        }
        (Verdict::Holds, C2t) => {
            format!("{rules}nothing was left out where a progress transition was fired")
        }
        (Verdict::Holds, C2s) => {
            format!("{rules}nothing was left out where a progress state was in sight")
        }
        (Verdict::Holds, Terminating) => format!(
            "{rules}the model is always may-terminating, so stubborn sets preserve livelocks"
        ),
    }
}
