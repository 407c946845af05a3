//! From which states can a good state be reached? Backwards over the stored
//! states, without stored edges.
//!
//! Storing reversed edges, as ASSET does, costs four bytes an edge; Peterson-4
//! has four edges a state. Here most states are settled by what the search has
//! kept anyway: the discovery tree (two bits a state) and links to one successor
//! of most states (three or four bytes). Sweeps over these two touch only bit sets
//! that fit the cache. Only what they leave open is fired again, and if that
//! happens too often, the edges among the few states left are stored after all,
//! which bounds the work to linear.

use super::bfs::Exploration;
use super::{Edge, Expander, Failure, Good, Snapshot, Watch};
use crate::machine::{ModelError, Wrong};
use crate::store::{Id, Kept, Parents};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Of so many states, those that are open are fired at a time.
const BATCH: usize = 1 << 14;
/// Edges between finding a place and asking whether it is good.
const DELAY: usize = 24;
/// Passes that fire, before the edges of what is left are stored.
const MAX_FIRING_PASSES: usize = 3;
/// Sweeps between two such passes; a long chain would need one for every state.
const MAX_SWEEPS: usize = 24;
/// Firing a state takes as long as sweeping over so many.
const FIRING_COST: usize = 20;

/// The terminal states of an explored space. Where not all are listed, they are those that
/// discovered nothing and link to nothing.
pub fn terminal_states<S: Kept>(set: &S, explored: &Exploration) -> Good {
    let (mut good, n_terminal) = (Good::none_of(set), explored.n_terminal as usize);
    if explored.terminal.len() == n_terminal {
        for &id in &explored.terminal {
            good.insert(set, id);
        }
        return good;
    }
    let is_terminal =
        |&(id, ref children): &(Id, std::ops::Range<Id>)| children.is_empty() && !set.has_link(id);
    for (id, _) in explored.parents.families_back().filter(is_terminal).take(n_terminal) {
        good.insert(set, id);
    }
    good
}

/// Enlarges `good` to all states from which a member of it is reachable.
pub fn close_backwards<S: Kept>(
    space: &mut Expander<'_, S>,
    parents: &Parents,
    good: &mut Good,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    close(space, good, watch, |set, good| {
        for _ in 0..MAX_SWEEPS {
            let n_open = set.len() - good.numbers().len();
            let n_found = sweep(set, parents, good);
            // While most states are open, a sweep that finds little is often
            // followed by one that finds much; firing them would cost more.
            let pays = n_found.max(n_open / 8) * FIRING_COST > set.len();
            if n_found == 0 || !pays {
                break;
            }
        }
    })
}

/// [`close_backwards`] for states that were found in another order than
/// breadth-first. A state has a higher number than the one it was found from,
/// so that one pass over the states, the last first, settles most.
pub fn close_by_firing<S: Kept>(
    space: &mut Expander<'_, S>,
    good: &mut Good,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    close(space, good, watch, |_, _| {})
}

/// Closes by what `settle` can tell without firing, then by firing.
fn close<S: Kept>(
    space: &mut Expander<'_, S>,
    good: &mut Good,
    watch: &mut Watch<'_>,
    settle: impl Fn(&S, &mut Good),
) -> Result<(), Failure> {
    for _ in 0..MAX_FIRING_PASSES {
        settle(space.store(), good);
        let mut learnt = false;
        fire_open(space, good, watch, &mut |good, (from, from_place, to)| {
            learnt |= good.has_place(to) && good.insert_at(from, from_place);
        })?;
        if !learnt {
            return Ok(());
        }
    }
    close_by_edges(space, good, watch)
}

/// One sweep over tree and links, from the last state to the first, 64 at a time.
/// Returns how many states it added. A sweep upwards finds a fifth of that in the
/// same time.
fn sweep<S: Kept>(set: &S, parents: &Parents, good: &mut Good) -> usize {
    let mut n_found = 0;
    let mut families = parents.families_back();
    let (mut links, mut late) = (OpenLinks::default(), LatePlaces::default());
    while families.n_left() > 0 {
        let start = (families.n_left() - 1) / 64 * 64;
        let n = families.n_left() - start;
        let open = open_states(set, good, start);
        if open == 0 {
            families.skip_families(n);
            continue;
        }
        links.fetch(set, good, start);
        let mut found = links.to_good(good);
        if let Some(before) = start.checked_sub(64) {
            links.fetch(set, good, before);
        }
        let first = families.clone();
        loop {
            let n_before = found.count_ones();
            good.insert_numbers(start, found);
            families = first.clone();
            found |= open & families.with_child_in(good.numbers(), n);
            // Children may be among the 64 where levels are narrow.
            let is_in_sight = (families.least_child() as usize) < start + 64;
            if !is_in_sight || found.count_ones() == n_before {
                break;
            }
        }
        good.insert_numbers(start, found);
        late.insert(set, good, start, found);
        n_found += found.count_ones() as usize;
    }
    late.flush(good);
    n_found
}

/// The links of 64 states, as far as those are open, fetched before they are asked
/// about.
#[derive(Default)]
struct OpenLinks {
    start: Option<usize>,
    links: Vec<(u32, Id)>,
}

