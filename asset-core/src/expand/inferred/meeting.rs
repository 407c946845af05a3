//! What an enabled transition obliges: everything that may get in its way before it is fired.

use super::rule::{Obliged, Rule};
use super::tables::Tables;
use super::tree::Leaf;
use super::{Effect, Partial, Value};
use hashbrown::HashMap;

/// The most values of a view.
const MAX_VIEW: usize = 1 << 12;
/// The most meetings that are looked at to close a view.
const MAX_MEETINGS: usize = 1 << 19;

/// The rule of a transition in one of its situations, where it is enabled.
///
/// The *view* is the lanes that decide there what it does. It is closed under what others
/// may do to it; a situation of another transition that gets in the way anywhere in there is
/// *harmful*: not followed, and its transition an obligation. Where it can be told that none
/// of the harmful situations of a transition can come any more, it is none.
pub fn rule(tables: &Tables, leaf: usize) -> Rule {
    let whole = View::new(tables, leaf).close(true);
    let apart = View::new(tables, leaf).close(false);
    let (Some(whole), Some(apart)) = (whole, apart) else { return Rule::All };
    let obliged = if whole.len() < apart.len() {
        whole.into_iter().map(|(transition, _)| Obliged { transition, alive: None }).collect()
    } else {
        let oblige = |(transition, harmful): (usize, Vec<usize>)| Obliged {
            transition,
            alive: tables.alive(transition, &harmful),
        };
        apart.into_iter().map(oblige).collect()
    };
    Rule::OneOf(vec![obliged])
}

/// The view of one situation, as far as it has been closed.
struct View<'v> {
    tables: &'v Tables,
    transition: usize,
    /// The lanes of the view.
    lanes: Vec<usize>,
    start: Vec<Value>,
    /// The situations of other transitions that are harmful.
    is_harmful: Vec<bool>,
    n_left: usize,
    known: Partial,
    before: Partial,
    after: Partial,
    scratch: Partial,
}

/// What another transition does to a view.
enum Meeting {
    /// It cannot happen there.
    Never,
    /// It leaves the view as it is, or makes it this one.
    Harmless(Option<Vec<Value>>),
    /// It gets in the way.
    Harmful,
}

impl<'v> View<'v> {
    fn new(tables: &'v Tables, leaf: usize) -> Self {
        let Leaf { transition, when, .. } = &tables.leaves[leaf];
        View {
            tables,
            transition: *transition,
            lanes: when.iter().map(|pair| pair.0).collect(),
            start: when.iter().map(|pair| pair.1).collect(),
            is_harmful: vec![false; tables.leaves.len()],
            n_left: MAX_MEETINGS,
            known: tables.partial(),
            before: tables.partial(),
            after: tables.partial(),
            scratch: tables.partial(),
        }
    }

    /// Closes it. A transition that gets in the way is taken out as a `whole`, or only its
    /// harmful situations are. Returns those, by transition; `None` if it grows too large.
    fn close(mut self, whole: bool) -> Option<Vec<(usize, Vec<usize>)>> {
        while !self.pass(whole)? {}
        let tables = self.tables;
        let all = tables.of.iter().enumerate().map(|(transition, leaves)| {
            let harmful = leaves.clone().filter(|&leaf| self.is_harmful[leaf]).collect::<Vec<_>>();
            (transition, harmful)
        });
        Some(all.filter(|(_, harmful)| !harmful.is_empty()).collect())
    }

    /// Goes through the view from its start, up to the first values at which something is
    /// found to be harmful. True if nothing is.
    fn pass(&mut self, whole: bool) -> Option<bool> {
        let tables = self.tables;
        let mut views = vec![self.start.clone()];
        let mut seen: HashMap<Vec<Value>, ()> = HashMap::new();
        seen.insert(self.start.clone(), ());
        let mut next = 0;
        while next < views.len() {
            self.n_left = self.n_left.checked_sub(tables.leaves.len())?;
            let view = views[next].clone();
            next += 1;
            self.known.set_to(&self.lanes, &view);
            // Where the view does not tell, it is not entered.
            let own = tables.trees[self.transition].find(&self.known)?;
            let mended = tables.mends[own];
            let mut is_clean = true;
            for other in 0..tables.of.len() {
                if other == self.transition {
                    continue;
                }
                for leaf in tables.of[other].clone() {
                    if self.is_harmful[leaf] {
                        continue;
                    }
                    // What begins a failure that this ends, wherever it does so.
                    let is_checked = mended & tables.breaks[leaf] != 0;
                    let met =
                        if is_checked { Meeting::Harmful } else { self.meet(&view, own, leaf) };
                    match met {
                        Meeting::Never | Meeting::Harmless(None) => {}
                        Meeting::Harmless(Some(moved)) => {
                            if seen.insert(moved.clone(), ()).is_none() {
                                views.push(moved);
                            }
                        }
                        Meeting::Harmful => {
                            is_clean = false;
                            match whole {
                                true => self.is_harmful[tables.of[other].clone()].fill(true),
                                false => self.is_harmful[leaf] = true,
                            }
                        }
                    }
                }
            }
            if !is_clean {
                return Some(false);
            }
            if views.len() > MAX_VIEW {
                return None;
            }
        }
        Some(true)
    }

