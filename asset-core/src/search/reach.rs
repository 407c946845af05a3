//! From which states can a good state be reached? Backwards over the stored
//! states, without stored edges.
//!
//! Storing reversed edges, as ASSET does, costs four bytes an edge; Peterson-4
//! has four edges a state. Here most states are settled by what the search has
//! kept anyway: the discovery tree (two bits a state) and one successor of
//! every state (four bytes). Sweeps over these two in alternating direction
//! touch only a bit set that fits the cache. Only what they leave open is
//! fired again, and if that happens too often, the edges among the few states
//! left are stored after all, which bounds the work to linear.

use super::bfs::Exploration;
use super::{Edge, Failure, Snapshot, Space, Watch};
use crate::store::{BitSet, Id, StateSet};
use std::ops::ControlFlow;

/// States fired again at a time.
const BATCH: usize = 48;
/// Passes that fire, before the edges of what is left are stored.
const MAX_FIRING_PASSES: usize = 3;
/// Sweeps between two such passes; a long chain would need one for every state.
const MAX_SWEEPS: usize = 24;
/// Firing a state takes as long as sweeping over so many.
const FIRING_COST: usize = 20;

/// Enlarges `good` to all states from which a member of it is reachable.
pub fn close_backwards<const W: usize>(
    space: &mut Space<'_, W>,
    exploration: &Exploration,
    good: &mut BitSet,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    close(space, good, watch, |good, n_states| {
        for _ in 0..MAX_SWEEPS {
            let n_open = n_states - good.len();
            let n_found = sweep(exploration, good);
            // While most states are open, a sweep that finds little is often
            // followed by one that finds much; firing them would cost more.
            let pays = n_found.max(n_open / 8) * FIRING_COST > n_states;
            if n_found == 0 || !pays {
                break;
            }
        }
    })
}

/// [`close_backwards`] for states that were found in another order than
/// breadth-first. A state has a higher number than the one it was found from,
/// so that one pass over the states, the last first, settles most.
pub fn close_by_firing<const W: usize>(
    space: &mut Space<'_, W>,
    good: &mut BitSet,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    close(space, good, watch, |_, _| {})
}

/// Closes by what `settle` can tell without firing, then by firing.
fn close<const W: usize>(
    space: &mut Space<'_, W>,
    good: &mut BitSet,
    watch: &mut Watch<'_>,
    settle: impl Fn(&mut BitSet, usize),
) -> Result<(), Failure> {
    for _ in 0..MAX_FIRING_PASSES {
        settle(good, space.store().len());
        if !fire_open(space, good, watch, &mut |good, edge| {
            good.contains(edge.to) && good.insert(edge.from)
        })? {
            return Ok(());
        }
    }
    close_by_edges(space, good, watch)
}

/// One sweep down over tree and witnesses and one up over witnesses. Returns
/// how many states it added. Where many are good already, 64 of them are passed
/// over at a time.
fn sweep(exploration: &Exploration, good: &mut BitSet) -> usize {
    let mut n_found = 0;
    let witnesses = &exploration.witnesses;
    let mut families = exploration.parents.families_back();
    while families.n_left() > 0 {
        let n_left = families.n_left();
        if n_left.is_multiple_of(64) && good.word(n_left / 64 - 1) == u64::MAX {
            families.skip_families(64);
            continue;
        }
        let Some((id, mut children)) = families.next() else { break };
        if good.contains(id) {
            continue;
        }
        let witness = witnesses.get(id as usize).is_some_and(|&witness| good.contains(witness));
        if witness || children.any(|child| good.contains(child)) {
            good.insert(id);
            n_found += 1;
        }
    }
    for (i, witnesses) in witnesses.chunks(64).enumerate() {
        if good.word(i) == u64::MAX {
            continue;
        }
        for (id, &witness) in (64 * i as Id..).zip(witnesses) {
            if good.contains(witness) {
                n_found += usize::from(good.insert(id));
            }
        }
    }
    n_found
}

/// Fires the states that are not in `good`, the last first, and shows every
/// edge to `learn`. True if it learnt something.
fn fire_open<const W: usize>(
    space: &mut Space<'_, W>,
    good: &mut BitSet,
    watch: &mut Watch<'_>,
    learn: &mut impl FnMut(&mut BitSet, Edge<'_>) -> bool,
) -> Result<bool, Failure> {
    let n_states = space.store().len();
    let mut learnt = false;
    let mut end = n_states;
    let mut open = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(64 * BATCH);
        open.clear();
        open.extend(good.absent(start..end));
        for batch in open.rchunks(BATCH) {
            let flow = space.expand(batch, &mut |edge: Edge<'_>| {
                learnt |= learn(good, edge);
                ControlFlow::Continue(())
            })?;
            debug_assert!(flow.is_continue());
            watch.check(&snapshot(space, end), 0)?;
        }
        end = start;
    }
    Ok(learnt)
}

fn snapshot<const W: usize>(space: &Space<'_, W>, open: usize) -> Snapshot {
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
fn close_by_edges<const W: usize>(
    space: &mut Space<'_, W>,
    good: &mut BitSet,
    watch: &mut Watch<'_>,
) -> Result<(), Failure> {
    let mut edges: Vec<(Id, Id)> = Vec::new();
    let mut found = Vec::new();
    fire_open(space, good, watch, &mut |good, edge| {
        if good.contains(edge.to) {
            if good.insert(edge.from) {
                found.push(edge.from);
            }
        } else {
            edges.push((edge.to, edge.from));
        }
        false
    })?;
    edges.sort_unstable();
    while let Some(id) = found.pop() {
        let start = edges.partition_point(|&(to, _)| to < id);
        for &(_, from) in edges[start..].iter().take_while(|&&(to, _)| to == id) {
            if good.insert(from) {
                found.push(from);
            }
        }
    }
    Ok(())
}