impl OpenLinks {
    /// Fetches those of the 64 states from `start` on, unless that has been done.
    #[inline(always)]
    fn fetch<S: Kept>(&mut self, set: &S, good: &Good, start: usize) {
        if self.start.replace(start) == Some(start) {
            return;
        }
        self.links.clear();
        let open = open_states(set, good, start);
        if open != 0 {
            set.links_of_64(start / 64, open, |bit, place| {
                good.prefetch(place);
                self.links.push((bit, place));
            });
        }
    }

    /// Which of the states link to a good one.
    #[inline(always)]
    fn to_good(&self, good: &Good) -> u64 {
        let found =
            |found, &(bit, place): &(u32, Id)| found | u64::from(good.has_place(place)) << bit;
        self.links.iter().fold(0, found)
    }
}

/// Places of states that were found good. They are marked when the next come, and
/// what that touches has been fetched.
#[derive(Default)]
struct LatePlaces(Vec<Id>);

impl LatePlaces {
    /// Marks those that came before, and takes those of the 64 states from `start` on
    /// that are marked.
    #[inline(always)]
    fn insert<S: Kept>(&mut self, set: &S, good: &mut Good, start: usize, mut marked: u64) {
        self.flush(good);
        while !S::PLACES_ARE_NUMBERS && marked != 0 {
            let place = set.place(start as Id + marked.trailing_zeros());
            good.prefetch(place);
            self.0.push(place);
            marked &= marked - 1;
        }
    }

    #[inline(always)]
    fn flush(&mut self, good: &mut Good) {
        good.insert_places(&self.0);
        self.0.clear();
    }
}

/// Which of the 64 states from `start` on are not good.
#[inline(always)]
fn open_states<S: Kept>(set: &S, good: &Good, start: usize) -> u64 {
    let n = (set.len() - start).min(64);
    !good.numbers().word(start / 64) & (u64::MAX >> (64 - n))
}

/// Fires the states that are not in `good`, the last first, and shows every
/// edge to `learn`: the number and the place of the state that was fired, and the
/// place of the one it leads to. That comes a little later, when its bit has been
/// fetched.
fn fire_open<S: Kept>(
    space: &mut Expander<'_, S>,
    good: &mut Good,
    watch: &mut Watch<'_>,
    learn: &mut impl FnMut(&mut Good, (Id, Id, Id)),
) -> Result<(), Failure> {
    let mut end = space.store().len();
    let (mut open, mut places) = (Vec::new(), Vec::new());
    let mut edges = VecDeque::new();
    while end > 0 {
        let start = end.saturating_sub(BATCH);
        open.clear();
        open.extend(good.numbers().absent(start..end));
        open.reverse();
        places.clear();
        places.extend(open.iter().map(|&id| space.store().place(id)));
        let (mut at, mut other) = (0, None);
        let _ = space.expand(&open, &mut |edge: Edge<'_>| {
            if edge.is_new {
                other = Some(edge.from);
                return ControlFlow::Break(());
            }
            while open[at] != edge.from {
                at += 1;
            }
            good.prefetch(edge.to);
            edges.push_back((edge.from, places[at], edge.to));
            if edges.len() > DELAY {
                edges.pop_front().into_iter().for_each(|edge| learn(good, edge));
            }
            ControlFlow::Continue(())
        })?;
        edges.drain(..).for_each(|edge| learn(good, edge));
        if let Some(id) = other {
            return Err(unsteady(space, id));
        }
        watch.check(&snapshot(space, end), 0)?;
        end = start;
    }
    Ok(())
}

/// The state led elsewhere when it was fired for the first time.
#[cold]
fn unsteady<S: Kept>(space: &Expander<'_, S>, id: Id) -> Failure {
    let wrong = Wrong::Unsteady("fired again, it had other successors".to_owned());
    Failure::model(ModelError::of_state(&space.state(id), wrong), Some(id))
}

fn snapshot<S: Kept>(space: &Expander<'_, S>, open: usize) -> Snapshot {
    Snapshot {
        phase: "looking back",
        n_states: space.store().len() as u64,
        n_edges: space.n_edges,
        queue: open as u64,
        depth: 0,
        bytes: space.bytes(),
    }
}

/// Settles what is left with the reversed edges among the open states.
fn close_by_edges<S: Kept>(
    space: &mut Expander<'_, S>,
    good: &mut Good,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    // By place: (to, from), and the number of `from`.
    let mut edges: Vec<(Id, Id, Id)> = Vec::new();
    let mut found = Vec::new();
    fire_open(space, good, watch, &mut |good, (from, from_place, to)| {
        if !good.has_place(to) {
            edges.push((to, from_place, from));
        } else if good.insert_at(from, from_place) {
            found.push(from_place);
        }
    })?;
    edges.sort_unstable();
    while let Some(place) = found.pop() {
        let start = edges.partition_point(|&(to, ..)| to < place);
        for &(_, from_place, from) in edges[start..].iter().take_while(|&&(to, ..)| to == place) {
            if good.insert_at(from, from_place) {
                found.push(from_place);
            }
        }
    }
    Ok(())
}