    /// What happens if another transition is fired where the view has these values and the
    /// other is in a situation of its own. All else that is touched has any values that can
    /// occur with both. This one is in its situation `own` there.
    fn meet(&mut self, view: &[Value], own: usize, other: usize) -> Meeting {
        let tables = self.tables;
        let (own, leaf) = (&tables.leaves[own], &tables.leaves[other]);
        self.known.set_to(&self.lanes, view);
        if matches!(leaf.effect, Effect::Disabled) {
            return Meeting::Never;
        }
        let touches =
            |pairs: &[(usize, Value)], lane: usize| pairs.iter().any(|pair| pair.0 == lane);
        let failed = leaf.effect == Effect::Failed || own.effect == Effect::Failed;
        let is_near = leaf.writes().iter().any(|write| self.lanes.contains(&write.0))
            || own
                .writes()
                .iter()
                .any(|&(lane, _)| touches(&leaf.when, lane) || touches(leaf.writes(), lane));
        if !failed && !is_near {
            return Meeting::Harmless(None);
        }
        if !tables.can_meet(&self.known, leaf, &mut self.before) {
            return Meeting::Never;
        }
        if failed {
            return Meeting::Harmful;
        }
        // Now `before` is the view with the other's situation. First the other, then this.
        self.after.copy(&self.before);
        self.after.write_all(leaf.writes());
        let moved: Vec<Value> =
            self.lanes.iter().map(|&lane| self.after.get(lane).unwrap_or_default()).collect();
        self.known.set_to(&self.lanes, &moved);
        let then = tables.trees[self.transition].find(&self.known).map(|leaf| &tables.leaves[leaf]);
        let Some(Leaf { effect: Effect::Enabled(own_then), .. }) = then else {
            return Meeting::Harmful;
        };
        let Effect::Enabled(own_now) = &own.effect else { return Meeting::Harmful };
        // First this, then the other, in whatever situation it is now.
        for second in tables.of[leaf.transition].clone() {
            let second = &tables.leaves[second];
            if self.differs(leaf, own_now, own_then, second) {
                return Meeting::Harmful;
            }
        }
        Meeting::Harmless((moved != view).then_some(moved))
    }

    /// Whether it makes a difference that this transition is fired before another one, which
    /// is in one situation before and in a `second` one afterwards.
    fn differs(
        &mut self,
        first: &Leaf,
        own_now: &[(usize, Value)],
        own_then: &[(usize, Value)],
        second: &Leaf,
    ) -> bool {
        let written = |lane: usize| own_now.iter().find(|write| write.0 == lane);
        // What the second situation says of the values before.
        self.scratch.copy(&self.before);
        for &(lane, value) in &second.when {
            let is_possible = match written(lane) {
                Some(write) => write.1 == value,
                None => self.scratch.learn(&[(lane, value)]),
            };
            if !is_possible {
                return false;
            }
        }
        if !self.tables.values.can_occur(&self.scratch) {
            return false;
        }
        let Effect::Enabled(writes) = &second.effect else { return true };
        let end = |lane: usize, writes: [&[(usize, Value)]; 2]| {
            let last = writes[1].iter().chain(writes[0]).find(|write| write.0 == lane);
            last.map(|write| write.1).or_else(|| self.scratch.get(lane))
        };
        let all = [own_now, writes, first.writes(), own_then];
        all.iter()
            .flat_map(|writes| writes.iter())
            .any(|&(lane, _)| end(lane, [own_now, writes]) != end(lane, [first.writes(), own_then]))
    }
}
