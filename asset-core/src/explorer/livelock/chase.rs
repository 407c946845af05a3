//! A space with progress labels: the hunt for a cycle there, and the way to it.

use super::LivelockSearch;
use crate::expand::Recipe;
use crate::explorer::shared::{self, Stop, in_root};
use crate::explorer::{RunError, model_error};
use crate::machine::{Packed, Progress};
use crate::search::{
    Failure, Good, Ground, Hunt, Labels, Space, Watch, dfs_fifo, incremental, lasso, nested,
    never_claim, pdfs_fifo, reach,
};
use crate::store::{Id, StateSet};
use crate::trace::Path;
use std::collections::HashMap;

/// Several threads that search, and whether their states will be asked for.
#[derive(Clone, Copy)]
pub(super) struct By {
    pub crew: pdfs_fifo::Crew,
    pub keeps_states: bool,
}

/// A space with its labels, and what can be done there.
pub(in crate::explorer) struct Chase<'m, const W: usize> {
    pub space: Space<'m, W>,
    labels: Labels<'m>,
    progress: Progress,
}

impl<'m, const W: usize> Chase<'m, W> {
    pub fn new(recipe: &Recipe<'m>, progress: Progress) -> Result<Self, RunError> {
        let machine = recipe.machine();
        let space = Space::new(recipe).map_err(|f| in_root(machine, f))?;
        let labels = Labels::new(progress.clone(), &space)
            .map_err(|error| model_error(machine, &error, None))?;
        Ok(Chase { space, labels, progress })
    }

    fn ground<'g, 'o>(&'g mut self, watch: &'g mut Watch<'o>) -> Ground<'g, 'm, 'o, W> {
        Ground { space: &mut self.space, labels: &mut self.labels, watch }
    }

    /// Searches, by several threads if told so. A limit is not an error here if the hunt says so itself; a
    /// model error comes with the way to it.
    pub(super) fn search(
        &mut self,
        search: LivelockSearch,
        by: Option<By>,
        watch: &mut Watch<'_>,
    ) -> Result<Hunt, RunError> {
        let progress = self.progress.clone();
        let mut ground = self.ground(watch);
        let hunt = match search {
            LivelockSearch::DfsFifo => match by {
                Some(By { crew, keeps_states }) => {
                    pdfs_fifo::hunt(&mut ground, &progress, keeps_states, crew)
                }
                None => dfs_fifo::hunt(&mut ground),
            },
            LivelockSearch::Nested => nested::hunt(&mut ground),
            LivelockSearch::NeverClaim => never_claim::hunt(&mut ground),
            LivelockSearch::Incremental => incremental::hunt(&mut ground),
        };
        let Err(Failure::Model(error, id)) = &hunt.end else { return Ok(hunt) };
        let path = id.and_then(|id| self.path_to(id, &hunt, watch).ok().flatten());
        Err(model_error(self.space.machine(), error, path))
    }

    /// Searches to the end; a limit is a reason to stop.
    pub fn hunt(&mut self, search: LivelockSearch, watch: &mut Watch<'_>) -> Result<Hunt, Stop> {
        let hunt = self.search(search, None, watch)?;
        match &hunt.end {
            Err(failure) => Err(Stop::from_failure(self.space.machine(), failure.clone())),
            Ok(()) => Ok(hunt),
        }
    }

    /// Whether an edge carries no progress, as far as that can be told: such edges are
    /// preferred.
    fn is_quiet(&self) -> impl Fn(&Packed, usize, &Packed) -> bool {
        |from, t, to| self.progress.edge(self.space.machine(), from, t, to) == Ok(false)
    }

    /// The path with the fewest progresses to a state that the hunt has met.
    fn path_to(
        &mut self,
        id: Id,
        hunt: &Hunt,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Path>, Stop> {
        let ids = lasso::stem(&mut self.ground(watch), id, &hunt.expanded)
            .map_err(|failure| Stop::from_failure(self.space.machine(), failure))?;
        let order = self.space.recipe().order();
        let path = ids.map(|ids| shared::path_along(&self.space, &ids, order, self.is_quiet()));
        Ok(path.transpose()?)
    }

    /// The lasso to the livelock that the hunt has found, if it has. That no
    /// edge of its cycle is progress has been verified.
    pub fn lasso(&mut self, hunt: &Hunt, watch: &mut Watch<'_>) -> Result<Option<Path>, Stop> {
        let Some(start) = hunt.on_cycle else { return Ok(None) };
        let lost = || shared::unsteady("the way to the livelock was not found again".to_owned());
        let machine = self.space.machine();
        let fail = |failure| Stop::from_failure(machine, failure);
        let cycle = lasso::cycle(&mut self.ground(watch), start, &hunt.expanded).map_err(fail)?;
        let stem = lasso::stem(&mut self.ground(watch), start, &hunt.expanded).map_err(fail)?;
        let (Some(mut cycle), Some(mut ids)) = (cycle, stem) else { return Err(lost().into()) };
        // The cycle begins where the stem first meets it.
        let place: HashMap<Id, usize> = cycle.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let at = ids.iter().position(|id| place.contains_key(id)).ok_or_else(lost)?;
        cycle.rotate_left(place[&ids[at]]);
        ids.truncate(at);
        ids.append(&mut cycle);
        let order = self.space.recipe().order();
        let mut path = shared::path_along(&self.space, &ids, order, self.is_quiet())?;
        path.close(machine, at, order, self.is_quiet()).map_err(shared::unsteady)?;
        let is_quiet = self.is_quiet();
        if !path.cycle().all(|(from, t, to)| is_quiet(from, t, to)) {
            let what = "its cycle has progress after all".to_owned();
            return Err(shared::unsteady(what).into());
        }
        Ok(Some(path))
    }

    /// The path to a terminal state that is no progress state, if there is one.
    pub fn bad_end(&mut self, hunt: &Hunt, watch: &mut Watch<'_>) -> Result<Option<Path>, Stop> {
        let is_bad = |&id: &Id| hunt.terminal.contains(id) && !self.labels.is_progress_state(id);
        match (0..self.space.store().len() as Id).find(is_bad) {
            Some(id) => self.path_to(id, hunt, watch),
            None => Ok(None),
        }
    }

    /// A path to where no terminal state can be reached any more, if there is
    /// such a state.
    pub(super) fn astray(
        &mut self,
        hunt: &Hunt,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Path>, Stop> {
        let mut good = Good::from(hunt.terminal.clone());
        reach::close_by_firing(&mut self.space, &mut good, watch)
            .map_err(|failure| Stop::from_failure(self.space.machine(), failure))?;
        let Some(id) = good.numbers().absent(0..self.space.store().len()).next() else {
            return Ok(None);
        };
        let mut path = self.path_to(id, hunt, watch)?;
        if let Some(path) = &mut path {
            shared::walk_astray(&self.space, path, |place| !good.has_place(place), watch);
        }
        Ok(path)
    }

    /// The progresses of a path before its cycle.
    pub(super) fn n_progresses(&self, path: &Path) -> u64 {
        let is_quiet = self.is_quiet();
        let end = path.closing.map_or(path.transitions.len(), |(_, start)| start);
        (0..end).map(|i| path.edge(i)).filter(|&(from, t, to)| !is_quiet(from, t, to)).count()
            as u64
    }
}
