//! What a disabled transition obliges: enough to keep it disabled as long as nothing of that
//! is fired.

use super::rule::{Obliged, Rule};
use super::tables::Tables;
use super::tree::Leaf;
use super::{Effect, Partial, Value};
use hashbrown::HashMap;

/// The most values of a view, …
const MAX_VIEW: usize = 1 << 10;
/// … and the most meetings with others that are looked at there.
const MAX_MEETINGS: usize = 1 << 19;

/// The rule of a transition in one of its situations, where it is disabled: lists of
/// transitions, each of which is enough.
pub fn rule(tables: &Tables, leaf: usize) -> Rule {
    let mut lists: Vec<Vec<Obliged>> = Vec::new();
    for view in reasons(tables, leaf) {
        for cut in cuts(tables, tables.leaves[leaf].transition, &view) {
            if cut.is_empty() {
                return Rule::OneOf(vec![cut]);
            }
            if !lists.contains(&cut) {
                lists.push(cut);
            }
        }
    }
    lists.sort_by_key(Vec::len);
    if lists.is_empty() { Rule::All } else { Rule::OneOf(lists) }
}

/// Values that keep the transition disabled, whatever all others are: each that does it
/// alone, and if there is none, all.
fn reasons(tables: &Tables, leaf: usize) -> Vec<Vec<(usize, Value)>> {
    let Leaf { transition, when, .. } = &tables.leaves[leaf];
    let keeps = |pairs: &[(usize, Value)]| {
        let mut known = tables.partial();
        known.write_all(pairs);
        !may_be_enabled(tables, *transition, &known, &mut tables.partial())
    };
    let alone: Vec<_> = when.iter().map(|&pair| vec![pair]).filter(|one| keeps(one)).collect();
    if !alone.is_empty() {
        return alone;
    }
    let mut fewest = [when.clone(), when.clone()];
    fewest[1].reverse();
    for pairs in &mut fewest {
        let mut i = 0;
        while i < pairs.len() {
            let one = pairs.remove(i);
            if !keeps(pairs) {
                pairs.insert(i, one);
                i += 1;
            }
        }
        pairs.sort_unstable();
    }
    let [one, other] = fewest;
    if one == other { vec![one] } else { vec![one, other] }
}

/// Whether a transition may be enabled, or fail, as far as is known.
fn may_be_enabled(
    tables: &Tables,
    transition: usize,
    known: &Partial,
    scratch: &mut Partial,
) -> bool {
    tables.of[transition].clone().any(|leaf| {
        let leaf = &tables.leaves[leaf];
        leaf.effect != Effect::Disabled && tables.can_meet(known, leaf, scratch)
    })
}

/// What leads from one value of a view to another, or to where the transition may be enabled.
struct Step {
    leaf: usize,
    from: usize,
    to: Option<usize>,
}

/// Lists of transitions without which the transition stays disabled, seen from these values:
/// the first steps on the way to where it may be enabled, and the last ones.
fn cuts(tables: &Tables, transition: usize, start: &[(usize, Value)]) -> Vec<Vec<Obliged>> {
    let lanes: Vec<usize> = start.iter().map(|pair| pair.0).collect();
    let first: Vec<Value> = start.iter().map(|pair| pair.1).collect();
    let mut numbers: HashMap<Vec<Value>, Option<usize>> = HashMap::new();
    numbers.insert(first.clone(), Some(0));
    let (mut views, mut steps): (Vec<Vec<Value>>, Vec<Step>) = (vec![first], Vec::new());
    let (mut known, mut met, mut scratch) = (tables.partial(), tables.partial(), tables.partial());
    let mut from = 0;
    while from < views.len() {
        let view = views[from].clone();
        for (number, leaf) in tables.leaves.iter().enumerate() {
            let fails = leaf.effect == Effect::Failed;
            let is_near = leaf.writes().iter().any(|write| lanes.contains(&write.0));
            if leaf.transition == transition || !fails && !is_near {
                continue;
            }
            known.set_to(&lanes, &view);
            if !tables.can_meet(&known, leaf, &mut met) {
                continue;
            }
            if fails {
                steps.push(Step { leaf: number, from, to: None });
                continue;
            }
            met.write_all(leaf.writes());
            let moved: Vec<Value> =
                lanes.iter().map(|&lane| met.get(lane).unwrap_or_default()).collect();
            if moved == view {
                continue;
            }
            let to = *numbers.entry(moved.clone()).or_insert_with(|| {
                known.set_to(&lanes, &moved);
                if may_be_enabled(tables, transition, &known, &mut scratch) {
                    return None;
                }
                views.push(moved);
                Some(views.len() - 1)
            });
            steps.push(Step { leaf: number, from, to });
        }
        from += 1;
        if views.len() > MAX_VIEW || from * tables.leaves.len() > MAX_MEETINGS {
            return Vec::new();
        }
    }
    // Only ways that lead there count.
    let mut leads = vec![false; views.len()];
    loop {
        let add = steps.iter().find(|step| !leads[step.from] && step.to.is_none_or(|to| leads[to]));
        match add {
            Some(step) => leads[step.from] = true,
            None => break,
        }
    }
    let of = |counts: &dyn Fn(&Step) -> bool| {
        let mut leaves: Vec<usize> =
            steps.iter().filter(|step| counts(step)).map(|step| step.leaf).collect();
        leaves.sort_unstable();
        leaves.dedup();
        obliged(tables, &leaves)
    };
    let goes_on = |step: &Step| step.to.is_none_or(|to| leads[to]);
    vec![of(&|step| step.from == 0 && goes_on(step)), of(&|step| step.to.is_none())]
}

/// The transitions of these situations, as long as one of theirs may come.
fn obliged(tables: &Tables, leaves: &[usize]) -> Vec<Obliged> {
    let transitions =
        leaves.chunk_by(|a, b| tables.leaves[*a].transition == tables.leaves[*b].transition);
    transitions
        .map(|leaves| {
            let transition = tables.leaves[leaves[0]].transition;
            Obliged { transition, alive: tables.alive(transition, leaves) }
        })
        .collect()
}
