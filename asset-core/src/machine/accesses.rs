//! What transitions read and write, and at what checks look, in lanes of a packed state.

use super::door;
use super::footprint::FieldLanes;
use crate::model::{Access, CheckKind, Model, Place, Properties, Space};
use crate::state::{Layout, Shape};

/// A scalar of a packed state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneBits {
    /// Its first bit.
    pub start: u32,
    /// How many bits it has.
    pub n_bits: u32,
    /// Its largest value; the least is 0.
    pub largest: u64,
}

/// What is known of a machine's transitions and checks without running it.
#[derive(Clone, Debug)]
pub struct Accesses {
    /// The lanes of a packed state. Together they are the state.
    pub lanes: Vec<LaneBits>,
    /// What each transition does.
    pub transitions: Vec<TransitionAccesses>,
    /// For each check, the lanes at which it looks, if that is known. What it says of a state
    /// is a function of those.
    pub checks: Vec<Option<Vec<usize>>>,
}

/// What a transition reads and writes.
#[derive(Clone, Debug)]
pub struct TransitionAccesses {
    /// The lane by which it chooses what to do, if there is one.
    pub choice: Option<usize>,
    /// For each value of that lane, or once without one, what it does then.
    pub cases: Vec<CaseAccesses>,
}

/// Lanes that a transition may read and those that it may write, in increasing order. Whether
/// it is enabled, and what it writes, is a function of those that it may read; what it does
/// not write keeps its value.
#[derive(Clone, Debug, Default)]
pub struct CaseAccesses {
    /// Those that it may read.
    pub reads: Vec<usize>,
    /// Those that it may write.
    pub writes: Vec<usize>,
}

/// What is known of a model, if all of its transitions are understood.
pub fn of<M: Model>(shape: &Shape, layout: &Layout) -> Option<Accesses> {
    let fields = FieldLanes::new(shape, layout)?;
    let (lanes, mut start) = (layout.lanes(), 0);
    let lanes = lanes.iter().map(|lane| {
        let bits = LaneBits { start, n_bits: lane.bits(), largest: (lane.hi - lane.lo) as u64 };
        start += bits.n_bits;
        bits
    });
    let transitions = (0..M::Space::N_TRANSITIONS).map(|t| {
        let (choice, n) = match door::attempt(|| M::choice(t))? {
            None => (None, 1),
            Some((place, n)) => (Some(lone(fields.lanes(place)?)?), n),
        };
        let cases = (0..n).map(|value| case(&fields, choice, |tell| M::accesses(t, value, tell)));
        Some(TransitionAccesses { choice, cases: cases.collect::<Option<_>>()? })
    });
    let check = |(i, kind): (usize, CheckKind)| match kind {
        kind if kind.is_asked_everywhere() => {
            looked_at(&fields, |tell| M::Properties::looks_at(i, tell))
        }
        _ => None,
    };
    let kinds = M::Properties::DESCRIPTION.checks.iter().map(|check| check.kind).enumerate();
    Some(Accesses {
        lanes: lanes.collect(),
        transitions: transitions.collect::<Option<_>>()?,
        checks: kinds.map(check).collect(),
    })
}

fn lone(lanes: std::ops::Range<usize>) -> Option<usize> {
    (lanes.len() == 1).then_some(lanes.start)
}

fn case(
    fields: &FieldLanes,
    choice: Option<usize>,
    ask: impl Fn(&mut dyn FnMut(Access, Place)) -> bool,
) -> Option<CaseAccesses> {
    let (mut case, mut is_known) = (CaseAccesses::default(), true);
    let is_told = door::attempt(|| {
        ask(&mut |access, place| match fields.lanes(place) {
            None => is_known = false,
            Some(lanes) => {
                if access != Access::Write {
                    case.reads.extend(lanes.clone());
                }
                if access != Access::Read {
                    case.writes.extend(lanes);
                }
            }
        })
    });
    case.reads.extend(choice);
    for list in [&mut case.reads, &mut case.writes] {
        list.sort_unstable();
        list.dedup();
    }
    (is_told == Some(true) && is_known).then_some(case)
}

fn looked_at(
    fields: &FieldLanes,
    ask: impl Fn(&mut dyn FnMut(Place)) -> bool,
) -> Option<Vec<usize>> {
    let (mut looked_at, mut is_known) = (Vec::new(), true);
    let is_told = door::attempt(|| {
        ask(&mut |place| match fields.lanes(place) {
            None => is_known = false,
            Some(lanes) => looked_at.extend(lanes),
        })
    });
    looked_at.sort_unstable();
    looked_at.dedup();
    (is_told == Some(true) && is_known).then_some(looked_at)
}
